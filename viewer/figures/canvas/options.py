"""DrawOptions: what may differ between two drawings of one FigureSpec."""

from __future__ import annotations

from dataclasses import dataclass

from model.trace.trace import AttentionKind
from viewer.figures.canvas.lettering import LEAST_TYPE
from viewer.figures.canvas.zoom import Zoom


@dataclass(frozen=True)
class DrawOptions:
    """Choices of the caller.

    Attributes:
        zoom: the part of a map in view, None for all of it.
        hover: the cell under the pointer: (row, column) of a map, (layer, head) of a page of heads.
        lit: the row and the column of a map, flow or text that the pointer is on in some view; None: on none.
        lit_head: the head of a flow that the pointer is on in some view.
        selected: on a page of heads, the (layer, head) that the map shows; head None for the mean.
        selected_kind, hover_kind: the kinds of `selected` and `hover`, on a page of all kinds.
        lazy: heads that are not read yet are left blank instead of being read.
        title, badges, caption: which of the words around the picture to draw.
        vector: the device keeps shapes (SVG, PDF): cells become rectangles up to 128 x 128.
        font_scale: enlarges type, margins and the largest cells.
        least_type: how small labels may become before some are left out, in logical pixels: 9 on a
            screen, 5 pt on paper.
        axis_titles: of a map in the window: say along the axes what they are, where that costs no label.
        compact: of a map in little height: no axis titles, flat cells, upright labels of columns, thinned.
    """

    zoom: Zoom | None = None
    hover: tuple[int, int] | None = None
    lit: tuple[int | None, int | None] = (None, None)
    lit_head: int | None = None
    selected: tuple[int, int | None] | None = None
    selected_kind: AttentionKind | None = None
    hover_kind: AttentionKind | None = None
    lazy: bool = False
    title: bool = True
    badges: bool = True
    caption: bool = False
    vector: bool = False
    font_scale: float = 1.0
    least_type: float = LEAST_TYPE
    axis_titles: bool = True
    compact: bool = False
