"""Files written so that a crash at any moment leaves the old one or the new one, never a torn one.

A file is written under a temporary name in its own folder, flushed to the disk, then renamed over the
old one. Temporaries are hidden and named `.NAME.<16 hex digits>.tmp`. Those that a killed process left are
removed by whoever next locks the folder, or writes to the same name when they are old enough to be nobody's.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from model.errors import HeadscopeError
from model.files.watched import wrote

StrPath = str | os.PathLike[str]

# A temporary not written to for this long (seconds) belongs to no living process.
STALE_AFTER = 15 * 60

_LONGEST_STEM = 200  # bytes; names end at 255
_SLICE = 1 << 26  # some systems refuse a single write of 2 GiB
_CODES = {
    "ENOENT": "file_missing",
    "ENOTDIR": "file_missing",
    "EACCES": "file_denied",
    "EPERM": "file_denied",
    "EROFS": "file_read_only",
    "EISDIR": "file_is_folder",
    "ENOSPC": "disk_full",
    "EDQUOT": "disk_full",
    "EEXIST": "folder_exists",
    "ENOTEMPTY": "folder_exists",
}
# What a file system answers that has no way to flush a folder; there is nothing to do about it.
_CANNOT_FLUSH = ("EINVAL", "ENOTSUP", "EOPNOTSUPP", "EBADF", "ENOSYS")


def io_error(path: StrPath, error: OSError) -> HeadscopeError:
    """The sentence for what the operating system answered about `path`."""
    reason = error.strerror or str(error) or type(error).__name__
    code = _CODES.get(errno.errorcode.get(error.errno or 0, ""), "file_failed")
    return HeadscopeError(code, path=shown(path), reason=reason)


def write_error(path: StrPath, error: OSError) -> HeadscopeError:
    """As `io_error` for a file being made: one that cannot be made was not missing."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR):  # so answer /proc, and a path below a file
        return HeadscopeError("file_unwritable", path=shown(path))
    return io_error(path, error)


def amount(count: float) -> str:
    """Bytes as a person reads them, in decimal units as disks are sold."""
    units = ("B", "kB", "MB", "GB", "TB")
    place = 0
    while count >= 999.5 and place < len(units) - 1:
        count, place = count / 1000, place + 1
    digits = 1 if place and count < 9.95 else 0
    return f"{count:.{digits}f} {units[place]}"


def shown(path: StrPath) -> str:
    """`path` as text that every terminal and file can hold, whatever bytes are in the name."""
    return os.fsencode(path).decode("utf-8", "replace") or "''"


def read_bytes(path: StrPath, *, limit: int) -> bytes:
    """The bytes of an ordinary file; of one that has more than `limit` nothing is read.

    Args:
        limit: see `model.limits`.

    Raises:
        HeadscopeError: `file_large`; the file is missing, a folder, not an ordinary file, or cannot be read.
    """
    with reading(path) as descriptor:
        size, data = os.fstat(descriptor).st_size, b""
        if size <= limit:
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                data = file.read(limit + 1)
        # It may have grown meanwhile, and some that a system makes up have no size.
        size = max(size, len(data))
        if size > limit:
            raise HeadscopeError("file_large", path=shown(path), size=amount(size), most=amount(limit))
        return data


def read_start(path: StrPath, count: int) -> bytes:
    """The first `count` bytes of an ordinary file, or all if it has fewer; raises as `reading`."""
    with reading(path) as descriptor, os.fdopen(descriptor, "rb", closefd=False) as file:
        return file.read(count)


@contextlib.contextmanager
def reading(path: StrPath) -> Iterator[int]:
    """A descriptor of an ordinary file, open for reading; `OSError`s inside become `HeadscopeError`s."""
    _check_name(path)
    try:
        # Looked at before it is opened: opening a pipe would wait for ever.
        _check_ordinary(path, os.stat(path).st_mode)
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            yield descriptor
        finally:
            os.close(descriptor)
    except OSError as error:
        raise io_error(path, error) from None


@contextlib.contextmanager
def replacing(path: StrPath) -> Iterator[Path]:
    """A temporary path beside `path`, to be written by the caller; becomes `path` when the block ends well.

    When anything is raised, the temporary is removed and the old file stays as it was. A link is followed.

    Raises:
        HeadscopeError: the disk is full, the folder missing or not writable, `path` a folder.
    """
    target = _destination(path)
    temporary = _temporary(target)
    try:
        yield temporary
        flush(temporary)
        os.replace(temporary, target)
    except OSError as error:
        _remove(temporary)
        raise write_error(path, error) from None
    except BaseException:
        _remove(temporary)
        raise
    _flush_folder(target.parent)


def replace_bytes(path: StrPath, data: bytes) -> None:
    """Write a whole file; see `replacing`."""
    with replacing(path) as temporary:
        write_chunks(temporary, [data])


