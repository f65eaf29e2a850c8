"""Importance table: what each head is worth, as CSV: the numbers of a page of heads coloured by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.files.files import StrPath, replacing, write_chunks
from model.trace.exploration import Importance
from model.trace.trace import AttentionKind
from viewer.figures.table import csv_chunks, number

HEADER = ("kind", "layer", "head", "logprob_change", "logprob", "notes")


def write_importance_csv(importance: Importance, kind: AttentionKind, notes: str, path: StrPath) -> None:
    """Write one line a head of the kind, counted from 0.

    `logprob_change` is what switching that head alone off adds to the natural log probability of the whole
    translation, `logprob` that probability with every head on; `notes` says so in each line.

    Raises:
        HeadscopeError: the file cannot be written; an old file stays.
    """
    with replacing(path) as temporary:
        write_chunks(temporary, csv_chunks(_lines(importance, kind, notes)))


def _lines(importance: Importance, kind: AttentionKind, notes: str) -> Iterator[Sequence[object]]:
    yield HEADER
    for layer, row in enumerate(importance.change[kind]):
        for head, change in enumerate(row):
            yield str(kind), layer, head, number(change), f"{importance.logprob:.9g}", notes
