"""Files that are read when they are asked for."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from model.errors import HeadscopeError
from model.files.file_bytes import MOST_OPEN, FileBytes
from model.trace.trace_file import open_trace, save_trace
from tests.model.tiny_trace import make_trace


def _unreadable(reason: str) -> HeadscopeError:
    raise AssertionError(reason)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts the open files of a process")
def test_small_traces_leave_no_file_open(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    save_trace(make_trace(), path)
    before = len(os.listdir("/proc/self/fd"))
    opened = [open_trace(path) for _ in range(20)]
    assert len(os.listdir("/proc/self/fd")) == before
    path.unlink()
    kind = opened[0].kinds[0]
    assert opened[-1].pattern(kind, 0, 0).sum() > 0


@pytest.mark.parametrize("size", [1, 1 << 18, (1 << 18) + 1, 3 << 20])
def test_what_is_read_is_what_stands_there(tmp_path: Path, size: int) -> None:
    data = os.urandom(size)
    (tmp_path / "x").write_bytes(data)
    found = FileBytes(tmp_path / "x", _unreadable)
    assert len(found) == size
    for start, stop in ((0, size), (size // 2, size), (size - 1, size), (0, 0)):
        assert found[start:stop] == data[start:stop]
    assert b"".join(found.pieces(size=1000)) == data
    target = bytearray(size - size // 3)
    found.read_into(size // 3, memoryview(target))
    assert target == data[size // 3 :]


_LARGE = 1 << 19


def _changed(reason: str) -> HeadscopeError:
    return HeadscopeError("tensors_invalid", path="x", reason=reason)


def _many(folder: Path, count: int) -> list[FileBytes]:
    """Files of one value each."""
    paths = [folder / f"{value}" for value in range(count)]
    for value, path in enumerate(paths):
        path.write_bytes(bytes([value]) * _LARGE)
    return [FileBytes(path, _changed) for path in paths]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts the open files of a process")
def test_few_of_many_files_are_held_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    found = _many(tmp_path, 2 * MOST_OPEN)
    for place in (*range(len(found)), *reversed(range(len(found)))):
        assert found[place][_LARGE - 1 : _LARGE] == bytes([place])
        assert len(os.listdir("/proc/self/fd")) <= before + MOST_OPEN
    del found
    assert len(os.listdir("/proc/self/fd")) <= before


def test_many_threads_read_more_files_than_are_held_open(tmp_path: Path) -> None:
    found = _many(tmp_path, 3 * MOST_OPEN)

    def read(place: int) -> bool:
        value = place * 7 % len(found)
        return found[value][place : place + 1000] == bytes([value]) * 1000

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(read, range(2000)))


@pytest.mark.parametrize("fate", ["replaced", "written anew", "removed"])
def test_a_file_that_is_another_when_it_is_opened_again_is_told(tmp_path: Path, fate: str) -> None:
    first, *others = _many(tmp_path, MOST_OPEN + 1)  # the first is closed by now
    path = tmp_path / "0"
    if fate == "removed":
        path.unlink()
    elif fate == "replaced":
        (tmp_path / "new").write_bytes(b"n" * _LARGE)
        os.replace(tmp_path / "new", path)
    else:
        path.write_bytes(b"n" * _LARGE)
        os.utime(path, ns=(0, 0))
    with pytest.raises(HeadscopeError) as caught:
        first[:10]
    if fate == "removed":
        assert caught.value.code == "file_missing"
    else:
        assert caught.value.values["reason"] == "another file took its place after it was opened"
    assert others[0][:1] == b"\x01"
