"""Streamed products: a few rows by a matrix that is read once, in the order in which it lies.

The kernel is `model/network/compiled/streamed.c`; its threads are torch's.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from model.network.compiled.library import library, parallel

MOST_ROWS = 16
"""Of x. Of more a library's product makes more, which reads the matrix no faster but multiplies better."""

_POINTER, _SIZE = ctypes.c_void_p, ctypes.c_size_t
# Of x, the matrix, b and the product; rows, outputs and inputs; threads, who starts them, whether past the
# caches, whether plainly.
_ARGUMENTS = (*4 * (_POINTER,), *3 * (_SIZE,), ctypes.c_uint, _POINTER, ctypes.c_int, ctypes.c_int)

Matrix = tuple[Tensor, int, int, int, bool]
"""What is read: the matrix, so that it stays, where it lies, outputs and inputs, whether past the caches."""


def has_streamed() -> bool:
    """Whether the kernel was compiled."""
    return library() is not None


def has_threads() -> bool:
    """Whether it can use those of torch."""
    return has_streamed() and parallel() is not None


def as_matrix(weight: Tensor) -> Matrix:
    """Of a matrix [out, in] of float32 that lies row by row."""
    return weight, weight.data_ptr(), weight.shape[0], weight.shape[1], False


def past_caches(matrix: Matrix) -> Matrix:
    """The same, of a model that no cache holds: where it is read once, it drives nothing from them."""
    return *matrix[:-1], True


def multiply_streamed(x: Tensor, matrix: Matrix, bias: Tensor | None) -> Tensor:
    """[..., out] of x [..., in], with all threads."""
    return _multiply(x, matrix, bias, torch.get_num_threads())


def multiply_alone(x: Tensor, matrix: Matrix, bias: Tensor | None) -> Tensor:
    """The same by this thread: no other need be woken or waited for."""
    return _multiply(x, matrix, bias, 1)


def multiply_plainly(x: Tensor, matrix: Matrix, bias: Tensor | None) -> Tensor:
    """The same with instructions that every processor has: for tests."""
    return _multiply(x, matrix, bias, 1, plainly=1)


def take_streams(count: int) -> None:
    """Read two or four rows of a matrix side by side for one row of x; the sums are the same."""
    found = library()
    assert found is not None
    found.headscope_streams(count)


def _multiply(x: Tensor, matrix: Matrix, bias: Tensor | None, threads: int, plainly: int = 0) -> Tensor:
    _, place, outputs, inputs, past = matrix
    x, bias = x.contiguous(), None if bias is None else bias.contiguous()
    product = torch.empty(*x.shape[:-1], outputs)
    _kernel()(
        x.data_ptr(),
        place,
        None if bias is None else bias.data_ptr(),
        product.data_ptr(),
        x.numel() // inputs,
        outputs,
        inputs,
        threads,
        parallel() if threads > 1 else None,
        past,
        plainly,
    )
    return product


@lru_cache(maxsize=1)
def _kernel() -> Callable[..., None]:
    found = library()
    assert found is not None
    kernel: Any = found.headscope_streamed
    kernel.argtypes, kernel.restype = _ARGUMENTS, None
    return kernel  # type: ignore[no-any-return]
