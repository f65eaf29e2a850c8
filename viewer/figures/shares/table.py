"""Shares of source and prefix as CSV: one line a decoder layer and step, or a step and word, from 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.files.files import StrPath, replacing, write_chunks
from model.files.tensor_file import well_formed
from model.trace.trace import Trace
from viewer.figures.figure import FigureSpec
from viewer.figures.shares.spec import SharesSpec
from viewer.figures.table import MEAN, csv_chunks, number

HEADER = ("layer", "step", "token", "source_share", "prefix_share", "notes")
WORDS_HEADER = (*HEADER[:-1], "part", "position", "part_token", "share", "notes")
ALL = "all"


def write_shares_csv(trace: Trace, figure: FigureSpec[SharesSpec], path: StrPath) -> None:
    """Write every step, whatever step is in view.

    Of cross-attention every layer and, as layer `mean`, their mean; of contributions a line a word of source
    and prefix, whose shares add up to the step's. `token` is the raw piece that the step predicts; `notes`
    holds the figure's badges, formula and caveat.

    Raises:
        HeadscopeError: the file cannot be written; an old file stays.
    """
    with replacing(path) as temporary:
        lines = _lines if figure.body.words is None else _word_lines
        write_chunks(temporary, csv_chunks(lines(trace, figure)))


def _lines(trace: Trace, figure: FigureSpec[SharesSpec]) -> Iterator[Sequence[object]]:
    spec = figure.body
    notes = "; ".join((*spec.badges, *spec.notes))
    tokens = [well_formed(piece) for piece in trace.tgt_out_tokens]
    mean = spec.source.mean(axis=0, dtype="float64")
    yield HEADER
    for name, shares in [*enumerate(spec.source), (MEAN, mean)]:
        for step, share in enumerate(shares):
            yield name, step, tokens[step], number(share), number(1 - share), notes


def _word_lines(trace: Trace, figure: FigureSpec[SharesSpec]) -> Iterator[Sequence[object]]:
    spec = figure.body
    assert spec.words is not None
    notes = "; ".join((*spec.badges, *spec.notes))
    layer = ALL if spec.layer is None else spec.layer
    tokens = [well_formed(piece) for piece in trace.tgt_out_tokens]
    parts = [("source", place, well_formed(piece)) for place, piece in enumerate(trace.src_tokens)]
    parts += [("prefix", place, well_formed(piece)) for place, piece in enumerate(trace.tgt_in_tokens)]
    yield WORDS_HEADER
    for step, shares in enumerate(spec.words.shares):
        source = spec.shown[step]
        for (part, place, piece), share in zip(parts, shares, strict=True):
            if part == "prefix" and trace.is_causal and place > step:
                continue
            both = number(source), number(1 - source)
            yield layer, step, tokens[step], *both, part, place, piece, number(share), notes
