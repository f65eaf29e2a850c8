"""FigureSpec: all that a picture says, worked out once and drawn alike by the window and every export."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from model.trace import AttentionKind

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True)
class AxisLabel:
    """One token along an axis.

    Attributes:
        text: as shown (continuations joined, bytes made characters).
        second: for decoder rows, what is predicted; `text` is what is read. Empty elsewhere.
        raw: the piece (or pieces) as the tokenizer writes it.
        special: a start, end, pad or unknown token; drawn dimmed.
        index: the token's index in the trace.
    """

    text: str
    second: str = ""
    raw: str = ""
    special: bool = False
    index: int = 0


@dataclass(frozen=True, eq=False)
class MapSpec:
    """One heatmap.

    Attributes:
        matrix: weights as shown, [query, key] float32 (rows of a running decode that do not exist yet absent).
        rows: number of rows to draw; rows from len(matrix) on are "not yet" (outlined).
        masked: bool [query, key], True where attention was not allowed (hatched), or None.
        row_labels, column_labels: one an index of the axis.
        row_title, column_title: what the axes are, with query/key and source/target.
        title: such as "Decoder layer 2 of 4, head 3 of 8".
        badges: what was averaged, scaled, hidden, altered; shown on screen and in every export.
        step_row: the row of the current step, None for encoder maps.
        later_from: first row after the current step (drawn outlined, muted), None to draw all alike.
        sqrt_scale: colours by the square root.
        levels: value range of the colour bar, (0, 1) for weights.
    """

    kind: AttentionKind
    layer: int
    head: int | None
    matrix: Matrix
    rows: int
    masked: npt.NDArray[np.bool_] | None
    row_labels: tuple[AxisLabel, ...]
    column_labels: tuple[AxisLabel, ...]
    row_title: str
    column_title: str
    title: str
    badges: tuple[str, ...] = ()
    step_row: int | None = None
    later_from: int | None = None
    sqrt_scale: bool = False
    levels: tuple[float, float] = (0.0, 1.0)
    crosshair: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class HeadsSpec:
    """All heads of a family on one page: maps[layer][head]."""

    kind: AttentionKind
    maps: tuple[tuple[MapSpec, ...], ...]
    title: str
    badges: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class PositionsSpec:
    """The positional encoding.

    Attributes:
        encoding: [position, dimension].
        similarity: cosine or dot product between positions [position, position].
        curves: dimensions to draw as curves.
    """

    encoding: Matrix
    similarity: Matrix
    curves: tuple[int, ...]
    title: str
    badges: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class FigureSpec:
    """A picture with its caption.

    Attributes:
        body: what is drawn.
        caption: provenance sentence: text, translation, model name and hash, decoding, created by.
        facts: the same as data, for CSV comments and manifests.
    """

    body: MapSpec | HeadsSpec | PositionsSpec
    caption: str
    facts: dict[str, Any] = field(default_factory=dict)
