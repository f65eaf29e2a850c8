from __future__ import annotations

import numpy as np
import pytest

from model import work
from model.data.corpus import encode_pairs, references
from model.data.pair_list import PairList, PairStore
from model.errors import HeadscopeError
from model.tokens.tokenizer import SentencePieceTokenizer, train_tokenizer
from model.work import result_of


@pytest.fixture(scope="module")
def letters() -> SentencePieceTokenizer:
    data = train_tokenizer(["a", "b", "c"], vocab_size=8, dummy_prefix=False, byte_fallback=False)
    return SentencePieceTokenizer.from_bytes(data)


def test_references_keep_file_order() -> None:
    pairs = [("b", "1"), ("a", "2"), ("b", "3"), ("b", "1")]
    assert references(pairs) == [("b", ["1", "3", "1"]), ("a", ["2"])]


def test_encoded_corpus(letters: SentencePieceTokenizer) -> None:
    pairs = [("ab", "c"), ("", "a"), ("a", ""), ("abc", "abc"), ("abca", "a"), ("a", "abca"), ("c", "ba")]
    a, b, c = (letters.encode(letter)[0] for letter in "abc")
    for given in (pairs, PairList(PairStore(pairs))):
        corpus = result_of(encode_pairs(given, letters, letters, 4))
        assert len(corpus) == 3
        assert (corpus.dropped_empty, corpus.dropped_long) == (2, 2)
        assert corpus.source_ids.dtype == np.int32
        assert corpus.source_offsets.dtype == np.int64
        assert [corpus.source(i).tolist() for i in range(3)] == [[a, b, 3], [a, b, c, 3], [c, 3]]
        assert [corpus.target(i).tolist() for i in range(3)] == [[c], [a, b, c], [b, a]]
        assert corpus.source_lengths.tolist() == [3, 4, 2]
        assert corpus.target_lengths.tolist() == [1, 3, 2]


def test_encoding_nothing(letters: SentencePieceTokenizer) -> None:
    assert len(result_of(encode_pairs([], letters, letters, 4))) == 0
    assert len(result_of(encode_pairs([("", "")], letters, letters, 4))) == 0


def test_progress(letters: SentencePieceTokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [("a", "b")] * 100
    seen = list(encode_pairs(pairs, letters, letters, 4))
    assert seen[0] == (0, 100)
    assert seen[-1] == (100, 100)
    monkeypatch.setattr(work, "PACE", 0.0)
    seen = list(encode_pairs(pairs, letters, letters, 4))
    assert seen == [(done, 100) for done in range(0, 100, 16)] + [(100, 100)]


def test_cancelling(letters: SentencePieceTokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "PACE", 0.0)
    asked = iter([False, False, True])
    encoding = encode_pairs([("a", "b")] * 100, letters, letters, 4, lambda: next(asked))
    assert [next(encoding), next(encoding)] == [(0, 100), (16, 100)]
    with pytest.raises(HeadscopeError) as error:
        next(encoding)
    assert error.value.code == "cancelled"
