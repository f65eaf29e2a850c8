"""Files that another program cuts short or writes anew while they are open: never a dead process."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import torch

from model.bundle.stored_tensors import StoredFile
from model.bundle.torch_checkpoint import open_checkpoint
from model.errors import HeadscopeError
from model.files.npz_file import NpzFile
from model.files.tensor_file import TensorFile
from model.trace.trace import AttentionKind
from model.trace.trace_file import open_trace, save_trace
from model.translator.load_model import loading_steps
from tests.model.hostile.crafting import code_of
from tests.model.tiny_trace import make_trace


@pytest.fixture(autouse=True)
def nothing_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read at once, and what becomes of them afterwards harms nobody."""
    monkeypatch.setattr("model.files.file_bytes._SMALL", -1)


@pytest.mark.parametrize("folder", ["bundle", "marian", "gpt2"], indirect=True)
@pytest.mark.parametrize("at", range(1, 5))
def test_weights_that_are_cut_short_while_a_model_is_loaded(folder: Path, at: int) -> None:
    codes = []
    try:
        for count, _ in enumerate(loading_steps(folder), 1):
            if count == at:
                os.truncate(folder / "model.safetensors", 1000)
    except HeadscopeError as error:
        codes.append(error.code)
    assert codes == ["tensors_invalid"] or (at >= 3 and not codes)  # by then a small one may be loaded


@pytest.mark.parametrize("form", ["safetensors", "bin"])
def test_tensors_of_a_file_that_has_been_cut_short(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"model.{form}"
    if form == "bin":
        torch.save({"a": torch.ones(100_000)}, path)
        stored = open_checkpoint(path)["a"]
    else:
        from safetensors.torch import save_file

        save_file({"a": torch.ones(100_000)}, path)
        stored = StoredFile(TensorFile(path)).tensors["a"]
    assert stored.rows(0, 100_000).sum() == 100_000
    os.truncate(path, 2000)
    with pytest.raises(HeadscopeError, match="cut short"):
        stored.rows(99_000, 100_000)


def test_a_trace_that_is_written_anew_in_place(tmp_path: Path) -> None:
    """As `numpy.savez` does under a window that shows the file."""
    weights = np.full((2, 4, 300, 300), 1 / 300, np.float32)
    path = tmp_path / "a.npz"
    np.savez(path, encoder_self=weights)
    trace = open_trace(path)
    shown = trace.patterns.pattern(AttentionKind.ENCODER_SELF, 1, 3)
    os.truncate(path, 100)
    assert np.array_equal(shown, weights[1, 3])  # what has been read stays
    assert code_of(path, lambda _: trace.patterns.layer(AttentionKind.ENCODER_SELF, 1)) == "npz_damaged"
    save_trace(make_trace(), tmp_path / "b.trace")
    trace = open_trace(tmp_path / "b.trace")
    os.truncate(tmp_path / "b.trace", 0)
    assert code_of(path, lambda _: trace.patterns.layer(trace.kinds[0], 0)) == "tensors_invalid"


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize("shape", [(3, 2, 5, 4), (3, 1, 2, 5, 4), (1, 1, 1, 1)])
def test_arrays_in_fortran_order_are_read_head_by_head(
    tmp_path: Path, dtype: type[np.floating], shape: tuple[int, ...]
) -> None:
    array = np.asfortranarray(np.random.default_rng(5).random(shape).astype(dtype))
    np.savez(tmp_path / "a.npz", a=array)
    file, flat = NpzFile(tmp_path / "a.npz"), array.reshape(-1)
    for axes in range(len(shape) + 1):
        count = int(np.prod(shape[axes:]))
        for first in range(0, len(flat), count):
            assert np.array_equal(file.flat("a", first, count), flat[first : first + count])
    assert np.array_equal(file.flat("a", 0, 1), flat[:1])
    assert np.array_equal(file.view("a"), array)
