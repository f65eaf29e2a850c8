"""Layout: where the areas of source and prefix go, a column a step."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import SMALL, SMALLEST, line_height, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.shares.spec import SharesSpec

_WIDEST = 56.0
_HIGH = 180.0
_MOST_LABEL = 90.0


@dataclass(frozen=True)
class SharesGeometry:
    """Two areas over the steps, placed.

    Attributes:
        area: all steps, side by side.
        labels: room below for the predicted tokens, turned upwards; empty where there is none.
        legend: the line above that says which part is which.
    """

    spec: SharesSpec
    words: Words
    area: QRectF
    labels: QRectF
    legend: QRectF
    scale: float

    @property
    def bar_width(self) -> float:
        """Room of one step."""
        return self.area.width() / max(1, self.spec.steps)

    def bar(self, step: int) -> QRectF:
        """The column of a step, both parts."""
        wide = self.bar_width
        gap = min(2.0 * self.scale, 0.15 * wide)
        return QRectF(self.area.left() + step * wide, self.area.top(), wide, self.area.height()).adjusted(
            gap, 0, -gap, 0
        )

    def source_line(self, shown: int) -> list[QPointF]:
        """The upper edge of the source's area over the first steps: through its share in the middle of each,
        level before the first and behind the last.
        """
        area, wide = self.area, self.bar_width
        heights = [area.bottom() - float(share) * area.height() for share in self.spec.shown[:shown]]
        if not heights:
            return []
        middles = [QPointF(area.left() + (step + 0.5) * wide, y) for step, y in enumerate(heights)]
        end = QPointF(area.left() + shown * wide, heights[-1])
        return [QPointF(area.left(), heights[0]), *middles, end]

    def step_at(self, point: QPointF) -> int | None:
        """The step whose column or label is at a point, None elsewhere."""
        inside = self.area.united(self.labels) if not self.labels.isEmpty() else self.area
        if not self.spec.steps or not inside.contains(point):
            return None
        step = int((point.x() - self.area.left()) / self.bar_width)
        return step if 0 <= step < self.spec.steps else None


def shares_geometry(figure: FigureSpec[SharesSpec], rect: QRectF, options: DrawOptions) -> SharesGeometry:
    """Lay the areas out in `rect`; compact: no labels below."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    room = words.room
    line = line_height(SMALL * scale)
    legend = QRectF(room.left(), room.top(), room.width(), line)
    numbers = width("100 %", SMALLEST * scale) + 6 * scale
    label = 0.0 if options.compact else label_height(spec, scale) + 4 * scale
    left = room.left() + numbers
    wide = min(room.right() - left, max(1, spec.steps) * _WIDEST * scale)
    top = legend.bottom() + 6 * scale
    area = QRectF(left, top, max(1.0, wide), max(1.0, room.bottom() - label - 4 * scale - top))
    labels = QRectF(left, area.bottom() + 4 * scale, area.width(), label)
    return SharesGeometry(spec, words, area, labels, legend, scale)


def shares_height(figure: FigureSpec[SharesSpec], width: float, options: DrawOptions) -> float:
    """A height at which the areas have a good shape."""
    spec, scale = figure.body, options.font_scale
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, spec.title, "", spec.badges, figure.caption, options)
    inner = line_height(SMALL * scale) + 6 * scale + _HIGH * scale + label_height(spec, scale) + 12 * scale
    return words.room.top() + inner + tall.bottom() - words.room.bottom()


def label_height(spec: SharesSpec, scale: float) -> float:
    """Room of the longest label, turned upwards."""
    longest = max((width(token.marked, SMALLEST * scale) for token in spec.tokens), default=0.0)
    return min(longest, _MOST_LABEL * scale)
