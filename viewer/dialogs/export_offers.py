"""What there is to export of a decoding, and in which formats."""

from __future__ import annotations

from model.trace import AttentionKind, Trace
from viewer.dialogs.export_form import DATA
from viewer.export.picture import FORMATS
from viewer.export.request import FigureKind, Page
from viewer.state.selection import Selection

STEPPED = (
    FigureKind.HEATMAP, FigureKind.HEADS, FigureKind.ALL_HEADS, FigureKind.FLOW, FigureKind.WORDS,
)  # fmt: skip
"""Figures that may show a decoding as it was after a step."""

_WITH_ARRAYS = (FigureKind.POSITIONS, FigureKind.DIFFERENCE)


def figures_of(trace: Trace, selection: Selection, *, asks_model: bool) -> tuple[FigureKind, ...]:
    """The figures of a trace; those that follow from its model only where that can be asked."""
    views = [FigureKind.HEATMAP, FigureKind.FLOW, FigureKind.WORDS, FigureKind.HEADS, FigureKind.ALL_HEADS]
    if selection.kind is AttentionKind.CROSS and trace.steps:
        views.append(FigureKind.ALIGNMENT)
    if asks_model and selection.head is not None:
        views.append(FigureKind.ARITHMETIC)
    if asks_model and trace.steps:
        views.append(FigureKind.SHARES)
    return tuple(views)


def formats_of(what: str, page: Page | None) -> tuple[str, ...]:
    """Endings of still pictures and data, the usual one first.

    Args:
        what: a `FigureKind`, or `DATA`.
    """
    if what == DATA:
        return "npz", "trace"
    if what == FigureKind.ALL_HEADS:
        return FORMATS
    if what == FigureKind.ALIGNMENT:
        return "pharaoh", "csv"
    if what == FigureKind.PAGE and (page is None or page.table is None):
        return FORMATS
    return (*FORMATS, "csv", "npz") if what in _WITH_ARRAYS else (*FORMATS, "csv")


def with_row(selection: Selection, view: FigureKind, step: int | None) -> Selection:
    """With the row that the window shows, where a figure of a single row is not told its step.

    Args:
        step: the one in view, None without one.
    """
    if view not in (FigureKind.WORDS, FigureKind.ARITHMETIC) or step is None:
        return selection
    if selection.kind is AttentionKind.ENCODER_SELF or None not in (selection.query, selection.key):
        return selection
    return selection.but(query=step, key=None)
