"""The kind of a flow: tokens in two columns, lines by weight."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from viewer.figures.asking import check_head, check_kind, check_step, selection_of, with_cell
from viewer.figures.data import of_a_trace
from viewer.figures.figure import FigureSpec
from viewer.figures.flow.build import flow_figure
from viewer.figures.flow.layout import flow_geometry, flow_height
from viewer.figures.flow.paint import paint_flow
from viewer.figures.flow.spec import FlowSpec
from viewer.figures.flow.table import write_flow_csv
from viewer.figures.kind import Asked, Drawing, FigureKind, Writing
from viewer.figures.option import HEADS, INCOMING, KEY, NUMBERS, QUERY, THRESHOLD, WHOLE_WORDS
from viewer.figures.request import ExportRequest, Source


def check(source: Source, request: ExportRequest) -> None:
    """As of one map, with the further heads that are drawn."""
    trace, selection = source.need_trace(), request.selection
    check_kind(trace, selection.kind)
    check_head(trace, selection, selection.more_heads)
    check_step(trace, selection.kind, request, numbers=selection.numbers)


def build(source: Source, request: ExportRequest) -> FigureSpec[FlowSpec]:
    """The flow; the chosen cell's token is drawn before the others."""
    trace, selection = source.need_trace(), with_cell(source, selection_of(source, request))
    figure = flow_figure(trace, selection, request.options, known=source.known)
    if request.step is not None:
        return figure
    maps = tuple(replace(one, step_row=None, later_from=None) for one in figure.body.maps)
    return replace(figure, body=replace(figure.body, maps=maps))


def unmarked(spec: FlowSpec) -> FlowSpec:
    """With the token of the step like every other."""
    return replace(spec, maps=tuple(replace(one, step_row=None) for one in spec.maps))


def write_csv(writing: Writing) -> None:
    """The cells of every head drawn."""
    write_flow_csv(writing.build(writing.request), writing.path)


KIND = FigureKind(
    "flow",
    Drawing(FlowSpec, flow_geometry, flow_height, paint_flow, unmarked=unmarked),
    Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "This map as flow"),
        check=check,
        build=build,
        write=of_a_trace(write_csv),
        help="the same as lines (flow)",
        options=(NUMBERS, WHOLE_WORDS, QUERY, KEY, HEADS, THRESHOLD, INCOMING),
        one_map=True,
        numbered=True,
        stepped=True,
        prefix="flow",
    ),
)
