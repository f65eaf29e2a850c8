"""Facts that a run's numbers follow from: how much text, in which letters, and how fast it is read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np

from model.data.pairs.pair_files import Pair
from model.data.pairs.survey import SAMPLED, CorpusSurvey
from model.train_options import TrainOptions

# Characters of a token, roughly: in writing that has spaces, and in writing whose characters are syllables.
SPACED, DENSE = 4.5, 1.5

_SPECIAL, _BYTES = 4, 256  # pieces beside the characters


@dataclass(frozen=True)
class Facts:
    """What is known of a run's corpus and machine; None where it is not known yet.

    Attributes:
        pairs: that are trained on.
        alphabet: the fewest pieces that a vocabulary of their characters has.
        tokens: of the longer side of every pair, added up: what a batch of so many tokens is cut from.
        speed: batch tokens a second.
    """

    pairs: int | None = None
    alphabet: int | None = None
    tokens: float | None = None
    speed: float | None = None


def facts_of_text(pairs: Iterable[Pair], count: int, options: TrainOptions) -> Facts:
    """What the pairs say before they are cut into pieces; the first `SAMPLED` of them tell the alphabet."""
    counts: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for pair in islice(pairs, SAMPLED):
        for side, text in zip(counts, pair):
            side.update(text)
    return Facts(pairs=count, alphabet=_alphabet(counts, options))


def facts_of_survey(survey: CorpusSurvey | None, options: TrainOptions) -> Facts:
    """What a survey says of the same, once it is complete; how many tokens there are is a guess."""
    if survey is None or not survey.complete or not survey.train:
        return Facts()
    alphabet = _alphabet(survey.characters, options) if any(survey.characters) else None
    return Facts(survey.train, alphabet, survey.train * tokens_of(survey))


def tokens_of(survey: CorpusSurvey) -> float:
    """Tokens of the longer side of an ordinary pair, from its characters."""
    sides = zip((survey.source_lengths, survey.target_lengths), survey.characters)
    return 2 + max(_mean(lengths) * _tokens_a_character(counts) for lengths, counts in sides)


def _mean(lengths: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
    """Characters of an ordinary sentence, from a histogram."""
    sentences = int(lengths.sum())
    return float(np.arange(len(lengths)) @ lengths) / sentences if sentences else 0.0


def _tokens_a_character(counts: Mapping[str, int]) -> float:
    total = sum(counts.values())
    dense = sum(count for letter, count in counts.items() if _is_dense(letter))
    share = dense / total if total else 0.0
    return share / DENSE + (1 - share) / SPACED


def _is_dense(letter: str) -> bool:
    """Han, kana, Thai, Lao and Hangul: what stands without spaces, or in syllables."""
    return "\u0e00" <= letter <= "\u0eff" or letter >= "\u3040"


def _alphabet(counts: tuple[Mapping[str, int], Mapping[str, int]], options: TrainOptions) -> int:
    """Pieces for the special tokens, bytes, and as many characters as the coverage asks for."""
    both = Counter(counts[0])
    both.update(counts[1])
    sides = [both] if options.shared_vocab else list(counts)
    covered = max(_covered(side, options.coverage) for side in sides)
    return _SPECIAL + (_BYTES if options.byte_fallback else 0) + covered


def _covered(counts: Mapping[str, int], coverage: float) -> int:
    """How many characters, the most frequent first, make up that share of the text."""
    frequent = np.sort(np.fromiter(counts.values(), dtype=np.int64, count=len(counts)))[::-1]
    if not len(frequent):
        return 0
    wanted = math.ceil(coverage * int(frequent.sum()))
    return min(len(frequent), int(np.searchsorted(np.cumsum(frequent), wanted)) + 1)
