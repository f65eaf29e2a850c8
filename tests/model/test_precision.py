from __future__ import annotations

import os

import pytest
import torch

from model import precision
from model.precision import autocast, compute_dtype

CPU = torch.device("cpu")


def test_auto_follows_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    for fast, dtype in ((True, torch.bfloat16), (False, torch.float32)):
        monkeypatch.setattr(precision, "has_fast_bfloat16", lambda device, fast=fast: fast)
        assert compute_dtype("auto", CPU) == dtype
        assert compute_dtype("float32", CPU) == torch.float32
        assert compute_dtype("bfloat16", CPU) == torch.bfloat16


def test_detection_asks_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    for flag in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.setattr(torch.cpu, flag, lambda: False, raising=False)
    assert not precision.has_fast_bfloat16(CPU)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: True)
    assert precision.has_fast_bfloat16(CPU)
    assert not precision.has_fast_bfloat16(torch.device("meta"))


def test_a_torch_that_cannot_tell_means_no(monkeypatch: pytest.MonkeyPatch) -> None:
    for flag in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.delattr(torch.cpu, flag, raising=False)
    assert not precision.has_fast_bfloat16(CPU)


def test_the_environment_has_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "ONEDNN_PRIMITIVE_CACHE_CAPACITY"
    monkeypatch.setenv(name, "7")
    precision.bound_kernel_cache()
    assert os.environ[name] == "7"
    monkeypatch.delenv(name)
    precision.bound_kernel_cache()
    assert os.environ[name] == "64"


def test_autocast() -> None:
    a = torch.ones(2, 2)
    with autocast(CPU, torch.bfloat16):
        assert (a @ a).dtype == torch.bfloat16
    with autocast(CPU, torch.float32):
        assert (a @ a).dtype == torch.float32
