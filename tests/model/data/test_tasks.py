from __future__ import annotations

import ast
from collections import Counter

import pytest

from model.data.tasks import TASKS, WORDS, Task, reverse_pairs
from model.data.tasks.names import KNOWN, UNSEEN, draw_names
from model.data.vocabularies import learn_vocabularies
from model.train_options import PRESETS, TrainOptions
from model.work import result_of
from tests.model.vocabulary import learned

TRANSLATED = [task for task in TASKS.values() if task.draw_links is not None]


def by_name(name: str) -> Task:
    return {str(key): task for key, task in TASKS.items()}[name]


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
    assert reverse_pairs(50, 7) == reverse_pairs(50, 7) == list(by_name("reverse").pairs(50, 7))
    assert reverse_pairs(50, 7)[:20] == reverse_pairs(20, 7)
    assert reverse_pairs(50, 7) != reverse_pairs(50, 8)
    assert reverse_pairs(50, 7, longest=4) != reverse_pairs(50, 7)
    # Known once and for all: data hashes in logs and cards depend on it.
    assert reverse_pairs(2, 1) == [(source, " ".join(source.split()[::-1])) for source in FIRST_TWO]


FIRST_TWO = ["zoo zoo log dog pen jam ant fox yak", "dog sun pen urn"]


@pytest.mark.parametrize("name", TASKS)
def test_the_seed_decides(name: str) -> None:
    task = by_name(name)
    assert list(task.pairs(30, 4)) == list(task.pairs(50, 4))[:30]
    assert list(task.pairs(30, 4)) != list(task.pairs(30, 5))
    assert list(task.links(30, 4)) == list(task.links(50, 4))[:30]


def test_copied_and_sorted() -> None:
    for source, target in by_name("copy").pairs(100, 3):
        assert target == source
    repeated = 0
    for source, target in by_name("sort").pairs(100, 3):
        assert target.split(" ") == sorted(source.split(" "))
        repeated += len(set(source.split(" "))) < len(source.split(" "))
    assert repeated > 20


def test_relations_join_each_word_with_its_mirror_image() -> None:
    task = by_name("relations")
    seen = dict(zip(task.pairs(300, 3), task.links(300, 3), strict=True))
    for (source, target), links in seen.items():
        words = source.split(" ")
        assert 3 <= len(words) <= 8
        assert target.split(" ") == [words[at] + words[-1 - at] for at in range(len(words))]
        assert set(links) == {(i, j) for j in range(len(words)) for i in (j, len(words) - 1 - j)}
    from model.data.tasks.relations import related

    assert related(["a", "c", "f", "b"]) == ["ab", "cf", "fc", "ba"]


def test_trees_by_hand() -> None:
    from model.data.tasks.trees import tree_of

    cases = {
        "a + b": "( + a b )",
        "a - b * c": "( - a ( * b c ) )",
        "a - b - c": "( - ( - a b ) c )",
        "a * b + c / d - e": "( - ( + ( * a b ) ( / c d ) ) e )",
        "a / b * c": "( * ( / a b ) c )",
    }
    for source, target in cases.items():
        assert " ".join(word for word, _ in tree_of(source.split(" "))) == target


def test_trees_are_pythons_own() -> None:
    signs = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}

    def written(node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return node.id
        assert isinstance(node, ast.BinOp)
        return f"( {signs[type(node.op)]} {written(node.left)} {written(node.right)} )"

    lengths = set()
    for source, target in by_name("trees").pairs(300, 2):
        assert target == written(ast.parse(source, mode="eval").body)
        lengths.add(len(source.split(" ")))
    assert lengths == {3, 5, 7, 9, 11}


@pytest.mark.parametrize("task", TRANSLATED, ids=lambda task: task.name)
def test_links_are_places_of_words(task: Task) -> None:
    for (source, target), links in zip(task.pairs(300, 6), task.links(300, 6), strict=True):
        words, rendered = source.split(" "), target.split(" ")
        assert links == tuple(sorted(set(links)))
        assert all(0 <= i < len(words) and 0 <= j < len(rendered) for i, j in links)
        # Every source word is rendered, and a word of the same spelling by itself in the toy tasks.
        assert {i for i, _ in links} == set(range(len(words)))
        if task.name not in ("grammar", "names", "relations"):
            assert all(words[i] == rendered[j] for i, j in links)
            assert len(links) == len(words)


def test_equal_words_keep_their_order_when_sorted() -> None:
    task = by_name("sort")
    pairs, links = list(task.pairs(200, 1)), list(task.links(200, 1))
    for (source, _), own in zip(pairs, links):
        words = source.split(" ")
        order = [i for i, _ in sorted(own, key=lambda link: link[1])]
        assert all(
            order[k] < order[k + 1] for k in range(len(words) - 1) if words[order[k]] == words[order[k + 1]]
        )


def test_words_are_short_and_distinct() -> None:
    assert len(set(WORDS)) == 24
    assert all(word.isascii() and word.islower() and 2 <= len(word) <= 4 for word in WORDS)


@pytest.mark.parametrize("name", TASKS)
def test_each_word_is_one_piece(name: str) -> None:
    task = by_name(name)
    pairs = list(task.pairs(min(task.size, 700), 1))
    tokenizer = learned(pairs, **task.options)
    words = {word for pair in pairs for text in pair for word in text.split(" ")}
    assert tokenizer.vocab_size == 4 + len(words) <= task.options["vocab_size"]
    for word in words:
        assert tokenizer.pieces(word) == ["▁" + word]
    text = " ".join(sorted(words))
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert tokenizer.encode("dinosaur") == [tokenizer.unk_id]


@pytest.mark.parametrize("name", TASKS)
def test_every_task_says_what_it_is(name: str) -> None:
    task = by_name(name)
    assert task.name == name
    assert task.title
    assert task.about.endswith(".")
    assert task.limits.endswith(".")
    assert task.preset in PRESETS
    known = {word for source, _ in task.pairs(3000, 1) for word in source.split(" ")}
    for probe in task.probes:
        assert set(probe.split(" ")) <= {*known, *task.words}


def test_names_that_no_pair_has_are_in_the_vocabulary_and_written_as_they_are() -> None:
    task = by_name("names")
    assert not set(KNOWN) & set(UNSEEN)
    pairs = list(task.pairs(4000, 2))
    seen = {word for pair in pairs for text in pair for word in text.split(" ")}
    assert set(KNOWN) <= seen
    assert not seen & set(UNSEEN)
    options = TrainOptions(name="names", task="names", task_size=4000, **task.options)
    source, target = result_of(learn_vocabularies(pairs, options))
    assert source is target
    for name in UNSEEN:
        assert source.unk_id not in source.encode(name)
    for number, (english, french) in zip(range(200), draw_names(3, UNSEEN)):
        own = [word for word in english.split(" ") if word in UNSEEN]
        assert own == [word for word in french.split(" ") if word in UNSEEN], number
        assert len(own) == 2
