"""Flow table: weights as CSV (RFC 4180, UTF-8): the cells of each head drawn, and which have a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.files.files import StrPath, replacing, write_chunks
from viewer.figures.figure import FigureSpec
from viewer.figures.flow.spec import FlowSpec
from viewer.figures.map.table import map_lines
from viewer.figures.table import csv_chunks

SHOWN = "shown"


def write_flow_csv(figure: FigureSpec[FlowSpec], path: StrPath) -> None:
    """Write the cells of every head drawn, up to the step in view.

    The columns are those of `write_map_csv`, with `shown` before the notes: 1 where the picture has a line, 0
    where the number is 0, masked, below the threshold, or (where there are too many lines) not of the chosen
    token. Numbers are true: nothing is renormalised, nor by square root.

    Raises:
        HeadscopeError: the file cannot be written; an old file stays.
    """
    with replacing(path) as temporary:
        write_chunks(temporary, csv_chunks(flow_lines(figure.body)))


def flow_lines(spec: FlowSpec) -> Iterator[Sequence[object]]:
    """Header and lines of a flow's table."""
    drawn = spec.drawn()
    places = zip(drawn.place.tolist(), drawn.row.tolist(), drawn.column.tolist(), strict=True)
    shown = frozenset(places)
    said = "; ".join((*spec.badges, *spec.first.notes))
    for place, one in enumerate(spec.maps):
        lines = map_lines(one)
        header = next(lines)
        if place == 0:
            yield (*header[:-1], SHOWN, header[-1])
        for number, line in enumerate(lines):
            cell = (place, *divmod(number, one.columns))
            yield (*line[:-1], int(cell in shown), said)
