"""BPE-dropout: other cuts of the same text, the same for the same seed."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from model.data.corpus import encode_pairs
from model.data.subwords import bpe_dropout, resegmented
from model.tokens.tokenizer import SentencePieceTokenizer, train_tokenizer
from model.work import result_of
from tests.assets import PAIRS

LIMIT = 40


@pytest.fixture(scope="module")
def bpe() -> SentencePieceTokenizer:
    texts = (text for pair in PAIRS for text in pair)
    return SentencePieceTokenizer.from_bytes(
        train_tokenizer(texts, vocab_size=420, model_type="bpe", dummy_prefix=True, character_coverage=1.0)
    )


def test_every_cut_is_of_the_same_text_and_follows_from_its_seed(bpe: SentencePieceTokenizer) -> None:
    corpus = result_of(encode_pairs(PAIRS, bpe, bpe, LIMIT))
    batches = [np.array([3, 0]), np.array([7, 2, 19])]

    def cut(dropout: float, seed: int, most: int = LIMIT) -> tuple[list[list[int]], list[list[int]]]:
        found, places = resegmented(corpus, batches, bpe, bpe, dropout=dropout, seed=seed, max_tokens=most)
        assert [part.tolist() for part in places] == [[0, 1], [2, 3, 4]]
        return (
            [found.source(place).tolist() for place in range(5)],
            [found.target(place).tolist() for place in range(5)],
        )

    chosen = [PAIRS[i] for i in (3, 0, 7, 2, 19)]
    plain = cut(0.0, 1)
    assert plain == ([[*bpe.encode(s), bpe.end_id] for s, _ in chosen], [bpe.encode(t) for _, t in chosen])
    once = cut(0.3, 1)
    assert once == cut(0.3, 1)
    assert once != cut(0.3, 2)
    assert sum(map(len, once[0] + once[1])) > sum(map(len, plain[0] + plain[1]))
    for (source, target), read, written in zip(chosen, *once):
        assert (read[-1], bpe.decode(read), bpe.decode(written)) == (bpe.end_id, source, target)
    # Without any merge a text lies in letters; what would be too long then keeps its cut.
    letters = cut(0.999999, 1, most=1000)[0][1][:-1]
    assert [bpe.piece(i) for i in letters] == list("▁" + PAIRS[0][0].replace(" ", "▁"))
    most = max(len(ids) for side in plain for ids in side) + 1
    short = cut(0.999999, 1, most=most)
    assert short[1] != plain[1]
    assert all(
        len(ids) < most or ids == old for new, side in zip(short, plain) for ids, old in zip(new, side)
    )


def test_without_dropout_it_cuts_as_sentencepiece_does(bpe: SentencePieceTokenizer) -> None:
    """On text it never saw too: letters without a piece are bytes, which no merge touches."""
    texts = [*(text for pair in PAIRS for text in pair), "  two  spaces ", "Ωmega, 你好 and naïve\u2581", "x"]
    for text in texts:
        ids = bpe.encode(text)
        assert bpe_dropout(bpe, ids, 0.0, lambda: 0.0) == ids


def test_a_merge_is_left_out_as_often_as_asked(bpe: SentencePieceTokenizer) -> None:
    """A word of two letters that can only merge with each other is whole in 70 % of the draws."""
    merge = next(
        p for p in bpe.merges if len(p) == 2 and bpe.encode_continuation("·" + p) == [bpe.merges[p][1]]
    )
    draw = Random(3).random
    whole = sum(len(bpe_dropout(bpe, [bpe.merges[merge][1]], 0.3, draw)) == 1 for _ in range(2000))
    # Five standard deviations of a binomial count.
    assert abs(whole - 1400) < 5 * (2000 * 0.3 * 0.7) ** 0.5


def test_a_vocabulary_says_whether_it_was_learned_by_merging(bpe: SentencePieceTokenizer) -> None:
    other = train_tokenizer((pair[0] for pair in PAIRS), vocab_size=300, dummy_prefix=True)
    assert bpe.is_bpe
    assert not SentencePieceTokenizer.from_bytes(other).is_bpe
