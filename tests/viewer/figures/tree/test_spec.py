from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.viewer.pages.look.branches.tree_samples import END, PlainBeam, hypothesis, run_of
from viewer.document.beam_verdict import SearchTable, Verdict
from viewer.document.document import Document, Run
from viewer.figures.tree.spec import TokenTree, end_of, grow, relatives


def prefixes(tree: TokenTree) -> dict[tuple[str, tuple[int, ...]], int]:
    return {tree.key(node.index): node.index for node in tree.nodes}


def test_two_runs_share_their_prefix() -> None:
    runs = [run_of("one", [1, 2, END], [0.5, 0.25, 0.5]), run_of("two", [1, 3, END], [0.5, 0.125, 0.5])]

    tree = grow(runs)

    assert [(node.step, node.piece, node.parent) for node in tree.nodes] == [
        (-1, "<s>", None),
        (0, "▁a", 0),
        (1, "▁b", 1),
        (2, "</s>", 2),
        (1, "▁c", 1),
        (2, "</s>", 4),
    ]
    shared = tree.nodes[1]
    assert shared.runs == ("one", "two")
    assert shared.children == (2, 4)
    assert shared.ends == ()
    assert tree.nodes[3].ends == (("one", "finished"),)
    assert tree.path("two") == (1, 4, 5)
    assert tree.leaves == 2
    assert tree.nodes[5].score == pytest.approx(math.log(0.5 * 0.125 * 0.5), abs=1e-6)
    assert tree.nodes[5].rank_score == pytest.approx(math.log(0.5 * 0.125 * 0.5) / 3, abs=1e-6)


def test_an_altered_run_has_a_strand_of_its_own() -> None:
    change = ({"type": "scale", "kind": "cross", "layer": 0, "head": 0, "factor": 0.0},)
    plain, altered = (
        run_of("plain", [1, END], [0.5, 0.5]),
        run_of("alt", [1, END], [0.9, 0.9], alterations=change),
    )

    tree = grow([altered, plain])

    assert [strand.alterations for strand in tree.strands] == [(), change]
    first, second = (tree.nodes[tree.path(name)[0]] for name in ("plain", "alt"))
    assert first.index != second.index
    assert (first.runs, second.runs) == (("plain",), ("alt",))
    assert second.logprob == pytest.approx(math.log(0.9), abs=1e-6)
    assert tree.find(tree.key(second.index)) is second


@given(
    st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=6), min_size=1, max_size=6),
    st.one_of(st.none(), st.integers(0, 6)),
)
def test_the_tree_has_every_prefix_once(sentences: list[list[int]], upto: int | None) -> None:
    table = np.random.default_rng(7).uniform(0.1, 0.9, size=4096)

    def share(prefix: tuple[int, ...]) -> float:
        return float(table[sum(token * 4**place for place, token in enumerate(prefix)) % 4096])

    runs = [
        run_of(str(i), tokens, [share(tuple(tokens[: t + 1])) for t in range(len(tokens))])
        for i, tokens in enumerate(sentences)
    ]
    last = 99 if upto is None else upto + 1
    wanted: dict[tuple[int, ...], set[str]] = {}
    for i, tokens in enumerate(sentences):
        for length in range(min(len(tokens), last) + 1):
            wanted.setdefault(tuple(tokens[:length]), set()).add(str(i))

    tree = grow(runs, upto)

    found = {key[1]: tree.nodes[index] for key, index in prefixes(tree).items()}
    assert len(found) == len(tree.nodes)
    assert {key: set(node.runs) for key, node in found.items()} == wanted
    for key, node in found.items():
        score = sum(math.log(share(key[: length + 1])) for length in range(len(key)))
        assert node.score == pytest.approx(score, abs=1e-5)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_the_tree_of_a_search_is_what_it_considered(seed: int, penalty: float) -> None:
    beam = PlainBeam(seed, vocab=5, beam=3, limit=6, penalty=penalty)
    run = beam.run()

    tree = grow([run])

    found = prefixes(tree)
    assert set(found) == {("", prefix) for prefix in beam.prefix.values()}
    for considered in beam.considered:
        node = tree.nodes[found["", beam.prefix[considered.id]]]
        assert node.hypotheses == (("beam", considered.id),)
        assert node.score == pytest.approx(considered.score, abs=1e-5)
        assert node.rank_score == pytest.approx(considered.rank_score, abs=1e-5)
        assert (node.standing == "run") == (
            beam.prefix[beam.best().id][: node.step + 1] == beam.prefix[considered.id]
        )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("upto", [None, 0, 2])
