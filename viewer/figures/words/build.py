"""Building shaded words: the chosen token, and the sentence in blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind, Trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.document.text.token_text import TokenText
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.numerals import format_number
from viewer.figures.figure import FigureSpec
from viewer.figures.known import Known
from viewer.figures.map.build import map_figure
from viewer.figures.map.chosen import chosen_column, chosen_row, line_of, strongest_column
from viewer.figures.map.spec import MapSpec
from viewer.figures.text import provenance_caption, title_line
from viewer.figures.words.spec import Axis, Block, Word, WordsSpec


def words_figure(
    trace: Trace,
    selection: Selection,
    view: ViewOptions,
    *,
    provenance: Mapping[str, Any] | None = None,
    known: Known | None = None,
    lazy: bool = False,
) -> FigureSpec[WordsSpec]:
    """The words of a head (or of an aggregate), shaded for the chosen token.

    `view.incoming` shades the queries by how much they read the chosen key; else the keys by how much the
    chosen query reads them. The crosshair says which is chosen; without one it is the current step's query,
    and the key that it reads most.

    Args:
        provenance, known, lazy: as in `map_figure`.

    Raises:
        as `map_figure`.
    """
    figure = map_figure(trace, selection, view, provenance=provenance, known=known, lazy=lazy)
    spec = figure.body
    row, column = _chosen(spec, incoming=view.incoming)
    badges = list(spec.badges)
    if view.incoming and column is not None and not spec.quantity:
        badges.append(_column_badge(_column_sum(spec, column)))
    words = WordsSpec(
        spec=spec,
        incoming=view.incoming,
        row=row,
        column=column,
        heading=_heading(spec, row, column),
        blocks=_blocks(spec, row, column, incoming=view.incoming),
        badges=tuple(badges),
    )
    facts = dict(figure.facts) | {
        "view": "words",
        "incoming": view.incoming,
        "query": None if row is None else spec.row_labels[row].index,
        "key": None if column is None else spec.column_labels[column].index,
        "badges": badges,
    }
    line = title_line(words.title, words.kind_name)
    return FigureSpec(
        words, provenance_caption(trace, line, words.badges, provenance or {}, spec.notes), facts
    )


def _chosen(spec: MapSpec, *, incoming: bool) -> tuple[int | None, int | None]:
    row = chosen_row(spec)
    if row is None and spec.rows:
        row = 0
    if not incoming:
        return row, None
    column = chosen_column(spec)
    if column is None and row is not None:
        column = strongest_column(spec, row)
    return None, 0 if column is None and spec.columns else column


def _column_sum(spec: MapSpec, column: int) -> float:
    """The numbers of a column that are shown, added up."""
    values, shown = line_of(spec, slice(0, spec.shown_rows), column)
    return float(np.sum(values[shown], dtype=np.float64))


def _column_badge(total: float) -> str:
    """Says that a column is no distribution."""
    text = QCoreApplication.translate(
        "Figure", "weights of different queries: they add up to {total}, not to 1"
    )
    return text.format(total=format_number(total))


def _heading(spec: MapSpec, row: int | None, column: int | None) -> str:
    translate = QCoreApplication.translate
    if column is not None:
        text = translate("Figure", "{place}: “{key}” is read by:")
        return text.format(place=spec.place, key=spec.column_labels[column].token.marked)
    if row is None:
        return translate("Figure", "Nothing to show yet.")
    label = spec.row_labels[row]
    if row >= spec.shown_rows:
        return translate("Figure", "{place}: this row belongs to a later step").format(place=spec.place)
    if label.predicted is None:
        text, query = translate("Figure", "{place}: “{query}” reads:"), label.token.marked
    else:
        text = translate("Figure", "{place}: predicting “{query}” reads:")
        if label.given:
            text = translate("Figure", "{place}: at “{read}”, before the given “{query}”, reads:")
        elif spec.words:
            text = translate("Figure", "{place}: at “{read}”, predicting “{query}”, reads:")
        query = label.predicted.marked
    return text.format(place=spec.place, query=query, read=label.token.marked)


def _blocks(spec: MapSpec, row: int | None, column: int | None, *, incoming: bool) -> tuple[Block, ...]:
    keys_title = spec.column_title.removesuffix("→").rstrip()
    queries = _query_words(spec, row, column)
    keys = _key_words(spec, row, column)
    if spec.kind is AttentionKind.ENCODER_SELF and _same_tokens(spec):
        shaded = queries if incoming else keys
        chosen = column if incoming else row
        marked = tuple(replace(word, chosen=word.index == chosen) for word in shaded)
        title = spec.row_title if incoming else keys_title
        return (Block(Axis.QUERY if incoming else Axis.KEY, title, marked, shaded=True),)
    return (
        Block(Axis.KEY, keys_title, keys, shaded=not incoming),
        Block(Axis.QUERY, spec.row_title, queries, shaded=incoming),
    )


def _same_tokens(spec: MapSpec) -> bool:
    """Whether queries and keys are one text."""
    return [label.index for label in spec.row_labels] == [label.index for label in spec.column_labels]


def _key_words(spec: MapSpec, row: int | None, column: int | None) -> tuple[Word, ...]:
    """The keys, shaded by the chosen row."""
    words = []
    later_columns = spec.later_columns
    numbers = _numbers(spec, row, slice(None)) if row is not None and row < spec.shown_rows else []
    for place, label in enumerate(spec.column_labels):
        weight, masked = numbers[place] if numbers else (None, False)
        later = later_columns is not None and place >= later_columns
        words.append(
            Word(place, label.token, weight, place == column, masked, later, _parted(label, label.token))
        )
    return tuple(words)


def _query_words(spec: MapSpec, row: int | None, column: int | None) -> tuple[Word, ...]:
    """The queries (what each predicts, if it does; of whole words, what each reads), shaded by the column."""
    words = []
    shown = spec.shown_rows
    numbers = [] if column is None else _numbers(spec, slice(0, shown), column)
    for place, label in enumerate(spec.row_labels):
        weight, masked = numbers[place] if place < len(numbers) else (None, False)
        token = label.token if spec.words else label.predicted or label.token
        words.append(Word(place, token, weight, place == row, masked, place >= shown, _parted(label, token)))
    return tuple(words)


def _numbers(spec: MapSpec, rows: int | slice, columns: int | slice) -> list[tuple[float | None, bool]]:
    """Of each cell of a row or column its weight, and whether it is masked."""
    values, shown = line_of(spec, rows, columns)
    absent = np.zeros(values.shape, np.bool_) if spec.absent is None else spec.absent[rows, columns]
    return [
        (value if is_shown else None, not is_shown and not missing)
        for value, is_shown, missing in zip(values.tolist(), shown.tolist(), absent.tolist(), strict=True)
    ]


def _parted(label: AxisLabel, token: TokenText) -> bool:
    """Whether the sentence has a space before the token."""
    return token.special or token.spaced or label.index == 0
