from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from model.errors import HeadscopeError
from model.files import files
from model.files.files import (
    amount,
    building_folder,
    folder_lock,
    io_error,
    read_bytes,
    replace_bytes,
    replacing,
    write_chunks,
)

POSIX = pytest.mark.skipif(os.name == "nt", reason="POSIX files")


def code_of(action: Callable[[], object]) -> str:
    with pytest.raises(HeadscopeError) as caught:
        action()
    assert str(caught.value)
    return caught.value.code


def test_a_new_file_and_a_replaced_one(tmp_path: Path) -> None:
    path = tmp_path / "name.bin"
    replace_bytes(path, b"old")
    replace_bytes(path, b"new and longer")
    assert path.read_bytes() == b"new and longer"
    assert os.listdir(tmp_path) == ["name.bin"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, HeadscopeError])
def test_whatever_is_raised_the_old_file_stays(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "name.bin"
    path.write_bytes(b"old")

    def interrupted() -> None:
        with replacing(path) as temporary:
            temporary.write_bytes(b"half of it")
            raise error("cancelled") if error is HeadscopeError else error

    with pytest.raises(error):
        interrupted()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["name.bin"]


def test_the_temporary_is_hidden_and_names_its_file(tmp_path: Path) -> None:
    with replacing(tmp_path / "模型.bin") as temporary:
        temporary.write_bytes(b"")
        assert temporary.parent == tmp_path
        assert temporary.name.startswith(".模型.bin.")
        assert temporary.suffix == ".tmp"


def test_pieces_are_written_one_after_the_other(tmp_path: Path) -> None:
    write_chunks(tmp_path / "a", [b"12", memoryview(b"345"), b"", b"6"])
    assert (tmp_path / "a").read_bytes() == b"123456"


def test_a_system_that_writes_little_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data)[:3]))
    replace_bytes(tmp_path / "a", bytes(range(100)))
    assert (tmp_path / "a").read_bytes() == bytes(range(100))


@POSIX
def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    replace_bytes(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_refusals_by_name(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"")
    assert code_of(lambda: replace_bytes(tmp_path / "folder", b"")) == "file_is_folder"
    assert code_of(lambda: replace_bytes(tmp_path / "no" / "file", b"")) == "folder_missing"
    assert code_of(lambda: replace_bytes(tmp_path / "file" / "below", b"")) == "folder_missing"
    assert code_of(lambda: replace_bytes("a\0b", b"")) == "file_missing"
    with pytest.raises(HeadscopeError, match="there is no file '';"):
        read_bytes("", limit=9)
    assert code_of(lambda: replace_bytes("x" * 5000, b"")) == "file_failed"
    assert code_of(lambda: replace_bytes(tmp_path / ("x" * 5000) / "a", b"")) in (
        "file_failed",
        "folder_missing",
    )
    assert code_of(lambda: read_bytes(tmp_path / "folder", limit=9)) == "file_is_folder"
    assert code_of(lambda: read_bytes(tmp_path / "nothing", limit=9)) == "file_missing"
    assert code_of(lambda: read_bytes("a\0b", limit=9)) == "file_missing"
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


@POSIX
def test_devices_and_pipes_are_neither_replaced_nor_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/null")):
        assert code_of(lambda path=path: replace_bytes(path, b"x")) == "file_not_ordinary"  # type: ignore[misc]
        assert code_of(lambda path=path: read_bytes(path, limit=9)) == "file_not_ordinary"  # type: ignore[misc]


@pytest.mark.parametrize("name", ["x" * 250, "模" * 80])
def test_a_name_as_long_as_a_file_system_takes(tmp_path: Path, name: str) -> None:
    replace_bytes(tmp_path / name, b"1")
    with folder_lock(tmp_path / name[:-5]):
        pass
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "disk_full"),
        (errno.EACCES, "file_denied"),
        (errno.EROFS, "file_read_only"),
        (errno.EISDIR, "file_is_folder"),
        (errno.ENOENT, "file_missing"),
        (errno.EIO, "file_failed"),
        (None, "file_failed"),
    ],
)
def test_what_the_system_answers_becomes_a_sentence(number: int | None, code: str) -> None:
    error = OSError(number, os.strerror(number)) if number else OSError("odd")
    made = io_error("some/name", error)
    assert made.code == code
    assert "some/name" in str(made)


def test_a_name_that_is_no_text_can_still_be_said() -> None:
    assert files.shown(os.fsdecode(b"a\xffb")).encode()


def test_read_at_most(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"123456")
    assert read_bytes(tmp_path / "a", limit=6) == b"123456"
    assert code_of(lambda: read_bytes(tmp_path / "a", limit=5)) == "file_large"


# temporaries of killed writers


def test_old_temporaries_go_and_young_or_foreign_ones_stay(tmp_path: Path) -> None:
    old = tmp_path / ".a.bin.0123456789abcdef.tmp"
    young = tmp_path / ".a.bin.1123456789abcdef.tmp"
    others = [
        tmp_path / name for name in (".b.bin.0123456789abcdef.tmp", ".a.bin.tmp", "a.bin.tmp", ".a.bin.0.tmp")
    ]
    for path in (old, young, *others):
        path.write_bytes(b"")
    past = time.time() - files.STALE_AFTER - 1
    for path in (old, *others):
        os.utime(path, (past, past))
    replace_bytes(tmp_path / "a.bin", b"")
    assert not old.exists()
    assert young.exists()
    assert all(path.exists() for path in others)


