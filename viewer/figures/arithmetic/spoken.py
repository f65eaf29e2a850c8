"""Spoken: one weight's arithmetic as a list: each stage, then whatever numbers stand in it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF

from viewer.figures.arithmetic.layout import ArithmeticGeometry
from viewer.figures.arithmetic.spec import ArithmeticSpec, Line, Spot, Strip
from viewer.figures.spoken import Spoken


def spoken_arithmetic(spec: ArithmeticSpec) -> Spoken[ArithmeticGeometry]:
    """Headings, sentences, rows, dimensions in the order of computation; of folded stages the heading."""
    things = list(_things(spec))

    def name(row: int, column: int) -> str:
        spot = things[row]
        block = spec.block(spot)
        return block.text if isinstance(block, Line) else spec.sentence_at(spot)

    def rect(place: ArithmeticGeometry, row: int, column: int) -> QRectF:
        return place.rect_of(things[row])

    return Spoken(len(things), 1, name, rect, lambda row: spec.stage(things[row].stage).title)


def _things(spec: ArithmeticSpec) -> Iterator[Spot]:
    for stage in spec.stages:
        yield Spot(stage.stage)
        told: set[int] = set()  # strips of one length are told together
        for place, block in enumerate(() if stage.folded else stage.blocks):
            if isinstance(block, Line):
                yield Spot(stage.stage, place)
                continue
            count = len(block.values if isinstance(block, Strip) else block.rows)
            if not (isinstance(block, Strip) and count in told):
                yield from (Spot(stage.stage, place, index) for index in range(count))
            if isinstance(block, Strip):
                told.add(count)
