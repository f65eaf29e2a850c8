"""Figures of a position table: what all pictures of its numbers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from viewer.document.positions.positions_table import PositionTable
from viewer.figures.figure import Body, FigureSpec
from viewer.figures.text import made_by, sentence

S = TypeVar("S", bound=Body)


def spread(count: int, most: int) -> tuple[int, ...]:
    """At most so many of the numbers below `count`, evenly apart, the first and the last among them."""
    if count <= most:
        return tuple(range(count))
    return tuple(round(index * (count - 1) / (most - 1)) for index in range(most))


def base_of(table: PositionTable) -> float:
    """The base of sinusoids; `HeadscopeError` for a learned table."""
    if table.base is None:
        raise HeadscopeError("positions_learned", name=table.model_name or "?")
    return table.base


def within(value: int, count: int) -> int:
    """The nearest of the numbers below `count`."""
    return max(0, min(value, count - 1))


def first_of(shown: int, table: PositionTable) -> tuple[str, ...]:
    """A badge where not all of a model's positions are shown."""
    if shown == len(table.rows) or table.chosen:
        return ()
    text = QCoreApplication.translate("Figure", "first {positions} of {all} positions")
    return (text.format(positions=shown, all=len(table.rows)),)


def table_figure(body: S, table: PositionTable, said: Sequence[str], facts: dict[str, Any]) -> FigureSpec[S]:
    """A picture of a table's numbers with its caption; `said` are sentences of it."""
    words = [sentence(text) for text in (body.title, *said)]
    words += [sentence(f"{badge[:1].upper()}{badge[1:]}") for badge in body.badges]
    words.append(made_by(table.model_name, table.model_sha256, ""))
    return FigureSpec(body, " ".join(words), {**table.facts(), **facts, "badges": list(body.badges)})
