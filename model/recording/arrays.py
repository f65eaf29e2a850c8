"""Arrays of any library as numpy: torch on any device and of any type, numpy, nested lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.trace.trace import Floats, Ids


def to_floats(array: Any) -> Floats:
    """Any array of numbers as float32 on the CPU.

    Raises:
        HeadscopeError: `record_not_numbers`.
    """
    given = type(array).__name__
    try:
        if hasattr(array, "detach"):  # torch, which numpy cannot read in bfloat16 or from a GPU
            if array.is_complex():
                raise TypeError
            array = array.detach().to_dense().float().cpu().numpy()
        found = np.asarray(array)
        if found.dtype.kind in "cUSmM":  # numpy would drop imaginary parts, and read digits in strings
            raise TypeError
        with np.errstate(over="ignore"):  # too large for float32: infinite, and refused as such
            floats: Floats = found.astype(np.float32, copy=False)
    except (TypeError, ValueError, RuntimeError):
        raise HeadscopeError("record_not_numbers", type=given) from None
    return floats


def to_ids(array: Any) -> Ids:
    """Token ids as int64 on the CPU; raises as `to_floats`."""
    if hasattr(array, "detach"):
        array = array.detach().cpu().numpy()
    try:
        found = np.asarray(array)
        if found.dtype.kind not in "iub":
            raise TypeError
    except (TypeError, ValueError):
        raise HeadscopeError("record_not_numbers", type=type(array).__name__) from None
    return found.astype(np.int64)


def shape_of(array: Any) -> tuple[int, ...]:
    """The lengths of an array's axes; of nested lists those that numpy finds; raises as `to_floats`."""
    shape = getattr(array, "shape", None)
    if shape is None:
        return to_floats(array).shape
    return tuple(int(length) for length in shape)


def dtype_name(array: Any) -> str:
    """Such as `bfloat16`; `float32` of nested lists."""
    dtype = getattr(array, "dtype", None)
    return "float32" if dtype is None else getattr(dtype, "name", str(dtype).removeprefix("torch."))


def is_array(value: Any) -> bool:
    """Whether it is an array of numpy, torch or another library, no list."""
    return hasattr(value, "shape") and hasattr(value, "dtype")


def of_batch(array: Any, item: int) -> Any:
    """One item of a batch; what has no batch axis (a list of tokens, ids [T]) as it is.

    Raises:
        HeadscopeError: `record_item`: there is no such item.
    """
    if is_array(array):
        batched = len(array.shape) == 2
    else:
        batched = bool(array) and isinstance(array[0], Sequence) and not isinstance(array[0], str)
    return take(array, item) if batched else array


def take(array: Any, item: int) -> Any:
    """`array[item]`; `HeadscopeError` `record_item` where there is none."""
    if not 0 <= item < len(array):
        raise HeadscopeError("record_item", item=item, count=len(array))
    return array[item]


def kept_places(mask: Any, item: int, length: int, what: str) -> npt.NDArray[np.intp] | None:
    """The places of an attention mask that are no padding; None when nothing is to be removed.

    Args:
        mask: [tokens] or [batch, tokens], 1 or True for a token.
        length: how many tokens the attention has.
        what: the mask's name, for the error.

    Raises:
        HeadscopeError: `record_mask`: it has another length, or leaves nothing.
    """
    if mask is None:
        return None
    kept = to_floats(of_batch(mask, item)) != 0  # some tokenizers write 1.0
    if kept.shape != (length,) or not kept.any():
        raise HeadscopeError("record_mask", name=what, found=list(kept.shape), wanted=length)
    return None if kept.all() else np.flatnonzero(kept)


def item_rows(logits: Any, item: int, places: npt.NDArray[np.intp] | None) -> Any:
    """[rows, V] of one of a batch, without padding; `HeadscopeError` if they have other axes."""
    if not is_array(logits):
        logits = to_floats(logits)
    if len(logits.shape) not in (2, 3):
        raise HeadscopeError("record_logits_shape", shape=list(shape_of(logits)))
    rows = take(logits, item) if len(logits.shape) == 3 else logits
    return rows if places is None or len(rows) <= places[-1] else rows[places.tolist()]
