"""Hard alignment: links read off cross-attention, each target word with the source word it looks at most.

Two rules say which row of the decoder speaks for a target word. `predicts`: the row that predicts it, as in
most work on attention and alignment. `reads`: the row after, which reads it; there the model knows the word
that is to be aligned, and several layers align better ("Shift-Att" of Chen et al., 2020, arXiv 2004.14837,
section 3). Start, end and padding tokens are dropped on both axes before the maximum is taken.

Pieces become words by summing over keys and averaging over queries, then a target word's link is the largest
of its row (Chen et al. link two words if any of their pieces are linked: theirs are other numbers).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from model.alignment.links import Gold, Link
from model.alignment.pieces import own_words, share_steps
from model.alignment.shares import Doubles, Places, Shares
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from model.work import result_of

Rule = Literal["predicts", "reads"]
RULES: tuple[Rule, ...] = get_args(Rule)


@dataclass(frozen=True, eq=False)
class WordMap:
    """How the pieces of a trace make words. S source tokens, T steps, I source words, J target words.

    Attributes:
        source, target: the words.
        keys: how much of each source token lies in each word, [S, I].
        produced: the same of each produced token, [T, J].
        shifted: whether row t reads what row t - 1 predicts; not so in a decoding in rounds.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    keys: Shares
    produced: Shares
    shifted: bool = True

    @classmethod
    def of(cls, trace: Trace, gold: Gold | None = None) -> Self:
        """The words that gold links count, or without such the sentence's own; raises as `steps`."""
        return result_of(cls.steps(trace, gold))

    @classmethod
    def steps(cls, trace: Trace, gold: Gold | None = None) -> Generator[None, None, Self]:
        """The same, found in steps, for who has something else to do between them.

        Raises:
            HeadscopeError: `align_no_cross`; `align_source_differs`, `align_target_differs`: the gold
                links are another sentence's.
        """
        if AttentionKind.CROSS not in trace.kinds:
            raise HeadscopeError("align_no_cross")
        gold, style = gold or Gold(), trace.token_style
        source = tuple(gold.source.split()) or own_words(trace.src_text, trace.src_tokens, style)
        target = tuple(gold.target.split()) or own_words(trace.tgt_text, trace.tgt_out_tokens, style)
        yield
        keys = yield from share_steps(trace.src_tokens, source, "source", style)
        yield
        produced = yield from share_steps(trace.tgt_out_tokens, target, "target", style)
        return cls(source, target, keys, produced, trace.tgt_in_tokens[1:] == trace.tgt_out_tokens[:-1])

    def rows_of(self, rule: Rule) -> list[Places]:
        """Which rows speak for each target word, ascending.

        A last word that no row reads, the end token not being reached, has none under `reads`.

        Raises:
            HeadscopeError: `align_round`: under `reads`, where rows do not read what was predicted before.
        """
        produced, _ = self.produced.by_word
        if not self._shift(rule):
            return produced
        return [(rows + 1)[rows + 1 < self.produced.shape[0]] for rows in produced]

    def word_at(self, rule: Rule, row: int) -> int | None:
        """The target word that a row speaks for, of several the one that has most of its piece.

        None for a row that speaks for no word; raises as `rows_of`.
        """
        piece = row - self._shift(rule)
        return self.produced.main_word(piece) if piece >= 0 else None

    def _shift(self, rule: Rule) -> int:
        """How many rows below that which predicts a piece is the one that speaks for it."""
        if rule == "predicts":
            return 0
        if not self.shifted:
            raise HeadscopeError("align_round")
        return 1

    def weights(self, pattern: npt.NDArray[np.floating], rule: Rule) -> Doubles:
        """Weights [..., J, I] between words from those [..., T, S] between tokens."""
        rows = self._row_merges.get(rule)
        if rows is None:
            speaking = self.rows_of(rule)
            even = [np.full(len(each), 1 / max(1, len(each))) for each in speaking]
            rows = self._row_merges[rule] = _Merge.of(speaking, even)
        return self._key_merge.apply(rows.apply(pattern, -2), -1)

    @cached_property
    def _key_merge(self) -> _Merge:
        return _Merge.of(*self.keys.by_word)

    @cached_property
    def _row_merges(self) -> dict[Rule, _Merge]:
        return {}


@dataclass(frozen=True, eq=False)
class _Merge:
    """A product with a matrix [words, tokens] that is nearly all zeros.

    Attributes:
        tokens, factors: of each entry that is not zero, word by word.
        words: those that have entries; `starts` where these begin.
        count: all words.
    """

    tokens: Places
    factors: Doubles
    words: Places
    starts: Places
    count: int

    @classmethod
    def of(cls, tokens: Sequence[Places], factors: Sequence[Doubles]) -> Self:
        """Args: of each word the tokens and their factors."""
        sizes = np.array([len(each) for each in tokens], np.intp)
        starts, words = np.cumsum(sizes) - sizes, np.flatnonzero(sizes)
        together = np.concatenate([np.zeros(0, np.intp), *tokens])
        return cls(together, np.concatenate([np.zeros(0), *factors]), words, starts[words], len(tokens))

    def apply(self, values: npt.NDArray[np.floating], axis: int) -> Doubles:
        """[..., tokens, ...] to [..., words, ...]; what need not be touched is left alone, for large maps."""
        result: Doubles = values.take(self.tokens, axis).astype(np.float64, copy=False)
        along = (slice(None), None) if axis == -2 else (slice(None),)
        if not (self.factors == 1).all():
            result *= self.factors[along]
        if len(self.starts) < len(self.tokens):
            result = np.add.reduceat(result, self.starts, axis)
        if len(self.words) == self.count:
            return result
        shape = list(result.shape)
        shape[axis] = self.count
        filled = np.zeros(shape)
        filled[(..., self.words, slice(None)) if axis == -2 else (..., self.words)] = result
        return filled


def diagonal_links(source: int, target: int) -> frozenset[Link]:
    """The links that whoever knows no word would guess: each target word with the source word as far along.

    Target word j of J is linked with source word ⌊(j + ½) I / J⌋ of I, in words as the links of heads are.
    """
    return frozenset(((2 * j + 1) * source // (2 * target), j) for j in range(target) if source)


def links_of(weights: Doubles) -> frozenset[Link]:
    """The link of each target word, from weights [J, I].

    Of equal source words the first is taken. A word whose weights are all 0 (all of its attention is on
    tokens that were dropped, or no row speaks for it) has no link.
    """
    if not weights.size:
        return frozenset()
    best: Sequence[int] = weights.argmax(1).tolist()
    return frozenset((i, j) for j, i in enumerate(best) if weights[j, i] > 0)
