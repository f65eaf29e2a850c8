"""Layout: where the angles of rotations go: maps of cosines and sines, and how alike positions are."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from viewer.figures.angles.spec import AnglesSpec, nothing_added
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.plot import Axis, Plot, Series, place_plot
from viewer.figures.canvas.tables import MapPart, TablesGeometry, place_tables
from viewer.figures.figure import FigureSpec
from viewer.figures.text import sentence


@dataclass(frozen=True, eq=False)
class AnglesGeometry(TablesGeometry):
    """Maps of cosines and sines, placed."""

    spec: AnglesSpec

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """Position and pair at a point of either map."""
        found = self.maps[0].cell_at(point)
        return self.maps[1].cell_at(point) if found is None else found

    def pair_at(self, point: QPointF) -> int | None:
        """The pair at a point of a map."""
        cell = self.cell_at(point)
        return None if cell is None else cell[1]

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        cell, index = self.cell_at(point), self.plot.index_at(point)
        if cell is not None:
            return self.spec.sentence(*cell)
        return "" if index is None else self.spec.distance_sentence(index)


def angles_geometry(figure: FigureSpec[AnglesSpec], rect: QRectF, options: DrawOptions) -> AnglesGeometry:
    """Lay out both maps, the plot, and that nothing is added to the embeddings."""
    spec = figure.body

    def plot(box: QRectF, scale: float) -> Plot:
        return _angle_plot(spec, box, scale)

    texts = [sentence(nothing_added())]
    return AnglesGeometry(spec, place_tables(figure, rect, options, _angle_maps(spec), plot, texts))


def _angle_maps(spec: AnglesSpec) -> tuple[MapPart, MapPart]:
    translate = QCoreApplication.translate
    pair, position = translate("Figure", "pair"), translate("Figure", "position")
    levels = (-1.0, 1.0)
    return (
        MapPart(translate("Figure", "cos p ω_i"), spec.cosines, levels, (pair, 0), (position, 0)),
        MapPart(translate("Figure", "sin p ω_i"), spec.sines, levels, (pair, 0), (position, 0)),
    )


def _angle_plot(spec: AnglesSpec, rect: QRectF, scale: float) -> Plot:
    translate = QCoreApplication.translate
    name = translate("Figure", "pair {pair}")
    found = [Series(spec.mean.tolist(), translate("Figure", "mean of all"), 0)]
    for index, pair in enumerate(spec.curves):
        found.append(Series(spec.cosines[:, pair].tolist(), name.format(pair=pair), index + 1))
    return place_plot(
        rect,
        translate("Figure", "Similarity k positions apart: cos k ω_i"),
        Axis(0, max(1, len(spec.mean) - 1), translate("Figure", "distance k")),
        Axis(-1.0, 1.0, translate("Figure", "cosine")),
        found,
        scale,
    )
