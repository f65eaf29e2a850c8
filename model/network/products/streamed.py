"""Streamed products: a few rows by a matrix that is read once, in the order in which it lies.

The kernel is `streamed.c` beside this file. It is compiled when Headscope is installed, where there is a
compiler of C (GCC or Clang); where there is none, torch's own kernels do the work. Its threads are torch's.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

MOST_ROWS = 16
"""Of x. Of more a library's product makes more, which reads the matrix no faster but multiplies better."""

_HERE = Path(__file__).parent
_POINTER, _SIZE = ctypes.c_void_p, ctypes.c_size_t
# Of x, the matrix, b and the product; rows, outputs and inputs; threads, who starts them, whether plainly.
_ARGUMENTS = (*4 * (_POINTER,), *3 * (_SIZE,), ctypes.c_uint, _POINTER, ctypes.c_int)

# Libraries of OpenMP, one of which torch has loaded.
_OPENMP = ("libgomp", "libomp", "libiomp")

Matrix = tuple[Tensor, int, int, int]
"""What is read: the matrix, so that it stays, where it lies, outputs and inputs."""


def has_streamed() -> bool:
    """Whether the kernel was compiled for this Python."""
    return _kernel() is not None


def has_threads() -> bool:
    """Whether it can use those of torch."""
    return has_streamed() and _parallel() is not None


def as_matrix(weight: Tensor) -> Matrix:
    """Of a matrix [out, in] of float32 that lies row by row."""
    return weight, weight.data_ptr(), weight.shape[0], weight.shape[1]


def multiply_streamed(x: Tensor, matrix: Matrix, bias: Tensor | None) -> Tensor:
    """[..., out] of x [..., in], with all threads."""
    return _multiply(x, matrix, bias, torch.get_num_threads())


def multiply_alone(x: Tensor, matrix: Matrix, bias: Tensor | None) -> Tensor:
    """The same by this thread: no other need be woken or waited for."""
    return _multiply(x, matrix, bias, 1)


def multiply_plainly(x: Tensor, matrix: Matrix, bias: Tensor | None) -> Tensor:
    """The same with instructions that every processor has: for tests."""
    return _multiply(x, matrix, bias, 1, plainly=1)


def _multiply(x: Tensor, matrix: Matrix, bias: Tensor | None, threads: int, plainly: int = 0) -> Tensor:
    _, place, outputs, inputs = matrix
    x, bias = x.contiguous(), None if bias is None else bias.contiguous()
    product = torch.empty(*x.shape[:-1], outputs)
    kernel = _kernel()
    assert kernel is not None
    kernel(
        x.data_ptr(),
        place,
        None if bias is None else bias.data_ptr(),
        product.data_ptr(),
        x.numel() // inputs,
        outputs,
        inputs,
        threads,
        _parallel() if threads > 1 else None,
        plainly,
    )
    return product


@lru_cache(maxsize=1)
def _kernel() -> Callable[..., None] | None:
    for ending in EXTENSION_SUFFIXES:
        path = _HERE / f"_streamed{ending}"
        if path.is_file():
            try:
                kernel: Any = ctypes.CDLL(str(path)).headscope_streamed
            except (OSError, AttributeError):  # of another machine, or of another version
                continue
            kernel.argtypes, kernel.restype = _ARGUMENTS, None
            return kernel  # type: ignore[no-any-return]
    return None


@lru_cache(maxsize=1)
def _parallel() -> int | None:
    """Where `GOMP_parallel` lies, of the library that torch has loaded; LLVM's and Intel's have it as well.

    None where that cannot be told: a library of our own would bring threads of its own.
    """
    if not sys.platform.startswith("linux"):
        return None
    try:
        lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
        paths = {line.split(maxsplit=5)[-1] for line in lines if "/" in line}
        found = [path for path in paths if Path(path).name.startswith(_OPENMP)]
        # Of several nobody knows which is torch's.
        if len(found) != 1:
            return None
        return ctypes.cast(ctypes.CDLL(found[0]).GOMP_parallel, _POINTER).value
    except (OSError, AttributeError):
        return None
