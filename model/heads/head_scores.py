"""Head scores: metrics of every head of a trace, one head at a time for little memory. No torch.

Formulas and sources: `model.heads.head_metrics`. Shapes: L layers, H heads, Q queries, K keys, M metrics.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from model.extensions.found import Extension
from model.extensions.kinds import Head
from model.heads.added_scores import Added, AddedTally
from model.heads.head_metrics import METRICS, PLACE, Metric
from model.tokens.spelling import BROKEN, letters
from model.tokens.token_style import ENDS, SPACE_MARK, STARTS, TokenStyle, is_special
from model.trace.trace import AttentionKind, Floats, Trace, row_blocks

Doubles = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_NEIGHBOURS = (
    (-1, Metric.PREVIOUS, Metric.PREVIOUS_TOP),
    (1, Metric.NEXT, Metric.NEXT_TOP),
    (0, Metric.SAME, Metric.SAME_TOP),
)


@dataclass(frozen=True, eq=False)
class KeyTokens:
    """What the keys of a kind of attention are.

    Attributes:
        start, end, punctuation: [K] which of them are such a token.
        blocked: [K] what nobody is allowed to look at.
        causal: query i sees the keys up to i alone.
        own: the queries are the same tokens (self-attention).
    """

    start: Flags
    end: Flags
    punctuation: Flags
    blocked: Flags
    causal: bool
    own: bool

    @classmethod
    def of(
        cls,
        kind: AttentionKind,
        pieces: Sequence[str],
        *,
        style: TokenStyle = TokenStyle.SENTENCEPIECE,
        blocked: Sequence[int] = (),
        causal: bool | None = None,
    ) -> KeyTokens:
        """Judge raw pieces.

        The first that a decoder reads is its start token whatever its name, and the last of a source its end
        token if it stands for no text.

        Args:
            style: how the pieces are written.
            causal: None for what the kind is.
        """
        decoder = kind is AttentionKind.DECODER_SELF
        start = np.array([piece in STARTS for piece in pieces], bool)
        if decoder:
            start[:1] = True
        end = np.array([piece in ENDS for piece in pieces], bool)
        if not decoder and pieces and is_special(pieces[-1], style):
            end[-1] = True
        end &= ~start
        hidden = np.isin(np.arange(len(pieces)), np.asarray(blocked, np.int64))
        return cls(
            start=start,
            end=end,
            punctuation=_punctuation(pieces, style),
            blocked=hidden,
            causal=decoder if causal is None else causal,
            own=kind is not AttentionKind.CROSS,
        )

    def seen(self, queries: int, first: int = 0) -> Flags:
        """[Q, K] which keys each query may see, from the query `first` on."""
        allowed = np.broadcast_to(~self.blocked, (queries, len(self.blocked)))
        return np.tril(allowed, first) if self.causal else allowed

    def ever_seen(self, queries: int) -> Flags:
        """[K] which keys any of the first `queries` queries may see."""
        return self.seen(1, queries - 1)[0] if queries else np.zeros(len(self.blocked), bool)


@dataclass(frozen=True, eq=False)
class HeadScores:
    """Metrics of all heads.

    Attributes:
        values: by kind float64 [L, H, M] in the order of `METRICS`; NaN where no row counts.
        rows: by kind int64 [L, H]: rows that are not masked as a whole.
        added: metrics of other packages, of one trace.
    """

    values: Mapping[AttentionKind, Doubles]
    rows: Mapping[AttentionKind, Counts]
    added: tuple[Added, ...] = ()

    def of(self, kind: AttentionKind, metric: Metric) -> Doubles:
        """[L, H] one metric of a kind of attention."""
        scores: Doubles = self.values[kind][:, :, PLACE[metric]]
        return scores


class HeadTally:
    """Sums over rows, of one sentence or many: each row counts alike.

    Args:
        sizes: layers and heads by kind.
    """

    def __init__(self, sizes: Mapping[AttentionKind, tuple[int, int]]) -> None:
        self._sums = {kind: np.zeros((*size, len(METRICS))) for kind, size in sizes.items()}
        self._counts = {kind: np.zeros((*size, len(METRICS)), np.int64) for kind, size in sizes.items()}
        self._rows = {kind: np.zeros(size, np.int64) for kind, size in sizes.items()}

    def add(
        self, kind: AttentionKind, layer: int, head: int | slice, weights: Floats, keys: KeyTokens
    ) -> None:
        """Count a pattern [Q, K] of one head, or [h, Q, K] of a slice of heads."""
        sums, counts, rows = row_sums(weights, keys)
        self._sums[kind][layer, head] += sums
        self._counts[kind][layer, head] += counts
        self._rows[kind][layer, head] += rows

    def scores(self) -> HeadScores:
        """The means so far."""
        values = {}
        for kind, sums in self._sums.items():
            counts = self._counts[kind]
            values[kind] = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        return HeadScores(values, {kind: rows.copy() for kind, rows in self._rows.items()})


def score_trace(
    trace: Trace, added: Iterable[Extension] = ()
) -> Iterator[tuple[int, int] | HeadScores | None]:
    """Metrics of every head of a trace.

    Args:
        added: metrics of other packages to be measured too.

    Yields:
        (layers done, layers in all) after each layer, None after each head, at last the scores.

    Raises:
        HeadscopeError: the trace's file cannot be read any more.
    """
    shapes = {kind: trace.patterns.shape(kind) for kind in trace.kinds}
    sizes = {kind: shape[:2] for kind, shape in shapes.items() if shape is not None}
    tally, beside = HeadTally(sizes), AddedTally(added, sizes)
    total = sum(trace.layers(kind) for kind in trace.kinds)
    done = 0
    yield done, total
    for kind in trace.kinds:
        keys = keys_of(trace, kind)
        for layer in range(trace.layers(kind)):
            for head in range(trace.heads(kind)):
                weights = trace.pattern(kind, layer, head)
                tally.add(kind, layer, head, weights, keys)
                beside.add(weights, Head(kind, layer, head, trace))
                yield None
            done += 1
            yield done, total
    yield replace(tally.scores(), added=beside.added())


def keys_of(trace: Trace, kind: AttentionKind) -> KeyTokens:
    """What the keys of a kind of attention of a trace are."""
    blocked = [int(change["token"]) for change in trace.alterations if change.get("type") == "block"]
    return KeyTokens.of(
        kind,
        trace.key_tokens(kind),
        style=trace.token_style,
        blocked=() if kind is AttentionKind.DECODER_SELF else blocked,
        causal=kind is AttentionKind.DECODER_SELF and trace.is_causal,
    )


def row_sums(weights: Floats, keys: KeyTokens) -> tuple[Doubles, Counts, Counts]:
    """Sums of every metric over the rows that count in it, how many these are, and the rows not masked.

    Args:
        weights: [..., Q, K].

    Returns:
        [..., M], [..., M], [...].
    """
    *heads, queries, width = weights.shape
    # A dozen arrays of 8 bytes a cell of a whole long map took ten times as long, and whoever else takes
    # memory waited while the system cleared theirs.
    parts = row_blocks(queries, math.prod(heads) * width) or [(0, 0)]
    blocks = [_block_sums(weights[..., first:end, :], keys, first, queries) for first, end in parts]
    sums, counts, whole = blocks[0]
    for more_sums, more_counts, more_whole in blocks[1:]:
        sums += more_sums
        counts += more_counts
        whole = whole + more_whole
    return sums, counts, whole


def _block_sums(weights: Floats, keys: KeyTokens, first: int, queries: int) -> tuple[Doubles, Counts, Counts]:
    """`row_sums` of some rows [..., q, K] of `queries`, from the row `first` on."""
    pattern = weights.astype(np.float64)
    seen = keys.seen(pattern.shape[-2], first)
    number = seen.sum(-1)
    sums = _Sums(pattern)
    entropy = 0.0 - (pattern * np.log(np.where(pattern > 0, pattern, 1.0))).sum(-1)
    sums.take(Metric.ENTROPY, entropy)
    sums.take(Metric.NORMALISED_ENTROPY, entropy / np.log(np.maximum(number, 2)), number > 1)
    sums.take(Metric.MAXIMUM, pattern.max(-1, initial=0.0))
    far = _distances(first, len(seen), seen.shape[1], queries)
    reach = np.where(seen, far, 0.0).max(-1, initial=0.0)
    off = np.einsum("...qk,qk->...q", pattern, far)
    sums.take(Metric.DIAGONALITY, 1.0 - off / np.where(reach > 0, reach, 1.0), reach > 0)
    sinks = {Metric.END: keys.end, Metric.START: keys.start, Metric.PUNCTUATION: keys.punctuation}
    for metric, tokens in sinks.items():
        if bool((keys.ever_seen(queries) & tokens).any()):
            sums.take(metric, pattern @ tokens.astype(np.float64))
    if keys.own:
        sums.take(Metric.DISTANCE, off * max(1, queries - 1))
        _take_neighbours(sums, pattern, seen, first)
    return sums.sums, sums.counts, sums.whole.sum(-1)


class _Sums:
    """What `row_sums` collects.

    Attributes:
        whole: [..., Q] rows that are not masked as a whole.
    """

    def __init__(self, pattern: Doubles) -> None:
        shape = (*pattern.shape[:-2], len(METRICS))
        self.sums, self.counts = np.zeros(shape), np.zeros(shape, np.int64)
        self.whole: Flags = np.any(pattern > 0, axis=-1)

    def take(self, metric: Metric, values: Doubles, rows: Flags | None = None) -> None:
        """Add a metric's values [..., Q] of the rows [Q] that count in it."""
        counted = self.whole if rows is None else self.whole & rows
        self.sums[..., PLACE[metric]] = np.where(counted, values, 0.0).sum(-1)
        self.counts[..., PLACE[metric]] = counted.sum(-1)


