"""Head alignment: AER of every cross-attention head over many sentences. No torch; see `model.alignment`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.alignment.aer import Aer
from model.alignment.hard import Rule, WordMap, diagonal_links, links_of
from model.alignment.heads import aer_of_heads
from model.alignment.links import Gold
from model.alignment.pieces import own_words, word_shares
from model.heads.head_scores import Doubles
from model.tokens.token_style import TokenStyle
from model.trace.trace import AttentionKind, Floats, Trace


@dataclass(frozen=True, eq=False)
class Aligning:
    """A sentence pair's words and their gold links."""

    words: WordMap
    gold: Gold


class AlignmentTally:
    """Counts of links, added up over sentences: AER of a corpus is that of its sums (Och and Ney, 2003).

    Attributes:
        diagonal: those of the plain diagonal, see `model.alignment.hard.diagonal_links`.
    """

    def __init__(self, layers: int, heads: int, rule: Rule) -> None:
        self._counts = [[Aer() for _ in range(heads)] for _ in range(layers)]
        self._rule: Rule = rule
        self.diagonal = Aer()

    def add(self, layer: int, weights: Floats, aligning: Aligning) -> None:
        """Count a layer's cross-attention [H, T, S] to one sentence."""
        words = aligning.words
        if layer == 0:  # once a sentence
            self.diagonal += Aer.of(diagonal_links(len(words.source), len(words.target)), aligning.gold)
        between = words.weights(weights, self._rule)
        for head, one in enumerate(between):
            self._counts[layer][head] += Aer.of(links_of(one), aligning.gold)

    def rates(self) -> Doubles:
        """[L, H] AER; NaN where there are no links at all."""
        rates = [[count.rate for count in layer] for layer in self._counts]
        return np.array([[np.nan if rate is None else rate for rate in layer] for layer in rates], np.float64)


def words_of(
    source: str,
    target: str,
    source_pieces: Sequence[str],
    out_pieces: Sequence[str],
    style: TokenStyle = TokenStyle.SENTENCEPIECE,
) -> WordMap:
    """The words of a pair that is read by teacher forcing, as `WordMap.of` makes them of a trace.

    Args:
        out_pieces: what the decoder's rows predict, the end token included.

    Raises:
        HeadscopeError: the pieces spell another text.
    """
    words = own_words(source, source_pieces, style), own_words(target, out_pieces, style)
    return WordMap(
        *words,
        word_shares(source_pieces, words[0], "source", style),
        word_shares(out_pieces, words[1], "target", style),
    )


def aer_of_trace(trace: Trace, gold: Gold, rule: Rule, *, one_based: bool = False) -> Doubles:
    """[L, H] AER of a trace's cross-attention heads; NaN where there are no links at all.

    Raises:
        HeadscopeError: as `model.alignment.heads.aer_of_heads`.
    """
    counts = aer_of_heads(trace, gold, rule, one_based=one_based)
    shape = trace.layers(AttentionKind.CROSS), trace.heads(AttentionKind.CROSS)
    rates = np.full(shape, np.nan)
    for place, count in counts.items():
        rates[place] = np.nan if count.rate is None else count.rate
    return rates


def diagonal_aer(trace: Trace, gold: Gold) -> Aer:
    """How the plain diagonal agrees with a trace's gold links; raises as `WordMap.of`."""
    words = WordMap.of(trace, gold)
    return Aer.of(diagonal_links(len(words.source), len(words.target)), gold)
