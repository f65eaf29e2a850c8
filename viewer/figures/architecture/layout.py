"""Layout: where the blocks of both stacks go, the arrows between them and what stands beside these."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.architecture.spec import ArchitectureSpec, Block, Layer, Role, Stack
from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALL,
    SMALLEST,
    TextRun,
    elided,
    line_height,
    middle,
    width,
    wrapped,
)
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec

_HEIGHTS: dict[Role, float] = {"scale": 0.8, "add": 0.72, "norm": 0.8, "add_norm": 0.8, "attention": 1.3}
"""Of blocks, where it is not one unit."""
_GAP, _LABELLED, _HEADING, _BELOW = 0.42, 0.95, 1.05, 0.38  # in units; of a layer's frame above and below
_LEAST, _EASY, _MOST = 17.0, 20.0, 34.0  # a unit, in pixels; the second where many layers scroll anyway
_WIDEST, _NARROWEST = 240.0, 96.0
_TIGHT = 600.0  # a figure of two stacks that is narrower saves between its blocks


@dataclass(frozen=True)
class _Sides:
    """What lies beside blocks.

    Attributes:
        inner, outer: of a frame, on the side of the other stack and of the residual connections.
        lane: between the frames of two stacks.
        cache: on the right of the decoder.
    """

    inner: float
    outer: float
    lane: float
    cache: float


def _sides(spec: ArchitectureSpec, wide: float, scale: float) -> _Sides:
    tight = len(spec.stacks) > 1 and wide < _TIGHT * scale
    cached = any(layer.cache is not None for stack in spec.stacks for layer in stack.layers)
    inner, outer, lane, cache = (8, 18, 30, 66) if tight else (10, 24, 40, 84)
    return _Sides(
        inner * scale,
        outer * scale,
        lane * scale if len(spec.stacks) > 1 else 0.0,
        cache * scale if cached else 0.0,
    )


@dataclass(frozen=True)
class Column:
    """A stack, placed.

    Attributes:
        blocks, frames: in the order of `Stack.blocks` and `Stack.layers`.
        headings: of the frames: a click there folds or unfolds.
        caches: of the layers: room of their cells and text.
        outer: 1 where residual connections run on the right, -1 on the left.
        foot: line of what it reads; `head` line of what it produces.
    """

    stack: Stack
    blocks: tuple[QRectF, ...]
    frames: tuple[QRectF, ...]
    headings: tuple[QRectF, ...]
    caches: tuple[QRectF, ...]
    outer: int
    foot: QRectF
    head: QRectF

    @property
    def middle(self) -> float:
        """Where its arrows run."""
        return self.blocks[0].center().x()

    def skip_lane(self) -> float:
        """Where residual connections run."""
        block = self.blocks[0]
        edge = block.right() if self.outer > 0 else block.left()
        return edge + self.outer * 0.55 * abs(self._outer_edge() - edge)

    def skip_start(self, first: int) -> float:
        """At which height the residual connection leaves that goes around a sub-layer from this block on."""
        block = self.blocks[first]
        for frame, layer in zip(self.frames, self.stack.layers, strict=True):
            if layer.first == first:
                return block.bottom() + 0.7 * (frame.bottom() - block.bottom())
        below = self.blocks[first - 1].top() if first else block.bottom()
        return below - min(0.3 * (below - block.bottom()), 6.0)

    def _outer_edge(self) -> float:
        if not self.frames:
            return self.blocks[0].right()
        return self.frames[0].right() if self.outer > 0 else self.frames[0].left()


@dataclass(frozen=True)
class ArchitectureGeometry:
    """Columns from left to right, texts beside arrows, and the way from the encoder to the decoder.

    Attributes:
        labels: texts beside arrows, that of the memory last.
        boxes: their rooms.
        memory: points of the way from the encoder's top to the lane between the stacks; empty for none.
        unit: pixels of a block's height.
        least: the least height of type.
    """

    spec: ArchitectureSpec
    words: Words
    columns: tuple[Column, ...]
    labels: tuple[TextRun, ...]
    boxes: tuple[QRectF, ...]
    memory: tuple[QPointF, ...]
    unit: float
    scale: float
    least: float = 0.0

    def block_at(self, point: QPointF) -> Block | None:
        """The block at a point."""
        for column in self.columns:
            for place, block in zip(column.blocks, column.stack.blocks, strict=True):
                if place.contains(point):
                    return block
        return None

    def place_of(self, key: str) -> QRectF | None:
        """Where a block is; None where it is not drawn."""
        for column in self.columns:
            for place, block in zip(column.blocks, column.stack.blocks, strict=True):
                if block.key == key:
                    return place
        return None

    def layer_at(self, point: QPointF) -> Layer | None:
        """The layer whose heading is at a point."""
        for column in self.columns:
            for place, layer in zip(column.headings, column.stack.layers, strict=True):
                if place.contains(point):
                    return layer
        return None

    def cache_at(self, point: QPointF) -> Layer | None:
        """The layer whose cache is at a point."""
        for column in self.columns:
            for place, layer in zip(column.caches, column.stack.layers, strict=True):
                if layer.cache is not None and place.contains(point):
                    return layer
        return None


def architecture_geometry(
    figure: FigureSpec[ArchitectureSpec], rect: QRectF, options: DrawOptions
) -> ArchitectureGeometry:
    """Both stacks on one ground line, blocks as high as there is room for."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    room = words.room
    most = max(_units(stack, spec) for stack in spec.stacks)
    unit = min(_MOST * scale, max(_LEAST * scale, (room.height() - _fixed(scale)) / most))
    spare = max(0.0, room.height() - _fixed(scale) - most * unit)
    ground = room.bottom() - line_height(SMALL * scale) - 8 * scale - spare / 2
    sides = _sides(spec, room.width(), scale)
    lefts, wide = _across(spec, room, sides, scale)
    columns = tuple(
        _column(spec, stack, QRectF(left, ground, wide, 0), sides, unit, scale)
        for stack, left in zip(spec.stacks, lefts, strict=True)
    )
    labels = [_label(column, index, said, scale) for column in columns for index, said in column.stack.labels]
    memory = _memory(columns, unit, scale) if spec.memory else ()
    if memory:
        labels.append(_memory_label(spec.memory, memory, scale))
    pixels = SMALL * scale
    runs = tuple(
        TextRun(said, box.left(), middle(box.center().y(), pixels), pixels, "dim") for said, box in labels
    )
    boxes = tuple(box for _, box in labels)
    least = options.least_type
    return ArchitectureGeometry(spec, words, columns, runs, boxes, memory, unit, scale, least)


