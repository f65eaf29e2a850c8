"""Course: the order in which a model computes: the encoder once, then the decoder for each token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Moment:
    """A block that is being computed, at a decoding step (from 0)."""

    key: str
    step: int


def in_encoder(order: Sequence[str], key: str) -> bool:
    """Whether a block is computed once, before the first step; of an encoder alone all are."""
    return key.startswith("encoder.") and any(other.startswith("decoder.") for other in order)


def first_of_decoder(order: Sequence[str]) -> int:
    """Where each step begins."""
    return next((place for place, key in enumerate(order) if key.startswith("decoder.")), 0)


def after(order: Sequence[str], moment: Moment, steps: int) -> Moment | None:
    """What is computed next; None after the last step's last block.

    Args:
        order: keys of all blocks.
    """
    place, begin = order.index(moment.key) + 1, first_of_decoder(order)
    if place < len(order):
        return Moment(order[place], 0 if place == begin else moment.step)
    return Moment(order[begin], moment.step + 1) if moment.step + 1 < steps else None


def before(order: Sequence[str], moment: Moment) -> Moment | None:
    """What was computed before; None before the first block."""
    place, begin = order.index(moment.key), first_of_decoder(order)
    if place == begin and moment.step > 0:
        return Moment(order[-1], moment.step - 1)
    return Moment(order[place - 1], moment.step) if place > 0 else None


def tour(order: Sequence[str]) -> tuple[str, ...]:
    """Every kind of block once: those of the first layer of each stack, and those around the layers."""

    def layer(key: str) -> str:
        parts = key.split(".")
        return parts[1] if parts[1].isdigit() else "0"

    return tuple(key for key in order if layer(key) == "0")
