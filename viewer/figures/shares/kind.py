"""The kind of shares: how much each step takes from the source."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind
from viewer.figures.asking import answer_to, check_kind, check_range, check_step, selection_of
from viewer.figures.data import csv_only
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, Drawing, FigureKind, Writing
from viewer.figures.option import Option
from viewer.figures.request import ExportRequest, Source
from viewer.figures.shares.build import contributed_shares_figure, shares_figure
from viewer.figures.shares.layout import shares_geometry, shares_height
from viewer.figures.shares.measure import CONTRIBUTIONS, CROSS, MEASURES, Measure
from viewer.figures.shares.paint import paint_shares
from viewer.figures.shares.spec import SharesSpec
from viewer.figures.shares.spoken import spoken_shares
from viewer.figures.shares.table import write_shares_csv

MEASURE = Option(
    "measure",
    {
        "choices": list(MEASURES),
        "help": "of shares: contributions through both stacks, up to --layer (default), or cross-attention's "
        "part in a layer",
    },
)


def measure_of(request: ExportRequest) -> Measure:
    """By what the shares are measured."""
    return MEASURES[request.own.get(MEASURE.name) or CONTRIBUTIONS.name]


def check(source: Source, request: ExportRequest) -> None:
    """Cross-attention, layer, step."""
    trace = source.need_trace()
    check_kind(trace, AttentionKind.CROSS)
    if request.layer is not None:
        check_range("layer", request.layer, trace.layers(AttentionKind.CROSS))
    check_step(trace, AttentionKind.CROSS, request)


def build(source: Source, request: ExportRequest) -> FigureSpec[SharesSpec]:
    """The shares of every step, by either measure."""
    trace, measure = source.need_trace(), measure_of(request)
    answer, step = answer_to(source, measure.question), selection_of(source, request).step
    make = shares_figure if measure is CROSS else contributed_shares_figure
    figure = make(trace, answer, request.layer, step)
    if request.step is not None:
        return figure
    return replace(figure, body=replace(figure.body, step=-1, later_from=None))


def write_csv(writing: Writing) -> None:
    """Every step, with every layer or every word."""
    write_shares_csv(writing.source.need_trace(), writing.build(writing.request), writing.path)


def words(request: ExportRequest) -> list[str]:
    """Layer and step."""
    said = [] if request.layer is None else ["--layer", str(request.layer + 1)]
    return said + ([] if request.step is None else ["--step", str(request.step + 1)])


KIND = FigureKind(
    "shares",
    Drawing(SharesSpec, shares_geometry, shares_height, paint_shares, spoken=spoken_shares),
    Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "What each step takes from the source"),
        check=check,
        build=build,
        write=csv_only(write_csv),
        help="how much each step takes from the source (shares)",
        options=(MEASURE,),
        ignored=("kind", "head", "scale", "hide_specials"),
        only_kind=(AttentionKind.CROSS, "shares tell what cross-attention brings"),
        asks_model=True,
        offered=lambda trace, selection: trace.steps > 0,
        stem=lambda request, page: "shares",
        words=words,
    ),
)
