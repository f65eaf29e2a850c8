"""`Trace`: what one decoding (or reading) showed, patterns, tokens, probabilities. numpy only, no torch.

Row t of every decoder array reads target input t (row 0 the start token) and predicts target output t.
Patterns are [layer, head, query, key], after softmax.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, Literal, Protocol, TypeGuard, get_args, runtime_checkable

import numpy as np
import numpy.typing as npt

from model.read_only import read_only
from model.tokens.words import TokenStyle

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

ClassRule = Literal["softmax", "sigmoid", "none"]
"""How logits of classes become probabilities: together, each by itself, or not at all (they are numbers)."""

FrameKind = Literal["training_step", "round"]
"""What the frames of a sequence of traces are: steps of a training run, rounds of one decoding."""

HIDDEN = "<mask>"
"""How a round shows, among the tokens that the decoder reads, one that is not yet written."""

Side = Literal["source", "target"]
"""What the encoder reads, and what the decoder reads and produces."""

_LONGEST_NUMBER = 18
_BLOCK = 1 << 18  # weights


class AttentionKind(StrEnum):
    """The three kinds of attention in an encoder-decoder Transformer (paper, section 3.2.3)."""

    ENCODER_SELF = "encoder_self"
    DECODER_SELF = "decoder_self"
    CROSS = "cross"


class Patterns(Protocol):
    """Where a trace's patterns come from: memory, a file, another program's model."""

    def shape(self, kind: AttentionKind) -> tuple[int, int, int, int] | None:
        """(layers, heads, queries, keys), or None when the model lacks this kind."""

    def pattern(self, kind: AttentionKind, layer: int, head: int) -> Floats:
        """One head's weights, float32 [query, key], read-only."""

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        """All heads of a layer, float32 [head, query, key], read-only."""


@runtime_checkable
class ByRows(Patterns, Protocol):
    """Patterns of which some rows of a head are read without the others."""

    def rows(self, kind: AttentionKind, layer: int, head: int, first: int, last: int) -> Floats:
        """Rows `first` to `last` (exclusive) of `pattern`, float32 [query, key], read-only."""


@lru_cache(maxsize=64)
def _follows(kind: type, protocol: type) -> bool:
    return issubclass(kind, protocol)  # which takes Python longer than to read a row of a short sentence


def gives_rows(patterns: Patterns) -> TypeGuard[ByRows]:
    """Whether some rows of a head can be read without the others."""
    return _follows(type(patterns), ByRows)


def rows_of(
    patterns: Patterns, kind: AttentionKind, layer: int, head: int | None, first: int, last: int
) -> Floats:
    """Rows `first` to `last` (exclusive) of one head, or (None) of the mean over the layer's heads.

    Where patterns can be read by rows, no other rows are; float32 [query, key].
    """
    if head is not None:
        if gives_rows(patterns):
            return patterns.rows(kind, layer, head, first, last)
        rows: Floats = patterns.pattern(kind, layer, head)[first:last]
        return rows
    shape = patterns.shape(kind)
    assert shape is not None
    total = np.zeros((last - first, shape[3]), np.float64)
    for each in range(shape[1]):
        total += rows_of(patterns, kind, layer, each, first, last)
    total /= shape[1]
    return total.astype(np.float32)


def heads_in_order(patterns: Patterns, kind: AttentionKind) -> Iterator[tuple[int, Floats]]:
    """Layer and weights [query, key] of every head, layer by layer.

    Of a file each head is read by itself; what a model gave is there a layer at a time.
    """
    shape = patterns.shape(kind)
    assert shape is not None
    for layer in range(shape[0]):
        if gives_rows(patterns):
            yield from ((layer, patterns.pattern(kind, layer, head)) for head in range(shape[1]))
        else:
            yield from ((layer, weights) for weights in patterns.layer(kind, layer))


