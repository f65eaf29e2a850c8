from __future__ import annotations

import os
from pathlib import Path

import pytest
import safetensors.torch
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors import HeadscopeError
from model.training.state import load_training_state, save_training_state
from tests.model.safetensors_by_hand import parse

NAME = "training_state.safetensors"

TENSORS = {
    "weight": torch.arange(6, dtype=torch.float32).reshape(2, 3).t(),  # not contiguous
    "scalar": torch.tensor(3),
    "empty": torch.empty(0, 3),
    "rng": torch.arange(250, dtype=torch.uint8),
    "bfloat16": torch.tensor([1.5, float("inf")], dtype=torch.bfloat16),
    "float64": torch.tensor([1e300, float("nan")], dtype=torch.float64),
    "flags": torch.tensor([True, False, True]),
}


def code_of(folder: Path) -> str:
    with pytest.raises(HeadscopeError) as caught:
        load_training_state(folder)
    assert str(caught.value)
    return caught.value.code


def test_every_bit_comes_back(tmp_path: Path) -> None:
    save_training_state(tmp_path, TENSORS, {"step": "12", "config": '{"名": 1}'})
    tensors, metadata = load_training_state(tmp_path)
    assert metadata == {"step": "12", "config": '{"名": 1}'}
    assert set(tensors) == set(TENSORS)
    for name, tensor in tensors.items():
        wanted = TENSORS[name].contiguous()
        assert tensor.dtype == wanted.dtype
        assert tensor.shape == wanted.shape
        assert tensor.reshape(-1).view(torch.uint8).tolist() == wanted.reshape(-1).view(torch.uint8).tolist()
        tensor.clone()
    tensors["weight"][0, 0] = 5.0  # they belong to the caller
    peer = safetensors.torch.load_file(tmp_path / NAME)
    assert set(peer) == set(TENSORS)
    assert torch.equal(peer["bfloat16"], TENSORS["bfloat16"])
    assert os.listdir(tmp_path) == [NAME]


def test_our_own_names_are_taken(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="taken"):
        save_training_state(tmp_path, TENSORS, {"version": "3"})
    assert os.listdir(tmp_path) == []


def test_missing_other_and_newer(tmp_path: Path) -> None:
    assert code_of(tmp_path) == "file_missing"
    safetensors.torch.save_file({"a": torch.zeros(2)}, tmp_path / NAME)
    assert code_of(tmp_path) == "training_state_invalid"
    notes = {"format": "headscope-training-state", "version": "2"}
    safetensors.torch.save_file({"a": torch.zeros(2)}, tmp_path / NAME, metadata=notes)
    assert code_of(tmp_path) == "training_state_invalid"
    unknown = {"a": torch.zeros(2).to(torch.float8_e4m3fn)}
    safetensors.torch.save_file(unknown, tmp_path / NAME, metadata={**notes, "version": "1"})
    assert code_of(tmp_path) == "training_state_invalid"


def test_a_file_cut_at_any_byte(tmp_path: Path) -> None:
    save_training_state(
        tmp_path, {"a": torch.zeros(3), "b": torch.zeros(2, dtype=torch.int64)}, {"step": "1"}
    )
    data = (tmp_path / NAME).read_bytes()
    for length in range(len(data)):
        (tmp_path / NAME).write_bytes(data[:length])
        assert code_of(tmp_path) == "tensors_invalid"


@settings(max_examples=150, deadline=None)
@given(changes=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=4))
def test_damage_is_refused_or_harmless(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    save_training_state(folder, TENSORS, {"step": "1"})
    data = bytearray((folder / NAME).read_bytes())
    for place, value in changes:
        data[place % min(len(data), 700)] = value
    (folder / NAME).write_bytes(data)
    try:
        load_training_state(folder)
    except HeadscopeError as error:
        assert error.code in ("tensors_invalid", "tensors_pickle", "training_state_invalid")  # noqa: PT017


def test_a_failed_save_keeps_the_old_state(tmp_path: Path) -> None:
    save_training_state(tmp_path, {"a": torch.ones(2)}, {"step": "1"})
    with pytest.raises(HeadscopeError):
        save_training_state(tmp_path / "missing", {"a": torch.zeros(2)}, {})
    tensors, metadata = parse(tmp_path / NAME)
    assert tensors["a"].tolist() == [1.0, 1.0]
    assert metadata["step"] == "1"
