"""Pair files: sentence pairs in tab-separated, comma-separated and parallel files, plain or compressed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice, zip_longest

from model.data.pairs.columns import ColumnChoice, csv_records, sniff_delimiter
from model.data.pairs.containers import OpenFile, PathLike, opened
from model.data.pairs.survey import Layout
from model.data.pairs.text import Check, TextReader
from model.errors import HeadscopeError
from model.files.files import shown

Pair = tuple[str, str]
Columns = tuple[str, str]
Row = tuple[int, str, str]

FIRST_TWO: Columns = ("1", "2")


@dataclass(eq=False)
class PairReader:
    """Reads one file of pairs, or two parallel ones; a context manager that can be read once.

    A file whose name (or whose name inside a zip) ends in .csv is read by the rules of CSV (RFC 4180), its
    delimiter found out; any other as lines of columns apart by tabs, nothing quoted. Of parallel files line n
    of the one translates line n of the other, blank or not. Lines end in LF or CRLF, and no other white space
    is touched: U+00A0 and U+202F belong to sentences.

    Attributes:
        paths: one file, or two parallel ones.
        columns: of a single file: numbers from 1, or names that its first line gives; if one is a name, the
            first line holds no pair.
        encoding: a Python codec's name, or `auto`.
        languages: of the columns; which file of a zip is taken when several are in it.
        check: called often while reading; what it raises ends the reading.
        layout: how the pairs are written down.
        header: the fields of a CSV's first line, and of any first line that columns were named after.
    """

    paths: Sequence[PathLike]
    columns: Columns = FIRST_TWO
    encoding: str = "auto"
    languages: tuple[str, str] = ("", "")
    check: Check = lambda: None
    layout: Layout = field(init=False)
    header: tuple[str, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        """Open the files; `HeadscopeError` as `containers.opened`, or for an unknown encoding."""
        self._stack = ExitStack()
        with self._stack:
            alone = len(self.paths) == 1
            endings = [() if alone or not language else (f".{language}",) for language in self.languages]
            self._files = [
                self._stack.enter_context(opened(path, prefer)) for path, prefer in zip(self.paths, endings)
            ]
            self._readers = [TextReader(file, self.encoding, self.check) for file in self._files]
            # The files stay open until `__exit__`.
            self._stack = self._stack.pop_all()
        if not alone:
            self.layout = "parallel"
        else:
            self.layout = "csv" if self._files[0].inner.lower().endswith(".csv") else "tsv"

    def __enter__(self) -> PairReader:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def total(self) -> int:
        """Bytes of the files on the disk."""
        return sum(file.size for file in self._files)

    @property
    def done(self) -> int:
        """Bytes of them read so far."""
        return sum(file.done() for file in self._files)

    @property
    def encodings(self) -> list[str]:
        """What each file is written in, as far as it is known."""
        return [reader.encoding for reader in self._readers]

    def rows(self) -> Iterator[Row]:
        """Yields (number of the line or CSV record from 1, source, target); blank lines and records are none.

        Raises:
            HeadscopeError: `corpus_archive`, `corpus_unreadable`, `corpus_not_utf8`, `corpus_undecodable`,
                `corpus_encoding`, `corpus_long_line`, `corpus_one_column`, `corpus_column`,
                `corpus_no_column`, `corpus_csv`, `corpus_unequal`, `corpus_empty`, or what `check` raises.
        """
        found = False
        for row in {"tsv": self._tsv, "csv": self._csv, "parallel": self._parallel}[self.layout]():
            found = True
            yield row
        if not found:
            raise HeadscopeError("corpus_empty", path=shown(self.paths[0]))

    def _tsv(self) -> Iterator[Row]:
        lines = ((number, line) for number, line in enumerate(self._readers[0].lines(), 1) if line.strip())
        choice = ColumnChoice(self.columns, self._files[0].path, tabs=True)
        for number, line in lines:
            fields = line.split("\t")
            if choice.needs_header:
                self.header = choice.take_header(fields)
                continue
            yield number, *choice.pick(fields, number)

    def _csv(self) -> Iterator[Row]:
        lines = self._readers[0].lines_with_ends()
        start = list(islice(lines, 200))
        path = self._files[0].path
        choice = ColumnChoice(self.columns, path, tabs=False)
        records = csv_records(start, lines, sniff_delimiter(start), path)
        for number, (line, fields) in enumerate(records, 1):
            if not any(text.strip() for text in fields):
                continue
            if not self.header:
                self.header = tuple(fields)
                if choice.needs_header:
                    choice.take_header(fields)
                    continue
            yield number, *choice.pick(fields, line)

    def _parallel(self) -> Iterator[Row]:
        left, right = (reader.lines() for reader in self._readers)
        for number, (source, target) in enumerate(zip_longest(left, right), 1):
            if source is None or target is None:
                # Whatever is left of the longer one is counted, so that the sentence can name both numbers.
                longer = number + sum(1 for _ in (right if source is None else left))
                counts = (number - 1, longer) if source is None else (longer, number - 1)
                raise _unequal(self._files, counts)
            yield number, source, target


def _unequal(files: Sequence[OpenFile], counts: tuple[int, int]) -> HeadscopeError:
    first, second = (shown(file.path) for file in files)
    return HeadscopeError("corpus_unequal", path=first, count=counts[0], other=second, other_count=counts[1])