def architecture_height(figure: FigureSpec[ArchitectureSpec], width_: float, options: DrawOptions) -> float:
    """A height that gives every block a readable one: on a page (with a caption) the best, else the least."""
    spec, scale = figure.body, options.font_scale
    tall = QRectF(0, 0, width_, 1e6)
    words = place_words(tall, spec.title, "", spec.badges, figure.caption, options)
    around = words.room.top() + tall.bottom() - words.room.bottom()
    least = _EASY if spec.unfolded else _LEAST
    unit = (_MOST if options.caption and not spec.unfolded else least) * scale
    return around + _fixed(scale) + max(_units(stack, spec) for stack in spec.stacks) * unit + 2.0


def _fixed(scale: float) -> float:
    """The lines under and above a column."""
    return line_height(SMALL * scale) + line_height(LABEL * scale) + 20 * scale


def _gap(stack: Stack, index: int) -> float:
    """Units between a block and the one below it, frames of layers included."""
    found = _LABELLED if stack.label(index) else _GAP
    if any(layer.first == index for layer in stack.layers):
        found += _BELOW
    if any(layer.last == index - 1 for layer in stack.layers):
        found += _HEADING
    return found


def _units(stack: Stack, spec: ArchitectureSpec) -> float:
    """Height of a column in units."""
    found = sum(_HEIGHTS.get(block.role, 1.0) for block in stack.blocks)
    found += sum(_gap(stack, index) for index in range(1, len(stack.blocks)))
    if stack.layers and stack.layers[-1].last == len(stack.blocks) - 1:
        found += _HEADING
    return found + (_LABELLED + _GAP if spec.memory and stack.name == "encoder" else 0.0)


def _across(spec: ArchitectureSpec, room: QRectF, sides: _Sides, scale: float) -> tuple[list[float], float]:
    """Left edge of each column's blocks, and how wide these are."""
    count = len(spec.stacks)
    taken = count * (sides.inner + sides.outer) + sides.cache
    wide = (room.width() - taken - sides.lane) / count
    wide = min(_WIDEST * scale, max(_NARROWEST * scale, wide))
    spare = max(0.0, room.width() - taken - sides.lane - count * wide)
    if count == 1:
        return [room.left() + spare / 2 + sides.inner], wide
    lane = sides.lane + min(spare, 60 * scale)
    first = room.left() + max(0.0, spare - 60 * scale) / 2 + sides.outer
    return [first, first + wide + 2 * sides.inner + lane], wide


