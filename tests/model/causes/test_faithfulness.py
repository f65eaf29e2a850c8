"""Curves of faithfulness against a naive loop over plain torch, one token after the other."""

from __future__ import annotations

import numpy as np
import pytest

from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.detach import Detach
from model.alterations.read_layer import ReadLayer
from model.bundle.bundle import load_bundle, write_bundle
from model.errors import HeadscopeError
from model.folder.bundled import MODELS
from model.questions.causes.contrast import ContrastOf
from model.questions.causes.contributions import ContributionsOf
from model.questions.causes.faithfulness import (
    FAITHFULNESS,
    MOST_POINTS,
    Faithfulness,
    FaithfulnessOf,
    Ranking,
    points,
    row_of,
)
from model.questions.causes.method import Given
from model.questions.questions import Reading
from model.trace.trace import AttentionKind
from model.trace.trace_file import open_trace
from tests.model import tiny_bundle
from tests.model.causes.plain_contrast import ContrastPlain
from tests.model.causes.test_contrast import CLOSE, ask
from tests.model.inspection.asked import CHANGED, CHANGES, OUT, SOURCE, reading
from tests.model.inspection.conftest import KINDS, Make

STEP = 3


@pytest.mark.parametrize(
    ("kind", "side", "altered"),
    [("post_norm", "source", False), ("pre_norm", "target", False), ("copying", "source", True)],
)
def test_curves_are_those_of_a_naive_loop(make: Make, kind: str, side: str, altered: bool) -> None:
    bundle, folder = make(**KINDS[kind])
    changed = CHANGED if altered else {}
    tokens = len(SOURCE) if side == "source" else STEP + 1
    weights = tuple([0.1, 0.5, 0.1, 0.2, 0.05, 0.05][:tokens])
    other = Ranking("other", tuple(map(float, range(tokens))))
    question = FaithfulnessOf(STEP, side, Ranking("map", weights), (other,), seed=5, draws=3)  # type: ignore[arg-type]
    about = reading(*(CHANGES if altered else ()))
    found: Faithfulness = ask(bundle, question, about)

    def logprob(taken: list[int]) -> float:
        blocked = [*changed.get("blocked", []), *(taken if side == "source" else [])]
        silent = () if side == "source" else tuple(taken)
        plain = ContrastPlain(folder, silent, **(changed | {"blocked": blocked}))
        return float(plain.read(SOURCE, OUT)[STEP, OUT[STEP]].detach())

    def curve(order: list[int]) -> list[float]:
        return [logprob(order[:count]) for count in range(tokens + 1)]

    # Of equal weights the first token goes first.
    forwards = [1, 3, 0, 2, 4, 5] if tokens == 6 else [1, 3, 0, 2]
    contributed = ask(bundle, ContrastOf(STEP), about)
    own = contributed.source if side == "source" else contributed.prefix
    orders = {
        "map": forwards,
        "map_reversed": forwards[::-1],
        "other": list(range(tokens))[::-1],
        "gradient_x_input": sorted(range(tokens), key=lambda place: -own.products[place]),
        "gradient_l1": sorted(range(tokens), key=lambda place: -own.lengths[place]),
        "taken_away": sorted(range(tokens), key=lambda place: -own.effects[place]),
    }
    if kind == "pre_norm":  # of the others some tiny layer's output is of nothing that it reads
        row = ask(bundle, ContributionsOf(), about).prefix_through[-1, STEP, :tokens]
        orders["alti"] = sorted(range(tokens), key=lambda place: -row[place])
    assert {one.name for one in found.curves} == {*orders, "random"}
    for name, order in orders.items():
        ours, theirs = found.curve(name), curve(order)
        assert list(ours.order) == order
        np.testing.assert_allclose(ours.logprobs, theirs, atol=CLOSE, err_msg=name)
        assert ours.area == pytest.approx(theirs[0] - sum(theirs) / len(theirs), abs=CLOSE)
        assert not ours.spread.any()
    # numpy.random.default_rng(5), three permutations: the same whenever the seed is.
    generator = np.random.default_rng(5)
    drawn = np.array([curve(generator.permutation(tokens).tolist()) for _ in range(3)])
    random = found.curve("random")
    np.testing.assert_allclose(random.logprobs, drawn.mean(0), atol=CLOSE)
    np.testing.assert_allclose(random.spread, drawn.std(0), atol=CLOSE)
    areas = drawn[:, 0] - drawn.mean(1)
    assert (random.area, random.area_spread) == pytest.approx((areas.mean(), areas.std()), abs=CLOSE)
    assert random.spread[1:-1].any()
    assert random.order == ()