def test_an_old_unfinished_folder_goes_unless_something_in_it_is_young(tmp_path: Path) -> None:
    past = time.time() - files.STALE_AFTER - 1
    for digit in "01":
        folder = tmp_path / f".new.{digit * 16}.tmp"
        folder.mkdir()
        (folder / "part").write_bytes(b"")
        os.utime(folder / "part", (past, past))
        os.utime(folder, (past, past))
    os.utime(tmp_path / f".new.{'1' * 16}.tmp" / "part")
    with building_folder(tmp_path / "new"):
        pass
    assert sorted(os.listdir(tmp_path)) == [f".new.{'1' * 16}.tmp", "new"]


# folders


def test_a_folder_appears_whole(tmp_path: Path) -> None:
    with building_folder(tmp_path / "new") as building:
        (building / "a").write_bytes(b"1")
        (building / "sub").mkdir()
        (building / "sub" / "b").write_bytes(b"2")
        assert not (tmp_path / "new").exists()
    assert (tmp_path / "new" / "a").read_bytes() == b"1"
    assert (tmp_path / "new" / "sub" / "b").read_bytes() == b"2"
    assert os.listdir(tmp_path) == ["new"]


def test_an_empty_folder_is_taken_a_full_one_refused(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    with building_folder(tmp_path / "new") as building:
        (building / "a").write_bytes(b"1")

    def build(path: Path) -> None:
        with building_folder(path):
            pytest.fail("was let in")

    assert code_of(lambda: build(tmp_path / "new")) == "folder_exists"
    assert code_of(lambda: build(tmp_path / "new" / "a")) == "folder_exists"
    assert code_of(lambda: build(tmp_path / "no" / "a")) == "folder_missing"
    assert os.listdir(tmp_path / "new") == ["a"]


def test_somebody_else_builds_the_folder_meanwhile(tmp_path: Path) -> None:
    def build() -> None:
        with building_folder(tmp_path / "new") as building:
            (building / "ours").write_bytes(b"")
            (tmp_path / "new").mkdir()
            (tmp_path / "new" / "theirs").write_bytes(b"")

    assert code_of(build) == "folder_exists"
    assert os.listdir(tmp_path / "new") == ["theirs"]
    assert os.listdir(tmp_path) == ["new"]


# locks

HOLD = """
import sys
from model.files.files import folder_lock
with folder_lock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_process_is_told_and_a_kill_frees(tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdin is not None
    with holder:
        assert holder.stdout.readline() == "held\n"

        def take() -> None:
            with folder_lock(folder):
                pass

        assert code_of(take) == "folder_busy"
        holder.kill()
        holder.wait()
        take()


def test_a_lock_leaves_nothing_and_frees_in_every_case(tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    folder.mkdir()

    def hold() -> None:
        with folder_lock(folder):
            assert os.listdir(folder) == []
            raise RuntimeError

    for _ in range(2):
        with pytest.raises(RuntimeError):
            hold()
    assert os.listdir(tmp_path) == ["bundle"]


def test_one_process_cannot_take_it_twice(tmp_path: Path) -> None:
    def twice() -> None:
        with folder_lock(tmp_path / "a"), folder_lock(tmp_path / "a"):
            pytest.fail("was let in")

    assert code_of(twice) == "folder_busy"
    with folder_lock(tmp_path / "a"), folder_lock(tmp_path / "b"):
        pass


def test_taking_a_lock_removes_what_a_killed_writer_left(tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    folder.mkdir()
    (folder / "kept").write_bytes(b"")
    (folder / f".config.json.{'a' * 16}.tmp").write_bytes(b"")
    (tmp_path / f".bundle.{'a' * 16}.tmp").mkdir()
    (tmp_path / f".other.{'a' * 16}.tmp").mkdir()
    with folder_lock(folder):
        assert os.listdir(folder) == ["kept"]
    assert sorted(os.listdir(tmp_path)) == [f".other.{'a' * 16}.tmp", "bundle"]


def test_a_lock_needs_a_place(tmp_path: Path) -> None:
    def take() -> None:
        with folder_lock(tmp_path / "no" / "bundle"):
            pytest.fail("was let in")

    assert code_of(take) == "folder_missing"


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no /proc here")
def test_a_folder_that_takes_no_files() -> None:
    def take() -> None:
        with folder_lock("/proc/bundle"):
            pytest.fail("was let in")

    assert code_of(take) == "file_unwritable"  # nobody else is at work there
    assert code_of(lambda: replace_bytes("/proc/a.png", b"")) == "file_unwritable"


@POSIX
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert code_of(lambda: replace_bytes(closed / "a", b"")) == "file_denied"


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9949, "9.9 kB"), (9950, "10 kB"), (999_499, "999 kB"),
     (999_500, "1.0 MB"), (63_000_000, "63 MB"), (2_500_000_000, "2.5 GB"), (5e15, "5000 TB")],
)  # fmt: skip
def test_amounts_as_a_person_reads_them(count: float, text: str) -> None:
    assert amount(count) == text
