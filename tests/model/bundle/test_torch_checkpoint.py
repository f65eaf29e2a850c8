"""PyTorch's own files: what is read of them, and crafted ones, which are refused before they do harm."""

from __future__ import annotations

import io
import os
import pickle
import struct
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from model.bundle.torch_checkpoint import open_checkpoint
from model.errors import HeadscopeError

WEIGHTS = {"a.weight": torch.arange(12.0).view(3, 4), "b": torch.tensor([1.5, -2.0]).half()}


def refused(path: Path, code: str = "checkpoint_invalid") -> str:
    """The sentence with which a file is refused."""
    with pytest.raises(HeadscopeError) as caught:
        open_checkpoint(path)
    assert caught.value.code == code, caught.value
    assert str(path) in str(caught.value)
    return str(caught.value)


def saved(path: Path, values: Any) -> Path:
    torch.save(values, path)
    return path


def rebuilt(
    path: Path, change: Callable[[str, bytes], bytes | None], *, deflate: bool = False, **more: bytes
) -> Path:
    """A good file's records, changed (None: left out), in a new archive."""
    good = saved(path.with_suffix(".good"), WEIGHTS)
    method = zipfile.ZIP_DEFLATED if deflate else zipfile.ZIP_STORED
    with zipfile.ZipFile(good) as old, zipfile.ZipFile(path, "w", method) as new:
        for record in old.infolist():
            data = change(record.filename.partition("/")[2], old.read(record))
            if data is not None:
                new.writestr(record.filename, data)
        for name, data in more.items():
            new.writestr(f"x/{name}", data)
    return path


def with_pickle(path: Path, data: bytes) -> Path:
    return rebuilt(path, lambda name, old: data if name == "data.pkl" else old)


@pytest.mark.parametrize(
    "values",
    [WEIGHTS, OrderedDict(WEIGHTS), {name: torch.nn.Parameter(tensor) for name, tensor in WEIGHTS.items()}],
    ids=["dict", "ordered", "parameters"],
)
def test_tensors_are_read_by_rows(tmp_path: Path, values: Any) -> None:
    found = open_checkpoint(saved(tmp_path / "x.bin", values))
    assert {name: (tensor.shape, tensor.dtype) for name, tensor in found.items()} == {
        "a.weight": ((3, 4), "F32"),
        "b": ((2,), "F16"),
    }
    assert torch.equal(found["a.weight"].rows(1, 3), WEIGHTS["a.weight"][1:3])
    assert torch.equal(found["b"].rows(0, 2), WEIGHTS["b"])


def test_a_state_dict_with_its_notes_and_tied_names(tmp_path: Path) -> None:
    network = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))
    network[1].weight = network[0].weight
    found = open_checkpoint(saved(tmp_path / "x.bin", network.state_dict()))
    assert found["0.weight"] is found["1.weight"]
    assert found["0.bias"] is not found["1.bias"]


def test_tensors_within_another_one_are_read_where_they_are(tmp_path: Path) -> None:
    whole = torch.arange(6.0)
    found = open_checkpoint(saved(tmp_path / "x.bin", {"a": whole[:2], "b": whole[4:]}))
    assert torch.equal(found["b"].rows(0, 2), torch.tensor([4.0, 5.0]))


