"""Which number format a processor multiplies fast."""

from __future__ import annotations

import contextlib
import os

import torch

from model.config import Precision


def has_fast_bfloat16(device: torch.device) -> bool:
    """Whether bfloat16 products run in hardware here (AVX512-BF16, AMX, or a CUDA device that says so)."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if device.type != "cpu":
        return False
    flags = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, flag, lambda: False)() for flag in flags)


def compute_dtype(precision: Precision, device: torch.device) -> torch.dtype:
    """The dtype of matrix products in training; weights and sums stay float32."""
    if precision == "float32" or (precision == "auto" and not has_fast_bfloat16(device)):
        return torch.float32
    return torch.bfloat16


def bound_kernel_cache() -> None:
    """Let oneDNN remember 64 kernels instead of 1024, unless the environment says otherwise.

    It keeps one with its memory for every shape of a product, and batches have new shapes all the time: a
    training of a small model in bfloat16 grew from 1 to 4 GB. Within one step far fewer repeat. Read when the
    first such kernel is made; later calls change nothing.
    """
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")


def autocast(device: torch.device, dtype: torch.dtype) -> contextlib.AbstractContextManager[object]:
    """Matrix products in `dtype` while inside, where it is narrower than the weights' own."""
    return torch.autocast(device.type, dtype) if dtype.itemsize < 4 else contextlib.nullcontext()
