"""The kind of a difference: one map of two decodings."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.files.files import shown
from viewer.figures.asking import check_range
from viewer.figures.difference.build import comparable, difference_figure
from viewer.figures.difference.spec import DifferenceSpec
from viewer.figures.difference.table import write_difference_csv, write_difference_npz
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, Drawing, FigureKind, Subject, Writing
from viewer.figures.map.kind import label_size, signed
from viewer.figures.map.layout import map_geometry, map_height, map_least
from viewer.figures.map.paint import paint_map
from viewer.figures.request import ExportRequest, Source


def check(source: Source, request: ExportRequest) -> None:
    """Kind of attention of both, layer and head of B."""
    first, second = source.need_compared()
    selection = request.selection
    if not comparable(first, second, selection.kind):
        raise HeadscopeError("export_compared_kind", kind=str(selection.kind))
    check_range("layer", selection.layer, second.layers(selection.kind))
    if selection.head is not None:
        check_range("head", selection.head, second.heads(selection.kind))


def build(source: Source, request: ExportRequest) -> FigureSpec[DifferenceSpec]:
    """B − A of the whole decodings."""
    plain = request.selection.but(step=-1, query=None, key=None)
    return difference_figure(*source.need_compared(), plain, request.options)


def unmarked(spec: DifferenceSpec) -> DifferenceSpec:
    """With the row of the step like every other."""
    return replace(spec, step_row=None)


def write(writing: Writing) -> None:
    """Every cell of either, as a table or as arrays."""
    figure = writing.build(writing.request)
    if writing.ending == "csv":
        write_difference_csv(writing.source.need_compared(), figure, writing.path)
    elif writing.ending == "npz":
        write_difference_npz(writing.source.need_compared(), figure, writing.path)
    else:
        raise HeadscopeError("export_compared_trace", path=shown(writing.path))


KIND = FigureKind(
    "difference",
    Drawing(
        DifferenceSpec,
        map_geometry,
        map_height,
        paint_map,
        signed,
        unmarked=unmarked,
        least=map_least,
        label_size=label_size,
    ),
    Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "Difference from the pinned run"),
        check=check,
        build=build,
        write=write,
        about=Subject.PAIR,
        help="of a pair, the difference B − A (difference)",
        ignored=("step",),
        one_map=True,
        data=lambda source: ("csv", "npz"),
        prefix="difference",
    ),
)