def write_chunks(path: StrPath, chunks: Iterable[bytes | memoryview]) -> None:
    """Write a new file from pieces, one after the other; raises `OSError`, for use inside `replacing`.

    Who waits for it may end it, see `model.files.watched`.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o666)
    try:
        for chunk in chunks:
            rest = memoryview(chunk).cast("B")
            while rest:
                count = os.write(descriptor, rest[:_SLICE])
                rest = rest[count:]
                wrote(count)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def building_folder(path: StrPath) -> Iterator[Path]:
    """A temporary folder beside `path`, to be filled by the caller; becomes `path` when the block ends well.

    Raises:
        HeadscopeError: `path` exists and is not an empty folder, or as for `replacing`.
    """
    _check_name(path)
    target = Path(os.path.abspath(path))
    _check_free(path, target)
    _check_parent(target)
    temporary = _temporary(target)
    try:
        os.mkdir(temporary)
        yield temporary
        _flush_tree(temporary)
        if os.name == "nt" and target.exists():
            os.rmdir(target)  # elsewhere a rename replaces an empty folder by itself
        os.rename(temporary, target)
    except OSError as error:
        _remove(temporary)
        raise io_error(path, error) from None
    except BaseException:
        _remove(temporary)
        raise
    _flush_folder(target.parent)


@contextlib.contextmanager
def folder_lock(folder: StrPath) -> Iterator[None]:
    """Hold `folder` for one writer; the operating system frees it when the process ends, however it ends.

    The lock is a hidden file *beside* the folder, `.NAME.lock`: so a folder can be locked before it exists,
    and one that is copied or shipped at any moment never holds a lock. Whoever writes into a folder that
    others write into holds its lock: what a killed writer left unfinished is removed when it is taken.

    Raises:
        HeadscopeError: `folder_busy` when another process (or this one) holds it.
    """
    from filelock import FileLock, Timeout  # most who need this file lock nothing

    _check_name(folder)
    target = Path(os.path.realpath(folder))
    _check_parent(target)
    _check_possible(target, folder)
    path = target.with_name(f".{_stem(target)}.lock")
    lock = FileLock(path, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        if not path.exists():  # no lock that somebody holds: none can be made there
            raise HeadscopeError("file_unwritable", path=shown(folder)) from None
        raise HeadscopeError("folder_busy", path=shown(folder)) from None
    except OSError as error:
        raise io_error(path, error) from None
    try:
        _sweep(target.parent, re.escape(_stem(target)), 0.0)
        _sweep(target, ".*", 0.0)
        yield
    finally:
        # Unlinked while held, so that nobody else's lock goes; filelock notices a lock on an unlinked file.
        # Windows removes no open file: there it goes after the release, if nobody opened it meanwhile.
        if os.name != "nt":
            _unlink(path)
        lock.release()
        if os.name == "nt":
            _unlink(path)


def remove_unfinished(folder: StrPath) -> None:
    """Remove what killed writers left in a folder into which nobody else writes now."""
    _sweep(Path(folder), ".*", 0.0)


def temporary_beside(path: StrPath) -> Path:
    """A new name beside `path`, for a file or folder of the caller's that is hidden until it is done.

    Raises:
        HeadscopeError: there is no such folder, or `path` names what no file can replace.
    """
    return _temporary(_destination(path))


def flush(path: StrPath) -> None:
    """Wait until the file's bytes are on the disk; raises `OSError`."""
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _flush_folder(folder: Path) -> None:
    if os.name == "nt":  # a folder cannot be opened there, and a rename is journalled
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if errno.errorcode.get(error.errno or 0) not in _CANNOT_FLUSH:
            raise io_error(folder, error) from None


def _flush_tree(folder: Path) -> None:
    for parent, _, names in os.walk(folder):
        for name in names:
            flush(os.path.join(parent, name))
        _flush_folder(Path(parent))


def _destination(path: StrPath) -> Path:
    _check_name(path)
    target = Path(os.path.realpath(path))
    try:
        # A device such as /dev/null must not be replaced by a file.
        _check_ordinary(path, os.stat(target).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        _check_parent(target)
    except OSError as error:
        raise io_error(path, error) from None
    return target


def _check_name(path: StrPath) -> None:
    if "\0" in os.fspath(path):  # a ValueError from the operating system's functions
        raise HeadscopeError("file_missing", path=shown(path).replace("\0", "\ufffd"))


def _check_ordinary(path: StrPath, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise HeadscopeError("file_is_folder", path=shown(path))
    if not stat.S_ISREG(mode):
        raise HeadscopeError("file_not_ordinary", path=shown(path))


def _check_possible(target: Path, path: StrPath) -> None:
    """`HeadscopeError` for a name that no file can have, such as one that is too long."""
    try:
        os.lstat(target)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise io_error(path, error) from None


def _check_parent(target: Path) -> None:
    if not os.path.isdir(target.parent):
        raise HeadscopeError("folder_missing", path=shown(target.parent))


def _check_free(path: StrPath, target: Path) -> None:
    try:
        taken = os.path.lexists(target) and not (target.is_dir() and not os.listdir(target))
    except OSError as error:
        raise io_error(path, error) from None
    if taken:
        raise HeadscopeError("folder_exists", path=shown(path))


def _temporary(target: Path) -> Path:
    """A new name beside `target`; its forgotten predecessors are removed."""
    stem = _stem(target)
    _sweep(target.parent, re.escape(stem), STALE_AFTER)
    return target.with_name(f".{stem}.{secrets.token_hex(8)}.tmp")


def _stem(target: Path) -> str:
    """The name, shortened where ours around it would be too long for a file system."""
    name = target.name
    if len(os.fsencode(name)) <= _LONGEST_STEM:
        return name
    return f"{name[:40]}~{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}"


def _sweep(folder: Path, stem: str, older_than: float) -> None:
    """Remove temporaries (`stem`: a regular expression) not written to for `older_than` seconds."""
    pattern = re.compile(rf"\.{stem}\.[0-9a-f]{{16}}\.tmp", re.DOTALL)
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if pattern.fullmatch(entry.name) and _age(entry.path) >= older_than:
                _remove(Path(entry.path))


def _age(path: str) -> float:
    """Seconds, at least 0, since the file or anything in the folder was written; 0 if it cannot be known."""
    newest = 0.0
    try:
        newest = os.stat(path).st_mtime
        for parent, _, names in os.walk(path):
            newest = max([newest, *(os.stat(os.path.join(parent, name)).st_mtime for name in names)])
    except OSError:
        return 0.0
    return max(0.0, time.time() - newest)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        _unlink(path)


def _unlink(path: Path) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)
