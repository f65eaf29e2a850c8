"""The kind of words: the sentence, shaded by attention."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from viewer.document.selection import Numbers, Selection
from viewer.figures.asking import check_map, chosen_row, with_cell
from viewer.figures.data import of_a_trace
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, Drawing, FigureKind, Writing
from viewer.figures.map.table import write_map_csv
from viewer.figures.option import INCOMING, KEY, NUMBERS, QUERY, WHOLE_WORDS
from viewer.figures.request import ExportRequest, Source
from viewer.figures.words.build import words_figure
from viewer.figures.words.layout import words_geometry, words_height
from viewer.figures.words.paint import paint_words
from viewer.figures.words.spec import WordsSpec


def build(source: Source, request: ExportRequest) -> FigureSpec[WordsSpec]:
    """The sentence about the chosen token, or a decoder's row in the middle."""
    of_a_step = request.selection.numbers is Numbers.GRADIENT
    selection = with_cell(source, chosen_row(source, request, of_a_step=of_a_step))
    return words_figure(source.need_trace(), selection, request.options, known=source.known)


def at_a_step(request: ExportRequest) -> Selection:
    """In an animation the row goes with the step."""
    key = request.selection.key if request.options.incoming else None
    return request.selection.but(query=None, key=key)


def write_csv(writing: Writing) -> None:
    """The row or the column that the words show."""
    spec = writing.build(writing.request).body
    shown_map = spec.spec
    if spec.incoming and spec.column is not None:
        column = slice(spec.column, spec.column + 1)
        shown_map = replace(
            shown_map,
            matrix=shown_map.matrix[:, column],
            masked=None if shown_map.masked is None else shown_map.masked[:, column],
            column_labels=shown_map.column_labels[column],
        )
    elif spec.row is not None:
        row = slice(spec.row, spec.row + 1)
        shown_map = replace(
            shown_map,
            matrix=shown_map.matrix[row],
            masked=None if shown_map.masked is None else shown_map.masked[row],
            row_labels=shown_map.row_labels[row],
            rows=1,
            later_from=None,
            step_row=None,
        )
    write_map_csv(shown_map, writing.path, spec.badges)


def topped(spec: WordsSpec) -> tuple[WordsSpec, float] | None:
    """On a scale to the largest weight that shades a word; None where that is no scale from 0 to 1."""
    most = max((weight for block in spec.blocks for _, weight in block.words.numbered()), default=0.0)
    if spec.levels != (0.0, 1.0) or most <= 0:
        return None
    return replace(spec, spec=replace(spec.spec, levels=(0.0, most))), most


KIND = FigureKind(
    "words",
    Drawing(
        WordsSpec,
        words_geometry,
        words_height,
        paint_words,
        lambda spec: spec.spec.levels[0] < 0,
        topped=topped,
    ),
    Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "This map as words"),
        check=check_map,
        build=build,
        write=of_a_trace(write_csv),
        help="or as a shaded sentence (words)",
        options=(NUMBERS, WHOLE_WORDS, QUERY, KEY, INCOMING),
        one_map=True,
        numbered=True,
        row=True,
        stepped=True,
        moves=True,
        at_a_step=at_a_step,
        prefix="words",
    ),
)
