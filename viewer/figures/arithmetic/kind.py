"""The kind of an arithmetic: one weight worked out from queries and keys."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.questions.questions import RowOf
from model.trace.trace import AttentionKind
from viewer.document.selection import Selection
from viewer.figures.arithmetic.build import arithmetic_figure
from viewer.figures.arithmetic.layout import arithmetic_geometry, arithmetic_height
from viewer.figures.arithmetic.paint import paint_arithmetic
from viewer.figures.arithmetic.spec import ArithmeticSpec
from viewer.figures.arithmetic.spoken import spoken_arithmetic
from viewer.figures.arithmetic.table import write_arithmetic_csv
from viewer.figures.asking import (
    answer_to,
    check_cell,
    check_head,
    check_kind,
    check_step,
    chosen_row,
    strongest,
)
from viewer.figures.data import csv_only
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, Drawing, FigureKind, Writing
from viewer.figures.option import KEY, QUERY
from viewer.figures.request import ExportRequest, Source


def check(source: Source, request: ExportRequest) -> None:
    """Kind of attention, layer, head, step; whatever numbers are in view, it is of the weights."""
    trace, selection = source.need_trace(), request.selection
    check_kind(trace, selection.kind)
    check_head(trace, selection)
    check_step(trace, selection.kind, request)


def build(source: Source, request: ExportRequest) -> FigureSpec[ArithmeticSpec]:
    """The arithmetic of the chosen cell."""
    trace, selection = source.need_trace(), arithmetic_cell(source, request)
    assert selection.head is not None
    assert selection.query is not None
    question = RowOf(selection.kind, selection.layer, selection.head, selection.query)
    return arithmetic_figure(trace, selection, answer_to(source, question), request.options)


def arithmetic_cell(source: Source, request: ExportRequest) -> Selection:
    """The cell whose arithmetic is meant: the crosshair, else the step's row (or one in the middle) and its
    strongest key.

    Raises:
        HeadscopeError: a mean is chosen, or there is no such cell.
    """
    trace, selection = source.need_trace(), chosen_row(source, request)
    if selection.head is None:
        raise HeadscopeError("export_arithmetic_head")
    query, key = selection.query, selection.key
    if query is None:
        query = 0 if selection.kind is AttentionKind.ENCODER_SELF else selection.step
    check_cell(trace, selection.but(query=query))
    return selection.but(query=query, key=strongest(trace, selection, query) if key is None else key)


def write_csv(writing: Writing) -> None:
    """Every number of every stage."""
    write_arithmetic_csv(writing.build(writing.request), writing.path)


KIND = FigureKind(
    "arithmetic",
    Drawing(
        ArithmeticSpec, arithmetic_geometry, arithmetic_height, paint_arithmetic, spoken=spoken_arithmetic
    ),
    Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "The arithmetic of the chosen cell"),
        check=check,
        build=build,
        write=csv_only(write_csv),
        help="one row worked out from queries and keys (arithmetic)",
        options=(QUERY, KEY),
        ignored=("scale", "hide_specials"),
        one_map=True,
        row=True,
        asks_model=True,
        offered=lambda trace, selection: selection.head is not None,
        prefix="arithmetic",
    ),
)
