"""Building shaded words: the chosen token, and the sentence in blocks."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind, Trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.numerals import format_number
from viewer.figures.figure import FigureSpec
from viewer.figures.known import Known
from viewer.figures.map.build import map_figure
from viewer.figures.map.chosen import chosen_column, chosen_row, line_of, strongest_column
from viewer.figures.map.spec import MapSpec
from viewer.figures.text import provenance_caption, title_line
from viewer.figures.words.spec import Axis, Block, Line, Shades, Words, WordsSpec

_lines: deque[tuple[tuple[AxisLabel, ...], bool, Line]] = deque(maxlen=8)


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
        marked = replace(queries if incoming else keys, chosen=column if incoming else row)
        title = spec.row_title if incoming else keys_title
        return (Block(Axis.QUERY if incoming else Axis.KEY, title, marked, shaded=True),)
    return (
        Block(Axis.KEY, keys_title, keys, shaded=not incoming),
        Block(Axis.QUERY, spec.row_title, queries, shaded=incoming),
    )


def _same_tokens(spec: MapSpec) -> bool:
    """Whether queries and keys are one text."""
    return spec.row_labels is spec.column_labels or (
        [label.index for label in spec.row_labels] == [label.index for label in spec.column_labels]
    )


def _key_words(spec: MapSpec, row: int | None, column: int | None) -> Words:
    """The keys, shaded by the chosen row."""
    words = Words(_line(spec.column_labels, predicted=False), chosen=column, later=spec.later_columns)
    if row is None or row >= spec.shown_rows:
        return words
    return _shaded(words, spec, row, slice(None))


def _query_words(spec: MapSpec, row: int | None, column: int | None) -> Words:
    """The queries (what each predicts, if it does; of whole words, what each reads), shaded by the column."""
    shown = spec.shown_rows
    words = Words(_line(spec.row_labels, predicted=not spec.words), chosen=row, later=shown)
    return words if column is None else _shaded(words, spec, slice(0, shown), column)


def _shaded(words: Words, spec: MapSpec, rows: int | slice, columns: int | slice) -> Words:
    """By the numbers of a row or column."""
    values, shown = line_of(spec, rows, columns)
    masked = ~shown if spec.absent is None else ~shown & ~spec.absent[rows, columns]
    return replace(words, shades=Shades(values, shown, masked))


def _line(labels: tuple[AxisLabel, ...], *, predicted: bool) -> Line:
    """What a text's words are written as; the last few are kept, since heads and steps share them."""
    for of, which, line in tuple(_lines):  # another thread may add one, an export's
        if which == predicted and (of is labels or of == labels):
            return line
    tokens = [label.predicted or label.token if predicted else label.token for label in labels]
    pairs = zip(tokens, labels, strict=True)
    line = Line(tuple([(token, token.special or token.spaced or label.index == 0) for token, label in pairs]))
    _lines.append((labels, predicted, line))
    return line
