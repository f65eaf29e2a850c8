"""Columns of a table: which hold the pair, and the records of a CSV file."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from model.errors import HeadscopeError
from model.files.files import shown

# Of delimiters that fit equally well the first: the rarer a character is in sentences, the more it tells.
_DELIMITERS = ("\t", ";", ",")
_DIGITS = 10
_SHOWN = 12  # columns named in an error
_SHOWN_CHARACTERS = 24  # of each of them


class ColumnChoice:
    """Two columns, by number from 1 or by the name that the first line gives them."""

    def __init__(self, columns: tuple[str, str], path: str, *, tabs: bool) -> None:
        self._columns = columns[0].strip(), columns[1].strip()
        self._path = path
        self._tabs = tabs
        self._places = [int(n) - 1 if n.isdecimal() and len(n) < _DIGITS else None for n in self._columns]

    @property
    def needs_header(self) -> bool:
        """Whether a name stands for a column whose place is not known yet."""
        return None in self._places

    def take_header(self, fields: Sequence[str]) -> tuple[str, ...]:
        """Look the names up in the first line; returns its names.

        Raises:
            HeadscopeError: `corpus_no_column`.
        """
        names = tuple(field.strip() for field in fields)
        for side, name in enumerate(self._columns):
            if self._places[side] is None:
                if name not in names:
                    raise HeadscopeError(
                        "corpus_no_column", path=shown(self._path), name=repr(name), names=_listed(names)
                    )
                self._places[side] = names.index(name)
        return names

    def pick(self, fields: Sequence[str], line: int) -> tuple[str, str]:
        """The two fields of a record that begins in that line.

        Raises:
            HeadscopeError: `corpus_one_column` or `corpus_column`.
        """
        first, second = self._places
        assert first is not None
        assert second is not None
        try:
            if first < 0 or second < 0:
                raise IndexError
            return fields[first], fields[second]
        except IndexError:
            pass
        path = shown(self._path)
        if self._tabs and len(fields) == 1 and self._columns == ("1", "2"):
            raise HeadscopeError("corpus_one_column", path=path, line=line)
        missing = next(
            name for name, place in zip(self._columns, (first, second)) if not 0 <= place < len(fields)
        )
        raise HeadscopeError(
            "corpus_column", path=path, line=line, column=missing, count=len(fields), columns=_listed(fields)
        )


def _listed(names: Sequence[str]) -> str:
    """Names in one line, none too long and not too many."""
    short = [" ".join(name.split()) for name in names[:_SHOWN]]
    cut = [name if len(name) <= _SHOWN_CHARACTERS else name[:_SHOWN_CHARACTERS] + "…" for name in short]
    return ", ".join(repr(name) for name in cut) + (", …" if len(names) > _SHOWN else "")


def sniff_delimiter(lines: Sequence[str]) -> str:
    """The delimiter that cuts most of the records into equally many columns, and into more than one.

    Args:
        lines: the first of the file, with their ends.
    """
    best, most = ",", 0.0
    for delimiter in _DELIMITERS:
        try:
            records = [len(record) for record in csv.reader(lines, delimiter=delimiter) if record]
        except csv.Error:
            continue
        counts = Counter(records)
        count, often = max(counts.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        share = often / len(records) if count > 1 else 0.0
        if share > most:
            best, most = delimiter, share
    return best


def csv_records(
    start: Sequence[str], rest: Iterable[str], delimiter: str, path: str
) -> Iterator[tuple[int, list[str]]]:
    """Yields (line in which the record begins, fields) of a CSV file's lines.

    Raises:
        HeadscopeError: `corpus_csv`.
    """
    # Strict: a quote that closes nowhere would otherwise swallow the rest of the file without a word.
    reader = csv.reader(chain(start, rest), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            reason = " ".join(str(error).split())
            raise HeadscopeError("corpus_csv", path=shown(path), line=line, reason=reason) from None
        yield line, record
