"""The numbers of a figure as files: CSV, NPZ, trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.files import StrPath, replacing, shown, write_chunks
from model.npz_write import write_arrays_npz, write_npz
from model.trace import AttentionKind
from model.trace_file import save_trace
from viewer.export.alignment_csv import write_alignment_csv, write_alignment_pharaoh
from viewer.export.arithmetic_csv import write_arithmetic_csv
from viewer.export.csv_table import Table, csv_chunks, write_positions_csv, write_tables
from viewer.export.difference_data import write_difference_csv, write_difference_npz
from viewer.export.figures import build_figure, not_there, selection_of
from viewer.export.flow_csv import write_flow_csv
from viewer.export.importance_csv import write_importance_csv
from viewer.export.map_csv import write_map_csv
from viewer.export.positions_csv import positions_arrays, positions_rows
from viewer.export.request import ExportRequest, FigureKind, Source, check, known_in_view, shows_importance
from viewer.export.shares_csv import write_shares_csv
from viewer.state.damage_text import all_damage, damage_badges
from viewer.state.document import ViewOptions
from viewer.state.figure import MapSpec
from viewer.state.figure_builder import map_figure
from viewer.state.figure_text import importance_badge, trace_badges
from viewer.state.numbers import Missing
from viewer.state.positions_table import PositionTable
from viewer.state.selection import Numbers
from viewer.state.words_spec import WordsSpec

DATA = ("csv", "npz", "trace", "pharaoh")

_PAGES = (FigureKind.HEADS, FigureKind.ALL_HEADS)
_OF_A_TRACE = (FigureKind.HEATMAP, FigureKind.FLOW, FigureKind.WORDS, *_PAGES)


def write_data(source: Source, request: ExportRequest, path: StrPath, wanted: str) -> None:
    """Write a figure's numbers; NPZ and trace of attention hold the whole decoding, whatever it shows of it.

    Raises:
        HeadscopeError: the source lacks what is asked for, the figure has no such data, or the file cannot
            be written; an old one stays.
    """
    if request.view is FigureKind.POSITIONS:
        _write_positions(source, request, wanted, path)
    elif request.view is FigureKind.DIFFERENCE:
        _write_difference(source, request, wanted, path)
    elif request.view is FigureKind.PAGE:
        _write_page(source, wanted, path)
    elif request.view is FigureKind.ALIGNMENT:
        _write_alignment(source, request, wanted, path)
    elif wanted == "csv":
        _write_csv(source, request, path)
    elif request.view not in _OF_A_TRACE:
        raise HeadscopeError("export_csv_only", path=shown(path))
    elif wanted == "pharaoh":
        raise HeadscopeError("export_pharaoh", path=shown(path))
    elif wanted == "npz":
        write_npz(source.need_trace(), path, importance=source.importance)
    else:
        save_trace(source.need_trace(), path)


def _write_csv(source: Source, request: ExportRequest, path: StrPath) -> None:
    trace, request = source.need_trace(), _uncoloured(request)
    if request.view is FigureKind.ARITHMETIC:
        write_arithmetic_csv(build_figure(source, request), path)
    elif request.view is FigureKind.SHARES:
        write_shares_csv(trace, build_figure(source, request), path)
    elif request.view is FigureKind.FLOW:
        write_flow_csv(build_figure(source, request), path)
    elif request.view is FigureKind.WORDS:
        _write_words(source, request, path)
    elif source.importance is not None and shows_importance(source, request):
        kind, notes = request.selection.kind, trace_badges(trace, sqrt_scale=False)
        write_importance_csv(source.importance, kind, "; ".join([*notes, importance_badge()]), path)
    elif request.view is FigureKind.HEATMAP and _worked_out(request):
        spec = build_figure(source, request).body
        assert isinstance(spec, MapSpec)
        write_map_csv(spec, path)
    else:
        kinds = trace.kinds if request.view is FigureKind.ALL_HEADS else (request.selection.kind,)
        write_tables(trace, [figure_table(source, request, kind) for kind in kinds], path)


def _uncoloured(request: ExportRequest) -> ExportRequest:
    """Without what is a picture's business alone: notes on a scale of colours, the look of tokens."""
    return request.but(options=replace(request.options, sqrt_scale=False, raw_pieces=False))


def _worked_out(request: ExportRequest) -> bool:
    """Whether a map's numbers are not simply those of the trace."""
    return request.selection.numbers is not Numbers.WEIGHTS or request.options.whole_words