def row_blocks(queries: int, keys: int) -> list[tuple[int, int]]:
    """Rows of a long map in blocks, half-open, each small enough to stay in a processor's cache."""
    step = max(1, _BLOCK // max(1, keys))
    return [(first, min(queries, first + step)) for first in range(0, queries, step)]


@dataclass(frozen=True)
class Unsound:
    """Rows of a recorded head that are no attention weights: they neither sum to 1 nor are masked.

    Attributes:
        rows: how many.
        row: the one that is furthest from 1, from 0.
        total: its sum.
    """

    rows: int
    row: int
    total: float


@runtime_checkable
class Doubtful(Patterns, Protocol):
    """Patterns that somebody may have damaged: each head is looked at when it is read."""

    def unsound(self, kind: AttentionKind, layer: int, head: int) -> Unsound | None:
        """What is wrong with a head's rows; reads it if nobody has. None for what is no attention weight."""

    def found_unsound(self) -> Mapping[tuple[AttentionKind, int, int], Unsound]:
        """What is known of the heads that were read: those with something wrong, in order."""


def may_be_damaged(patterns: Patterns) -> TypeGuard[Doubtful]:
    """Whether somebody may have damaged these patterns."""
    return _follows(type(patterns), Doubtful)


_WORTH_COPYING = 1.25  # how much more the larger array takes


class ArrayPatterns:
    """Patterns held in memory as one array [layer, head, query, key] a kind."""

    def __init__(self, arrays: Mapping[AttentionKind, Floats]) -> None:
        self._arrays = {kind: read_only(np.asarray(array, np.float32)) for kind, array in arrays.items()}

    def shape(self, kind: AttentionKind) -> tuple[int, int, int, int] | None:
        """See `Patterns`."""
        array = self._arrays.get(kind)
        if array is None:
            return None
        layers, heads, queries, keys = array.shape
        return layers, heads, queries, keys

    def pattern(self, kind: AttentionKind, layer: int, head: int) -> Floats:
        """See `Patterns`."""
        weights: Floats = self._arrays[kind][layer, head]
        return weights

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        """See `Patterns`."""
        weights: Floats = self._arrays[kind][layer]
        return weights

    def apart(self) -> ArrayPatterns:
        """The same numbers without the larger arrays that they may be views of.

        What is most of its larger array stays a view: a copy would take more than it sets free.
        """
        return ArrayPatterns({kind: _apart(array) for kind, array in self._arrays.items()})


def _apart(array: Floats) -> Floats:
    whole = array
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    return array.copy() if _WORTH_COPYING * array.nbytes < whole.nbytes else array


@dataclass(frozen=True, eq=False)
class Trace:
    """One decoding, complete or (while it runs) up to the newest token.

    Attributes:
        src_tokens, tgt_in_tokens, tgt_out_tokens: raw pieces, specials included, one an id. A recording made
            elsewhere may not know the very last one predicted: it is empty.
        src_ids, tgt_in_ids, tgt_out_ids: their ids; negative where nobody recorded any, and then equal where
            the tokens are.
        step_logprob: [T] natural log probability of each produced token; NaN where nobody recorded it.
        candidate_ids, candidate_logprobs: [T, K] most probable tokens of the unfiltered softmax at
            temperature 1, descending; `candidate_tokens` their pieces.
        decoding: `{"mode": "greedy" | "beam" | "sample" | "forced" | "read", ...}`; `read` of a model that
            reads all at once and writes nothing.
        alterations: what was changed in the model's computation; empty if nothing.
        numbers: `pattern`, or the name of an aggregate.
        finished: False while the decoding runs, and when the length limit stopped it.
        extra: further header entries, kept when a file is read and written again.
        step_rank: [T] place of each produced token among all, the most probable 1; None if not recorded.
        candidate_drawn: sampling: [T, K] natural log of each candidate's probability after temperature, top-k
            and top-p, minus infinity where they leave it out; None where nothing was drawn.
        drawn_count: sampling: [T] how many tokens of the vocabulary the filters leave.
        copy_share: [T] how much of each next token's probabilities is copied from the source, 0 to 1; None
            of a model that copies nothing. See `model.network.copying`.
        src_candidate_ids, src_candidate_logprobs: [S, K] what a model of masked words thinks stands at each
            source token, as `candidate_ids`; `src_candidate_tokens` their pieces. None of other models.
        src_logprob: [S] natural log of the probability that such a model gives, at each source token, to the
            token that stands there; `src_rank` its place among all, the most probable 1.
        src_segments: [S] which sentence of a pair each source token is of, from 0; None where nothing says.
        class_logits: [C] what a model that sorts texts says of this one, before any softmax; `class_names` of
            what, in order. None of other models. `class_rule` says how probabilities come of them.
    """

    patterns: Patterns
    src_text: str
    tgt_text: str
    src_tokens: tuple[str, ...]
    tgt_in_tokens: tuple[str, ...]
    tgt_out_tokens: tuple[str, ...]
    src_ids: Ids
    tgt_in_ids: Ids
    tgt_out_ids: Ids
    step_logprob: Floats
    candidate_ids: Ids
    candidate_logprobs: Floats
    candidate_tokens: tuple[tuple[str, ...], ...]
    model_name: str = ""
    model_sha256: str = ""
    decoding: Mapping[str, Any] = field(default_factory=lambda: {"mode": "greedy"})
    alterations: tuple[Any, ...] = ()
    numbers: str = "pattern"
    compute_dtype: str = "float32"
    seed: int | None = None
    created_by: str = ""
    finished: bool = True
    extra: Mapping[str, str] = field(default_factory=dict)
    step_rank: Ids | None = None
    candidate_drawn: Floats | None = None
    drawn_count: Ids | None = None
    copy_share: Floats | None = None
    src_candidate_ids: Ids | None = None
    src_candidate_logprobs: Floats | None = None
    src_candidate_tokens: tuple[tuple[str, ...], ...] = ()
    src_logprob: Floats | None = None
    src_rank: Ids | None = None
    src_segments: Ids | None = None
    class_logits: Floats | None = None
    class_names: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[AttentionKind, ...]:
        """The kinds present, in the order encoder, decoder, cross."""
        return tuple(kind for kind in AttentionKind if self.patterns.shape(kind) is not None)

    @property
    def steps(self) -> int:
        """T, the number of decoding steps (rows of the decoder)."""
        return len(self.tgt_out_ids)

    @property
    def only_reads(self) -> bool:
        """Whether it is of a model that writes nothing: a text read at once, by an encoder alone."""
        return self.steps == 0 and self.kinds == (AttentionKind.ENCODER_SELF,)

    @property
    def mask_token(self) -> str:
        """The piece that hides a word from a model of masked words, such as `[MASK]`; empty of others."""
        return self.extra.get("mask_token", "") if self.src_candidate_ids is not None else ""

    @property
    def masked(self) -> tuple[int, ...]:
        """The source tokens that are hidden, in order."""
        mask = self.mask_token
        return tuple(place for place, piece in enumerate(self.src_tokens) if mask and piece == mask)

    @property
    def class_rule(self) -> ClassRule:
        """How the logits of a model that sorts texts become probabilities."""
        said = self.extra.get("class_rule", "")
        return next((rule for rule in get_args(ClassRule) if rule == said), "softmax")

    @property
    def class_shares(self) -> Floats | None:
        """[C] the probability of each class; None where there are none, or where they are mere numbers."""
        if self.class_logits is None or self.class_rule == "none":
            return None
        logits = self.class_logits.astype(np.float64)
        shares = np.exp(logits - np.logaddexp(0.0, logits))
        if self.class_rule == "softmax":
            shares = np.exp(logits - np.logaddexp.reduce(logits))
        return shares.astype(np.float32)

    @property
    def prompt_length(self) -> int:
        """Of a model without an encoder: how many of the input tokens were given; 0 of any other."""
        text = self.extra.get("prompt_length", "")
        return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else 0

    @property
    def token_style(self) -> TokenStyle:
        """How its pieces are written."""
        text = self.extra.get("token_style", "")
        return TokenStyle(text) if text in list(TokenStyle) else TokenStyle.SENTENCEPIECE

    @property
    def frame(self) -> int | None:
        """Its number in a sequence, such as the training step; None when it is of no sequence."""
        return frame_of(self.extra)[0]

    @property
    def frame_kind(self) -> FrameKind | None:
        """What `frame` counts; None when it is of no sequence."""
        return frame_of(self.extra)[1]

    def may_be_of(self, name: str, sha256: str) -> bool:
        """Whether a model may have made it, so that it can go on from here: the one with the same hash.

        A recording made elsewhere has no hash: then the one of the same name, if its ids are recorded.
        """
        if self.model_sha256:
            return self.model_sha256 == sha256
        ids = self.tgt_out_ids if self.steps else self.src_ids
        known = not len(ids) or int(ids.max()) >= 0
        return known and self.model_name in ("", name) and self.decoding.get("mode") != "recorded"

    @property
    def is_causal(self) -> bool:
        """Whether no row of decoder_self may attend to a later token."""
        return not self.is_round and self.extra.get("bidirectional") != "true"

    @property
    def known_steps(self) -> npt.NDArray[np.bool_]:
        """[T] at which steps it was recorded what the model thought of the next token."""
        known: npt.NDArray[np.bool_] = ~np.isnan(self.step_logprob)
        return known

    def probability(self, step: int) -> float:
        """Of the token predicted at a step, 0 to 1; NaN where nobody recorded it."""
        return min(math.exp(float(self.step_logprob[step])), 1.0)  # this way round NaN stays

    def probabilities(self) -> list[float]:
        """The same of every step."""
        return [min(math.exp(logprob), 1.0) for logprob in self.step_logprob.tolist()]

    @property
    def is_round(self) -> bool:
        """Whether this is a round of a decoding that writes all tokens at once: not causal, no steps."""
        return self.extra.get("frame_kind") == "round"

    def layers(self, kind: AttentionKind) -> int:
        """Number of layers of a kind; 0 when the model lacks it."""
        shape = self.patterns.shape(kind)
        return 0 if shape is None else shape[0]

    def heads(self, kind: AttentionKind) -> int:
        """Number of heads in each layer of a kind; 0 when the model lacks it."""
        shape = self.patterns.shape(kind)
        return 0 if shape is None else shape[1]

    def pattern(self, kind: AttentionKind, layer: int, head: int | None) -> Floats:
        """Weights [query, key] of one head, or their mean over the layer's heads when `head` is None."""
        if head is None:
            mean: Floats = self.patterns.layer(kind, layer).mean(axis=0, dtype=np.float64).astype(np.float32)
            return mean
        return self.patterns.pattern(kind, layer, head)

    def row(self, kind: AttentionKind, layer: int, head: int | None, query: int) -> Floats:
        """Weights [key] of one query, of a head or (None) of the mean over the layer's heads."""
        weights: Floats = rows_of(self.patterns, kind, layer, head, query, query + 1)[0]
        return weights

    def unsound(self, kind: AttentionKind, layer: int, head: int | None) -> dict[int, Unsound]:
        """What is wrong with the rows of a head, or (None) of each of a layer's; empty as a rule.

        Only files can be damaged; what was decoded just now is as the model computed it.
        """
        patterns = self.patterns
        if not may_be_damaged(patterns):
            return {}
        heads = range(self.heads(kind)) if head is None else (head,)
        found = {each: patterns.unsound(kind, layer, each) for each in heads}
        return {each: wrong for each, wrong in found.items() if wrong is not None}

    def found_unsound(self) -> Mapping[tuple[AttentionKind, int, int], Unsound]:
        """What is known so far of heads with rows that are no weights, by kind, layer and head."""
        return self.patterns.found_unsound() if may_be_damaged(self.patterns) else {}

    def query_tokens(self, kind: AttentionKind) -> tuple[str, ...]:
        """Raw pieces along the query axis: what is read there."""
        return self.src_tokens if kind is AttentionKind.ENCODER_SELF else self.tgt_in_tokens

    def key_tokens(self, kind: AttentionKind) -> tuple[str, ...]:
        """Raw pieces along the key axis."""
        return self.tgt_in_tokens if kind is AttentionKind.DECODER_SELF else self.src_tokens


def frame_of(metadata: Mapping[str, str]) -> tuple[int | None, FrameKind | None]:
    """A trace's place in a sequence, by its header; (None, None) when it has none that can be read."""
    kind = next((kind for kind in get_args(FrameKind) if kind == metadata.get("frame_kind")), None)
    number = metadata.get("frame", "")
    if kind is None or not (number.isascii() and number.isdigit() and len(number) <= _LONGEST_NUMBER):
        return None, None
    return int(number), kind
