"""Sentence pairs: their split into train, dev and test, and their encoded form.

Reading files is `model.data.pair_files`; its functions are offered here too.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.data.pair_files import Pair, file_sha256, iter_pairs, read_corpus, read_pairs
from model.errors import HeadscopeError
from model.tokenizer import Tokenizer

__all__ = [
    "EncodedCorpus",
    "Pair",
    "Split",
    "encode_corpus",
    "file_sha256",
    "iter_pairs",
    "read_corpus",
    "read_pairs",
    "references",
    "split_pairs",
    "tatoeba_hash_part",
]

Split = Literal["train", "dev", "test"]

_REPORT_EVERY = 1000


def tatoeba_hash_part(source: str) -> Split:
    """The part that every pair with this source sentence belongs to: 1 % test, 1 % dev, else train.

    It depends on nothing but the source, so no test sentence is ever seen in training, whatever
    else the file holds.
    """
    bucket = int(hashlib.sha1(source.encode("utf-8")).hexdigest()[:8], 16) % 100
    if bucket == 0:
        return "test"
    return "dev" if bucket == 1 else "train"


def split_pairs(pairs: Iterable[Pair], part: Split) -> list[Pair]:
    """The pairs of one part by `tatoeba_hash_part`, in order."""
    return [pair for pair in pairs if tatoeba_hash_part(pair[0]) == part]


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

    @property
    def source_lengths(self) -> NDArray[np.int64]:
        """[N] tokens of each source, its end token included."""
        return np.diff(self.source_offsets)

    @property
    def target_lengths(self) -> NDArray[np.int64]:
        """[N] tokens of each target, without start and end."""
        return np.diff(self.target_offsets)


def encode_corpus(
    pairs: Sequence[Pair],
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    max_tokens: int,
    *,
    progress: Callable[[int, int], None] | None = None,
    should_cancel: Callable[[], bool] | None = None,
) -> EncodedCorpus:
    """Encodes pairs, leaving out those the model cannot read.

    Args:
        pairs: (source, target) texts.
        source_tokenizer: its end token closes each source.
        target_tokenizer: start and end are not stored; a batch adds them.
        max_tokens: most tokens of a source with its end token, and of a target with its start token.
        progress: called with (pairs done, pairs in all) now and then.
        should_cancel: asked now and then.

    Raises:
        HeadscopeError: `cancelled`.
    """
    source_ids, target_ids = array("i"), array("i")
    source_offsets, target_offsets = array("q", [0]), array("q", [0])
    empty = long = 0
    for done, (source_text, target_text) in enumerate(pairs):
        if done % _REPORT_EVERY == 0:
            if should_cancel is not None and should_cancel():
                raise HeadscopeError("cancelled")
            if progress is not None:
                progress(done, len(pairs))
        source = source_tokenizer.encode(source_text)
        target = target_tokenizer.encode(target_text)
        if not source or not target:
            empty += 1
            continue
        if max(len(source), len(target)) + 1 > max_tokens:
            long += 1
            continue
        source_ids.extend(source)
        source_ids.append(source_tokenizer.end_id)
        target_ids.extend(target)
        source_offsets.append(len(source_ids))
        target_offsets.append(len(target_ids))
    if progress is not None:
        progress(len(pairs), len(pairs))
    return EncodedCorpus(
        np.array(source_ids, dtype=np.int32),
        np.array(source_offsets, dtype=np.int64),
        np.array(target_ids, dtype=np.int32),
        np.array(target_offsets, dtype=np.int64),
        empty,
        long,
    )
