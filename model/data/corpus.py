"""Corpus: sentence pairs in their encoded form, and by their distinct sources."""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.data.pairs.pair_files import Pair
from model.errors import HeadscopeError
from model.tokens.tokenizer import Tokenizer
from model.work import due


def references(pairs: Iterable[Pair]) -> list[tuple[str, list[str]]]:
    """Distinct sources in order of first appearance, each with all its targets in order."""
    targets: dict[str, list[str]] = {}
    for source, target in pairs:
        targets.setdefault(source, []).append(target)
    return list(targets.items())


@dataclass(frozen=True, eq=False)
class EncodedCorpus:
    """N pairs as token ids, lying end to end (a list of lists would take ten times the memory).

    Attributes:
        source_ids: int32, each source with its end token.
        source_offsets: [N + 1] int64, where each source begins in `source_ids`.
        target_ids: int32, each target without start and end.
        target_offsets: [N + 1] int64.
        dropped_empty: pairs left out because a side had no token.
        dropped_long: pairs left out because a side was longer than the limit.
    """

    source_ids: NDArray[np.int32]
    source_offsets: NDArray[np.int64]
    target_ids: NDArray[np.int32]
    target_offsets: NDArray[np.int64]
    dropped_empty: int
    dropped_long: int

    def __len__(self) -> int:
        return len(self.source_offsets) - 1

    def source(self, index: int) -> NDArray[np.int32]:
        """Source `index` with its end token, [S]."""
        return self.source_ids[self.source_offsets[index] : self.source_offsets[index + 1]]

    def target(self, index: int) -> NDArray[np.int32]:
        """Target `index` without start and end, [T - 1]."""
        return self.target_ids[self.target_offsets[index] : self.target_offsets[index + 1]]

    def first(self, count: int) -> EncodedCorpus:
        """The first pairs, as if nothing had been dropped."""
        source, target = self.source_offsets[: count + 1], self.target_offsets[: count + 1]
        return EncodedCorpus(
            self.source_ids[: source[-1]], source, self.target_ids[: target[-1]], target, 0, 0
        )

    @property
    def source_lengths(self) -> NDArray[np.int64]:
        """[N] tokens of each source, its end token included."""
        return np.diff(self.source_offsets)

    @property
    def target_lengths(self) -> NDArray[np.int64]:
        """[N] tokens of each target, without start and end."""
        return np.diff(self.target_offsets)

    def lengths_at(self, indices: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """[B] tokens of these pairs' sources, as `source_lengths` has them, and of their targets."""
        return (
            self.source_offsets[indices + 1] - self.source_offsets[indices],
            self.target_offsets[indices + 1] - self.target_offsets[indices],
        )


def encode_pairs(
    pairs: Sequence[Pair],
    source: Tokenizer,
    target: Tokenizer,
    max_tokens: int,
    should_cancel: Callable[[], bool] = lambda: False,
) -> Generator[tuple[int, int], None, EncodedCorpus]:
    """Encodes pairs, leaving out those the model cannot read; yields (pairs done, pairs in all).

    Args:
        pairs: (source, target) texts.
        source: its end token closes each source.
        target: start and end are not stored; a batch adds them.
        max_tokens: most tokens of a source with its end token, and of a target with its start token.
        should_cancel: asked whenever something is yielded.

    Raises:
        HeadscopeError: `cancelled`.
    """
    source_ids, target_ids = array("i"), array("i")
    source_offsets, target_offsets = array("q", [0]), array("q", [0])
    empty = long = 0
    last = -math.inf
    for done, (source_text, target_text) in enumerate(pairs):
        if done % 16 == 0 and due(last):
            if should_cancel():
                raise HeadscopeError("cancelled")
            yield done, len(pairs)
            last = time.monotonic()
        read, written = source.encode(source_text), target.encode(target_text)
        if not read or not written:
            empty += 1
            continue
        if max(len(read), len(written)) + 1 > max_tokens:
            long += 1
            continue
        source_ids.extend(read)
        source_ids.append(source.end_id)
        target_ids.extend(written)
        source_offsets.append(len(source_ids))
        target_offsets.append(len(target_ids))
    yield len(pairs), len(pairs)
    # Views of what was collected: a copy would take the memory of the whole corpus once more.
    return EncodedCorpus(
        np.asarray(memoryview(source_ids)),
        np.asarray(memoryview(source_offsets)),
        np.asarray(memoryview(target_ids)),
        np.asarray(memoryview(target_offsets)),
        empty,
        long,
    )