def _take_neighbours(sums: _Sums, pattern: Doubles, seen: Flags, first: int) -> None:
    """The previous, the next and the same token, where a query may see it."""
    queries, keys = seen.shape
    if not keys:
        return
    rows, top = np.arange(queries), pattern.argmax(-1)
    for offset, share, hits in _NEIGHBOURS:
        token = first + rows + offset
        there = (token >= 0) & (token < keys)
        key = np.where(there, token, 0)
        counted = there & seen[rows, key]
        sums.take(share, pattern[..., rows, key], counted)
        sums.take(hits, (top == key).astype(np.float64), counted)


def _distances(first: int, rows: int, keys: int, queries: int) -> Doubles:
    """[rows, K] how far each cell is from the diagonal that goes from corner to corner, 0 to 1.

    Args:
        first: which of all `queries` the first row is.
    """
    down = np.arange(first, first + rows) / max(1, queries - 1)
    across = np.arange(keys) / max(1, keys - 1)
    far: Doubles = np.abs(down[:, None] - across[None, :])
    return far


def _punctuation(pieces: Sequence[str], style: TokenStyle) -> Flags:
    """[K] pieces that are punctuation and nothing else; those that spell one character in bytes alike."""
    texts = [""] * len(pieces)
    for letter in letters(pieces, style):
        for place in range(letter.first, letter.end):
            texts[place] += letter.text or BROKEN
    return np.array([_is_punctuation(text.replace(SPACE_MARK, "")) for text in texts], bool)


def _is_punctuation(text: str) -> bool:
    return bool(text) and all(unicodedata.category(letter).startswith("P") for letter in text)
