"""The kind of a page of heads: all those of a kind of attention."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from model.questions.causes.logit import LogitParts
from model.questions.questions import Reading
from viewer.document.explained import logit_question
from viewer.document.selection import Numbers
from viewer.figures.asking import check_kind, check_step, selection_of
from viewer.figures.data import of_a_trace
from viewer.figures.figure import FigureSpec
from viewer.figures.heads.attribution import attribution_badges, write_attribution_csv
from viewer.figures.heads.build import heads_figure
from viewer.figures.heads.importance_table import write_importance_csv
from viewer.figures.heads.layout import heads_geometry, heads_height
from viewer.figures.heads.paint import paint_heads
from viewer.figures.heads.spec import HeadsSpec
from viewer.figures.heads.weights import write_weights
from viewer.figures.kind import Asked, Drawing, FigureKind, Writing
from viewer.figures.map.damage import all_damage
from viewer.figures.option import WHOLE_WORDS
from viewer.figures.request import ExportRequest, Source
from viewer.figures.text import importance_badge, trace_badges


def check(source: Source, request: ExportRequest) -> None:
    """Kind of attention and step."""
    trace, kind = source.need_trace(), request.selection.kind
    check_kind(trace, kind)
    check_step(trace, kind, request)


def build(source: Source, request: ExportRequest) -> FigureSpec[HeadsSpec]:
    """The page, of weights or of what the heads are worth, or wrote."""
    trace, selection = source.need_trace(), selection_of(source, request)
    all_damage(trace, (selection.kind,))  # every head is drawn, and none without a word
    figure = heads_figure(
        trace,
        selection.kind,
        selection.step,
        request.options,
        importance=source.importance,
        attribution=attribution_of(source, request),
    )
    if request.step is not None:
        return figure
    return replace(figure, body=replace(figure.body, step_row=None, later_from=None))


def topped(spec: HeadsSpec) -> tuple[HeadsSpec, float] | None:
    """On a scale to the largest weight that it shows; None where that is no scale from 0 to 1."""
    most = spec.largest()
    if spec.worth is not None or spec.levels != (0.0, 1.0) or most <= 0:
        return None
    return replace(spec, levels=(0.0, most)), most


def shows_importance(source: Source, request: ExportRequest) -> bool:
    """Whether the page is coloured by what heads are worth, not by their weights."""
    measured = source.importance is not None and request.selection.kind in source.importance.change
    return request.options.importance and measured


def attribution_of(source: Source, request: ExportRequest) -> LogitParts | None:
    """What the heads wrote for the words in view, where the page is coloured by that and it is known."""
    options, trace = request.options, source.trace
    if not options.attribution or options.importance or trace is None or source.known is None:
        return None
    step = request.selection.step if request.step is None else request.step
    question = logit_question(trace, request.selection.but(step=step))
    found = None if question is None else source.known(question, Reading.of(trace))
    return found if isinstance(found, LogitParts) and request.selection.kind in found.by_head() else None


def no_command(source: Source, request: ExportRequest) -> str:
    """What the heads are worth is measured in the window alone."""
    if attribution_of(source, request) is not None:
        return QCoreApplication.translate(
            "ExportDialog",
            "No command colours the heads by what they wrote; export the picture from here, or let the view "
            "logit tell the numbers.",
        )
    if not shows_importance(source, request):
        return ""
    return QCoreApplication.translate(
        "ExportDialog", "No command measures the importance of heads; export the picture from here."
    )


def write_csv(writing: Writing) -> None:
    """Every weight of every head, or what each head is worth."""
    source, request = writing.source, writing.request
    kind, importance = request.selection.kind, source.importance
    if importance is not None and shows_importance(source, request):
        notes = [*trace_badges(source.need_trace(), sqrt_scale=False), importance_badge()]
        write_importance_csv(importance, kind, "; ".join(notes), writing.path)
        return
    written = attribution_of(source, request)
    if written is not None:
        trace = source.need_trace()
        notes = [*trace_badges(trace, sqrt_scale=False), *attribution_badges(trace, written)]
        write_attribution_csv(written, kind, "; ".join(notes), writing.path)
        return
    check(source, request)
    write_weights(writing, (kind,))


KIND = FigureKind(
    "heads",
    Drawing(
        HeadsSpec,
        heads_geometry,
        heads_height,
        paint_heads,
        lambda spec: spec.levels[0] < 0,
        topped=topped,
    ),
    Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "All heads of this family"),
        check=check,
        build=build,
        write=of_a_trace(write_csv),
        help="all heads of a family or of all (all_heads)",
        options=(WHOLE_WORDS,),
        ignored=("layer", "head"),
        shows=(Numbers.WEIGHTS,),
        stepped=True,
        moves=True,
        pieces=True,
        no_command=no_command,
    ),
)