def _column(
    spec: ArchitectureSpec, stack: Stack, ground: QRectF, sides: _Sides, unit: float, scale: float
) -> Column:
    left, wide = ground.left(), ground.width()
    y = ground.top()
    blocks: list[QRectF] = []
    for index, block in enumerate(stack.blocks):
        y -= _gap(stack, index) * unit if index else 0.0
        high = _HEIGHTS.get(block.role, 1.0) * unit
        blocks.append(QRectF(left, y - high, wide, high))
        y -= high
    outer = -1 if stack.name == "encoder" and len(spec.stacks) > 1 else 1
    before, after = (sides.inner, sides.outer) if outer > 0 else (sides.outer, sides.inner)
    frames, headings, caches = [], [], []
    for layer in stack.layers:
        top, bottom = blocks[layer.last].top(), blocks[layer.first].bottom()
        frame = QRectF(left - before, top - 0.8 * _HEADING * unit, 0, 0)
        frame.setBottomRight(QPointF(left + wide + after, bottom + _BELOW * unit))
        frames.append(frame)
        headings.append(QRectF(frame.left(), frame.top(), frame.width(), 0.72 * _HEADING * unit))
        own = next(i for i in range(layer.first, layer.last + 1) if stack.blocks[i].kind is not None)
        caches.append(_cache_room(layer, frame.right(), blocks[own].center().y(), sides, scale))
    line = line_height(SMALL * scale)
    around = min(sides.outer, sides.inner + sides.lane / 2 - 3 * scale) if sides.lane else 60 * scale
    foot = QRectF(left - around, ground.top() + 6 * scale, wide + 2 * around, line)
    head = QRectF(left - before, 0, wide + before + after, line_height(LABEL * scale))
    head.moveBottom(blocks[-1].top() - 8 * scale)
    return Column(stack, tuple(blocks), tuple(frames), tuple(headings), tuple(caches), outer, foot, head)


def _cache_room(layer: Layer, left: float, middle_: float, sides: _Sides, scale: float) -> QRectF:
    """Two rows of cells and the lines under them, beside a frame."""
    wide, pixels = sides.cache - 8 * scale, SMALLEST * scale
    lines = len(wrapped(layer.cache_text, pixels, wide)) if layer.cache_text else 0
    place = QRectF(left + 6 * scale, 0, wide, 18 * scale + lines * line_height(pixels))
    place.moveTop(middle_ - place.height() / 2)
    return place


def _label(column: Column, index: int, said: str, scale: float) -> tuple[str, QRectF]:
    """Beside an arrow, above the frame's edge where one ends there."""
    pixels = SMALL * scale
    block, below = column.blocks[index], column.blocks[index - 1]
    top, bottom = block.bottom(), below.top()
    for frame in column.frames:
        if top < frame.bottom() < bottom:
            top = frame.bottom()
        if top < frame.top() < bottom:
            bottom = frame.top()
    if any(start == index for start, _ in column.stack.skips):
        bottom = min(bottom, column.skip_start(index) if top < column.skip_start(index) else bottom)
    room = column.head.right() - column.middle - 10 * scale
    said = elided(said, pixels, room)
    box = QRectF(column.middle + 7 * scale, 0, width(said, pixels), min(line_height(pixels), bottom - top))
    box.moveTop((top + bottom) / 2 - box.height() / 2)
    return said, box


def _memory(columns: tuple[Column, ...], unit: float, scale: float) -> tuple[QPointF, ...]:
    """Up from the encoder, across, and along the lane to the highest cross-attention."""
    encoder, decoder = columns
    ends = [p for p, block in zip(decoder.blocks, decoder.stack.blocks, strict=True) if _crosses(block)]
    if not ends:
        return ()
    top = min([encoder.blocks[-1].top(), *(frame.top() for frame in encoder.frames)])
    edge = decoder.frames[0].left()
    inner = max(place.right() for place in (*encoder.blocks[:1], *encoder.frames))
    x = (inner + edge) / 2
    above = top - 0.5 * unit
    heights = [place.center().y() for place in ends] + [above]
    return (
        QPointF(encoder.middle, encoder.blocks[-1].top()),
        QPointF(encoder.middle, above),
        QPointF(x, above),
        QPointF(x, min(heights)),
        QPointF(x, max(heights)),
    )


def _crosses(block: Block) -> bool:
    return block.role == "attention" and block.sublayer == "cross"


def _memory_label(said: str, memory: tuple[QPointF, ...], scale: float) -> tuple[str, QRectF]:
    pixels = SMALL * scale
    start, end = memory[1], memory[2]
    said = elided(said, pixels, end.x() - start.x() - 6 * scale)
    box = QRectF(start.x(), 0, width(said, pixels), line_height(pixels))
    box.moveBottom(start.y() - 2 * scale)
    return said, box
