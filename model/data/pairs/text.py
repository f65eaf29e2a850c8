"""Text of an open file, decoded a piece at a time, and its lines."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from model.data.pairs.containers import OpenFile
from model.data.pairs.encodings import (
    check_encoding,
    decoder,
    detect_encoding,
    encoding_by_start,
    mostly_utf8,
)
from model.errors import HeadscopeError
from model.files.files import shown

_CHUNK = 1 << 16
_SAMPLE = 1 << 18
LONGEST_LINE = 1 << 24  # characters; a file without line ends would fill the memory
_END = re.compile(r"\r\n?|\n")

Check = Callable[[], None]


class TextReader:
    """Decodes one file, finding out on the way what it is written in.

    UTF-8 is believed until bytes come that are not: if all before them was ASCII, they tell the encoding.

    Attributes:
        encoding: what the text is taken for; known once `chunks` has given something.
    """

    def __init__(self, file: OpenFile, encoding: str = "auto", check: Check = lambda: None) -> None:
        """Take an open file.

        Args:
            file: read from its start.
            encoding: a Python codec's name, or `auto`.
            check: called before each piece is read; what it raises ends the reading.

        Raises:
            HeadscopeError: `corpus_encoding_unknown`.
        """
        self.encoding = "utf-8"
        self._given = None if encoding.strip().lower() == "auto" else check_encoding(encoding.strip())
        self._file = file
        self._check = check

    def chunks(self) -> Iterator[str]:
        """Yields the text in pieces, without its byte-order mark.

        Raises:
            HeadscopeError: `corpus_archive`, `corpus_unreadable`, `corpus_not_utf8`, `corpus_undecodable`,
                `corpus_encoding` or what `check` raises.
        """
        data = self._read()
        self.encoding = self._given or encoding_by_start(data)
        decode = decoder(self.encoding)
        undecided = self._given is None and self.encoding == "utf-8"
        started, lines, more = False, 0, True
        while more:
            more = bool(data)
            state = decode.getstate()
            try:
                text = decode.decode(data, final=not more)
            except UnicodeError:
                if not undecided:
                    raise self._undecodable(lines, state, data) from None
                data = self._detect(state[0] + data, lines)
                decode, undecided = decoder(self.encoding), False
                continue
            undecided = undecided and text.isascii()
            text = _well_formed(text)
            if text and not started:
                text, started = text.removeprefix("\ufeff"), True
            lines += text.count("\n")
            yield text
            if more:
                data = self._read()

    def lines(self) -> Iterator[str]:
        r"""Yields lines without their ends, LF or CRLF.

        Raises:
            HeadscopeError: as `chunks`, or `corpus_long_line`.
        """
        begun = _Begun(self._file.path)
        for text in self.chunks():
            first, *others = text.split("\n")
            if not others:
                begun.add(first)
                continue
            yield begun.finish(first).removesuffix("\r")
            for line in others[:-1]:
                yield begun.finish(line).removesuffix("\r")
            begun.add(others[-1])
        if last := begun.finish(""):
            yield last.removesuffix("\r")

    def lines_with_ends(self) -> Iterator[str]:
        r"""Yields lines with their ends, LF, CRLF or CR, as Python's `csv` wants them; raises as `lines`."""
        begun = _Begun(self._file.path)
        whole = io.IncrementalNewlineDecoder(None, translate=False)  # keeps a CR until it knows what follows
        for text in chain(map(whole.decode, self.chunks()), map(partial(whole.decode, final=True), [""])):
            begin = 0
            for match in _END.finditer(text):
                yield begun.finish(text[begin : match.end()])
                begin = match.end()
            begun.add(text[begin:])
        if last := begun.finish(""):
            yield last

    def _read(self) -> bytes:
        self._check()
        return self._file.read(_CHUNK)

    def _detect(self, data: bytes, lines: int) -> bytes:
        """Find the encoding of `data` and what follows; returns all bytes read."""
        sample = bytearray(data)
        while len(sample) < _SAMPLE and (more := self._read()):
            sample += more
        if mostly_utf8(bytes(sample)):
            raise self._undecodable(lines, (b"", 0), bytes(sample))
        found = detect_encoding(bytes(sample))
        if found is None:
            raise HeadscopeError("corpus_encoding", path=shown(self._file.path))
        self.encoding = found
        return bytes(sample)

    def _undecodable(self, lines: int, state: tuple[bytes, int], data: bytes) -> HeadscopeError:
        """The error that names the first line with bytes that make no character."""
        decode = decoder(self.encoding)
        decode.setstate(state)
        try:
            for place in range(len(data)):
                lines += decode.decode(data[place : place + 1]).count("\n")
        except UnicodeError:
            pass
        path, line = shown(self._file.path), lines + 1
        if self.encoding in ("utf-8", "utf-8-sig"):
            return HeadscopeError("corpus_not_utf8", path=path, line=line)
        return HeadscopeError("corpus_undecodable", path=path, line=line, encoding=self.encoding)


class _Begun:
    """The part of a line that was read, and the number of the line."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._parts: list[str] = []
        self._characters = 0
        self._number = 1

    def add(self, text: str) -> None:
        """Add what follows; `HeadscopeError` `corpus_long_line` when it becomes too much."""
        self._parts.append(text)
        self._characters += len(text)
        if self._characters > LONGEST_LINE:
            path = shown(self._path)
            raise HeadscopeError("corpus_long_line", path=path, line=self._number, most=LONGEST_LINE)

    def finish(self, text: str) -> str:
        """The whole line, of which `text` is the rest; the next one begins."""
        self._number += 1
        if not self._parts:
            return text
        self._parts.append(text)
        line = "".join(self._parts)
        self._parts, self._characters = [], 0
        return line


def _well_formed(text: str) -> str:
    """`text` with lone surrogates, which a few odd codecs give, replaced; they have no UTF-8 form."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
