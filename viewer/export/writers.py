"""Exports by the ending of the file's name: pictures (png, svg, pdf) and data (csv, npz, trace)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QPainter

from model.errors import HeadscopeError
from model.files import StrPath, replace_bytes, shown
from model.trace_file import save_trace
from viewer.drawing.paint import DrawOptions, figure_height, paint_figure
from viewer.drawing.theme import theme
from viewer.export.csv_table import Table, write_csv, write_positions_csv
from viewer.export.npz import write_arrays_npz, write_npz
from viewer.export.picture import FORMATS, Picture, page_height, page_width, to_bytes
from viewer.export.request import ExportRequest, FigureKind, Source, build_figure, check
from viewer.state.figure import FigureSpec, MapSpec
from viewer.state.figure_builder import map_figure
from viewer.state.figure_text import trace_badges

DATA = ("csv", "npz", "trace")
SUFFIXES = (*FORMATS, *DATA)
MARGIN = 6.0  # logical pixels around the figure
_FULL_TYPE_MM = 110.0


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
    elif request.view is FigureKind.POSITIONS:
        _write_positions(source, request, wanted, path)
    elif wanted == "csv":
        write_csv(source.need_trace(), figure_table(source, request), path)
    elif wanted == "npz":
        write_npz(source.need_trace(), path)
    else:
        save_trace(source.need_trace(), path)


def build_picture(source: Source, request: ExportRequest) -> Picture:
    """The figure laid out on a page of the request's width; raises as `build_figure`."""
    return figure_picture(build_figure(source, request), request.width_mm, request.theme)


def figure_picture(figure: FigureSpec, width_mm: float, theme_name: str) -> Picture:
    """A figure laid out on a page; `HeadscopeError` for an impossible width."""
    colors = theme(theme_name)
    width = page_width(width_mm)
    options = DrawOptions(caption=True, font_scale=type_scale(width_mm))
    natural = figure_height(figure, width - 2 * MARGIN, options)

    def paint(painter: QPainter, rect: QRectF, vector: bool) -> None:
        inner = rect.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        paint_figure(painter, figure, inner, colors, replace(options, vector=vector))

    height = page_height(natural + 2 * MARGIN)
    return Picture(paint, width, height, colors.color("panel"), figure.body.title, figure.caption)


def type_scale(width_mm: float) -> float:
    """How large type is on a page: on a journal's column smaller (never under 6 pt), so that a map fits."""
    return min(1.0, max(0.75, width_mm / _FULL_TYPE_MM))


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


def _write_positions(source: Source, request: ExportRequest, wanted: str, path: StrPath) -> None:
    check(source, request)
    assert source.positions is not None
    if wanted == "csv":
        write_positions_csv(source.positions[: request.positions], path)
    elif wanted == "npz":
        write_arrays_npz({"positions": source.positions}, path)
    else:
        raise HeadscopeError("export_positions_trace", path=shown(path))
