"""Architecture table: every block of every layer as CSV, layers counted from 0 and from 1."""

from __future__ import annotations

from viewer.figures.architecture.spec import ArchitectureSpec
from viewer.figures.table import Rows

HEADER = (
    "stack",
    "layer",
    "block",
    "sublayer",
    "attention",
    "name",
    "heads",
    "shape",
    "parameters",
    "shares",
    "layer_number",
)


def architecture_rows(spec: ArchitectureSpec) -> Rows:
    """Header and lines in the order of computation; what is not known is empty.

    `shape` is of what leaves the block, such as `13x256` (tokens, numbers a token); `parameters` are trained
    numbers of its own, `shares` the block (`stack.block`) whose weights it uses;
    `layer_number` counts from 1.
    """
    yield HEADER
    for block in spec.every:
        yield (
            block.stack,
            "" if block.layer is None else block.layer,
            block.role,
            block.sublayer,
            "" if block.kind is None else str(block.kind),
            block.name,
            block.heads or "",
            "x".join(map(str, block.shape)),
            "" if block.parameters is None else block.parameters,
            block.shares,
            "" if block.layer is None else block.layer + 1,
        )
