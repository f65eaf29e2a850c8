"""Closeness table: how alike the words of two sentences are, layer by layer, as CSV counted from 0."""

from __future__ import annotations

from collections.abc import Iterator

from model.files.tensor_file import well_formed
from model.questions.two_sentences import TwoReadings
from viewer.figures.table import number

HEADER = ("stage", "position_a", "token_a", "position_b", "token_b", "cosine")

Line = tuple[object, ...]


def closeness_lines(readings: TwoReadings) -> Iterator[Line]:
    """A header, then the cosine of every two positions at every stage (`embedding`, `sum`, `1`, …)."""
    yield HEADER
    first, second = ([well_formed(token) for token in tokens] for tokens in readings.tokens)
    for stage, cosines in zip(readings.stages, readings.cosine, strict=True):
        for a, row in enumerate(cosines):
            for b, value in enumerate(row):
                yield stage, a, first[a], b, second[b], number(value)
