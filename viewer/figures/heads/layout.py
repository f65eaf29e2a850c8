"""Layout: where the heads of a kind go on their page."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.frame import ColourBar, Words, bar_width, place_bar, place_words
from viewer.figures.canvas.lettering import SMALL, line_height, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.heads.spec import HeadsSpec

SMALLEST_THUMB = 24.0
_LARGEST_THUMB = 240.0
_GAP = 4.0
# Heights a thumbnail may have, as a multiple of its width, to fill the page.
_FLATTEST, _TALLEST = 0.5, 2.0
# In the window they may be higher still, where a column of few layers would stay half empty.
_STRETCHED = 3.2


@dataclass(frozen=True)
class HeadsGeometry:
    """A page of heads, placed.

    Attributes:
        first: the thumbnail of layer 0, head 0.
        step_x, step_y: from a thumbnail to its neighbours.
        bar, legend: None where the page is too narrow to spare the room.
    """

    spec: HeadsSpec
    words: Words
    first: QRectF
    step_x: float
    step_y: float
    bar: ColourBar | None
    legend: QRectF | None
    scale: float

    @property
    def grid_rect(self) -> QRectF:
        """All thumbnails."""
        corner = self.rect_of(self.spec.layers - 1, self.spec.heads - 1).bottomRight()
        return QRectF(self.first.topLeft(), corner)

    def rect_of(self, layer: int, head: int) -> QRectF:
        """One thumbnail."""
        return self.first.translated(head * self.step_x, layer * self.step_y)

    def head_at(self, point: QPointF) -> tuple[int, int] | None:
        """The (layer, head) whose thumbnail, or the gap right or below of it, is at a point."""
        layer = int((point.y() - self.first.top()) // self.step_y)
        head = int((point.x() - self.first.left()) // self.step_x)
        inside = 0 <= layer < self.spec.layers and 0 <= head < self.spec.heads
        return (layer, head) if inside else None


def heads_geometry(figure: FigureSpec[HeadsSpec], rect: QRectF, options: DrawOptions) -> HeadsGeometry:
    """Lay a page of heads out: thumbnails as wide as fits, as high as fits without odd shapes."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, spec.kind_name, spec.badges, figure.caption, options)
    left, top, right = _margins(spec, words.room, options)
    gap = _GAP * scale
    wide = (words.room.width() - left - right) / max(1, spec.heads) - gap
    below = line_height(SMALL * scale) if right else 0.0
    high = (words.room.height() - top - below) / max(1, spec.layers) - gap
    high = max(high, SMALLEST_THUMB * scale)
    wide = max(4.0, min(wide, _LARGEST_THUMB * scale, high / _FLATTEST))
    high = min(high, wide * (_TALLEST if options.caption else _STRETCHED))
    wide, high = float(int(wide)), float(int(high))
    first = QRectF(round(words.room.left() + left), round(words.room.top() + top), wide, high)
    bottom = first.top() + spec.layers * (high + gap) - gap
    bar = legend = None
    if right:
        legend = QRectF(first.left(), bottom + 4 * scale, words.room.right() - first.left(), below)
        area = QRectF(
            first.left() + spec.heads * (wide + gap) - gap, first.top(), right, bottom - first.top()
        )
        bar = place_bar(area, spec.levels, sqrt_scale=spec.sqrt_scale, scale=scale)
    return HeadsGeometry(spec, words, first, wide + gap, high + gap, bar, legend, scale)


def heads_height(figure: FigureSpec[HeadsSpec], width: float, options: DrawOptions) -> float:
    """The height at which thumbnails of a page of that width have the shape of their maps."""
    spec, scale = figure.body, options.font_scale
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, spec.title, spec.kind_name, spec.badges, figure.caption, options)
    left, top, right = _margins(spec, words.room, options)
    gap = _GAP * scale
    wide = min((words.room.width() - left - right) / max(1, spec.heads) - gap, _LARGEST_THUMB * scale)
    high = max(SMALLEST_THUMB * scale, int(wide) * _shape(spec))
    below = tall.bottom() - words.room.bottom() + (line_height(SMALL * scale) if right else 0.0)
    return words.room.top() + top + spec.layers * (int(high) + gap) + 2 + below


def _margins(spec: HeadsSpec, room: QRectF, options: DrawOptions) -> tuple[float, float, float]:
    """Left of, above and right of the thumbnails; a picture that stands alone always has its colour bar."""
    scale = options.font_scale
    line = line_height(SMALL * scale)
    left = width(str(spec.layers), SMALL * scale, True) + 8 * scale
    bar = bar_width(spec.levels, sqrt_scale=spec.sqrt_scale, scale=scale)
    return left, 2 * line + 2 * scale, bar if options.caption or room.width() > 420 * scale else 0.0


def _shape(spec: HeadsSpec) -> float:
    """Height of a map by its width, within what a thumbnail may have."""
    return min(max(spec.rows / max(1, spec.columns), _FLATTEST), _TALLEST)