def test_the_word_that_a_model_copies_falls_first_with_the_token_it_is_copied_from() -> None:
    """The toy writes words backwards: without the one that it is about to write, it cannot know it."""
    bundle = load_bundle(MODELS / "reverse")
    trace = open_trace(MODELS / "reverse" / "example.trace")
    step = 1
    place = trace.src_tokens.index(trace.tgt_out_tokens[step])
    weights = [0.0] * len(trace.src_tokens)
    weights[place] = 1.0
    found = ask(bundle, FaithfulnessOf(step, "source", Ranking("map", tuple(weights))), Reading.of(trace))
    best, worst = found.curve("map"), found.curve("map_reversed")
    assert best.logprobs[1] < best.logprobs[0] - 2
    assert best.area > found.curve("random").area + found.curve("random").area_spread > worst.area


def test_rows_of_maps(make: Make) -> None:
    trace = open_trace(MODELS / "en-fr" / "example.trace")
    cross = trace.pattern(AttentionKind.CROSS, 1, 2)
    assert row_of(trace, cross, AttentionKind.CROSS, 4) == pytest.approx(cross[4])
    own = trace.pattern(AttentionKind.DECODER_SELF, 1, 2)
    assert row_of(trace, own, AttentionKind.DECODER_SELF, 4) == pytest.approx(own[4, :5])
    encoder = trace.pattern(AttentionKind.ENCODER_SELF, 1, 2)
    received = encoder.astype(np.float64).sum(0) / len(encoder)
    assert row_of(trace, encoder, AttentionKind.ENCODER_SELF, 4) == pytest.approx(received)
    question = FAITHFULNESS.ask(Given(trace, {"step": 4, "layer": 1, "head": 2, "seed": 7}))
    assert isinstance(question, FaithfulnessOf)
    assert question.map.weights == pytest.approx(cross[4])
    assert (question.side, question.seed) == ("source", 7)
    shape = trace.patterns.shape(AttentionKind.CROSS)
    assert shape is not None
    every = [trace.pattern(AttentionKind.CROSS, *at)[4] for at in np.ndindex(*shape[:2])]
    assert question.beside[0].weights == pytest.approx(np.mean(every, 0), abs=1e-6)


def test_long_texts_lose_several_tokens_at_once() -> None:
    assert points(5).tolist() == [0, 1, 2, 3, 4, 5]
    many = points(100)
    assert (many[0], many[-1], len(many)) == (0, 100, MOST_POINTS + 1)
    assert set(np.diff(many).tolist()) <= {4, 5}


def test_what_cannot_be_tested_is_refused(make: Make) -> None:
    bundle = make().bundle
    with pytest.raises(HeadscopeError) as raised:
        ask(bundle, FaithfulnessOf(0, "target", Ranking("map", (1.0,))), reading())
    assert raised.value.code == "faithfulness_short"
    with pytest.raises(HeadscopeError) as raised:
        ask(bundle, FaithfulnessOf(0, "source", Ranking("map", (1.0,))), reading())
    assert raised.value.code == "faithfulness_tokens"
    trace = open_trace(MODELS / "en-fr" / "example.trace")
    for values, code in (
        ({"step": 99}, "export_step"),
        ({"step": 0, "layer": 9}, "alteration_layer"),
        ({"step": 0, "layer": 0, "head": 99}, "inspection_head"),
    ):
        with pytest.raises(HeadscopeError) as raised:
            FAITHFULNESS.ask(Given(trace, values))
        assert raised.value.code == code


@pytest.mark.parametrize("change", [ReadLayer(1), Detach(0.5), BlockToken(0)])
def test_curves_begin_with_what_the_altered_model_says(make: Make, change: Alteration) -> None:
    """Where nothing is taken away it is the reading itself, which another computation gives."""
    bundle, _ = make(**KINDS["pre_norm"])
    question = FaithfulnessOf(STEP, "source", Ranking("map", (0.0,) * len(SOURCE)))
    found, usual = (ask(bundle, question, about) for about in (reading(change), reading()))
    whole = ask(bundle, ContrastOf(STEP), reading(change))
    assert found.curve("map").logprobs[0] == pytest.approx(whole.logprobs[0], abs=CLOSE)
    assert abs(found.curve("map").logprobs[0] - usual.curve("map").logprobs[0]) > 10 * CLOSE


def test_a_round_is_tested_too(tmp_path: object) -> None:
    a = tiny_bundle.architecture(generation="all_at_once")
    spm, network = tiny_bundle.spm(), tiny_bundle.transformer(a)
    write_bundle(f"{tmp_path}/bundle", tiny_bundle.config(a), network, spm, spm, half=False)
    about = Reading("", SOURCE, OUT, in_ids=(2, 20, 2, 14, 2))
    question = FaithfulnessOf(1, "target", Ranking("map", (0.1, 0.2, 0.3, 0.4, 0.0)))
    found = ask(load_bundle(f"{tmp_path}/bundle"), question, about)
    assert found.curve("map").order == (3, 2, 1, 0, 4)
