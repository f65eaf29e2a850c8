"""The manual's table of what works with models of others is that of the registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.foreign.inside.anatomy import ANATOMIES, Anatomy

MANUAL = Path(__file__).parents[4] / "resources" / "manual"


def row(anatomy: Anatomy, yes: str) -> str:
    """What the tests of this folder prove of a shape: a reader says nothing, a decoder has no source."""
    writes = anatomy.decoder is not None
    crosses = writes and anatomy.encoder is not None
    works = [True, True, True, writes, writes, writes, crosses, writes]
    types = ", ".join(f"`{name}`" for name in anatomy.types)
    return "| " + " | ".join([types, *(yes if one else "–" for one in works)]) + " |"


@pytest.mark.parametrize(("language", "yes"), [("en", "yes"), ("zh", "是")])
def test_the_table(language: str, yes: str) -> None:
    text = (MANUAL / language / "other-models.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert rows == [row(anatomy, yes) for anatomy in ANATOMIES]
