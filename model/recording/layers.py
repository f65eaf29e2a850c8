"""Layers of one kind of attention as float32 [head, query, key], however they were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.recording.arrays import dtype_name, is_array, shape_of, take, to_floats
from model.trace.trace import Floats

Shape = tuple[int, int, int, int]


class Layers(Protocol):
    """One kind of attention of one sequence, not yet freed of padding."""

    @property
    def shape(self) -> Shape:
        """(layers, heads, queries, keys)."""

    @property
    def dtype(self) -> str:
        """What it was computed in, such as `bfloat16`."""

    def layer(self, layer: int) -> Floats:
        """float32 [head, query, key]."""


@dataclass(frozen=True)
class GivenLayers:
    """Whole matrices: a list of layers [head, query, key] or [batch, head, query, key], or one array."""

    arrays: Sequence[Any]
    item: int
    shape: Shape

    @classmethod
    def of(cls, value: Any, kind: str, item: int) -> GivenLayers:
        """Look at what was given.

        Args:
            value: an array [layer, head, query, key] or [layer, batch, head, query, key], or a sequence of
                layers, each [head, query, key] or [batch, head, query, key].
            item: which of the batch.

        Raises:
            HeadscopeError: the shapes are of no attention, or differ among the layers.
        """
        if not is_array(value) and not isinstance(value, Sequence):
            if not hasattr(value, "__array__"):
                raise HeadscopeError("record_not_numbers", type=type(value).__name__)
            value = to_floats(value)
        for number, layer in enumerate(value):
            if layer is None:
                raise HeadscopeError("record_layer_absent", kind=kind, layer=number + 1)
        layers = [layer if is_array(layer) else to_floats(layer) for layer in value]
        shapes = [shape_of(layer) for layer in layers]
        if not shapes or len(shapes[0]) not in (3, 4):
            found = [len(layers), *(shapes[0] if shapes else ())]
            raise HeadscopeError("record_axes", kind=kind, shape=found)
        for number, shape in enumerate(shapes):
            if shape != shapes[0]:
                raise HeadscopeError(
                    "record_layers_differ",
                    kind=kind,
                    layer=number + 1,
                    shape=list(shape),
                    first=list(shapes[0]),
                )
        count = shapes[0][0] if len(shapes[0]) == 4 else 1
        if not 0 <= item < count:
            raise HeadscopeError("record_item", item=item, count=count)
        if 0 in shapes[0]:
            raise HeadscopeError("record_empty", kind=kind, shape=[len(layers), *shapes[0]])
        heads, queries, keys = shapes[0][-3:]
        return cls(layers, item, (len(layers), heads, queries, keys))

    @property
    def dtype(self) -> str:
        """See `Layers`."""
        return dtype_name(self.arrays[0])

    def layer(self, layer: int) -> Floats:
        """See `Layers`."""
        array = self.arrays[layer]
        return to_floats(array[self.item] if len(shape_of(array)) == 4 else array)


@dataclass(frozen=True)
class SteppedLayers:
    """What `generate` returns: at each step the rows of the tokens read there.

    Attributes:
        steps: [step][layer], each [batch, head, rows, keys]: the first step has the rows of all that was
            given, every later one a single row.
        items: which of the batch each step's rows are taken from; with beams it changes.
        shape: (layers, heads, rows of all steps, keys).
        growing: keys are what was read so far (decoder self-attention), not a source's tokens.
    """

    steps: Sequence[Sequence[Any]]
    items: Sequence[int]
    shape: Shape
    growing: bool

    @classmethod
    def of(cls, steps: Sequence[Sequence[Any]], kind: str, items: Sequence[int]) -> SteppedLayers:
        """Look at the steps of one sequence, as many as it has items.

        Raises:
            HeadscopeError: `record_steps`: these are not the steps of one `generate`.
        """
        steps = steps[: len(items)]
        layers = len(steps[0]) if steps else 0
        shapes = [shape_of(step[0]) if step and step[0] is not None else () for step in steps]
        growing = kind == "decoder_self"
        if not layers or len(steps) < len(items) or any(len(shape) != 4 for shape in shapes):
            raise HeadscopeError("record_steps", kind=kind)
        for step, shape, item in zip(steps, shapes, items):
            # Of layers with a sliding window the others may have more keys.
            axes = 3 if growing else 4
            same = all(each is not None and shape_of(each)[:axes] == shape[:axes] for each in step)
            if not same or len(step) != layers or shape[1] != shapes[0][1]:
                raise HeadscopeError("record_steps", kind=kind)
            if not 0 <= item < shape[0]:
                raise HeadscopeError("record_item", item=item, count=shape[0])
        rows = sum(shape[2] for shape in shapes)
        if any(shape[2] != 1 for shape in shapes[1:]):
            raise HeadscopeError("record_steps", kind=kind)
        keys = rows if growing else shapes[0][3]
        if not growing and any(shape[3] != keys for shape in shapes):
            raise HeadscopeError("record_steps", kind=kind)
        return cls(steps, items, (layers, shapes[0][1], rows, keys), growing)

    @property
    def dtype(self) -> str:
        """See `Layers`."""
        return dtype_name(self.steps[0][0])

    def layer(self, layer: int) -> Floats:
        """See `Layers`; raises `record_steps` where a step attends to what is not there yet."""
        _, heads, queries, keys = self.shape
        weights: Floats = np.zeros((heads, queries, keys), np.float32)
        row = 0
        for step, item in zip(self.steps, self.items):
            found = to_floats(take(step[layer], item))
            rows = found.shape[1]
            read = row + rows if self.growing else keys
            weights[:, row : row + rows, :read] = _fitted(found, read)
            row += rows
        return weights


def _fitted(found: Floats, read: int) -> Floats:
    """Rows of a step as wide as what was read by then.

    A cache of fixed size has room for more keys, all of weight 0; one of a sliding window keeps the last
    keys only.
    """
    keys = found.shape[2]
    if keys > read:
        if found[:, :, read:].any():
            raise HeadscopeError("record_steps", kind="decoder_self")
        return found[:, :, :read]
    if keys == read:
        return found
    wide: Floats = np.zeros((*found.shape[:2], read), np.float32)
    wide[:, :, read - keys :] = found
    return wide


def cut(weights: Floats, rows: Places, columns: Places) -> Floats:
    """[head, query, key] without the places of padding."""
    if rows is not None:
        weights = weights[:, rows]
    return weights if columns is None else weights[:, :, columns]


Places = npt.NDArray[np.intp] | None
"""Which tokens are kept; None for all."""
