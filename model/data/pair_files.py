"""Reads tab-separated sentence pairs from plain and compressed files."""

from __future__ import annotations

import bz2
import codecs
import gzip
import hashlib
import io
import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import cast

from model.errors import HeadscopeError
from model.files import shown

Pair = tuple[str, str]
PathLike = str | os.PathLike[str]

_REPORT_EVERY = 1000
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


def read_corpus(
    paths: Sequence[PathLike],
    *,
    limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    should_cancel: Callable[[], bool] | None = None,
) -> list[Pair]:
    """The pairs of several files, one after another; `limit` counts them all together.

    Raises:
        HeadscopeError: as `iter_pairs`.
    """
    pairs: list[Pair] = []
    for path in paths:
        left = None if limit is None else limit - len(pairs)
        pairs += read_pairs(path, limit=left, progress=progress, should_cancel=should_cancel)
    return pairs


def read_pairs(
    path: PathLike,
    *,
    limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    should_cancel: Callable[[], bool] | None = None,
) -> list[Pair]:
    """The (first `limit`) pairs of one file.

    Raises:
        HeadscopeError: as `iter_pairs`.
    """
    return list(islice(iter_pairs(path, progress=progress, should_cancel=should_cancel), limit))


def iter_pairs(
    path: PathLike,
    *,
    progress: Callable[[int, int], None] | None = None,
    should_cancel: Callable[[], bool] | None = None,
) -> Iterator[Pair]:
    """Yields (column 1, column 2) of each line that is not blank.

    The file is UTF-8 text with or without a byte-order mark, lines ended by LF or CRLF, plain or in a
    .gz, .xz, .bz2 or .zip. No other white space is touched: U+00A0 and U+202F belong to sentences.

    Args:
        path: the file.
        progress: called with (bytes of the file read, bytes in all) now and then.
        should_cancel: asked now and then.

    Raises:
        HeadscopeError: `corpus_missing`, `corpus_directory`, `corpus_unreadable`, `corpus_archive`,
            `file_not_ordinary`, `corpus_no_member`, `corpus_many_members`, `corpus_utf16`, `corpus_not_utf8`,
            `corpus_one_column`, `corpus_empty` or `cancelled`.
    """
    name = os.fspath(path)
    found = False
    with _opened(name) as (raw, lines):
        total = os.fstat(raw.fileno()).st_size
        for number, line in enumerate(_lines(lines, name), start=1):
            if number % _REPORT_EVERY == 1:
                if should_cancel is not None and should_cancel():
                    raise HeadscopeError("cancelled")
                if progress is not None:
                    progress(min(raw.tell(), total) if raw.seekable() else 0, total)
            pair = _pair(line, name, number)
            if pair is not None:
                found = True
                yield pair
    if not found:
        raise HeadscopeError("corpus_empty", path=name)
    if progress is not None:
        progress(total, total)


def file_sha256(path: PathLike) -> str:
    """SHA-256 of the file's bytes as they lie on disk (compressed, if it is), in hexadecimal.

    Raises:
        HeadscopeError: `corpus_missing`, `corpus_directory`, `corpus_unreadable` or `file_not_ordinary`.
    """
    with _raw(os.fspath(path)) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _pair(line: bytes, name: str, number: int) -> Pair | None:
    """The two columns of one line, None if it is blank."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise HeadscopeError("corpus_not_utf8", path=name, line=number) from None
    text = text.removesuffix("\n").removesuffix("\r")
    if not text.strip():
        return None
    columns = text.split("\t", 2)
    if len(columns) < 2:
        raise HeadscopeError("corpus_one_column", path=name, line=number)
    return columns[0], columns[1]


def _lines(stream: io.BufferedIOBase, name: str) -> Iterator[bytes]:
    """Yields lines without the byte-order mark, telling damage in an archive from other errors."""
    first = True
    while True:
        try:
            line = stream.readline()
        except _CORRUPT:
            raise HeadscopeError("corpus_archive", path=name) from None
        except OSError as error:
            # The bz2 module reports damaged data as an OSError without a number.
            if error.errno is None:
                raise HeadscopeError("corpus_archive", path=name) from None
            raise HeadscopeError("corpus_unreadable", path=name, reason=str(error.strerror)) from None
        if not line:
            return
        if first and line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise HeadscopeError("corpus_utf16", path=name)
        yield line.removeprefix(codecs.BOM_UTF8) if first else line
        first = False


@contextmanager
def _opened(name: str) -> Iterator[tuple[io.BufferedReader, io.BufferedIOBase]]:
    """The file itself (for its position) and its unpacked bytes."""
    with ExitStack() as stack:
        raw = stack.enter_context(_raw(name))
        match Path(name).suffix.lower():
            case ".gz":
                yield raw, stack.enter_context(gzip.GzipFile(fileobj=raw))
            case ".xz":
                yield raw, stack.enter_context(lzma.LZMAFile(raw))
            case ".bz2":
                yield raw, stack.enter_context(bz2.BZ2File(raw))
            case ".zip":
                yield raw, stack.enter_context(_member(stack, raw, name))
            case _:
                yield raw, raw


def _raw(name: str) -> io.BufferedReader:
    try:
        # A pipe would wait for ever, and a file is read twice: once for its pairs, once for its hash.
        mode = os.stat(name).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise HeadscopeError("file_not_ordinary", path=name)
        return Path(name).open("rb")
    except (FileNotFoundError, ValueError):  # ValueError: a zero byte in the name
        raise HeadscopeError("corpus_missing", path=shown(name).replace("\0", "\ufffd")) from None
    except OSError as error:
        # Windows answers "permission denied" for a folder.
        if Path(name).is_dir():
            raise HeadscopeError("corpus_directory", path=name) from None
        raise HeadscopeError("corpus_unreadable", path=name, reason=str(error.strerror)) from None


def _member(stack: ExitStack, raw: io.BufferedReader, name: str) -> io.BufferedIOBase:
    """The text inside a zip: its only file, or its only .txt or .tsv file not starting with "_"."""
    try:
        archive = stack.enter_context(zipfile.ZipFile(raw))
        members = [info for info in archive.infolist() if not info.is_dir()]
        texts = [info for info in members if _is_text_member(info.filename)]
        chosen = members if len(members) == 1 else texts
        if not chosen:
            raise HeadscopeError("corpus_no_member", path=name)
        if len(chosen) > 1:
            raise HeadscopeError("corpus_many_members", path=name)
        # Typed as IO[bytes], but the documentation promises a ZipExtFile.
        member = cast(zipfile.ZipExtFile, archive.open(chosen[0]))
    except (*_CORRUPT, OSError):
        raise HeadscopeError("corpus_archive", path=name) from None
    return member


def _is_text_member(member: str) -> bool:
    # "_" also covers the __MACOSX folder that macOS adds.
    hidden = member.startswith("_") or Path(member).name.startswith(("_", "."))
    return not hidden and member.lower().endswith((".txt", ".tsv"))
