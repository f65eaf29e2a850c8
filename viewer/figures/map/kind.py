"""The kind of a map: one heatmap of a layer and head."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from viewer.figures.asking import check_map, selection_of
from viewer.figures.data import of_a_trace
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, Drawing, FigureKind
from viewer.figures.map.build import map_figure
from viewer.figures.map.data import write_csv
from viewer.figures.map.gold.build import with_gold
from viewer.figures.map.layout import MapGeometry, map_geometry, map_height, map_least
from viewer.figures.map.numbers import SCORES
from viewer.figures.map.paint import paint_map
from viewer.figures.map.spec import MapSpec
from viewer.figures.option import LINKS, NUMBERS, RULE, SOURCE_WORDS, TARGET_WORDS, WHOLE_WORDS
from viewer.figures.request import ExportRequest, Source


def timeless(spec: MapSpec) -> MapSpec:
    """Without a current step: in a figure of the whole decoding none is."""
    return replace(spec, step_row=None, later_from=None)


def unmarked(spec: MapSpec) -> MapSpec:
    """With the row of the step like every other."""
    return replace(spec, step_row=None)


def topped(spec: MapSpec) -> tuple[MapSpec, float] | None:
    """On a scale to the largest weight that it shows; None where that is no scale from 0 to 1."""
    most = float(spec.matrix[: spec.shown_rows].max(initial=0.0))
    if spec.levels != (0.0, 1.0) or most <= 0:
        return None
    return replace(spec, levels=(0.0, most)), most


def label_size(place: MapGeometry) -> float | None:
    """Of the smaller of the two axes."""
    sizes = [run.pixels for label in (*place.rows, *place.columns) for run in label.runs]
    return min(sizes, default=None)


def signed(spec: MapSpec) -> bool:
    """Whether its colours diverge from 0."""
    return spec.levels[0] < 0


def build(source: Source, request: ExportRequest) -> FigureSpec[MapSpec]:
    """The map, with gold links if there are any."""
    selection = selection_of(source, request).but(query=None, key=None)
    trace, view = source.need_trace(), request.options
    figure = map_figure(trace, selection, view, known=source.known)
    if view.gold_links:
        figure = with_gold(figure, source.gold, view.alignment_rule, trace, selection, source.known)
    if request.step is not None:
        return figure
    return replace(figure, body=timeless(figure.body))


ASKED = Asked(
    label=lambda: QCoreApplication.translate("ExportForm", "This map"),
    check=check_map,
    build=build,
    write=of_a_trace(write_csv),
    help="one map (default)",
    options=(NUMBERS, WHOLE_WORDS, LINKS, SOURCE_WORDS, TARGET_WORDS, RULE),
    one_map=True,
    numbered=True,
    stepped=True,
    moves=True,
)

KIND = FigureKind(
    "heatmap",
    Drawing(
        MapSpec,
        map_geometry,
        map_height,
        paint_map,
        signed,
        axes=lambda spec: (spec.row_title, spec.column_title),
        note=lambda spec: None if spec.gold is None else spec.gold.note,
        rooted=lambda spec: spec.numbers not in SCORES,
        topped=topped,
        unmarked=unmarked,
        least=map_least,
        label_size=label_size,
    ),
    ASKED,
)
