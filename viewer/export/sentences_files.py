"""A translated file of sentences as a folder: a table and the traces."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from model.errors import HeadscopeError
from model.files.files import StrPath, replacing, write_chunks, write_error
from model.questions.sentence_list import SentenceList
from viewer.figures.table import csv_chunks

HEADER = (
    "line", "text", "translation", "logprob", "mean_logprob", "lowest_probability", "coverage", "entropy",
    "length_ratio", "tokens", "finished", "trace", "error",
)  # fmt: skip
TABLE = "sentences.csv"


def write_sentences(sentences: SentenceList, folder: StrPath) -> int:
    """Write `sentences.csv` and a copy of every trace; what is not known of a sentence is an empty field.

    Returns:
        how many traces were written.

    Raises:
        HeadscopeError: the folder cannot be made or written to; files of the same names are replaced whole.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(place, error) from None
    traces = [row.trace for row in sentences.rows if row.trace]
    for trace in traces:
        target = place / os.path.basename(trace)
        with replacing(target) as temporary:
            shutil.copyfile(trace, temporary)
    with replacing(place / TABLE) as temporary:
        write_chunks(temporary, csv_chunks(_lines(sentences)))
    return len(traces)


def _lines(sentences: SentenceList) -> Iterator[Sequence[object]]:
    yield HEADER
    for row in sentences.rows:
        numbers = (
            row.logprob, row.mean_logprob, row.lowest, row.coverage, row.entropy, row.length_ratio,
        )  # fmt: skip
        failed = row.problem is not None
        yield (
            row.line,
            row.text,
            row.translation,
            *("" if math.isnan(value) else f"{value:.9g}" for value in numbers),
            "" if failed else row.steps,
            "" if failed else str(row.finished).lower(),
            os.path.basename(row.trace),
            _reason(row.problem),
        )


def _reason(problem: HeadscopeError | None) -> str:
    return "" if problem is None else str(problem)
