from __future__ import annotations

import os

import pytest
import torch

from model.errors import HeadscopeError
from model.network import precision
from model.network.precision import autocast, compute_dtype, pick_device

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
    sizes = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64", "LRU_CACHE_CAPACITY": "1"}
    for name in sizes:
        monkeypatch.setenv(name, "7")
    precision.bound_kernel_cache()
    assert {os.environ[name] for name in sizes} == {"7"}
    for name in sizes:
        monkeypatch.delenv(name)
    precision.bound_kernel_cache()
    assert {name: os.environ[name] for name in sizes} == sizes


def has(monkeypatch: pytest.MonkeyPatch, *, cuda: int = 0, mps: bool = False) -> None:
    """Let torch say that there are so many CUDA devices, and whether Apple's."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)


def test_the_device_is_the_fastest_there_is_or_the_one_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch)
    assert pick_device("auto") == pick_device("cpu") == CPU
    has(monkeypatch, mps=True)
    assert pick_device("auto") == pick_device("mps") == torch.device("mps")
    assert pick_device("cpu") == CPU
    has(monkeypatch, cuda=2, mps=True)
    assert pick_device("auto") == pick_device("cuda") == torch.device("cuda:0")
    assert pick_device("auto", local_rank=1) == torch.device("cuda:1")
    assert pick_device("cpu", local_rank=1) == CPU


def test_a_device_that_is_not_there_is_named_with_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, mps=True)
    with pytest.raises(HeadscopeError) as error:
        pick_device("cuda")
    assert error.value.code == "device_absent"
    assert error.value.values == {"device": "cuda", "present": "mps, cpu"}
    has(monkeypatch, cuda=1)
    with pytest.raises(HeadscopeError) as error:
        pick_device("auto", local_rank=1)
    assert (error.value.code, error.value.values) == ("device_few", {"wanted": 2, "count": 1})


def test_apples_device_trains_in_float32() -> None:
    mps = torch.device("mps")
    assert compute_dtype("auto", mps) == compute_dtype("float32", mps) == torch.float32
    with pytest.raises(HeadscopeError) as error:
        compute_dtype("bfloat16", mps)
    assert error.value.values["field"] == "precision"


def test_autocast() -> None:
    a = torch.ones(2, 2)
    with autocast(CPU, torch.bfloat16):
        assert (a @ a).dtype == torch.bfloat16
    with autocast(CPU, torch.float32):
        assert (a @ a).dtype == torch.float32