def _write_words(source: Source, request: ExportRequest, path: StrPath) -> None:
    """The row or the column that the words show."""
    spec = build_figure(source, request).body
    assert isinstance(spec, WordsSpec)
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
    write_map_csv(shown_map, path, spec.badges)


def figure_table(source: Source, request: ExportRequest, kind: AttentionKind) -> Table:
    """The weights of a family that the figure shows; raises as `build_figure`."""
    check(source, request)
    trace, selection = source.need_trace(), request.selection.but(kind=kind, numbers=Numbers.WEIGHTS)
    options = replace(request.options, whole_words=False)
    heads: tuple[tuple[int, int | None], ...]
    if request.view in _PAGES:
        heads = tuple((n, m) for n in range(trace.layers(kind)) for m in range(trace.heads(kind)))
    else:
        heads = ((selection.layer, selection.head),)
    # The rows and columns of any one map: those of all maps of the family are the same.
    step = trace.steps - 1 if request.step is None else request.step
    layer, head = heads[0]
    spec = map_figure(trace, selection.but(layer=layer, head=head, step=step), options).body
    assert isinstance(spec, MapSpec)
    notes = (
        all_damage(trace, (kind,))
        if request.view in _PAGES
        else damage_badges(trace, selection, Numbers.WEIGHTS)
    )
    notes += trace_badges(trace, sqrt_scale=False)
    if spec.rows < len(trace.query_tokens(kind)) or spec.columns < len(trace.key_tokens(kind)):
        notes.append(
            QCoreApplication.translate("Export", "special tokens are left out, nothing is renormalised")
        )
    return Table(
        kind=kind,
        heads=heads,
        queries=[label.index for label in spec.row_labels[: spec.shown_rows]],
        keys=[label.index for label in spec.column_labels],
        notes="; ".join(notes),
    )


def _write_difference(source: Source, request: ExportRequest, wanted: str, path: StrPath) -> None:
    figure = build_figure(source, request)
    if wanted == "csv":
        write_difference_csv(source.need_compared(), figure, path)
    elif wanted == "npz":
        write_difference_npz(source.need_compared(), figure, path)
    else:
        raise HeadscopeError("export_compared_trace", path=shown(path))


def _write_positions(source: Source, request: ExportRequest, wanted: str, path: StrPath) -> None:
    known = known_in_view(source, request)
    if wanted == "csv" and isinstance(known, PositionTable) and known.stack == "both":
        write_positions_csv(known.rows[: request.positions], path)
    elif wanted == "csv":
        with replacing(path) as temporary:
            write_chunks(temporary, csv_chunks(positions_rows(build_figure(source, request))))
    elif wanted == "npz":
        write_arrays_npz(positions_arrays(known), path)
    else:
        raise HeadscopeError("export_positions_trace", path=shown(path))


def _write_alignment(source: Source, request: ExportRequest, wanted: str, path: StrPath) -> None:
    check(source, request)
    trace, rule, selection = (
        source.need_trace(),
        request.options.alignment_rule,
        selection_of(source, request),
    )
    try:
        if wanted == "csv":
            # Words are merged and edges left out whatever the map in view does.
            plain = request.but(options=ViewOptions(alignment_rule=rule))
            notes = "; ".join(build_figure(source, plain).body.badges)
            write_alignment_csv(
                path, trace, selection, rule, gold=source.gold, notes=notes, known=source.known
            )
        elif wanted == "pharaoh":
            write_alignment_pharaoh(path, trace, selection, rule, gold=source.gold, known=source.known)
        else:
            raise HeadscopeError("export_csv_only", path=shown(path))
    except Missing as missing:
        raise not_there(source, missing.reading) from None


def _write_page(source: Source, wanted: str, path: StrPath) -> None:
    page = source.page
    if page is None:
        raise HeadscopeError("export_no_page")
    if wanted != "csv" or page.table is None:
        raise HeadscopeError(
            "export_csv_only" if page.table is not None else "export_no_table", path=shown(path)
        )
    with replacing(path) as temporary:
        write_chunks(temporary, csv_chunks(_plain(line) for line in page.table))


def _plain(line: Sequence[object]) -> list[object]:
    """Numbers with nine significant digits, enough to give every float32 back exactly."""
    return [f"{float(v):.9g}" if isinstance(v, float | np.floating) else v for v in line]
