"""Tree of tokens as a table: a line a node, parents before their children."""

from __future__ import annotations

from viewer.figures.table import Rows, exact
from viewer.figures.tree.spec import TreeSpec

HEADER = (
    "node", "parent", "strand", "step", "token", "piece", "logprob", "score", "rank_score", "rank",
    "standing", "runs", "ends", "in_view",
)  # fmt: skip


def tree_rows(spec: TreeSpec) -> Rows:
    """Every node; places count from 0, a root has step -1 and no parent.

    `score` is the sum of `logprob` from the root on, `rank_score` that divided by tokens**penalty, `strand`
    the way of computing: 0 is the untouched model's where it has runs.
    """
    yield HEADER
    for node in spec.tree.nodes:
        yield (
            node.index,
            "" if node.parent is None else node.parent,
            node.strand,
            node.step,
            node.token,
            node.piece,
            exact(node.logprob),
            exact(node.score),
            exact(node.rank_score),
            "" if node.rank is None else node.rank,
            node.standing,
            " ".join(node.runs),
            " ".join(f"{run}:{end}" for run, end in node.ends),
            int(node.index in spec.in_view),
        )
