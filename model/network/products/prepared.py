"""Prepared matrix: what stands beside one that few rows are multiplied by, its ways and what they read."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from model.network.products.choices import PLAINLY, Choice
from model.network.products.room import Room, lies_in_room
from model.network.products.ways import MANY_ROWS, PLAIN, WAYS, Way, laid_out, layout_of

_NAME = "prepared_for_rows"


class Prepared:
    """The ways of one matrix, by number of rows; what they read is made when it is first asked for.

    A copy is made anew once the matrix was written to.

    Attributes:
        inputs: width of the rows.
        past: whether few rows read the matrix past the caches.
    """

    def __init__(self, weight: Tensor, choice: Choice) -> None:
        self.inputs = weight.shape[1]
        self.past = choice.past
        self._one, self._few = WAYS[choice.one], WAYS[choice.few]
        self._many: Way | None = None
        self._kept: dict[str, tuple[Way, Any]] = {}
        self._version, self._place = state_of(weight)

    def __reduce__(self) -> tuple[type[_Unprepared], tuple[()]]:
        """Its copies cannot be copied: the copy of a matrix gets its own when it is prepared."""
        return _Unprepared, ()

    @property
    def one(self) -> str:
        """Name of the way for one row."""
        return self._one.name

    def multiply(self, x: Tensor, weight: Tensor, bias: Tensor | None, rows: int) -> Tensor:
        """[..., out] of x [..., in], with `rows` at least 1."""
        if weight._version != self._version or weight.data_ptr() != self._place:
            self._kept.clear()
            self._version, self._place = state_of(weight)
        wanted = self._one if rows == 1 else self._way(rows)
        kept = self._kept.get(wanted.name)
        if kept is None:
            kept = self._kept[wanted.name] = _kept(wanted, weight, self.past)
        way, read = kept
        return way.multiply(x, read, bias)

    def _way(self, rows: int) -> Way:
        if self._many is not None and rows >= MANY_ROWS:
            return self._many
        return self._few if rows <= self._few.most else PLAIN

    def expect_many(self, way: Way) -> None:
        """Multiply many rows in this way from now on."""
        self._many = way


def _kept(way: Way, weight: Tensor, past: bool) -> tuple[Way, Any]:
    """The way and what it reads; the plain way where the matrix is not (or no longer) fit for it."""
    with torch.inference_mode(False), torch.no_grad():
        matrix = weight.detach()
        here = matrix.device.type == "cpu" and matrix.dtype == torch.float32
        if here and (way.copies or layout_of(matrix) in way.layouts):
            read = way.prepared(matrix)
            if read is not None:
                return way, way.passing(read) if past and way.passing else read
        return PLAIN, matrix


class _Unprepared:
    """What the copy of a prepared matrix has beside it."""


def can_be_prepared(weight: Tensor) -> bool:
    """Whether it is float32, on the processor, and lies in one piece."""
    here = weight.device.type == "cpu" and weight.dtype == torch.float32
    return here and weight.numel() > 0 and layout_of(weight) is not None


def prepare(weight: Tensor, choice: Choice, room: Room | None = None) -> Tensor:
    """Lay the matrix out as its ways want it, and let `linear` know of them.

    Args:
        room: where to put the matrix, unless it lies in one already or nothing is gained.

    Returns:
        The matrix; one that is no parameter may have become another tensor.
    """
    if weight.is_inference():  # it does not tell when it was written to
        return weight
    data = weight.data
    if room is None or not room.large or (lies_in_room(data) and layout_of(data) == choice.layout):
        moved = laid_out(data, choice.layout)
    else:
        moved = room.placed(data, choice.layout)
    if moved.data_ptr() != weight.data_ptr():
        if isinstance(weight, torch.nn.Parameter):
            weight.data = moved
        else:
            weight = moved
    setattr(weight, _NAME, Prepared(weight, choice))
    return weight


def prepare_many(weight: Tensor, way: Way) -> None:
    """Let `linear` multiply many rows by the matrix in this way; for fewer nothing changes."""
    if weight.is_inference() or way is PLAIN:
        return
    found = prepared_of(weight)
    if found is None:
        found = Prepared(weight, PLAINLY)
        setattr(weight, _NAME, found)
    found.expect_many(way)


def prepared_of(weight: Tensor) -> Prepared | None:
    """What stands beside it, if anything."""
    found = getattr(weight, _NAME, None)
    return found if isinstance(found, Prepared) else None


def release(weight: Tensor) -> None:
    """Let go of what stands beside it: `linear` multiplies by it in the plain way."""
    if hasattr(weight, _NAME):
        delattr(weight, _NAME)


def state_of(weight: Tensor) -> tuple[int, int]:
    """Changes with its numbers: how often it was written to, and where it lies (`weight.data = ...`)."""
    return weight._version, weight.data_ptr()
