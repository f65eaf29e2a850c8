"""Exports by the ending of the file's name: pictures (png, svg, pdf), animations (gif, webp) and data."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.files import StrPath, replace_bytes, shown
from model.trace_file import save_trace
from viewer.export.animation import ANIMATIONS, animate, finished
from viewer.export.csv_table import Table, write_csv, write_positions_csv
from viewer.export.difference_data import write_difference_csv, write_difference_npz
from viewer.export.importance_csv import write_importance_csv
from viewer.export.npz import write_arrays_npz, write_npz
from viewer.export.page import build_picture
from viewer.export.picture import FORMATS, to_bytes
from viewer.export.request import (
    ExportRequest,
    FigureKind,
    Source,
    build_figure,
    check,
    shows_importance,
)
from viewer.state.figure import MapSpec
from viewer.state.figure_builder import map_figure
from viewer.state.figure_text import importance_badge, trace_badges

DATA = ("csv", "npz", "trace")
SUFFIXES = (*FORMATS, *ANIMATIONS, *DATA)


def file_format(path: StrPath) -> str:
    """`png`, `svg`, ... by the name's ending; `HeadscopeError` for any other."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in SUFFIXES:
        raise HeadscopeError("export_suffix", path=shown(path))
    return suffix


def write_export(source: Source, request: ExportRequest, path: StrPath) -> None:
    """Write the file; NPZ and trace hold the whole decoding, whatever part of it the figure shows.

    Raises:
        HeadscopeError: the source lacks what is asked for, or the file cannot be written; an old one stays.
    """
    wanted = file_format(path)
    if wanted in FORMATS:
        replace_bytes(path, to_bytes(build_picture(source, request), wanted, request.dpi))
    elif wanted in ANIMATIONS and request.view is FigureKind.DIFFERENCE:
        raise HeadscopeError("export_compared_moving")
    elif wanted in ANIMATIONS:
        finished(animate(source, request, path, wanted), lambda progress: None)
    elif request.view is FigureKind.POSITIONS:
        _write_positions(source, request, wanted, path)
    elif request.view is FigureKind.DIFFERENCE:
        _write_difference(source, request, wanted, path)
    elif wanted == "csv" and source.importance is not None and shows_importance(source, request):
        kind, notes = request.selection.kind, trace_badges(source.need_trace(), sqrt_scale=False)
        write_importance_csv(source.importance, kind, "; ".join([*notes, importance_badge()]), path)
    elif wanted == "csv":
        write_csv(source.need_trace(), figure_table(source, request), path)
    elif wanted == "npz":
        write_npz(source.need_trace(), path, importance=source.importance)
    else:
        save_trace(source.need_trace(), path)


def figure_table(source: Source, request: ExportRequest) -> Table:
    """The weights that the figure shows; raises as `build_figure`."""
    check(source, request)
    trace, selection = source.need_trace(), request.selection
    kind = selection.kind
    heads: tuple[tuple[int, int | None], ...]
    if request.view is FigureKind.HEADS:
        heads = tuple((n, m) for n in range(trace.layers(kind)) for m in range(trace.heads(kind)))
    else:
        heads = ((selection.layer, selection.head),)
    # The rows and columns of any one map: those of all maps of the family are the same.
    step = trace.steps - 1 if request.step is None else request.step
    layer, head = heads[0]
    spec = map_figure(trace, selection.but(layer=layer, head=head, step=step), request.options).body
    assert isinstance(spec, MapSpec)
    notes = trace_badges(trace, sqrt_scale=False)
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
    check(source, request)
    assert source.positions is not None
    if wanted == "csv":
        write_positions_csv(source.positions[: request.positions], path)
    elif wanted == "npz":
        write_arrays_npz({"positions": source.positions}, path)
    else:
        raise HeadscopeError("export_positions_trace", path=shown(path))
