"""Layout: where the stages of one weight's arithmetic go: below each other, on a wide page in two columns."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.arithmetic.blocks import PlacedStage, place_stage
from viewer.figures.arithmetic.spec import HEADING, ArithmeticSpec, Spot, Stage
from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import LABEL, TextRun, line_height, middle, wrapped
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec

_BETWEEN = 14.0  # stages
_GUTTER = 28.0
_TWO_COLUMNS = 580.0
_TALL = 1e6


@dataclass(frozen=True)
class ArithmeticGeometry:
    """The stages, placed.

    Attributes:
        words: title, badges and caption.
        lead: the sentence above the stages.
        bottom: where the last stage ends.
    """

    spec: ArithmeticSpec
    words: Words
    lead: tuple[TextRun, ...]
    stages: tuple[PlacedStage, ...]
    bottom: float
    scale: float

    def spot_at(self, point: QPointF) -> Spot | None:
        """What is at a point; None where there is nothing to point at."""
        for stage in self.stages:
            if not stage.box.contains(point):
                continue
            for strip in stage.strips:
                index = strip.index_at(point)
                if index is not None:
                    return Spot(strip.spot.stage, strip.spot.block, index)
            for box, spot in stage.spots:
                if box.contains(point):
                    return spot
        return None

    def stage_at(self, point: QPointF) -> Stage | None:
        """The stage at a point."""
        return next((each.spec.stage for each in self.stages if each.box.contains(point)), None)

    def placed(self, stage: Stage) -> PlacedStage:
        """A stage by name."""
        return next(each for each in self.stages if each.spec.stage is stage)

    def rect_of(self, spot: Spot) -> QRectF:
        """Where something is; empty if it is folded away."""
        placed = self.placed(spot.stage)
        for strip in placed.strips:
            if strip.spot.block == spot.block != HEADING:
                return strip.rect_of(spot.index)
        return next((box for box, found in placed.spots if found == spot), QRectF())

    def strip_cells(self, spot: Spot) -> list[QRectF]:
        """The number pointed at in a strip, and the same dimension of the stage's strips as long as it."""
        placed = self.placed(spot.stage)
        chosen = next((strip for strip in placed.strips if strip.spot.block == spot.block), None)
        if chosen is None:
            return []
        count = len(chosen.strip.values)
        return [each.rect_of(spot.index) for each in placed.strips if len(each.strip.values) == count]


def arithmetic_geometry(
    figure: FigureSpec[ArithmeticSpec], rect: QRectF, options: DrawOptions
) -> ArithmeticGeometry:
    """Lay the stages out; what does not fit in the height goes on below it."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, spec.kind_name, spec.badges, figure.caption, options)
    room = words.room
    pixels, y = LABEL * scale, room.top()
    lead = []
    for text in wrapped(spec.lead, pixels, room.width()):
        lead.append(TextRun(text, room.left(), middle(y + line_height(pixels) / 2, pixels), pixels))
        y += line_height(pixels)
    y += 8 * scale
    columns = _columns(spec, room, scale, options.least_type)
    wide = (room.width() - (len(columns) - 1) * _GUTTER * scale) / len(columns)
    stages: list[PlacedStage] = []
    bottom = y
    for number, column in enumerate(columns):
        left, top = room.left() + number * (wide + _GUTTER * scale), y
        for index in column:
            stages.append(place_stage(spec.stages[index], left, top, wide, scale, options.least_type))
            top = stages[-1].box.bottom() + _BETWEEN * scale
        bottom = max(bottom, top - _BETWEEN * scale)
    return ArithmeticGeometry(spec, words, tuple(lead), tuple(stages), bottom, scale)


def arithmetic_height(figure: FigureSpec[ArithmeticSpec], width: float, options: DrawOptions) -> float:
    """As high as all that is to be shown."""
    place = arithmetic_geometry(figure, QRectF(0, 0, width, _TALL), options)
    return place.bottom + _TALL - place.words.room.bottom()


def _columns(spec: ArithmeticSpec, room: QRectF, scale: float, least: float) -> list[range]:
    """Which stages stand in which column; two columns are about as high as each other."""
    count = len(spec.stages)
    if room.width() < _TWO_COLUMNS * scale:
        return [range(count)]
    wide = (room.width() - _GUTTER * scale) / 2
    heights = [place_stage(stage, 0.0, 0.0, wide, scale, least).box.height() for stage in spec.stages]
    first = min(range(1, count), key=lambda n: max(sum(heights[:n]), sum(heights[n:])))
    return [range(first), range(first, count)]
