"""Containers: plain and compressed files opened for reading, with one sentence about what is wrong."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from model.errors import HeadscopeError
from model.files.files import shown

PathLike = str | os.PathLike[str]

PACKED = (".gz", ".xz", ".bz2", ".zip")
TEXTS = (".txt", ".tsv", ".csv")
_CHUNK = 1 << 20
_CORRUPT = (
    EOFError,
    zlib.error,
    lzma.LZMAError,
    gzip.BadGzipFile,
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    ValueError,
    struct.error,
)


@dataclass(frozen=True, eq=False)
class OpenFile:
    """A file and the bytes in it.

    Attributes:
        path: as it was named.
        inner: the name of the text: the file's own without what it is packed with, or the zip's member's.
        size: bytes on the disk.
    """

    path: str
    inner: str
    size: int
    _raw: io.BufferedReader
    _stream: io.BufferedIOBase

    def done(self) -> int:
        """Bytes of `size` read so far."""
        return min(self._raw.tell(), self.size)

    def read(self, count: int) -> bytes:
        """The next unpacked bytes, at most `count` and none only at the end.

        Raises:
            HeadscopeError: `corpus_archive` or `corpus_unreadable`.
        """
        try:
            return self._stream.read(count)
        except _CORRUPT:
            raise HeadscopeError("corpus_archive", path=shown(self.path)) from None
        except OSError as error:
            # The bz2 module reports damaged data as an OSError without a number.
            if error.errno is None:
                raise HeadscopeError("corpus_archive", path=shown(self.path)) from None
            raise HeadscopeError(
                "corpus_unreadable", path=shown(self.path), reason=str(error.strerror)
            ) from None


@contextmanager
def opened(path: PathLike, prefer: Sequence[str] = ()) -> Iterator[OpenFile]:
    """An ordinary file, unpacked by its name's ending: .gz, .xz, .bz2 or .zip.

    Args:
        path: the file.
        prefer: of several files in a zip the one that ends so is taken, before a .txt, .tsv or .csv.

    Raises:
        HeadscopeError: `corpus_missing`, `corpus_directory`, `corpus_unreadable`, `corpus_archive`,
            `file_not_ordinary`, `corpus_no_member` or `corpus_many_members`.
    """
    name = os.fspath(path)
    with ExitStack() as stack:
        raw = stack.enter_context(_raw(name))
        inner = Path(name).stem if Path(name).suffix.lower() in PACKED else Path(name).name
        stream: io.BufferedIOBase = raw
        match Path(name).suffix.lower():
            case ".gz":
                stream = stack.enter_context(gzip.GzipFile(fileobj=raw))
            case ".xz":
                stream = stack.enter_context(lzma.LZMAFile(raw))
            case ".bz2":
                stream = stack.enter_context(bz2.BZ2File(raw))
            case ".zip":
                member, stream = _member(stack, raw, name, prefer)
                # "pairs.csv.zip" says what is in it even if the file inside does not.
                inner = inner if Path(inner).suffix else member
        yield OpenFile(name, inner, os.fstat(raw.fileno()).st_size, raw, stream)


def file_size(path: PathLike) -> int:
    """Bytes on the disk.

    Raises:
        HeadscopeError: as `opened`, for a file that cannot be opened.
    """
    with _raw(os.fspath(path)) as file:
        return os.fstat(file.fileno()).st_size


def raw_chunks(path: PathLike) -> Iterator[bytes]:
    """Yields the file's bytes as they lie on disk, some at a time; raises as `file_size`."""
    name = os.fspath(path)
    with _raw(name) as file:
        while True:
            try:
                chunk = file.read(_CHUNK)
            except OSError as error:
                raise HeadscopeError(
                    "corpus_unreadable", path=shown(name), reason=str(error.strerror)
                ) from None
            if not chunk:
                return
            yield chunk


def _raw(name: str) -> io.BufferedReader:
    try:
        # A pipe would wait for ever, and a file is read twice: once for its pairs, once for its hash.
        mode = os.stat(name).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise HeadscopeError("file_not_ordinary", path=shown(name))
        return Path(name).open("rb")
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a zero byte in the name
        raise HeadscopeError("corpus_missing", path=shown(name).replace("\0", "\ufffd")) from None
    except OSError as error:
        # Windows answers "permission denied" for a folder.
        if Path(name).is_dir():
            raise HeadscopeError("corpus_directory", path=shown(name)) from None
        raise HeadscopeError("corpus_unreadable", path=shown(name), reason=str(error.strerror)) from None


def _member(
    stack: ExitStack, raw: io.BufferedReader, name: str, prefer: Sequence[str]
) -> tuple[str, io.BufferedIOBase]:
    """The text inside a zip: its only file, or the only one with an ending that says so."""
    try:
        archive = stack.enter_context(zipfile.ZipFile(raw))
        # Python's `is_dir` fails on a member without a name.
        members = [info for info in archive.infolist() if info.filename and info.filename[-1] != "/"]
        shown_members = [info for info in members if not _is_hidden(info.filename)]
        endings = (tuple(ending.lower() for ending in prefer), TEXTS)
        by_ending = [
            [info for info in shown_members if info.filename.lower().endswith(ending)] for ending in endings
        ]
        chosen = members if len(members) == 1 else next(filter(None, by_ending), [])
        # An archive in an archive would be read as a text that makes no sense.
        if not chosen or chosen[0].filename.lower().endswith(PACKED):
            raise HeadscopeError("corpus_no_member", path=shown(name))
        if len(chosen) > 1:
            raise HeadscopeError("corpus_many_members", path=shown(name))
        # Typed as IO[bytes], but the documentation promises a ZipExtFile.
        member = cast(zipfile.ZipExtFile, archive.open(chosen[0]))
    except (*_CORRUPT, OSError):
        raise HeadscopeError("corpus_archive", path=shown(name)) from None
    return Path(chosen[0].filename).name, member


def _is_hidden(member: str) -> bool:
    # "_" also covers the __MACOSX folder that macOS adds.
    return member.startswith("_") or Path(member).name.startswith(("_", "."))
