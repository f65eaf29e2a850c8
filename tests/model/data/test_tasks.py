from __future__ import annotations

from collections import Counter

from model.data.tasks import TASKS, WORDS, reverse_pairs
from model.data.training_data import make_task_pairs, train_vocabularies


def test_pairs_are_reversed_words() -> None:
    pairs = reverse_pairs(2000, 1, shortest=2, longest=5)
    lengths = Counter(len(source.split(" ")) for source, _ in pairs)
    assert set(lengths) == {2, 3, 4, 5}
    assert min(lengths.values()) > 400
    words = Counter(word for source, _ in pairs for word in source.split(" "))
    assert set(words) == set(WORDS)
    assert max(words.values()) < 2 * min(words.values())
    for source, target in pairs:
        assert target.split(" ") == source.split(" ")[::-1]


def test_pure_function_of_its_arguments() -> None:
    assert reverse_pairs(50, 7) == reverse_pairs(50, 7)
    assert reverse_pairs(50, 7)[:20] == reverse_pairs(20, 7)
    assert reverse_pairs(50, 7) != reverse_pairs(50, 8)
    assert reverse_pairs(50, 7, longest=4) != reverse_pairs(50, 7)
    # Known once and for all: data hashes in logs and cards depend on it.
    assert reverse_pairs(2, 1) == [(source, " ".join(source.split()[::-1])) for source in FIRST_TWO]


FIRST_TWO = ["zoo zoo log dog pen jam ant fox yak", "dog sun pen urn"]


def test_words_are_short_and_distinct() -> None:
    assert len(set(WORDS)) == 24
    assert all(word.isascii() and word.islower() and 2 <= len(word) <= 4 for word in WORDS)


def test_each_word_is_one_piece() -> None:
    pairs, _ = make_task_pairs("reverse", 300, 1)
    tokenizer, same = train_vocabularies(
        pairs, vocab_size=8000, shared=True, languages=("und", "und"), model_type="word",
        byte_fallback=False, coverage=0.9995,
    )  # fmt: skip
    assert tokenizer is same
    assert tokenizer.vocab_size == 4 + len(WORDS)
    for word in WORDS:
        assert tokenizer.pieces(word) == ["▁" + word]
    text = " ".join(WORDS)
    assert len(tokenizer.encode(text)) == len(WORDS)
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert tokenizer.encode("dinosaur") == [tokenizer.unk_id]


def test_every_task_says_what_it_is() -> None:
    for task in TASKS.values():
        assert task.about.endswith(".")
        assert task.limits.endswith(".")
        assert len(task.pairs(3, 1)) == 3
