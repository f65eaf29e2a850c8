"""Accessible text: what a cell says to the ear, to the last digit, and to other programs."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from viewer.document.text.lists import phrases
from viewer.document.text.segments import pair_note
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.numerals import format_number
from viewer.figures.map.spec import CellState, MapSpec

_LEAST_SAID = 0.0001
_MINUS = "−"


def exact_number(value: float) -> str:
    """Nine significant digits, as in CSV files: enough to give every float32 back exactly."""
    return f"{float(value):.9g}"


def exact_cell(spec: MapSpec, row: int, column: int) -> str:
    """A cell's number to the last digit, as the CSV has it; empty where there is none."""
    state = spec.state_at(row, column)
    if state in (CellState.LATER, CellState.ABSENT):
        return ""
    value = float(spec.matrix[row, column])
    if not math.isfinite(value) or (state is CellState.MASKED and spec.quantity):
        return ""
    return exact_number(value)


def exact_note(spec: MapSpec, row: int, column: int) -> str:
    """What the sentence of a cell leaves out: "exactly 0.612345695"; empty where it leaves nothing out."""
    exact = exact_cell(spec, row, column)
    if not exact:
        return ""
    said = format_number(float(spec.matrix[row, column])).replace(_MINUS, "-")
    if float(said) == float(exact):
        return ""
    return QCoreApplication.translate("Figure", "exactly {number}").format(number=_shown(exact))


def exact_sentence(spec: MapSpec, row: int, column: int) -> str:
    """The sentence of a cell with its number to the last digit."""
    return spec.sentence_at(row, column, _shown(exact_cell(spec, row, column)))


def _shown(exact: str) -> str:
    """With a true minus sign before the number (not in its exponent)."""
    return _MINUS + exact[1:] if exact.startswith("-") else exact


def accessible_cell(spec: MapSpec, row: int, column: int) -> str:
    """For a screen reader: "decoder layer 2, head 3: predicting aime, reads love, 0.61"."""
    place = spec.place[:1].lower() + spec.place[1:]
    text = QCoreApplication.translate("Spoken", "{place}: {said}")
    return text.format(place=place, said=spoken_cell(spec, row, column))


def spoken_cell(spec: MapSpec, row: int, column: int) -> str:
    """A cell of a table whose name says which head it is of: "predicting aime, reads love, 0.61"."""
    label, state = spec.row_labels[row], spec.state_at(row, column)
    values = {
        "read": label.token.text,
        "query": (label.predicted or label.token).text,
        "key": spec.column_labels[column].token.text,
        "quantity": spec.quantity,
        "number": "" if state is CellState.LATER else accessible_number(float(spec.matrix[row, column])),
    }
    text = _text(label, state, words=spec.words, quantity=bool(spec.quantity))
    pair = pair_note(label.segment, spec.column_labels[column].segment)
    return phrases(part for part in (text.format(**values), pair) if part)


def _text(label: AxisLabel, state: CellState, *, words: bool, quantity: bool) -> str:
    """What is said of a cell, with places for who reads whom and how much."""
    translate = QCoreApplication.translate
    if state is CellState.LATER:
        return translate("Spoken", "this row belongs to a later step")
    masked = state is CellState.MASKED
    if label.given:
        return _given_text(masked=masked, quantity=quantity)
    if label.predicted is not None and words:
        return _word_text(masked=masked, quantity=quantity)
    predicting = label.predicted is not None
    if masked and predicting:
        return translate("Spoken", "predicting {query}, cannot read {key}")
    if masked:
        return translate("Spoken", "{query} cannot read {key}")
    if quantity and predicting:
        return translate("Spoken", "predicting {query}, {key}, {quantity} {number}")
    if quantity:
        return translate("Spoken", "{query}, {key}, {quantity} {number}")
    if predicting:
        return translate("Spoken", "predicting {query}, reads {key}, {number}")
    return translate("Spoken", "{query} reads {key}, {number}")


def _given_text(*, masked: bool, quantity: bool) -> str:
    """Of a row of a prompt."""
    translate = QCoreApplication.translate
    if masked:
        return translate("Spoken", "at {read}, before the given {query}, cannot read {key}")
    if quantity:
        return translate("Spoken", "at {read}, before the given {query}, {key}, {quantity} {number}")
    return translate("Spoken", "at {read}, before the given {query}, reads {key}, {number}")


def _word_text(*, masked: bool, quantity: bool) -> str:
    """Of a decoder's row that is a whole word."""
    translate = QCoreApplication.translate
    if masked:
        return translate("Spoken", "at {read}, predicting {query}, cannot read {key}")
    if quantity:
        return translate("Spoken", "at {read}, predicting {query}, {key}, {quantity} {number}")
    return translate("Spoken", "at {read}, predicting {query}, reads {key}, {number}")


def spoken_row(spec: MapSpec, row: int) -> str:
    """What a row is of: "reads je, predicts aime", or the token that reads."""
    label = spec.row_labels[row]
    if label.predicted is None:
        return label.token.text
    text = QCoreApplication.translate("Figure", "reads {read}, predicts {predicted}")
    if label.given:
        text = QCoreApplication.translate("Figure", "reads {read}, before the given {predicted}")
    return text.format(read=label.token.text, predicted=label.predicted.text)


def accessible_number(value: float) -> str:
    """A number for the ear: two decimals, more where those would say nothing."""
    if not math.isfinite(value):
        return QCoreApplication.translate("Spoken", "no number")
    size = abs(value)
    if 0 < size < _LEAST_SAID:
        return QCoreApplication.translate("Spoken", "nearly 0")
    said = "0" if value == 0 else f"{size:.2f}" if size >= 0.01 else f"{size:.4f}"
    return QCoreApplication.translate("Spoken", "minus {number}").format(number=said) if value < 0 else said


def row_table(spec: MapSpec, row: int) -> str:
    """A row for a spreadsheet: a header that names the query, then key token and number, by tabs.

    Raises nothing; a row of a later step has its header only.
    """
    lines = [
        _line(
            f"{spec.place}: {spoken_row(spec, row)}",
            spec.quantity or QCoreApplication.translate("Figure", "weight"),
        )
    ]
    if row < spec.shown_rows:
        lines += [
            _line(key.token.text, exact_cell(spec, row, column))
            for column, key in enumerate(spec.column_labels)
        ]
    return "\n".join(lines) + "\n"


def _line(*values: str) -> str:
    return "\t".join(" ".join(value.split()) for value in values)
