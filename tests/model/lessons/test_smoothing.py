"""The lesson on smoothing: torch's own loss, the loss that trains here, and the schedule in two parts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors import HeadscopeError
from model.lessons.lesson import Numbers, taken_values
from model.lessons.smoothing import SMOOTHING
from model.training.loss import smoothed_loss


def shown(**given_: Any) -> Numbers:
    return SMOOTHING.numbers(taken_values(SMOOTHING.controls(None), given_), None, None)


def found(numbers: Numbers) -> dict[str, Any]:
    return {one.name: one for one in numbers.findings}


def logits(confidence: float, vocabulary: int) -> torch.Tensor:
    """[1, V] with which token 0 has its confidence and all others share the rest."""
    rest = (1 - confidence) / (vocabulary - 1)
    row = torch.full((1, vocabulary), math.log(rest), dtype=torch.float64)
    row[0, 0] = math.log(confidence)
    return row


@settings(max_examples=40)
@given(st.floats(0.01, 0.4), st.integers(4, 300), st.floats(0.5, 0.99))
def test_the_loss_is_torchs_and_least_at_the_target(
    epsilon: float, vocabulary: int, confidence: float
) -> None:
    numbers = shown(epsilon=epsilon, vocabulary=vocabulary, confidence=confidence)

    gold = torch.zeros(1, dtype=torch.int64)
    row = logits(confidence, vocabulary)
    expected = [float(F.cross_entropy(row, gold, label_smoothing=one)) for one in (epsilon, 0.0)]
    assert np.allclose(numbers.data["at"], expected, rtol=1e-9)
    told = found(numbers)
    assert told["confident"].value == pytest.approx(expected[0])
    # Gibbs: cross-entropy is least where model and target are the same, and is the target's entropy there.
    right = 1 - epsilon + epsilon / vocabulary
    assert told["least"].value == pytest.approx(right)
    entropy = -right * math.log(right) - (1 - right) * math.log(epsilon / vocabulary)
    assert told["least"].about["loss"] == pytest.approx(entropy, rel=1e-9)
    assert told["least"].holds
    assert told["right"].holds
    curve = [
        float(F.cross_entropy(logits(p, vocabulary), gold, label_smoothing=epsilon)) for p in (0.5, 0.9999)
    ]
    assert np.allclose(numbers.data["smoothed"][[0, -1]], curve, rtol=1e-9)


def test_training_here_spreads_over_the_whole_vocabulary() -> None:
    numbers = shown(epsilon=0.2, vocabulary=5, confidence=0.8)
    row = logits(0.8, 5).float()
    # With the identity as output matrix the hidden vector is the logits.
    trained, plain = smoothed_loss(row, torch.eye(5), None, torch.zeros(1, dtype=torch.int64), 0.2)
    assert numbers.data["at"] == pytest.approx([float(trained), float(plain)], rel=1e-5)
    whole, but_right, nor_padding = numbers.data["conventions"].tolist()
    assert whole == pytest.approx([0.84, 0.04, 0.04])
    assert but_right == pytest.approx([0.8, 0.05, 0.05])
    assert nor_padding == pytest.approx([0.8, 0.2 / 3, 0.0])
    for right, other, padding in (whole, but_right, nor_padding):
        assert right + 3 * other + padding == pytest.approx(1)
    assert not np.allclose([0.8, 0.05, 0.05], whole)


def test_without_smoothing_the_loss_falls_to_the_end() -> None:
    told = found(shown(epsilon=0.0))
    assert told["least"].value == pytest.approx(0.9999)
    assert told["least"].holds is None
    assert told["confident"].value == pytest.approx(-math.log(0.99))


@settings(max_examples=25)
@given(st.integers(16, 4096), st.integers(1, 20_000))
def test_the_rate_rises_on_a_line_and_falls_with_the_root(d_model: int, warmup: int) -> None:
    numbers = shown(d_model=d_model, warmup=warmup)
    peak = 1 / math.sqrt(d_model * warmup)
    steps = numbers.data["steps"]
    expected = peak * np.where(steps <= warmup, steps / warmup, np.sqrt(warmup / steps))
    assert np.allclose(numbers.data["rates"], expected, rtol=1e-9)
    told = found(numbers)
    assert told["peak"].value == pytest.approx(peak)
    assert told["peak"].about["step"] == warmup
    assert told["peak"].holds
    assert told["later"].value == pytest.approx(0.5)


def test_what_cannot_be_turned_is_refused() -> None:
    for bad in ({"epsilon": 1.0}, {"vocabulary": 3}, {"warmup": 0}, {"d_model": "wide"}):
        with pytest.raises(HeadscopeError) as refused:
            shown(**bad)
        assert refused.value.code == "lesson_value"
