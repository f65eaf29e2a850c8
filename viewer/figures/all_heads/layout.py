"""Layout: where the heads of all kinds go on one page: kinds side by side, below each other, or both.

The cells of all maps are squares of one size.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from model.trace.trace import AttentionKind
from viewer.figures.all_heads.spec import AllHeadsSpec
from viewer.figures.canvas.frame import ColourBar, Words, bar_width, place_bar, place_words
from viewer.figures.canvas.lettering import LABEL, SMALL, TextRun, elided, line_height, middle, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.heads.layout import HeadsGeometry
from viewer.figures.heads.spec import HeadsSpec

_LARGEST = 240.0
_GAP = 3.0
_BETWEEN = 18.0
_LEAST = 3.0
# Heights a thumbnail may have, as a multiple of its width; beyond them its cells are no squares.
_FLATTEST, _TALLEST = 0.25, 4.0
_TALLEST_PAGE = 1.4

Head = tuple[AttentionKind, int, int]


@dataclass(frozen=True)
class AllHeadsGeometry:
    """A page of all heads, placed.

    Attributes:
        pages: the page of each kind, without a bar or legend of its own.
        names: what each kind is, above it.
        per_line: how many kinds stand side by side.
    """

    spec: AllHeadsSpec
    words: Words
    pages: tuple[HeadsGeometry, ...]
    names: tuple[TextRun, ...]
    per_line: int
    bar: ColourBar | None
    legend: QRectF
    scale: float

    def of(self, kind: AttentionKind) -> HeadsGeometry | None:
        """The page of a kind."""
        return next((place for place in self.pages if place.spec.kind is kind), None)

    def head_at(self, point: QPointF) -> Head | None:
        """The kind, layer and head whose thumbnail (or the gap beside it) is at a point."""
        for place in self.pages:
            found = place.head_at(point)
            if found is not None:
                return (place.spec.kind, *found)
        return None

    def neighbour(self, head: Head, down: int, right: int) -> Head:
        """The head beside another on the page; at its kind's edge, of the kind beside it.

        Args:
            down, right: one of them -1 or 1, the other 0.
        """
        kinds = [place.spec.kind for place in self.pages]
        kind, layer, number = head
        spec = self.pages[kinds.index(kind)].spec
        layer, number = layer + down, number + right
        if 0 <= layer < spec.layers and 0 <= number < spec.heads:
            return kind, layer, number
        here = kinds.index(kind)
        there = self._beside(here, right) if right else self._above_or_below(here, down)
        if there == here:
            return head
        spec = self.pages[there].spec
        layer = min(layer, spec.layers - 1) if right else (0 if down > 0 else spec.layers - 1)
        number = min(number, spec.heads - 1) if down else (0 if right > 0 else spec.heads - 1)
        return spec.kind, layer, number

    def _beside(self, here: int, by: int) -> int:
        there = here + by
        line = here // self.per_line
        return there if 0 <= there < len(self.pages) and there // self.per_line == line else here

    def _above_or_below(self, here: int, by: int) -> int:
        """The last line may be shorter than those above it."""
        there, last = here + by * self.per_line, len(self.pages) - 1
        if there > last and last // self.per_line > here // self.per_line:
            return last
        return there if 0 <= there <= last else here


@dataclass(frozen=True)
class _Margins:
    """Room around the thumbnails of each kind, and right of and below all of them."""

    left: float
    top: float
    bar: float
    legend: float


def all_heads_geometry(
    figure: FigureSpec[AllHeadsSpec], rect: QRectF, options: DrawOptions
) -> AllHeadsGeometry:
    """Lay the page out the way that gives the larger cells."""
    spec = figure.body
    scale = options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    margins = _margins(spec, words.room, options)
    room = words.room.adjusted(0, 0, -margins.bar, -margins.legend)
    per_line, cell = _best(spec, room, margins, scale)
    pages, names = _placed(spec, room, margins, cell, per_line, scale)
    right = max((place.grid_rect.right() for place in pages), default=room.left())
    bottom = max((place.grid_rect.bottom() for place in pages), default=room.top())
    bar = None
    if margins.bar and pages:
        area = QRectF(right, pages[0].first.top(), margins.bar, bottom - pages[0].first.top())
        bar = place_bar(area, spec.levels, sqrt_scale=spec.sqrt_scale, scale=scale)
    legend = QRectF(
        room.left() + margins.left, bottom + 4 * scale, words.room.width() - margins.left, margins.legend
    )
    return AllHeadsGeometry(spec, words, pages, names, per_line, bar, legend, scale)


def all_heads_height(figure: FigureSpec[AllHeadsSpec], width: float, options: DrawOptions) -> float:
    """The height that a page of that width needs if its cells are as large as fits, and it is no tower."""
    spec, scale = figure.body, options.font_scale
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, spec.title, "", spec.badges, figure.caption, options)
    margins = _margins(spec, words.room, options)
    outside = words.room.top() + tall.bottom() - words.room.bottom() + margins.legend
    room = QRectF(0, 0, width - margins.bar, _TALLEST_PAGE * width - outside)
    per_line, cell = _best(spec, room, margins, scale)
    placed, _ = _placed(spec, room, margins, cell, per_line, scale)
    return outside + max((place.grid_rect.bottom() for place in placed), default=0.0) + _GAP * scale + 2


def _margins(spec: AllHeadsSpec, room: QRectF, options: DrawOptions) -> _Margins:
    """A picture that stands alone always has its colour bar."""
    scale = options.font_scale
    line = line_height(SMALL * scale)
    layers = max((page.layers for page in spec.pages), default=1)
    bar = bar_width(spec.levels, sqrt_scale=spec.sqrt_scale, scale=scale)
    return _Margins(
        left=width(str(layers), SMALL * scale, True) + 10 * scale,
        top=line_height(LABEL * scale) + 2 * line + 4 * scale,
        bar=bar if options.caption or room.width() > 420 * scale else 0.0,
        legend=line + 4 * scale,
    )


def _lines(spec: AllHeadsSpec, per_line: int) -> list[list[tuple[HeadsSpec, tuple[float, float]]]]:
    shapes = _shapes(spec)
    return [shapes[start : start + per_line] for start in range(0, len(shapes), per_line)]


def _best(spec: AllHeadsSpec, room: QRectF, margins: _Margins, scale: float) -> tuple[int, float]:
    """How many kinds stand side by side if the cells are to be largest, and the side of one."""
    ways = range(len(spec.pages) or 1, 0, -1)
    return max(((way, _cell(spec, room, margins, way, scale)) for way in ways), key=lambda found: found[1])


def _cell(spec: AllHeadsSpec, room: QRectF, margins: _Margins, per_line: int, scale: float) -> float:
    """Side of a cell if so many kinds stand side by side."""
    between, gap = _BETWEEN * scale, _GAP * scale
    lines = _lines(spec, per_line)
    if not lines:
        return 0.0
    sides = [_LARGEST * scale / max(shape) for _, shape in _shapes(spec)]
    for line in lines:
        fixed = sum(margins.left + page.heads * gap for page, _ in line) + (len(line) - 1) * between
        sides.append((room.width() - fixed) / sum(page.heads * wide for page, (wide, _) in line))
    fixed = sum(margins.top + max(page.layers for page, _ in line) * gap for line in lines)
    fixed += (len(lines) - 1) * between
    high = sum(max(page.layers * high for page, (_, high) in line) for line in lines)
    return max(0.0, min(*sides, (room.height() - fixed) / high))


def _placed(
    spec: AllHeadsSpec, room: QRectF, margins: _Margins, cell: float, per_line: int, scale: float
) -> tuple[tuple[HeadsGeometry, ...], tuple[TextRun, ...]]:
    gap = _GAP * scale
    pages, names = [], []
    y = room.top()
    for line in _lines(spec, per_line):
        x, bottom = room.left(), y
        for page, shape in line:
            wide, high = (max(_LEAST, float(int(side * cell))) for side in shape)
            first = QRectF(round(x + margins.left), round(y + margins.top), wide, high)
            extent = QRectF(x, y, margins.left + page.heads * (wide + gap), 0)
            extent.setHeight(margins.top + page.layers * (high + gap))
            words = Words(extent, (), ())
            pages.append(HeadsGeometry(page, words, first, wide + gap, high + gap, None, None, scale))
            names.append(_name(page, extent, scale))
            x, bottom = x + extent.width() + _BETWEEN * scale, max(bottom, extent.bottom())
        y = bottom + _BETWEEN * scale
    return tuple(pages), tuple(names)


def _name(page: HeadsSpec, extent: QRectF, scale: float) -> TextRun:
    pixels = LABEL * scale
    text = elided(page.kind_name, pixels, extent.width())
    return TextRun(text, extent.left(), middle(extent.top() + line_height(pixels) / 2, pixels), pixels)


def _shapes(spec: AllHeadsSpec) -> list[tuple[HeadsSpec, tuple[float, float]]]:
    """Each page with width and height of its maps in cells, within what a thumbnail may have."""
    found = []
    for page in spec.pages:
        wide, high = float(max(1, page.columns)), float(max(1, page.rows))
        found.append((page, (max(wide, high / _TALLEST), max(high, wide * _FLATTEST))))
    return found
