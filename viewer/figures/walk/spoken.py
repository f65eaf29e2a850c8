"""Spoken: a position's way as a list: the blocks of both stacks, then what stands in the stage's picture."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRectF

from viewer.document.text.lists import phrases
from viewer.figures.spoken import Spoken
from viewer.figures.walk.layout import WalkGeometry, bar_rows
from viewer.figures.walk.spec import BarsDetail, Block, Detail, EmbeddingDetail, LensDetail, WalkSpec


def spoken_walk(spec: WalkSpec) -> Spoken[WalkGeometry]:
    """Blocks from the first that is computed on, then rows of the picture beside them."""
    blocks = [
        (number, index) for number, stack in enumerate(spec.stacks) for index in range(len(stack.blocks))
    ]
    details = _details(spec.detail)

    def block(row: int) -> Block:
        number, index = blocks[row]
        return spec.stacks[number].blocks[index]

    def name(row: int, column: int) -> str:
        return block_sentence(block(row)) if row < len(blocks) else details[row - len(blocks)]

    def rect(place: WalkGeometry, row: int, column: int) -> QRectF:
        if row < len(blocks):
            number, index = blocks[row]
            return place.columns[number].blocks[index]
        if not isinstance(spec.detail, BarsDetail):
            return place.detail
        bars = bar_rows(place.detail, spec.detail, place.scale)
        return bars[row - len(blocks)] if row - len(blocks) < len(bars) else QRectF()

    def row_name(row: int) -> str:
        return spec.stacks[blocks[row][0]].name if row < len(blocks) else spec.heading

    side = 0 if spec.side == "source" else 1
    at = [
        row for row, (number, _) in enumerate(blocks) if number == side and block(row).stage == spec.selected
    ]
    current = (at[0], 0) if at and spec.selected >= 0 else None
    return Spoken(len(blocks) + len(details), 1, name, rect, row_name, current=current)


def block_sentence(block: Block) -> str:
    """A block and the length of the position's vector there."""
    if block.norm is None:
        return block.name
    length = f"{block.norm:.9g}"
    if block.change is None:
        text = QCoreApplication.translate("WalkView", "{name}: {length} long")
        return text.format(name=block.name, length=length)
    text = QCoreApplication.translate("WalkView", "{name}: {length} long, {change} compared with the input")
    return text.format(name=block.name, length=length, change=f"{block.change:+.9g}".replace("-", "−"))


def _details(detail: Detail | None) -> list[str]:
    """What the picture beside the map has that no sentence above it says."""
    if isinstance(detail, BarsDetail):
        return [
            phrases([row.name, *(f"{name} {text}" for name, text in zip(detail.columns[1:], row.texts))])
            for row in detail.rows
        ]
    if isinstance(detail, LensDetail):
        return [
            f"{row.name}: " + phrases(f"{cell.text} {100 * cell.probability:.1f} %" for cell in row.cells)
            for row in detail.rows
        ]
    if isinstance(detail, EmbeddingDetail):
        names = detail.names
        return [
            f"{label}: "
            + phrases(f"{name} {lengths[row]:.3f}" for name, lengths in zip(names, detail.lengths))
            for row, label in enumerate(detail.labels)
        ]
    return []
