"""Layout: where the heads of all kinds go on one page: kinds side by side, or one below the other."""

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
# Heights a thumbnail may have, as a multiple of its width.
_FLATTEST, _TALLEST = 0.4, 3.2
_TALLEST_PAGE = 1.4

Head = tuple[AttentionKind, int, int]


@dataclass(frozen=True)
class AllHeadsGeometry:
    """A page of all heads, placed.

    Attributes:
        pages: the page of each kind, without a bar or legend of its own.
        names: what each kind is, above it.
        across: the kinds stand side by side, else one below the other.
    """

    spec: AllHeadsSpec
    words: Words
    pages: tuple[HeadsGeometry, ...]
    names: tuple[TextRun, ...]
    across: bool
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
        place = kinds.index(kind) + (right if self.across else down)
        if not 0 <= place < len(kinds) or place == kinds.index(kind):
            return head
        spec = self.pages[place].spec
        layer = min(layer, spec.layers - 1) if self.across else (0 if down > 0 else spec.layers - 1)
        number = (0 if right > 0 else spec.heads - 1) if self.across else min(number, spec.heads - 1)
        return spec.kind, layer, number


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
    """Lay the page out the way that gives the larger thumbnails, all of one size."""
    spec = figure.body
    scale = options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    margins = _margins(spec, words.room, options)
    room = words.room.adjusted(0, 0, -margins.bar, -margins.legend)
    sizes = {across: _size(spec, room, margins, across=across, scale=scale) for across in (True, False)}
    across = min(sizes[True]) >= min(sizes[False])
    pages, names = _placed(spec, room, margins, sizes[across], across=across, scale=scale)
    right = max((place.grid_rect.right() for place in pages), default=room.left())
    bottom = max((place.grid_rect.bottom() for place in pages), default=room.top())
    bar = None
    if margins.bar and pages:
        area = QRectF(right, pages[0].first.top(), margins.bar, bottom - pages[0].first.top())
        bar = place_bar(area, spec.levels, sqrt_scale=spec.sqrt_scale, scale=scale)
    legend = QRectF(
        room.left() + margins.left, bottom + 4 * scale, words.room.width() - margins.left, margins.legend
    )
    return AllHeadsGeometry(spec, words, pages, names, across, bar, legend, scale)


def all_heads_height(figure: FigureSpec[AllHeadsSpec], width: float, options: DrawOptions) -> float:
    """The height at which a page of that width has kinds below each other, if it is then no tower."""
    spec, scale = figure.body, options.font_scale
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, spec.title, "", spec.badges, figure.caption, options)
    margins = _margins(spec, words.room, options)
    heads = max((page.heads for page in spec.pages), default=1)
    layers = sum(page.layers for page in spec.pages)
    gap = _GAP * scale
    wide = min((width - margins.bar - margins.left) / max(1, heads) - gap, _LARGEST * scale)
    around = words.room.top() + tall.bottom() - words.room.bottom() + margins.legend
    around += len(spec.pages) * margins.top + max(0, len(spec.pages) - 1) * _BETWEEN * scale
    natural = layers * (wide * _shape(spec) + gap)
    flat = layers * (wide * _FLATTEST + gap)
    return around + max(flat, min(natural, _TALLEST_PAGE * width - around)) + 2


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


def _size(
    spec: AllHeadsSpec, room: QRectF, margins: _Margins, *, across: bool, scale: float
) -> tuple[float, float]:
    """Width and height of the thumbnails if the kinds stand side by side, or below each other."""
    heads, layers = [page.heads for page in spec.pages], [page.layers for page in spec.pages]
    if not heads:
        return 0.0, 0.0
    between, gap = (len(heads) - 1) * _BETWEEN * scale, _GAP * scale
    if across:
        wide = (room.width() - len(heads) * margins.left - between) / sum(heads) - gap
        high = (room.height() - margins.top) / max(layers) - gap
    else:
        wide = (room.width() - margins.left) / max(heads) - gap
        high = (room.height() - len(heads) * margins.top - between) / sum(layers) - gap
    wide = max(_LEAST, min(wide, _LARGEST * scale, high / _FLATTEST))
    high = max(_LEAST, min(high, wide * _TALLEST))
    return float(int(wide)), float(int(high))


def _placed(
    spec: AllHeadsSpec,
    room: QRectF,
    margins: _Margins,
    size: tuple[float, float],
    *,
    across: bool,
    scale: float,
) -> tuple[tuple[HeadsGeometry, ...], tuple[TextRun, ...]]:
    (wide, high), gap = size, _GAP * scale
    pages, names = [], []
    x, y = room.left(), room.top()
    for page in spec.pages:
        first = QRectF(round(x + margins.left), round(y + margins.top), wide, high)
        extent = QRectF(x, y, margins.left + page.heads * (wide + gap), 0)
        extent.setHeight(margins.top + page.layers * (high + gap))
        pages.append(
            HeadsGeometry(page, Words(extent, (), ()), first, wide + gap, high + gap, None, None, scale)
        )
        names.append(_name(page, extent, scale))
        if across:
            x += extent.width() + _BETWEEN * scale
        else:
            y += extent.height() + _BETWEEN * scale
    return tuple(pages), tuple(names)


def _name(page: HeadsSpec, extent: QRectF, scale: float) -> TextRun:
    pixels = LABEL * scale
    text = elided(page.kind_name, pixels, extent.width())
    return TextRun(text, extent.left(), middle(extent.top() + line_height(pixels) / 2, pixels), pixels)


def _shape(spec: AllHeadsSpec) -> float:
    """Height of the maps by their width, on the average, within what a thumbnail may have."""
    shapes = [page.rows / max(1, page.columns) for page in spec.pages]
    return min(max(sum(shapes) / max(1, len(shapes)), _FLATTEST), _TALLEST)
