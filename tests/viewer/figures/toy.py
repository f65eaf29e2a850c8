"""A kind of picture that is nowhere in the program: what one folder and one row are, in one file."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from viewer.figures.asking import check_map
from viewer.figures.canvas.lettering import TextRun, draw_runs
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.data import csv_only
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, Drawing, FigureKind, Writing
from viewer.figures.option import Option
from viewer.figures.request import ExportRequest, Source
from viewer.figures.table import Rows, csv_chunks


@dataclass(frozen=True, eq=False)
class SumsSpec:
    """The sum of every row of a map, `times` over."""

    sums: tuple[float, ...]
    times: int
    title: str = "Sums of rows"
    badges: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class SumsGeometry:
    """A line a row, placed."""

    spec: SumsSpec
    runs: tuple[TextRun, ...]


def build(source: Source, request: ExportRequest) -> FigureSpec[SumsSpec]:
    trace, selection = source.need_trace(), request.selection
    times = int(request.own.get("times", 1))
    weights = trace.pattern(selection.kind, selection.layer, selection.head)
    spec = SumsSpec(tuple(float(row.sum()) * times for row in weights), times)
    return FigureSpec(spec, "Sums of rows, a toy.")


def layout(figure: FigureSpec[SumsSpec], rect: QRectF, options: DrawOptions) -> SumsGeometry:
    spec = figure.body
    texts = [spec.title, *(f"row {row}: {total:.3f}" for row, total in enumerate(spec.sums))]
    runs = [TextRun(text, rect.left(), rect.top() + 20 * (n + 1), 14.0) for n, text in enumerate(texts)]
    return SumsGeometry(spec, tuple(runs))


def height(figure: FigureSpec[SumsSpec], width: float, options: DrawOptions) -> float:
    return 20.0 * (len(figure.body.sums) + 2)


def paint(painter: QPainter, place: SumsGeometry, theme: Theme, options: DrawOptions) -> None:
    draw_runs(painter, place.runs, theme)


def rows(spec: SumsSpec) -> Rows:
    yield "row", "sum"
    for row, total in enumerate(spec.sums):
        yield row, f"{total:.3f}"


def write_csv(writing: Writing) -> None:
    spec: SumsSpec = writing.build(writing.request).body
    with open(writing.path, "wb") as file:
        file.writelines(csv_chunks(rows(spec)))


KIND = FigureKind(
    "sums",
    Drawing(SumsSpec, layout, height, paint, rows=rows),
    Asked(
        label=lambda: "The sums of its rows",
        check=check_map,
        build=build,
        write=csv_only(write_csv),
        help="the sums of a map's rows (sums)",
        options=(Option("times", {"type": int, "metavar": "N", "help": "how often to count a row"}),),
        ignored=("scale",),
        one_map=True,
        moves=True,
        prefix="sums",
    ),
)
