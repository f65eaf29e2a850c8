"""Files that are read when they are asked for."""

from __future__ import annotations

import io
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from model.errors import HeadscopeError
from model.files import file_bytes
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


@pytest.fixture(params=[True, False])
def at_a_place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on systems that can read at a place, and as on those that cannot."""
    if request.param and not file_bytes._AT_A_PLACE:
        pytest.skip("a system that cannot read at a place")
    monkeypatch.setattr(file_bytes, "_AT_A_PLACE", request.param)


@pytest.mark.usefixtures("at_a_place")
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


@pytest.mark.usefixtures("at_a_place")
def test_many_threads_read_one_file(tmp_path: Path) -> None:
    data = os.urandom(1 << 21)
    (tmp_path / "x").write_bytes(data)
    found = FileBytes(tmp_path / "x", _unreadable)

    def read(turn: int) -> bool:
        start = turn * 7919 % len(data)
        return found[start : start + 100_000] == data[start : start + 100_000]

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(read, range(500)))


@pytest.mark.skipif(not file_bytes._AT_A_PLACE, reason="a system that cannot read at a place")
@pytest.mark.parametrize("gone", [False, True])
def test_who_reads_little_does_not_wait_for_who_reads_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: bool
) -> None:
    (found,) = _many(tmp_path, 1)
    begun, go_on, read = threading.Event(), threading.Event(), FileBytes._bytes

    def slowly(opened: FileBytes, file: io.FileIO, count: int, start: int) -> bytes:
        if count == _LARGE:
            begun.set()
            assert go_on.wait(10)
        return read(opened, file, count, start)

    monkeypatch.setattr(FileBytes, "_bytes", slowly)
    with ThreadPoolExecutor(1) as threads:
        much = threads.submit(lambda: found[:])
        assert begun.wait(10)
        if gone:  # what is open is there
            (tmp_path / "0").unlink()
        assert found[:10] == bytes(10)
        go_on.set()
        assert much.result() == bytes(_LARGE)
    assert found[-1:] == bytes(1)


@pytest.mark.usefixtures("at_a_place")
def test_a_file_that_becomes_shorter_is_told(tmp_path: Path) -> None:
    (found,) = _many(tmp_path, 1)
    os.truncate(tmp_path / "0", 1000)
    assert found[:1000] == bytes(1000)
    with pytest.raises(HeadscopeError) as caught:
        found[:]
    assert caught.value.values["reason"] == "it is cut short"


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
