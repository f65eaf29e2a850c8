"""Files of weights that lie, are programs, or name other files."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from model.files.tensor_file import TensorFile
from model.translator.load_model import load_model
from tests.model.hostile.crafting import Marker, code_of, header_file, refused, zipped_pickle

KINDS = ("bundle", "marian", "bert", "gpt2")
WEIGHTS = "model.safetensors"
OPEN_BIN = ("checkpoint_invalid", "checkpoint_legacy")


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "the-pickle-ran"


@pytest.mark.parametrize("folder", KINDS, indirect=True)
@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_a_pickle_called_safetensors_is_never_loaded(folder: Path, marker: Path, protocol: int) -> None:
    (folder / WEIGHTS).write_bytes(pickle.dumps(Marker(marker), protocol))
    assert code_of(folder) in ("tensors_pickle", "tensors_invalid")
    torch.save({"a": Marker(marker)}, folder / WEIGHTS)
    assert code_of(folder) == "tensors_pickle"
    assert not marker.exists()


@pytest.mark.parametrize("folder", ["marian", "bert", "gpt2"], indirect=True)
def test_a_pytorch_file_that_is_a_program_is_never_loaded(folder: Path, marker: Path) -> None:
    (folder / WEIGHTS).unlink()
    path = folder / "pytorch_model.bin"
    torch.save({"weight": torch.zeros(2), "evil": Marker(marker)}, path)
    assert code_of(folder) in OPEN_BIN
    path.write_bytes(pickle.dumps({"weight": Marker(marker)}))
    assert code_of(folder) in OPEN_BIN
    zipped_pickle(path, pickle.dumps(Marker(marker)))
    assert code_of(folder) in OPEN_BIN
    torch.save({"evil": Marker(marker)}, path, _use_new_zipfile_serialization=False)
    assert code_of(folder) in OPEN_BIN
    path.write_bytes(b"PK\x03\x04" + b"\0" * 100)
    assert code_of(folder) in OPEN_BIN
    assert not marker.exists()


def test_a_bomb_among_the_small_files_is_not_even_opened(folder: Path, marker: Path) -> None:
    for name in (
        "tokenizer.pkl",
        "vocab.pkl",
        "training_args.bin",
        "optimizer.pt",
        "vocab.bin",
        "pytorch_model.bin",
    ):
        (folder / name).write_bytes(pickle.dumps(Marker(marker)))
    assert load_model(folder).name
    assert not marker.exists()


def entry(shape: list[Any], start: Any, end: Any, dtype: Any = "F32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


LIES = {
    "longer than the file": (b"{}", 10**6),
    "99 MB": (b"{}", 99_000_000),
    "2**63": (b"{}", 2**63),
    "overflow": (json.dumps({"a": entry([2**32, 2**32], 0, 0)}).encode(), None),
    "overflow to a small size": (json.dumps({"a": entry([2**62, 4], 0, 0)}).encode(), None),
    "negative": (json.dumps({"a": entry([-1, -4], 0, 4)}).encode(), None),
    "negative offsets": (json.dumps({"a": entry([1], -4, 0)}).encode(), None),
    "backwards": (json.dumps({"a": entry([1], 4, 0)}).encode(), None),
    "floats": (json.dumps({"a": entry([1.0], 0, 4)}).encode(), None),
    "booleans": (json.dumps({"a": entry([True], 0, 4)}).encode(), None),
    "an endless shape": (json.dumps({"a": entry([1] * 10_000, 0, 4)}).encode(), None),
    "no type": (json.dumps({"a": entry([1], 0, 4, 7)}).encode(), None),
    "a hole": (json.dumps({"a": entry([1], 4, 8)}).encode(), None),
    "two in one place": (json.dumps({"a": entry([1], 0, 4), "b": entry([1], 0, 4)}).encode(), None),
    "deep": (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, None),
    "not JSON": (b"\x80\x04garbage", None),
    "a list": (b"[]", None),
    "NaN": (b'{"a": NaN}', None),
    "notes that are none": (b'{"__metadata__": {"a": 1}}', None),
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("folder", ["bundle", "marian", "gpt2"], indirect=True)
def test_a_header_that_lies_is_one_sentence(folder: Path, lie: str) -> None:
    header, length = LIES[lie]
    header_file(folder / WEIGHTS, header, b"\0" * 4, length)
    assert code_of(folder) == "tensors_invalid"


def test_a_file_of_a_million_tensors_is_refused(tmp_path: Path) -> None:
    header = json.dumps({f"t{n}": entry([0], 0, 0) for n in range(100_001)}).encode()
    path = header_file(tmp_path / "a.safetensors", header)
    assert refused(path, TensorFile).code == "tensors_invalid"
    header = b'{"a":[' + b"[]," * 3_100_000 + b"[]]}"
    assert refused(header_file(path, header), TensorFile).code == "tensors_invalid"


def test_types_that_are_not_weights_are_named(folder: Path) -> None:
    data = (folder / WEIGHTS).read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    name = next(name for name in header if name.endswith("wte.weight"))
    header[name]["dtype"] = "F8_E4M3"
    header[name]["shape"][-1] *= 4
    header_file(folder / WEIGHTS, json.dumps(header).encode(), data[8 + length :])
    assert code_of(folder) == "weights_dtype"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_none_are_named(folder: Path, value: float) -> None:
    tensors = load_file(folder / WEIGHTS)
    tensors["transformer.h.1.mlp.c_fc.weight"][3, 3] = value
    save_file(tensors, folder / WEIGHTS)
    error = refused(folder)
    assert error.code == "weights_not_finite"
    assert "h.1.mlp.c_fc.weight" in str(error)


# Weights in several files.


def sharded(folder: Path, change: Callable[[dict[str, str]], object] = lambda placed: None) -> Path:
    tensors = load_file(folder / WEIGHTS)
    (folder / WEIGHTS).unlink()
    names = sorted(tensors)
    placed = {}
    for part in range(2):
        own = {name: tensors[name] for name in names[part::2]}
        file = f"model-{part + 1:05}-of-00002.safetensors"
        save_file(own, folder / file)
        placed |= dict.fromkeys(own, file)
    change(placed)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": placed}))
    return folder


def test_weights_in_parts_are_the_same_model(folder: Path, sound: dict[str, Path]) -> None:
    ids = [[1, 2, 3]]
    models = [load_model(sound["gpt2"]), load_model(sharded(folder))]
    logits = [m.network._network(torch.tensor(ids)).logits for m in models]  # type: ignore[union-attr]
    assert torch.equal(*logits)
    assert models[0].sha256 != models[1].sha256


@pytest.mark.parametrize(
    "name",
    [
        "../outside.safetensors",
        "/etc/passwd",
        "/etc/passwd.safetensors",
        "..",
        "",
        "a/b.safetensors",
        "a\\b.safetensors",
        "C:x.safetensors",
        "x\0.safetensors",
        "x\n.safetensors",
        ".hidden.safetensors",
        "pytorch_model.bin",
        "config.json",
    ],
)
def test_an_index_names_only_files_of_the_folder(folder: Path, name: str) -> None:
    shutil.copy(folder / WEIGHTS, folder.parent / "outside.safetensors")
    sharded(folder, lambda placed: placed.update(x=name))
    assert code_of(folder) == "folder_name"


def test_a_part_that_is_a_link_out_is_refused(folder: Path) -> None:
    sharded(folder)
    part = folder / "model-00001-of-00002.safetensors"
    shutil.move(part, folder.parent / "outside.safetensors")
    part.symlink_to("../outside.safetensors")
    assert code_of(folder) == "file_elsewhere"


def test_a_part_that_is_missing_is_named(folder: Path) -> None:
    sharded(folder)
    (folder / "model-00002-of-00002.safetensors").unlink()
    error = refused(folder)
    assert error.code == "folder_part"
    assert "00002-of" in str(error)


def test_a_tensor_in_two_parts_is_refused(folder: Path) -> None:
    sharded(folder)
    shutil.copy(folder / "model-00001-of-00002.safetensors", folder / "more.safetensors")
    index = folder / "model.safetensors.index.json"
    values = json.loads(index.read_text())
    values["weight_map"]["x"] = "more.safetensors"
    index.write_text(json.dumps(values))
    assert code_of(folder) == "bundle_invalid"


@pytest.mark.parametrize(
    "index",
    [
        [],
        {},
        {"weight_map": {}},
        {"weight_map": []},
        {"weight_map": {"a": 1}},
        {"weight_map": {str(n): f"{n}.safetensors" for n in range(5000)}},
    ],
)
def test_an_index_that_is_none_is_one_sentence(folder: Path, index: Any) -> None:
    sharded(folder)
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert code_of(folder) == "bundle_invalid"


# What the files lack would be random.


@pytest.mark.parametrize("folder", ["bert", "gpt2", "t5"], indirect=True)
def test_weights_that_are_missing_are_never_invented(folder: Path) -> None:
    tensors = load_file(folder / WEIGHTS)
    layered = [name for name in tensors if ".0." in name or ".1." in name]
    for name in layered[:: max(1, len(layered) // 8)]:
        rest = {key: value for key, value in tensors.items() if key != name}
        save_file(rest, folder / WEIGHTS)
        error = refused(folder)
        assert error.code == "foreign_missing"
        assert name in str(error)


def test_weights_of_another_shape_are_named(folder: Path) -> None:
    tensors = load_file(folder / WEIGHTS)
    name = "transformer.h.0.mlp.c_fc.weight"
    tensors[name] = tensors[name][:, :-1].clone()
    save_file(tensors, folder / WEIGHTS)
    error = refused(folder)
    assert error.code == "weights_shape"
    assert name in str(error)


def test_no_tensor_at_all_is_one_sentence(folder: Path) -> None:
    save_file({"x": torch.zeros(40_000)}, folder / WEIGHTS)
    assert code_of(folder) in ("foreign_missing", "foreign_sizes")
    (folder / WEIGHTS).write_bytes(b"")
    assert code_of(folder) == "tensors_invalid"
    np.savez(folder / "x.npz", a=np.zeros(3))
    (folder / WEIGHTS).unlink()
    shutil.move(folder / "x.npz", folder / WEIGHTS)
    assert code_of(folder) == "tensors_pickle"
