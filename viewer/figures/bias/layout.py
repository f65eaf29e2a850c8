"""Layout of a bias by distance: maps by head and distance and of one head, and the heads as curves."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from viewer.figures.bias.spec import BiasSpec, added_to_scores
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.plot import Axis, Plot, Series, place_plot, span
from viewer.figures.canvas.tables import MapPart, TablesGeometry, place_tables
from viewer.figures.figure import FigureSpec
from viewer.figures.text import sentence


@dataclass(frozen=True, eq=False)
class BiasGeometry(TablesGeometry):
    """The bias of all heads, and of one for every query and key, placed."""

    spec: BiasSpec

    def head_at(self, point: QPointF) -> int | None:
        """The head at a point of the map of all heads."""
        cell = self.cell_at(point)
        return None if cell is None else cell[0]

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        spec, cell, index = self.spec, self.cell_at(point), self.plot.index_at(point)
        if cell is not None:
            return spec.offset_sentence(cell[0], int(spec.offsets[cell[1]]))
        if index is not None:
            return spec.offset_sentence(spec.head, index)
        pair = self.maps[1].cell_at(point)
        return "" if pair is None else spec.cell_sentence(*pair)


def bias_geometry(figure: FigureSpec[BiasSpec], rect: QRectF, options: DrawOptions) -> BiasGeometry:
    """Lay out both maps, the plot, and what the bias is added to."""
    spec = figure.body

    def plot(box: QRectF, scale: float) -> Plot:
        return _bias_plot(spec, box, scale)

    count = len(set(spec.buckets.tolist()))
    text = QCoreApplication.translate(
        "Figure", "A line between offsets marks the start of a new bucket; {count} are in use."
    )
    texts = [sentence(added_to_scores()), text.format(count=count)]
    return BiasGeometry(spec, place_tables(figure, rect, options, _bias_maps(spec), plot, texts))


def _bias_maps(spec: BiasSpec) -> tuple[MapPart, MapPart]:
    translate = QCoreApplication.translate
    offset = translate("Figure", "key position − query position")
    square = translate("Figure", "Head {head}, query × key").format(head=spec.head + 1)
    return (
        MapPart(
            translate("Figure", "Added to the scores, by head and distance"),
            spec.bias,
            spec.levels,
            (offset, int(spec.offsets[0])),
            (translate("Figure", "head"), 1),
            marked=spec.head,
        ),
        MapPart(
            square,
            spec.square,
            spec.levels,
            (translate("Figure", "key"), 0),
            (translate("Figure", "query"), 0),
            masked=None if not spec.masked.any() else spec.masked,
            square=True,
        ),
    )


def _bias_plot(spec: BiasSpec, rect: QRectF, scale: float) -> Plot:
    translate, first = QCoreApplication.translate, int(spec.offsets[0])
    heading = translate("Figure", "Head {head}, and the other heads in grey").format(head=spec.head + 1)
    low, high = span(*spec.bias.tolist(), zero=True)
    return place_plot(
        rect,
        heading,
        Axis(
            first, max(first + 1, int(spec.offsets[-1])), translate("Figure", "key position − query position")
        ),
        Axis(low, max(0.0, high), translate("Figure", "added to the score")),
        [Series(spec.bias[spec.head].tolist(), "", 0, first=first)],
        scale,
    )
