"""The kind of shares: how much each step takes from the source."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from model.questions.questions import SharesOf
from model.trace.trace import AttentionKind
from viewer.figures.asking import answer_to, check_kind, check_range, check_step, selection_of
from viewer.figures.data import csv_only
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, Drawing, FigureKind, Writing
from viewer.figures.request import ExportRequest, Source
from viewer.figures.shares.build import shares_figure
from viewer.figures.shares.layout import shares_geometry, shares_height
from viewer.figures.shares.paint import paint_shares
from viewer.figures.shares.spec import SharesSpec
from viewer.figures.shares.spoken import spoken_shares
from viewer.figures.shares.table import write_shares_csv


def check(source: Source, request: ExportRequest) -> None:
    """Cross-attention, layer, step."""
    trace = source.need_trace()
    check_kind(trace, AttentionKind.CROSS)
    if request.layer is not None:
        check_range("layer", request.layer, trace.layers(AttentionKind.CROSS))
    check_step(trace, AttentionKind.CROSS, request)


def build(source: Source, request: ExportRequest) -> FigureSpec[SharesSpec]:
    """The shares of every step, of a layer or their mean."""
    trace, answer = source.need_trace(), answer_to(source, SharesOf())
    figure = shares_figure(trace, answer, request.layer, selection_of(source, request).step)
    if request.step is not None:
        return figure
    return replace(figure, body=replace(figure.body, step=-1, later_from=None))


def write_csv(writing: Writing) -> None:
    """Every layer, every step."""
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
        ignored=("kind", "head", "scale", "hide_specials"),
        only_kind=(AttentionKind.CROSS, "shares tell what cross-attention brings"),
        asks_model=True,
        offered=lambda trace, selection: trace.steps > 0,
        stem=lambda request, page: "shares",
        words=words,
    ),
)
