"""Probabilities of each next token, worked out of a model's logits: unfiltered, at temperature 1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.recording.arrays import to_floats
from model.trace.trace import Floats, Ids

_ROWS = 32  # worked out at once; a row of a large vocabulary is a megabyte


@dataclass(frozen=True)
class Probabilities:
    """Of each row: of the chosen token, and of the K most probable ones.

    Rows that nobody recorded hold NaN in `chosen` and `logprobs`, -1 in `ids`, 1 in `rank`.

    Attributes:
        chosen: [T] log probability; `rank` [T] its place, the most probable 1.
        ids, logprobs: [T, K], descending.
    """

    chosen: Floats
    rank: Ids
    ids: Ids
    logprobs: Floats

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """[T] which rows were recorded."""
        return ~np.isnan(self.chosen)


def probabilities(blocks: Iterable[tuple[int, Any]], chosen: Ids, candidates: int) -> Probabilities:
    """Work through logits.

    Args:
        blocks: (first row, logits [rows, V]), any library's.
        chosen: [T] ids; a negative one is taken to be the most probable, and put in its place here.
        candidates: K at most.

    Raises:
        HeadscopeError: the logits are not finite, have other axes, or know no such id.
    """
    count = len(chosen)
    found: list[tuple[int, tuple[Floats, Ids, Ids, Floats]]] = []
    for first, logits in blocks:
        for start in range(0, len(logits), _ROWS):
            row = first + start
            rows = to_floats(logits[start : start + _ROWS])[: count - row]
            if len(rows):
                found.append((row, _rows(rows, chosen[row : row + len(rows)], candidates)))
    k = min((part[2].shape[1] for _, part in found), default=0)
    result = Probabilities(
        np.full(count, np.nan, np.float32),
        np.ones(count, np.int64),
        np.full((count, k), -1, np.int64),
        np.full((count, k), np.nan, np.float32),
    )
    for row, (own, rank, ids, logprobs) in found:
        place = slice(row, row + len(own))
        result.chosen[place], result.rank[place] = own, rank
        result.ids[place], result.logprobs[place] = ids[:, :k], logprobs[:, :k]
    return result


def _rows(logits: Floats, chosen: Ids, candidates: int) -> tuple[Floats, Ids, Ids, Floats]:
    """Of some rows: log probability and rank of the chosen ids, then the best ids and theirs."""
    if logits.ndim != 2 or not logits.shape[1]:
        raise HeadscopeError("record_logits_shape", shape=list(logits.shape))
    if not np.isfinite(logits.max(axis=1)).all():  # NaN comes out of max
        raise HeadscopeError("record_logits_finite")
    vocabulary = logits.shape[1]
    if chosen.size and chosen.max() >= vocabulary:
        raise HeadscopeError("token_id", id=int(chosen.max()), vocab=vocabulary)
    wide = logits.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    logprobs = (wide - np.log(np.exp(wide).sum(axis=1, keepdims=True))).astype(np.float32)
    best = _best(logits, min(candidates, vocabulary))
    every = np.arange(len(logits))
    free = chosen < 0
    chosen[free] = logits[free].argmax(axis=1)
    if not (np.isfinite(logprobs[every, chosen]).all() and np.isfinite(logits[every[:, None], best]).all()):
        raise HeadscopeError("record_logits_finite")
    own = logits[every, chosen][:, None]
    # Equal ones by ascending id, as the candidates are.
    before = np.arange(vocabulary) < chosen[:, None]
    rank = 1 + (logits > own).sum(axis=1) + ((logits == own) & before).sum(axis=1)
    return logprobs[every, chosen], rank, best, np.take_along_axis(logprobs, best, axis=1)


def _best(logits: Floats, count: int) -> Ids:
    """[rows, count] ids of the largest, descending; equal ones by ascending id."""
    if count == 0:
        return np.zeros((len(logits), 0), np.int64)
    least = -np.partition(-logits, count - 1, axis=1)[:, count - 1]
    rows = []
    for row, bound in zip(logits, least):
        places = np.flatnonzero(row >= bound)
        rows.append(places[np.argsort(-row[places], kind="stable")][:count])
    return np.array(rows, np.int64)
