"""The lesson of swapped rows against plain torch, in which the same rows are set by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.alterations.block_token import BlockToken
from model.bundle.bundle import Bundle, load_bundle
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.lessons.explanation import (
    ADVERSARIAL,
    EXPLANATION,
    FIRST_DRAWN,
    OWN,
    UNIFORM,
    Swaps,
    SwapsOf,
    divergence,
    kendall,
    variation,
)
from model.lessons.lesson import Numbers, Subject, taken_values
from model.questions.questions import Partial
from model.trace.trace import AttentionKind, Trace
from tests.model.inspection.watched import WatchedPlain

STEP, LAYER = 3, 1


@pytest.fixture(scope="module")
def bundle(tiny_bundle: Path) -> Bundle:
    return load_bundle(tiny_bundle)


def swapped(bundle: Bundle, trace: Trace, head: int | None, epsilon: float = 0.1) -> Swaps:
    *_, last = answer(bundle, SwapsOf(LAYER, head, STEP, epsilon), Subject.of(trace).reading)
    assert isinstance(last, Swaps)
    return last


def test_distances_by_hand() -> None:
    one, other = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.5, 0.5])

    assert variation(one, other) == 1
    assert divergence(one, other) == pytest.approx(math.log(2))
    assert divergence(one, one) == variation(other, other) == 0
    half = np.array([0.5, 0.5])
    # The mean of (1, 0) and (1/2, 1/2) is (3/4, 1/4).
    wanted = 0.5 * math.log(4 / 3) + 0.25 * (math.log(2 / 3) + math.log(2))
    assert divergence(np.array([1.0, 0.0]), half) == pytest.approx(wanted)


def test_ranks_by_hand() -> None:
    """Of 1 2 3 4 and 1 3 2 4 five pairs agree and one does not; a tie on one side leaves the root of both."""
    assert kendall(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])) == pytest.approx(4 / 6)
    assert kendall(np.array([1.0, 2, 3]), np.array([3.0, 2, 1])) == -1
    assert kendall(np.array([1.0, 1, 2]), np.array([1.0, 2, 3])) == pytest.approx(2 / math.sqrt(6))
    assert math.isnan(kendall(np.array([1.0, 1, 1]), np.array([1.0, 2, 3])))


@pytest.mark.parametrize("head", [2, None])
def test_every_variant_is_what_plain_torch_says(
    bundle: Bundle, tiny_bundle: Path, tiny_trace: Trace, head: int | None
) -> None:
    found = swapped(bundle, tiny_trace, head)

    heads = list(range(4)) if head is None else [head]
    source, out = list(map(int, tiny_trace.src_ids)), list(map(int, tiny_trace.tgt_out_ids))
    plain = WatchedPlain(tiny_bundle)
    own = plain.read(source, out)[STEP].numpy()
    watched = [plain.heads["cross", LAYER, one] for one in heads]
    assert np.allclose(found.rows[OWN], [one.used[STEP].numpy() for one in watched], atol=1e-5)
    lengths = sum(
        one.used[STEP][:, None]
        * (
            one.v
            @ plain.w[f"decoder.layers.{LAYER}.multihead_attn.out_proj.weight"][:, at * 8 : at * 8 + 8].T
        )
        for at, one in zip(heads, watched, strict=True)
    )
    assert np.allclose(found.norms, lengths.norm(dim=1).numpy(), atol=1e-4)
    for variant in (UNIFORM, FIRST_DRAWN, FIRST_DRAWN + 7, ADVERSARIAL):
        rows = {
            ("cross", LAYER, at, STEP): found.rows[variant, place].tolist() for place, at in enumerate(heads)
        }
        said = WatchedPlain(tiny_bundle, rows=rows).read(source, out)[STEP].numpy()
        assert found.logprobs[variant] == pytest.approx(said[out[STEP]], abs=1e-4)
        assert found.moved[variant] == pytest.approx(np.abs(np.exp(said) - np.exp(own)).sum() / 2, abs=1e-4)
        assert np.allclose(found.probabilities[variant], np.exp(said[found.ids]), atol=1e-4)
        assert found.top[variant] == said.argmax()


def test_gradients_are_slopes(bundle: Bundle, tiny_bundle: Path, tiny_trace: Trace) -> None:
    found = swapped(bundle, tiny_trace, 2)

    source, out = list(map(int, tiny_trace.src_ids)), list(map(int, tiny_trace.tgt_out_ids))
    for key in (0, 4):
        ends = []
        for amount in (-1e-4, 1e-4):
            plain = WatchedPlain(tiny_bundle)
            plain.nudge = ("cross", LAYER, 2, STEP, key, amount)
            ends.append(float(plain.read(source, out)[STEP, out[STEP]]))
        assert found.gradients[0, key] == pytest.approx((ends[1] - ends[0]) / 2e-4, abs=1e-3)


@pytest.mark.parametrize("epsilon", [0.02, 0.5])
def test_the_adversarial_row_is_far_and_moves_little(
    bundle: Bundle, tiny_trace: Trace, epsilon: float
) -> None:
    found = swapped(bundle, tiny_trace, None, epsilon)

    change = np.abs(found.logprobs - found.logprobs[OWN])
    far = [float(np.mean(divergence(*map(np.float64, (found.rows[OWN], row))))) for row in found.rows]
    assert change[ADVERSARIAL] <= epsilon
    # At least as far as the best of all that was tried and is known here.
    assert (
        far[ADVERSARIAL]
        >= max(one for one, moved in zip(far, change, strict=True) if moved <= epsilon) - 1e-6
    )
    assert far[ADVERSARIAL] > 0.1
    assert np.allclose(found.rows.sum(-1), 1, atol=1e-5)
    again = swapped(bundle, tiny_trace, None, epsilon)
    assert np.array_equal(found.rows, again.rows)


def test_a_page_and_what_is_known_before_the_search(bundle: Bundle, tiny_trace: Trace) -> None:
    subject = Subject.of(tiny_trace)
    values = taken_values(EXPLANATION.controls(subject), {"head": "all", "step": "4"})
    asked = EXPLANATION.asks(values, subject)
    assert asked is not None
    assert asked[0] == SwapsOf(0, None, 3, 0.1)
    grown = [found for found in answer(bundle, *asked) if isinstance(found, Partial | Swaps)]
    assert len(grown) == 2

    def shown(found: Any, **changes: Any) -> Numbers:
        return EXPLANATION.numbers({**values, **changes}, found, subject)

    early, late = shown(grown[0].answer), shown(grown[1])  # type: ignore[union-attr]
    assert early.findings[0].name == "searching"
    assert np.isnan(early.data["swapped"]).all()
    assert [one.name for one in late.findings][:3] == ["swapped", "top", "furthest"]
    assert late.findings[2].holds
    assert early.findings[-2:] == late.findings[-2:]
    uniform = shown(grown[0].answer, swap="uniform")  # type: ignore[union-attr]
    assert np.allclose(uniform.data["swapped"], 1 / len(subject.src))
    for measure in late.data["measures"].values():
        assert measure.sum() == pytest.approx(1)


def test_blocked_tokens_get_no_weight_and_what_is_not_there_is_refused(
    bundle: Bundle, tiny_trace: Trace
) -> None:
    reading = replace(Subject.of(tiny_trace).reading, alterations=(BlockToken(2),))
    *_, last = answer(bundle, SwapsOf(LAYER, 0, STEP, 0.1), reading)
    assert isinstance(last, Swaps)
    assert not last.rows[:, :, 2].any()
    for question, code in (
        (SwapsOf(9, 0, 0, 0.1), "alteration_layer"),
        (SwapsOf(0, 9, 0, 0.1), "inspection_head"),
        (SwapsOf(0, 0, 99, 0.1), "export_step"),
    ):
        with pytest.raises(HeadscopeError) as raised:
            list(answer(bundle, question, reading))
        assert raised.value.code == code
    without = replace(Subject.of(tiny_trace), layers={AttentionKind.ENCODER_SELF: 2})
    values = taken_values(EXPLANATION.controls(without), {})
    assert EXPLANATION.asks(values, without) is not None
