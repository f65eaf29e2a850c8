"""Precision and device: what a run computes on, and which number format multiplies fast there."""

from __future__ import annotations

import contextlib
import os

import torch

from model.config import Device, Precision
from model.errors import HeadscopeError


def present_devices() -> tuple[Device, ...]:
    """What this machine has, the fastest first; the processor is always there."""
    found: list[Device] = ["cpu"]
    if torch.backends.mps.is_available():
        found.insert(0, "mps")
    if torch.cuda.is_available():
        found.insert(0, "cuda")
    return tuple(found)


def pick_device(wanted: Device, local_rank: int = 0) -> torch.device:
    """Where to compute.

    Args:
        wanted: `auto` is the first of `present_devices`.
        local_rank: number of this process among those on this machine; each takes a CUDA device of its own.

    Raises:
        HeadscopeError: `device_absent`.
    """
    present = present_devices()
    chosen = present[0] if wanted == "auto" else wanted
    if chosen not in present:
        raise HeadscopeError("device_absent", device=chosen, present=", ".join(present))
    if chosen != "cuda":
        return torch.device(chosen)
    if local_rank >= torch.cuda.device_count():
        count = torch.cuda.device_count()
        raise HeadscopeError("device_few", wanted=local_rank + 1, count=count)
    return torch.device("cuda", local_rank)


def has_fast_bfloat16(device: torch.device) -> bool:
    """Whether bfloat16 products run in hardware here (AVX512-BF16, AMX, or a CUDA device that says so)."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if device.type != "cpu":
        return False
    flags = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, flag, lambda: False)() for flag in flags)


def compute_dtype(precision: Precision, device: torch.device) -> torch.dtype:
    """The dtype of matrix products in training; weights and sums stay float32.

    Raises:
        HeadscopeError: bfloat16 is asked of Apple's GPU, on which training is in float32 alone.
    """
    if device.type == "mps" and precision == "bfloat16":
        raise HeadscopeError(
            "config_value", field="precision", value=precision, wanted="float32 or auto on the device mps"
        )
    if precision == "float32" or (precision == "auto" and not has_fast_bfloat16(device)):
        return torch.float32
    return torch.bfloat16


def bound_kernel_cache() -> None:
    """Let bfloat16 products on a processor remember few kernels, unless the environment says otherwise.

    Each shape of a product has a kernel of its own with its memory, and batches have new shapes all the
    time. Two caches keep 1024 each: oneDNN's, and another that torch has on top of it, which alone held some
    hundred megabytes in the training of a small model. Within one step far fewer repeat, and the first finds
    them. Both sizes are read when the first such kernel is made; later calls change nothing.
    """
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")
    os.environ.setdefault("LRU_CACHE_CAPACITY", "1")


def autocast(device: torch.device, dtype: torch.dtype) -> contextlib.AbstractContextManager[object]:
    """Matrix products in `dtype` while inside, where it is narrower than the weights' own."""
    return torch.autocast(device.type, dtype) if dtype.itemsize < 4 else contextlib.nullcontext()
