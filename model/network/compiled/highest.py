"""Highest: the places of a row's highest numbers, in one pass over it (`highest.c`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.network.compiled.library import library

MOST = 64
"""Of a row: each that is found is put into its place among those before."""


def highest(values: Tensor, count: int) -> NDArray[np.int64] | None:
    """Places int64 [b, count] of the highest of values [b, n], n >= count; equal ones by ascending place.

    Returns:
        None where there is no kernel for them: not float32, not on the processor, too many.
    """
    fits = values.dtype == torch.float32 and values.device.type == "cpu" and 0 < count <= MOST
    if not fits or library() is None:
        return None
    values = values.detach().contiguous()
    rows, length = values.shape
    places = np.empty((rows, count), np.int64)
    found = np.empty(count, np.float32)
    kernel, room = _kernel(), found.ctypes.data
    for row in range(rows):
        at = values.data_ptr() + row * length * values.element_size()
        kernel(at, length, count, places.ctypes.data + row * count * places.itemsize, room)
    return places


@lru_cache(maxsize=1)
def _kernel() -> Callable[..., None]:
    kernel: Any = library().headscope_highest  # type: ignore[union-attr]
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    kernel.argtypes, kernel.restype = (pointer, size, size, pointer, pointer), None
    return kernel  # type: ignore[no-any-return]
