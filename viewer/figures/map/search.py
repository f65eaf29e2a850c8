"""Searching a map for tokens along its axes, by a part of their text or by their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.map.spec import MapSpec


@dataclass(frozen=True)
class Match:
    """A row (column None) or a column (row None) of a map whose token was looked for."""

    row: int | None = None
    column: int | None = None


def find_tokens(spec: MapSpec, text: str) -> tuple[Match, ...]:
    """The rows from top to bottom, then the columns from left to right, that have a text or a number.

    A text is found anywhere in a token, as shown or as the tokenizer writes it, whatever the case; on a
    decoder's row in what is read and in what is predicted. A number is the token's place, counted from 1:
    the tokens at that place come before those that have the digits in their text.
    """
    wanted = text.strip().casefold()
    if not wanted:
        return ()
    number = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 else None
    placed: list[Match] = []
    found: list[Match] = []
    for labels, match in ((spec.row_labels, _row), (spec.column_labels, _column)):
        for place, label in enumerate(labels):
            if number is not None and label.holds(number - 1):
                placed.append(match(place))
            elif _has(label, wanted):
                found.append(match(place))
    return (*placed, *found)


def match_text(spec: MapSpec, match: Match) -> str:
    """Which token that is: "query 12, love" or "key 3, red"; counted from 1."""
    translate = QCoreApplication.translate
    if match.row is not None:
        label = spec.row_labels[match.row]
        token = (
            label.token.marked
            if label.predicted is None
            else f"{label.token.marked} → {label.predicted.marked}"
        )
        return translate("GoTo", "query {number}, {token}").format(number=label.index + 1, token=token)
    label = spec.column_labels[match.column or 0]
    text = translate("GoTo", "key {number}, {token}")
    return text.format(number=label.index + 1, token=label.token.marked)


def nearest(matches: Sequence[Match], spec: MapSpec) -> int:
    """Which match to begin with: the first at or after the crosshair's row, else the first."""
    if spec.crosshair is None:
        return 0
    row = spec.crosshair[0]
    after = (place for place, match in enumerate(matches) if match.row is not None and match.row >= row)
    return next(after, 0)


def _row(place: int) -> Match:
    return Match(row=place)


def _column(place: int) -> Match:
    return Match(column=place)


def _has(label: AxisLabel, wanted: str) -> bool:
    tokens = (label.token,) if label.predicted is None else (label.token, label.predicted)
    return any(wanted in text.casefold() for token in tokens for text in (token.text, token.raw))
