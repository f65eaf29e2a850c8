"""SheetSpec: small pictures line by line, and the words and the formula that go with them in an export."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from viewer.figures.sheet.part import Part, Row


@dataclass(frozen=True, eq=False)
class SheetSpec:
    """A sheet.

    Attributes:
        title, badges: as of every picture.
        lines: parts side by side, line by line; where a page is narrow, each takes a line of its own.
        formula: LaTeX, set under the parts where there is a caption; empty for none.
        notes: sentences under it.
    """

    title: str
    badges: tuple[str, ...]
    lines: tuple[tuple[Part, ...], ...]
    formula: str = ""
    notes: tuple[str, ...] = ()

    def rows(self) -> Iterator[Row]:
        """Every number: the part's heading, what, of what, value."""
        yield ("part", "name", "at", "value")
        for line in self.lines:
            for part in line:
                for row in part.rows():
                    yield (part.heading, *row)
