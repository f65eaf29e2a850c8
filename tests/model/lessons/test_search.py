"""Greedy, beam and sampling: a tree worked by hand, random trees searched by brute force, and plain torch."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.alterations.block_token import BlockToken
from model.bundle.bundle import load_bundle, write_bundle
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.lessons.lesson import Numbers, taken_values
from model.lessons.search import SEARCH, TreeOf, controls, toy
from model.lessons.search_tree import TokenTree, beam, greedy, ranking, sampled, shares
from model.questions.questions import Reading
from model.translator.translator import Translator
from tests.model import tiny_bundle
from tests.model.alterations.altered_plain import AlteredPlain

SOURCE, OUT = (4, 9, 17, 3), (11, 20, 8, 3)


def numbers(**given_: Any) -> Numbers:
    return SEARCH.numbers(taken_values(controls(None), given_), None, None)


def found(result: Numbers, name: str) -> Any:
    return next(one for one in result.findings if one.name == name)


def test_the_small_tree_by_hand() -> None:
    # it .44 · rains .40 · . .60; rain .42 · . .50; rain .42 · falls .48 · . .98
    alone = numbers(method="greedy")
    assert found(alone, "greedy").about["words"] == ["it", "rains", "."]
    assert found(alone, "greedy").value == pytest.approx(0.44 * 0.40 * 0.60)
    assert found(alone, "missed").value == pytest.approx(0.42 * 0.50)

    plain = numbers(method="beam", width=2, alpha=0.0)
    assert plain.data["paths"] == [["rain", "."], ["rain", "falls", "."]]
    assert plain.data["ranks"] == pytest.approx([math.log(0.21), math.log(0.42 * 0.48 * 0.98)])
    penalised = numbers(method="beam", width=2, alpha=0.6)
    assert penalised.data["paths"] == [["rain", "falls", "."], ["rain", "."]]
    assert penalised.data["ranks"] == pytest.approx([math.log(0.197568) / 3**0.6, math.log(0.21) / 2**0.6])
    assert found(penalised, "flipped").about["plain"] == ["rain", "."]
    assert numbers(method="beam", width=1, alpha=0.0).data["paths"] == [["it", "rains", "."]]

    # (8 / 6)^0.6 and (7 / 6)^0.6 of Wu et al., to six places.
    google = numbers(method="beam", width=2, alpha=0.6, penalty="gnmt")
    assert google.data["ranks"] == pytest.approx(
        [math.log(0.197568) / 1.188402, math.log(0.21) / 1.096903], rel=2e-6
    )
    at = list(google.data["alphas"]).index(pytest.approx(0.6))
    assert google.data["curves"][:, at] == pytest.approx(google.data["ranks"])


def test_the_small_tree_adds_up_to_one() -> None:
    tree = toy()
    assert sum(math.exp(tree.scores[leaf]) for leaf in tree.leaves) == pytest.approx(1.0)
    assert all(tree.ends[leaf] for leaf in tree.leaves)


def tree_from(seed: int) -> TokenTree:
    """Any tree of up to 30 nodes, four deep, no two of its probabilities the same."""
    generator = np.random.default_rng(seed)
    parents, logprobs, depths = [-1], [0.0], [0]
    for node in range(int(generator.integers(1, 12))):
        if node == len(parents):
            break
        count = int(generator.integers(1, 4)) if depths[node] < 4 else 0
        weights = generator.uniform(0.05, 1.0, count)
        parents += [node] * count
        depths += [depths[node] + 1] * count
        logprobs += np.log(weights / weights.sum()).tolist()
    names = tuple(map(str, range(len(parents))))
    return TokenTree(names, np.array(parents), np.array(logprobs), np.zeros(len(parents), bool))


def paths(tree: TokenTree) -> dict[int, tuple[float, int]]:
    """Leaf to log probability and length, from the parents alone."""
    parents = tree.parents.tolist()
    result = {}
    for leaf in range(1, len(parents)):
        if leaf not in parents:
            way = [leaf]
            while parents[way[-1]] > 0:
                way.append(parents[way[-1]])
            result[leaf] = (math.fsum(tree.logprobs[way].tolist()), len(way))
    return result


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.floats(0, 2), st.sampled_from(["power", "gnmt"]), st.floats(0.3, 3))
def test_any_tree(seed: int, alpha: float, formula: str, heat: float) -> None:
    tree = tree_from(seed)
    every = paths(tree)
    assert sorted(every) == tree.leaves

    def divisor(n: int) -> float:
        return float(n**alpha if formula == "power" else ((5 + n) / 6) ** alpha)

    best = max(score / divisor(n) for score, n in every.values())
    wide = beam(tree, len(tree.tokens), ranking(formula, alpha))
    assert sorted(wide.ended) == sorted(every)
    assert every[wide.ended[0]][0] / divisor(every[wide.ended[0]][1]) == pytest.approx(best)
    narrow = beam(tree, 1, ranking(formula, alpha))
    assert every[narrow.ended[0]][0] == pytest.approx(every[greedy(tree).ended[0]][0])

    exact = shares(tree, heat)
    assert sum(exact[leaf] for leaf in every) == pytest.approx(1.0)
    if heat == 1.0:
        assert all(exact[leaf] == pytest.approx(math.exp(every[leaf][0])) for leaf in every)
    for node in range(len(tree.tokens)):
        below = [n for n, parent in enumerate(tree.parents) if parent == node]
        for one, other in itertools.pairwise(below):  # p^(1/τ) keeps ratios of logs
            ratio = (tree.logprobs[one] - tree.logprobs[other]) / heat
            assert math.log(exact[one] / exact[other]) == pytest.approx(ratio, abs=1e-9)
    counts = sampled(tree, heat, 300, seed=4)
    assert sum(counts[leaf] for leaf in every) == 300
    assert (sampled(tree, heat, 300, seed=4) == counts).all()


def test_samples_come_close_to_the_exact_distribution() -> None:
    few, many = (numbers(method="sampling", samples=n, seed=3) for n in (20, 5000))
    assert found(many, "distance").value < 0.05 < found(few, "distance").value
    total = sum(many.data["listed_exact"]), sum(many.data["listed_sampled"])
    assert total == pytest.approx((1.0, 1.0))
    # Of 5000 draws a share is off by more than 4.5 standard errors once in 150,000.
    share = many.data["paths"].index(["rain", "."])
    assert abs(many.data["listed_sampled"][share] - 0.21) < 4.5 * math.sqrt(0.21 * 0.79 / 5000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("search") / "bundle"
    spm = tiny_bundle.spm()
    write_bundle(path, tiny_bundle.config(), tiny_bundle.transformer(), spm, spm, half=False)
    return path


def asked(folder: Path, question: TreeOf, *changes: Any) -> TokenTree:
    *_, last = answer(load_bundle(folder), question, Reading("", SOURCE, OUT, changes))
    assert isinstance(last, TokenTree)
    return last


@pytest.mark.parametrize("blocked", [(), (1,)])
def test_the_models_tree_is_what_plain_torch_computes(folder: Path, blocked: tuple[int, ...]) -> None:
    tree = asked(folder, TreeOf(2, 3), *map(BlockToken, blocked))
    oracle = AlteredPlain(folder, blocked=blocked)
    bundle = load_bundle(folder)
    ids = {bundle.target_tokenizer.piece(n): n for n in range(bundle.target_tokenizer.vocab_size)}
    end = bundle.target_tokenizer.piece(3)

    def logprobs(prefix: list[int]) -> Any:
        return oracle.logits(list(SOURCE), [2, *prefix])[-1].double().log_softmax(-1).numpy()

    before = list(OUT[:2])
    assert tree.before == 2
    own = [logprobs(before[:n])[token] for n, token in enumerate(before)]
    assert tree.before_score == pytest.approx(sum(own), abs=1e-4)
    for node, token in enumerate(tree.tokens):
        way = tree.path(node)
        below = [tree.tokens[child] for child in tree.children[node]]
        if len(way) == 3 or token == end:
            assert not below
            continue
        expected = logprobs([*before, *(ids[tree.tokens[step]] for step in way)])
        order = np.argsort(-expected, kind="stable")[:3]
        assert [ids[text] for text in below] == order.tolist()
        assert tree.logprobs[list(tree.children[node])] == pytest.approx(expected[order], abs=1e-4)


def test_a_beam_on_the_tree_is_the_programs_beam(tiny_bundle: Path, tiny_trace: Any) -> None:
    translator = Translator.load(tiny_bundle)
    reading = Reading.of(tiny_trace)
    *_, tree = answer(translator.model, TreeOf(0, 3), reading)
    assert isinstance(tree, TokenTree)
    config = DecodeConfig(mode="beam", beam_size=3, n_best=3, length_penalty=0.6, max_length=3)
    *_, last = translator.decode(tiny_trace.src_text, config)
    mine = beam(tree, 3, ranking("power", 0.6))
    texts = [tuple(tree.tokens[node] for node in tree.path(leaf)) for leaf in mine.ended]
    assert texts == [tuple(trace.tgt_out_tokens) for trace in last.n_best]


def test_what_cannot_be(folder: Path) -> None:
    with pytest.raises(HeadscopeError) as error:
        asked(folder, TreeOf(0, 2, depth=40))
    assert error.value.code == "too_long"
    with pytest.raises(HeadscopeError) as error:
        list(answer(load_bundle(folder), TreeOf(0, 2), Reading("", SOURCE)))
    assert error.value.code == "inspection_nothing"
    with pytest.raises(HeadscopeError) as error:
        list(answer(None, TreeOf(0, 2), Reading("", SOURCE, OUT)))
    assert error.value.code == "no_model"
