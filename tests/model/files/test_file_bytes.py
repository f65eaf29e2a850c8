"""Files that are read when they are asked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from model.errors import HeadscopeError
from model.files.file_bytes import FileBytes
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