def test_a_hypothesis_is_alive_while_something_of_it_is(seed: int, upto: int | None) -> None:
    beam = PlainBeam(seed, vocab=5, beam=3, limit=6, penalty=1.0)
    known = [c for c in beam.considered if upto is None or c.step <= upto]
    last = max(c.step for c in known)
    left = [
        beam.prefix[c.id]
        for c in known
        if c.fate in ("finished", "cut") or (c.fate == "kept" and c.step == last)
    ]

    table = SearchTable.of(beam.run(), upto)

    for considered in known:
        prefix = beam.prefix[considered.id]
        goes_on = considered.fate != "pruned" and any(end[: len(prefix)] == prefix for end in left)
        assert table.alive(considered.id) == goes_on
    assert table.over == (upto is None or len(known) == len(beam.considered))


@pytest.mark.parametrize("seed", range(8))
def test_without_dropped_ones_only_the_living_are_there(seed: int) -> None:
    beam = PlainBeam(seed, vocab=5, beam=3, limit=6, penalty=1.0)
    run = beam.run()

    tree = grow([run], dropped=False)

    assert all(node.standing != "dropped" for node in tree.nodes)
    table = SearchTable.of(run)
    assert {tokens for _, tokens in prefixes(tree)} == {
        (),
        *(beam.prefix[c.id] for c in beam.considered if table.alive(c.id)),
    }


def by_hand(penalty: float = 1.0, **facts: Any) -> tuple[Run, SearchTable]:
    """Beam 2. Step 1 keeps a, b and drops c. Step 2: "a end" ends, "b a" stays. Step 3: "b a end" ends."""
    considered = (
        hypothesis(1, 0, 0, 1, -0.5, 0.0, "kept", penalty),
        hypothesis(2, 0, 0, 2, -1.0, 0.0, "kept", penalty),
        hypothesis(3, 0, 0, 3, -2.0, 0.0, "pruned", penalty),
        hypothesis(4, 1, 1, END, -1.0, -0.5, "finished", penalty),
        hypothesis(5, 2, 1, 1, -0.6, -1.0, "kept", penalty),
        hypothesis(6, 2, 1, 2, -0.9, -1.0, "pruned", penalty),
        hypothesis(7, 5, 2, END, -0.3, -1.6, "finished", penalty),
        hypothesis(8, 5, 2, 3, -0.9, -1.6, "pruned", penalty),
    )
    # Totals: 4 has -1.5 over 2 tokens, 7 has -1.9 over 3 tokens.
    won = [1, END] if penalty == 0 else [2, 1, END]
    decoding = {"mode": "beam", "beam_size": 2, "length_penalty": penalty}
    facts = {"search": considered, **facts}
    run = run_of("beam", won, [0.5] * len(won), trace={"decoding": decoding}, **facts)
    return run, SearchTable.of(run)


def test_a_pruned_one_lost_to_the_last_one_kept() -> None:
    _, table = by_hand()

    verdict = table.verdict(3)

    assert verdict.outcome == "pruned"
    assert verdict.decided is verdict.hypothesis
    assert (verdict.place, verdict.considered, verdict.places, verdict.beam) == (3, 3, 2, 2)
    assert verdict.decided.score == -2.0
    assert verdict.last_kept == -1.0


def test_the_length_penalty_decides() -> None:
    _, table = by_hand(penalty=1.0)

    verdict = table.verdict(4)

    assert table.winner is table[7]  # -1.9 / 3 is above -1.5 / 2
    assert verdict.outcome == "outranked"
    assert verdict.by_penalty
    assert verdict.decided.rank_score == pytest.approx(-0.75)
    assert verdict.winner is not None
    assert verdict.winner.rank_score == pytest.approx(-1.9 / 3)
    assert table.verdict(7).outcome == "won"


def test_without_a_length_penalty_the_short_one_wins() -> None:
    _, table = by_hand(penalty=0.0)

    verdict = table.verdict(7)

    assert table.winner is table[4]
    assert verdict.outcome == "outranked"
    assert not verdict.by_penalty


def test_a_kept_one_is_judged_by_what_came_of_it() -> None:
    _, table = by_hand()

    def outcome(number: int) -> tuple[str, int]:
        verdict: Verdict = table.verdict(number)
        return verdict.outcome, verdict.decided.id

    assert outcome(1) == ("outranked", 4)
    assert outcome(2) == ("won", 7)
    assert outcome(5) == ("won", 7)


