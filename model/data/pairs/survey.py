"""Survey of a corpus: what to know before training on it, its first pairs and their faults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

Problem = Literal["empty", "long", "ratio", "duplicate"]
Layout = Literal["tsv", "csv", "parallel", "task"]

SAMPLED = 20_000  # pairs whose characters are counted: further ones hardly have others


@dataclass(frozen=True)
class PreviewPair:
    """One pair as it stands in the corpus.

    Attributes:
        number: of the line (of the record, in a CSV), from 1.
        source_length, target_length: characters.
        problems: why it is left out of training; nothing when it is used.
    """

    number: int
    source: str
    target: str
    source_length: int
    target_length: int
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, eq=False)
class CorpusSurvey:
    """What is known of a corpus so far.

    Attributes:
        complete: whether everything was read.
        done, total: bytes read and bytes in all (of a task, pairs), for a progress bar; total 0 = unknown.
        pairs: read so far, usable or not.
        encodings: what each file is written in, by its name.
        header: the first line of a CSV (of other files only if columns are chosen by name), to choose
            columns from; empty where there is none.
        first: the first pairs.
        counts: pairs with each problem; a pair with several counts for the first of them alone. Duplicates
            are counted even if they are used.
        train, dev, test: pairs of each part after all filters; known when complete. Test pairs are those that
            the split keeps out of training and development.
        sources: distinct source sentences after all filters; known when complete.
        source_lengths, target_lengths: int64 [n], pairs with a side of that many characters (0, 1, …);
            the last counts everything longer.
        characters: how often each character occurs in the source and in the target of the first `SAMPLED`
            pairs; known when complete.
    """

    layout: Layout
    complete: bool = False
    done: int = 0
    total: int = 0
    pairs: int = 0
    encodings: dict[str, str] = field(default_factory=dict)
    header: tuple[str, ...] = ()
    first: tuple[PreviewPair, ...] = ()
    counts: dict[Problem, int] = field(default_factory=dict)
    train: int = 0
    dev: int = 0
    test: int = 0
    sources: int = 0
    source_lengths: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    target_lengths: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    characters: tuple[Mapping[str, int], Mapping[str, int]] = field(default_factory=lambda: ({}, {}))