class Runs:
    """Would make a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_pickle_that_would_run_code(tmp_path: Path, protocol: int) -> None:
    trace = tmp_path / "was here"
    torch.save({"a": Runs(trace)}, tmp_path / "x.bin", pickle_protocol=protocol)
    refused(tmp_path / "x.bin")
    plain = tmp_path / "plain.bin"
    plain.write_bytes(pickle.dumps({"a": Runs(trace)}, protocol=protocol))
    refused(plain, "checkpoint_legacy")
    with_pickle(tmp_path / "y.bin", pickle.dumps({"a": Runs(trace)}, protocol=protocol))
    refused(tmp_path / "y.bin")
    assert not trace.exists()


@pytest.mark.parametrize(
    "called",
    [
        "builtins\neval",
        "torch.hub\nload",
        "builtins\nbytearray",
        "torch\nload",
        "torch._utils\n_rebuild_sparse_tensor",
    ],
)
def test_a_pickle_that_asks_for_anything_but_tensors(tmp_path: Path, called: str) -> None:
    data = b"\x80\x02c" + called.encode() + b"\n(K\x01tR."
    assert called.partition("\n")[2] in refused(with_pickle(tmp_path / "x.bin", data))


@pytest.mark.parametrize(
    "values",
    [
        [torch.zeros(2)],
        {"a": 1},
        {"a": "x" * 100},
        {1: torch.zeros(2)},
        {"a": {"b": torch.zeros(2)}},
        {"a": torch.zeros(4, 3).t()},
        {"a": torch.zeros(1).expand(10**12)},
        {"a": torch.zeros(2, 2).to_sparse()},
        {"a": torch.zeros(2, dtype=torch.complex64)},
        torch.nn.Linear(2, 2),
        {f"layers.{number}": WEIGHTS["a.weight"] for number in range(9)},
    ],
    ids=[
        *("list", "number", "text", "numbered", "nested", "turned", "endless", "sparse", "complex", "module"),
        "one for nine",
    ],
)
def test_what_is_no_dictionary_of_plain_tensors(tmp_path: Path, values: Any) -> None:
    refused(saved(tmp_path / "x.bin", values))


def test_a_legacy_file_says_how_to_convert_it(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    torch.save(WEIGHTS, path, _use_new_zipfile_serialization=False)
    assert "torch.save(torch.load(p, weights_only=True), p)" in refused(path, "checkpoint_legacy")
    torch.save(torch.load(path, weights_only=True), path)  # what the sentence says
    assert set(open_checkpoint(path)) == set(WEIGHTS)


def test_compressed_records_which_could_be_a_bomb(tmp_path: Path) -> None:
    path = rebuilt(tmp_path / "x.bin", lambda name, old: old, deflate=True, bomb=bytes(1 << 24))
    assert path.stat().st_size < 1 << 20
    assert "compressed" in refused(path)


def test_a_shape_that_the_storage_does_not_hold(tmp_path: Path) -> None:
    """The sizes 3 and 4 of `a.weight` in its pickle become 3 and 255, or more."""

    def larger(name: str, old: bytes) -> bytes:
        if name != "data.pkl":
            return old
        assert old.count(b"K\x03K\x04\x86") == 1
        return old.replace(b"K\x03K\x04\x86", b"J\xff\xff\xff\x7fK\x04\x86")

    refused(rebuilt(tmp_path / "x.bin", larger))


def test_a_storage_that_claims_more_than_its_record_holds(tmp_path: Path) -> None:
    def longer(name: str, old: bytes) -> bytes:
        if name != "data.pkl":
            return old
        changed = old.replace(b"K\x0ct", b"J\xff\xff\xff\x7ft").replace(
            b"K\x03K\x04\x86", b"J\xff\xff\xff\x1fK\x04\x86"
        )
        assert changed != old
        return changed

    refused(rebuilt(tmp_path / "x.bin", longer))


@pytest.mark.parametrize("missing", ["data.pkl", "data/0"])
def test_an_archive_that_lacks_a_record(tmp_path: Path, missing: str) -> None:
    refused(rebuilt(tmp_path / "x.bin", lambda name, old: None if name == missing else old))


def test_numbers_in_the_other_order_of_bytes(tmp_path: Path) -> None:
    refused(rebuilt(tmp_path / "x.bin", lambda name, old: b"big" if name == "byteorder" else old))


def test_two_records_of_one_name(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    good = saved(tmp_path / "good", WEIGHTS)
    with zipfile.ZipFile(good) as old, zipfile.ZipFile(path, "w") as new:
        for record in [*old.infolist(), old.infolist()[0]]:
            with (
                pytest.warns(UserWarning, match="Duplicate")
                if record.filename in new.namelist()
                else _nothing()
            ):
                new.writestr(record.filename, old.read(record))
    assert "two of its records" in refused(path)


def test_records_that_lie_over_one_another(tmp_path: Path) -> None:
    """One megabyte of zeros, listed 100 times: the archive would stand for 100 times its size."""
    path = tmp_path / "x.bin"
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("x/data.pkl", pickle.dumps({}, protocol=2))
        for number in range(100):
            archive.writestr(f"x/data/{number}", bytes(1 << 20) if number == 0 else b"")
        first = archive.getinfo("x/data/0")
        for record in archive.infolist()[2:]:
            record.header_offset, record.CRC = first.header_offset, first.CRC
            record.file_size = record.compress_size = first.file_size
    path.write_bytes(written.getvalue())
    assert "more than the file holds" in refused(path)


def test_an_absurdly_long_list_of_records(tmp_path: Path) -> None:
    path = saved(tmp_path / "x.bin", WEIGHTS)
    data = bytearray(path.read_bytes())
    place = data.rfind(b"PK\x05\x06")
    data[place + 12 : place + 16] = struct.pack("<I", 0xFFFFFFF0)
    path.write_bytes(data)
    refused(path)


def test_an_absurdly_long_pickle(tmp_path: Path) -> None:
    refused(with_pickle(tmp_path / "x.bin", b"\x80\x02}" + b"K\x010" * (1 << 21) + b"."))


def test_every_cut_and_any_other_file(tmp_path: Path) -> None:
    data = saved(tmp_path / "good.bin", WEIGHTS).read_bytes()
    path = tmp_path / "x.bin"
    for length in (0, 1, 4, 30, 500, len(data) // 2, len(data) - 22, len(data) - 1):
        path.write_bytes(data[:length])
        refused(path)
    for other in (b"not a model", b"PK\x03\x04" + bytes(100), b"\x89PNG\r\n" * 50, b"{}"):
        path.write_bytes(other)
        refused(path)


@pytest.mark.parametrize("step", range(0, 1400, 41))
def test_a_changed_byte_is_refused_or_harmless(tmp_path: Path, step: int) -> None:
    """Whatever byte is changed: a sentence, or tensors of the size that the file has."""
    path = saved(tmp_path / "x.bin", WEIGHTS)
    data = bytearray(path.read_bytes())
    for place in range(step, min(len(data), step + 41), 8):
        changed = bytearray(data)
        changed[place] ^= 0x55
        path.write_bytes(changed)
        try:
            found = open_checkpoint(path)
        except HeadscopeError:
            continue
        for tensor in found.values():
            rows = tensor.rows(0, tensor.shape[0]) if tensor.shape else None
            assert rows is None or rows.nbytes <= len(data)


def test_a_folder_a_missing_file_and_a_pipe(tmp_path: Path) -> None:
    refused(tmp_path, "file_is_folder")
    refused(tmp_path / "none.bin", "file_missing")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        refused(tmp_path / "pipe", "file_not_ordinary")


class _nothing:
    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


TWICE_AS_LONG = b"q\x01h\x01\x86" * 60  # a pair of what was before, sixty times


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x02})" + TWICE_AS_LONG + b"K\x01s.",  # whose hash takes ages
        b"\x80\x02})" + b"\x85" * 300_000 + b"K\x01s.",  # or all of the stack
        b"\x80\x02}])" + TWICE_AS_LONG + b"a.",
        b"\x80\x02}q\x01X\x01\x00\x00\x00ah\x01s.",  # a dictionary in itself
        b"\x80\x02" + b"]" * 100_000 + b".",
        b"\x80\x02s.",
        b"\x80\x02u.",
        b"\x80\x02\x85.",
        b"\x80\x02h\x07.",
        b"\x80\x02K\x01Q.",
        b"\x80\x02K\x01)R.",
        b"\x80\x02.",
    ],
)
def test_a_pickle_that_would_take_the_process_along(tmp_path: Path, data: bytes) -> None:
    refused(with_pickle(tmp_path / "x.bin", data))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"K\x04K\x01\x86", b"K\x00K\x00\x86"),  # every row the same
        (b"K\x04K\x01\x86", b"K\x01K\x01\x86"),  # rows that lie over one another
        (b"K\x04K\x01\x86", b"J\xff\xff\xff\xffK\x01\x86"),  # backwards
        (b"K\x04K\x01\x86", b"K\x04\x85"),  # too few
        (b"K\x00K\x03K\x04", b"K\x01K\x03K\x04"),  # from the second number on
        (b"K\x00K\x03K\x04", b"J\xff\xff\xff\xffK\x03K\x04"),  # from before the first
        (b"K\x03K\x04\x86", b"\x88\x89\x86"),  # lengths that are none
        (b"K\x03K\x04\x86", b"(" + b"K\x01" * 40 + b"t"),
    ],
)
def test_tensors_that_cannot_be(tmp_path: Path, old: bytes, new: bytes) -> None:
    """Sizes, strides and the first number of `a.weight` in its pickle are others."""

    def change(name: str, data: bytes) -> bytes:
        if name != "data.pkl":
            return data
        assert data.count(old) == 1, data
        return data.replace(old, new)

    refused(rebuilt(tmp_path / "x.bin", change))


def test_every_type_and_shape_reads_as_torch_reads_it(tmp_path: Path) -> None:
    types = ("float32", "float16", "bfloat16", "float64", "int64", "int32", "bool", "uint8")
    values = {name: (torch.arange(24) % 5).to(getattr(torch, name)).view(2, 3, 4) for name in types}
    values |= {
        "one": torch.tensor(7.0),
        "none": torch.zeros(0, 3),
        "ones": torch.ones(1, 5, 1).transpose(0, 2),
    }
    path = saved(tmp_path / "x.bin", OrderedDict(values))
    found, wanted = open_checkpoint(path), torch.load(path, weights_only=True)
    assert list(found) == list(wanted)
    for name, tensor in wanted.items():
        rows = found[name].rows(0, tensor.shape[0] if tensor.shape else 1)
        assert rows.dtype == tensor.dtype
        assert torch.equal(rows.view(tensor.shape), tensor)
