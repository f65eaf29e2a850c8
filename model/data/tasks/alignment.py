"""Gold word alignments: which source word a target word comes from, known because the program made both."""

from __future__ import annotations

Links = tuple[tuple[int, int], ...]
"""(source, target) places of words separated by single spaces, from 0, sorted; a word may have several."""


def pharaoh(links: Links) -> str:
    """One sentence's links in Pharaoh format: `0-0 1-2 2-1`."""
    return " ".join(f"{i}-{j}" for i, j in links)
