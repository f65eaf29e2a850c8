"""The kind of all heads of all kinds of attention on one page."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from viewer.document.selection import Numbers
from viewer.figures.all_heads.build import all_heads_figure
from viewer.figures.all_heads.layout import all_heads_geometry, all_heads_height
from viewer.figures.all_heads.paint import paint_all_heads
from viewer.figures.all_heads.spec import AllHeadsSpec
from viewer.figures.asking import check_kind, check_step, selection_of
from viewer.figures.data import of_a_trace
from viewer.figures.figure import FigureSpec
from viewer.figures.heads.weights import write_weights
from viewer.figures.kind import Asked, Drawing, FigureKind, Writing
from viewer.figures.map.damage import all_damage
from viewer.figures.option import WHOLE_WORDS
from viewer.figures.request import ExportRequest, Source


def check(source: Source, request: ExportRequest) -> None:
    """Whether there is any kind of attention, and the step."""
    trace = source.need_trace()
    kind = trace.kinds[-1] if trace.kinds else request.selection.kind
    check_kind(trace, kind)
    check_step(trace, kind, request)


def build(source: Source, request: ExportRequest) -> FigureSpec[AllHeadsSpec]:
    """The page of all kinds of attention."""
    trace, selection = source.need_trace(), selection_of(source, request)
    all_damage(trace, trace.kinds)
    figure = all_heads_figure(trace, selection.step, request.options)
    if request.step is not None:
        return figure
    pages = tuple(replace(one, step_row=None, later_from=None) for one in figure.body.pages)
    return replace(figure, body=replace(figure.body, pages=pages))


def topped(spec: AllHeadsSpec) -> tuple[AllHeadsSpec, float] | None:
    """On one scale to the largest weight that it shows; None where that is no scale from 0 to 1."""
    most = max((page.largest() for page in spec.pages), default=0.0)
    if spec.levels != (0.0, 1.0) or most <= 0:
        return None
    levels = (0.0, most)
    pages = tuple(replace(page, levels=levels) for page in spec.pages)
    return replace(spec, pages=pages, levels=levels), most


def unmarked(spec: AllHeadsSpec) -> AllHeadsSpec:
    """Without the tick at the row of the step."""
    return replace(spec, pages=tuple(replace(page, step_row=None) for page in spec.pages))


def write_csv(writing: Writing) -> None:
    """Every weight of every head of every kind of attention."""
    check(writing.source, writing.request)
    write_weights(writing, writing.source.need_trace().kinds)


def stem(request: ExportRequest, page: str) -> str:
    """A file's name."""
    return "all-heads" if request.step is None else f"all-heads-step{request.step + 1}"


KIND = FigureKind(
    "all_heads",
    Drawing(
        AllHeadsSpec,
        all_heads_geometry,
        all_heads_height,
        paint_all_heads,
        topped=topped,
        unmarked=unmarked,
    ),
    Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "All heads of all families"),
        check=check,
        build=build,
        write=of_a_trace(write_csv),
        options=(WHOLE_WORDS,),
        ignored=("layer", "head", "kind"),
        shows=(Numbers.WEIGHTS,),
        stepped=True,
        data=lambda source: (),
        pieces=True,
        stem=stem,
    ),
)
