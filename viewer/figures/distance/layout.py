"""Layout: where the plots of similarity and distance of one encoding go."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import TextRun
from viewer.figures.canvas.notes import notes_height, place_notes
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.part import PartGeometry
from viewer.figures.canvas.plot import Axis, Plot, Series, place_plot, span
from viewer.figures.canvas.plot_pair import plot_boxes
from viewer.figures.distance.spec import DistanceSpec
from viewer.figures.figure import FigureSpec


@dataclass(frozen=True)
class DistanceGeometry(PartGeometry):
    """Similarity by offset, distances by position, and the sentences, placed."""

    spec: DistanceSpec
    words: Words
    by_offset: Plot
    by_position: Plot
    notes: tuple[TextRun, ...]
    scale: float

    def offset_at(self, point: QPointF) -> int | None:
        """The offset whose place in the first plot is at a point."""
        return self.by_offset.index_at(point)

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        offset, position = self.by_offset.index_at(point), self.by_position.index_at(point)
        if offset is not None:
            return self.spec.offset_sentence(offset)
        return "" if position is None else self.spec.position_sentence(position)


def distance_geometry(
    figure: FigureSpec[DistanceSpec], rect: QRectF, options: DrawOptions
) -> DistanceGeometry:
    """Lay out two plots beside or below each other, and the sentences below them."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    texts = _distance_notes(spec)
    tall = min(notes_height(texts, words.room.width(), scale), 0.4 * words.room.height())
    first, second, foot = plot_boxes(words.room, tall, scale)
    translate, found = QCoreApplication.translate, spec.by_offset
    curves = [Series(found.mean.tolist(), translate("Figure", "mean over positions"), 0)]
    if spec.exact is not None:
        curves.append(Series(spec.exact.tolist(), translate("Figure", "Σ cos(ω_i k)"), 1))
    low, high = span(found.low.tolist(), found.high.tolist())
    end = max(1, spec.count - 1)
    by_offset = place_plot(
        first,
        translate("Figure", "Similarity of positions k apart: PE(pos) · PE(pos + k)"),
        Axis(0, end, translate("Figure", "offset k")),
        Axis(low, high, translate("Figure", "dot product")),
        curves,
        scale,
    )
    near, norms = spec.nearest.by_position.tolist(), spec.norms.tolist()
    by_position = place_plot(
        second,
        translate("Figure", "How far each position is from the one nearest to it"),
        Axis(0, end, translate("Figure", "position")),
        Axis(*span(near, norms, zero=True), translate("Figure", "Euclidean length")),
        [
            Series(near, translate("Figure", "distance to the nearest"), 0),
            Series(norms, translate("Figure", "norm of PE(pos)"), 1),
        ],
        scale,
    )
    return DistanceGeometry(
        spec, words, by_offset, by_position, tuple(place_notes(foot, texts, scale)), scale
    )


def _distance_notes(spec: DistanceSpec) -> list[str]:
    translate = QCoreApplication.translate
    texts = []
    if spec.nearest.pair is not None:
        first, second = spec.nearest.pair
        if spec.nearest.distance > 0:
            text = translate(
                "Figure",
                "Smallest distance between any two of the {count} positions: {distance}, between "
                "{first} and {second}. All positions can be told apart.",
            )
        else:
            text = translate(
                "Figure",
                "Positions {first} and {second} have the same vector: the model cannot tell them apart.",
            )
        texts.append(
            text.format(
                count=f"{spec.count:,}", distance=f"{spec.nearest.distance:.4f}", first=first, second=second
            )
        )
    if spec.exact is not None:
        texts.append(
            translate(
                "Figure",
                "For sinusoids the dot product is Σ cos(ω_i k) at any pos: it tells how far apart two "
                "positions are, not where they are.",
            )
        )
    else:
        texts.append(
            translate(
                "Figure",
                "Learned positions follow no formula: the band shows how much the dot product at one "
                "offset differs from position to position.",
            )
        )
    texts.append(spec.offset_sentence(spec.offset))
    return texts
