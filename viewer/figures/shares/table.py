"""Shares of source and prefix as CSV: one line a decoder layer and step, counted from 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.files.files import StrPath, replacing, write_chunks
from model.files.tensor_file import well_formed
from model.trace.trace import Trace
from viewer.figures.figure import FigureSpec
from viewer.figures.shares.spec import SharesSpec
from viewer.figures.table import MEAN, csv_chunks, number

HEADER = ("layer", "step", "token", "source_share", "prefix_share", "notes")


def write_shares_csv(trace: Trace, figure: FigureSpec[SharesSpec], path: StrPath) -> None:
    """Write every layer and, as layer `mean`, their mean; of every step, whatever step is in view.

    `token` is the raw piece that the step predicts; `notes` holds the figure's badges, formula and caveat.

    Raises:
        HeadscopeError: the file cannot be written; an old file stays.
    """
    with replacing(path) as temporary:
        write_chunks(temporary, csv_chunks(_lines(trace, figure)))


def _lines(trace: Trace, figure: FigureSpec[SharesSpec]) -> Iterator[Sequence[object]]:
    spec = figure.body
    notes = "; ".join((*spec.badges, *spec.notes))
    tokens = [well_formed(piece) for piece in trace.tgt_out_tokens]
    mean = spec.source.mean(axis=0, dtype="float64")
    yield HEADER
    for name, shares in [*enumerate(spec.source), (MEAN, mean)]:
        for step, share in enumerate(shares):
            yield name, step, tokens[step], number(share), number(1 - share), notes
