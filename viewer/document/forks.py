"""Forks: where the runs of a tree part, and which tokens have others in their place in the branches."""

from __future__ import annotations

import numpy as np

from viewer.document.document import Document, Run


def forks(document: Document, run: Run) -> dict[int, int]:
    """By step (from 0) the number of other runs of the same tree that have the same tokens up to there.

    A tree is a first run and all that branched from it, with what is altered in the model the same. A run
    that is another's beginning, such as one that was stopped, parts from it nowhere.
    """
    home = document.root(run)
    found: dict[int, int] = {}
    for other in document.runs:
        if other is run or other.alterations != run.alterations or document.root(other) != home:
            continue
        step = _parting(run, other)
        if step is not None:
            found[step] = found.get(step, 0) + 1
    return found


def _parting(run: Run, other: Run) -> int | None:
    """The first step at which two runs have different tokens, None if one goes on where the other ends."""
    ours, theirs = run.trace.tgt_out_ids, other.trace.tgt_out_ids
    both = min(len(ours), len(theirs))
    differ = np.flatnonzero(ours[:both] != theirs[:both])
    return int(differ[0]) if len(differ) else None