def test_as_of_a_step_nothing_has_won_yet() -> None:
    run, _ = by_hand()

    table = SearchTable.of(run, 1)

    assert table.winner is None
    assert table.verdict(5).outcome == "live"
    assert table.verdict(4).outcome == "live"
    assert table.verdict(6).outcome == "pruned"
    tree = grow([run], 1)
    assert max(node.step for node in tree.nodes) == 1
    assert all(not node.ends for node in tree.nodes)
    assert {node.hypotheses[0][1]: node.standing for node in tree.nodes if node.hypotheses} == {
        1: "kept",
        2: "run",
        3: "dropped",
        4: "finished",
        5: "run",
        6: "dropped",
    }


def test_the_length_limit_cuts() -> None:
    considered = (
        hypothesis(1, 0, 0, END, -2.0, 0.0, "finished"),
        hypothesis(2, 0, 0, 1, -0.1, 0.0, "kept"),
        hypothesis(3, 2, 1, 2, -0.1, -0.1, "cut"),
    )
    table = SearchTable(considered, 2, 1.0, over=True)

    assert table.winner is table[1]  # a finished one goes before a cut one of any score
    assert table.verdict(3).outcome == "cut"
    assert table.verdict(2).decided.id == 3


def test_what_a_search_left_open_or_a_person_stopped_has_not_won() -> None:
    considered = (hypothesis(1, 0, 0, END, -0.5, 0.0, "finished"), hypothesis(2, 0, 0, 1, -3.0, 0.0, "kept"))

    assert SearchTable(considered, 2, 1.0, over=True).verdict(2).outcome == "unfinished"
    stopped = SearchTable(considered, 2, 1.0, over=True, stopped=True)
    assert stopped.winner is None
    assert stopped.verdict(1).outcome == "live"


def test_the_start_token_among_the_considered_is_no_child_of_itself() -> None:
    run, _ = by_hand()
    root = run.search[0].__class__(0, None, -1, 9, "<s>", 0.0, 0.0, 0.0, "kept")

    tree = grow([run.but(search=(root, *run.search))])

    assert prefixes(tree) == prefixes(grow([run]))


def test_a_search_that_took_over_a_prefix_goes_on_from_it() -> None:
    considered = (hypothesis(1, 0, 1, 2, -0.5, 0.0, "kept"), hypothesis(2, 0, 1, 3, -0.9, 0.0, "pruned"))
    run = run_of("beam", [1, 2], [0.5, 0.6], search=considered, live=True)

    tree = grow([run])

    assert {tokens for _, tokens in prefixes(tree)} == {(), (1,), (1, 2), (1, 3)}


def test_how_runs_end() -> None:
    search = run_of("s", [1, END], [0.5, 0.5], search=(hypothesis(4, 0, 0, 2, -1.0, 0.0, "pruned"),))
    provenance = {"source": "hypothesis", "search": "s", "hypothesis": 4}
    looked_at = run_of("h", [2], [0.4], provenance=provenance)
    runs = [search, looked_at]

    assert end_of(search) == "finished"
    assert end_of(run_of("x", [1], [0.5])) == "cut"
    assert end_of(run_of("x", [1], [0.5], live=True)) == "live"
    assert end_of(run_of("x", [1], [0.5], cancelled=True)) == "cancelled"
    assert end_of(looked_at, runs) == "dropped"
    assert end_of(looked_at) == "open"
    tree = grow(runs)
    assert tree.nodes[tree.path("h")[0]].ends == (("h", "dropped"),)


def test_only_runs_of_the_same_sentence_and_model_are_relatives() -> None:
    one, two = run_of("one", [1, END], [0.5, 0.5]), run_of("two", [2, END], [0.5, 0.5])
    sentence = run_of("other", [1, END], [0.5, 0.5], trace={"src_ids": np.array([5, 6])})
    model = run_of("model", [1, END], [0.5, 0.5], trace={"model_sha256": "f" * 64})
    order = ({"type": "reorder", "order": [0]},)
    reordered = run_of(
        "order", [1, END], [0.5, 0.5], parent="one", alterations=order, trace={"src_ids": np.array([1, 0])}
    )
    document = Document(runs=(one, two, sentence, model, reordered))

    assert [run.id for run in relatives(document, one)] == ["one", "two", "order"]
    assert [run.id for run in relatives(document, reordered)] == ["one", "two", "order"]
    assert [run.id for run in relatives(document, sentence)] == ["other"]


def test_a_recorded_rank_is_kept() -> None:
    ranked = run_of("one", [1, END], [0.5, 0.5], trace={"step_rank": np.array([7, 1])})

    tree = grow([run_of("two", [1, END], [0.5, 0.5]), ranked])

    assert [node.rank for node in tree.nodes] == [None, 7, 1]
