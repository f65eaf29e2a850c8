"""The kind of a contribution graph: one output word and what it is made of, through both stacks."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.files.files import replacing, write_chunks
from model.trace.trace import AttentionKind
from viewer.figures.asking import check_kind, check_range, check_step
from viewer.figures.contributions.build import contributions_figure
from viewer.figures.contributions.layout import contributions_geometry, contributions_height
from viewer.figures.contributions.paint import paint_contributions
from viewer.figures.contributions.spec import ContributionsSpec
from viewer.figures.contributions.spoken import spoken_contributions
from viewer.figures.contributions.table import contributions_rows
from viewer.figures.data import csv_only
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, Drawing, FigureKind, Writing
from viewer.figures.option import THRESHOLD
from viewer.figures.request import ExportRequest, Source
from viewer.figures.table import csv_chunks, noted


def check(source: Source, request: ExportRequest) -> None:
    """Cross-attention, and the step."""
    trace = source.need_trace()
    check_kind(trace, AttentionKind.CROSS)
    check_step(trace, AttentionKind.CROSS, request)
    check_range("step", 0, trace.steps)


def build(source: Source, request: ExportRequest) -> FigureSpec[ContributionsSpec]:
    """The graph of the step's word, or of one in the middle."""
    trace, options = source.need_trace(), request.options
    step = trace.steps // 2 if request.step is None else request.step
    return contributions_figure(trace, step, options.threshold, source.known, raw=options.raw_pieces)


def write_csv(writing: Writing) -> None:
    """Every edge."""
    figure = writing.build(writing.request)
    spec = figure.body
    with replacing(writing.path) as temporary:
        lines = noted(contributions_rows(spec), (*spec.badges, *spec.notes))
        write_chunks(temporary, csv_chunks(lines))


def words(request: ExportRequest) -> list[str]:
    """The step."""
    return [] if request.step is None else ["--step", str(request.step + 1)]


def stem(request: ExportRequest, page: str) -> str:
    """With the step, if one was chosen."""
    return "contributions" if request.step is None else f"contributions-step{request.step + 1}"


KIND = FigureKind(
    "contributions",
    Drawing(
        ContributionsSpec,
        contributions_geometry,
        contributions_height,
        paint_contributions,
        rows=contributions_rows,
        spoken=spoken_contributions,
    ),
    Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "What one word is made of"),
        check=check,
        build=build,
        write=csv_only(write_csv),
        help="what the word of --step is made of, through both stacks (contributions)",
        options=(THRESHOLD,),
        ignored=("kind", "layer", "head", "scale", "hide_specials"),
        only_kind=(AttentionKind.CROSS, "contributions are followed through both stacks"),
        asks_model=True,
        offered=lambda trace, selection: trace.steps > 0,
        stem=stem,
        words=words,
    ),
)
