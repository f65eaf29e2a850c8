"""The lesson on norms: torch.nn on the same numbers, and one cell worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from model.errors import HeadscopeError
from model.lessons.lesson import Numbers, taken_values
from model.lessons.norms import NORMS

A = [[1.0, 2, 4, -1], [0, 3, 2, 1], [2, -1, 1, 4]]
B = [[2.0, 0, -2, 1], [-1, 1, 3, 2]]
C = [[3.0, 1, 0, 2]]
PLACES = [0, 1, 2, 3, 4, 6]  # of the words among three times three places


def shown(**given_: Any) -> Numbers:
    return NORMS.numbers(taken_values(NORMS.controls(None), given_), None, None)


def found(numbers: Numbers) -> dict[str, Any]:
    return {one.name: one for one in numbers.findings}


def words(changed: int, add: float) -> torch.Tensor:
    sentences = [torch.tensor(one, dtype=torch.float64) for one in (A, B, C)]
    sentences[changed] = sentences[changed] + add
    return torch.cat(sentences)


def by_torch(changed: int, add: float, padding: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """LayerNorm and BatchNorm of the words."""
    x = words(changed, add)
    layer = nn.LayerNorm(4, eps=1e-5, dtype=torch.float64)(x)
    read = torch.cat([x, torch.zeros(3, 4, dtype=torch.float64)]) if padding else x
    across = nn.BatchNorm1d(4, eps=1e-5, dtype=torch.float64).train()(read)[:6]
    return layer.detach(), across.detach()


# What is added is as exact as the control that adds it: a rounding's worth of it need not change anything.
ADDED = st.integers(-1000, 1000).map(lambda hundredths: hundredths / 100)


@settings(max_examples=30)
@given(token=st.integers(0, 8), changed=st.integers(0, 2), add=ADDED, padding=st.booleans())
def test_both_norms_are_those_of_torch(token: int, changed: int, add: float, padding: bool) -> None:
    numbers = shown(token=token, changed=changed, add=add, padding=padding)

    expected = by_torch(changed, add, padding)
    for ours, theirs in zip(numbers.data["normed"], expected, strict=True):
        assert np.allclose(ours[PLACES], theirs, atol=1e-9)
    sentence = token // 3
    rows = [slice(0, 3), slice(3, 5), slice(5, 6)][sentence]
    moved = [
        float((one - before)[rows].abs().max())
        for one, before in zip(expected, by_torch(changed, 0.0, padding), strict=True)
    ]
    assert np.allclose(numbers.data["at"], moved, atol=1e-9)
    told = found(numbers)
    if changed != sentence:
        assert told["mate"].about["layer"] == 0
        assert told["mate"].value == pytest.approx(moved[1], abs=1e-9)
        assert told["mate"].holds is (None if add == 0 else moved[1] > 0)
    else:
        # What is added to all features of a word LayerNorm takes away; only ε keeps it from being exact.
        assert told["self"].about["layer"] < 1e-9
    other = by_torch(changed, add, not padding)[1]
    assert told["padding"].value == pytest.approx(float((other - expected[1])[rows].abs().max()), abs=1e-9)


def test_one_cell_by_hand() -> None:
    told = found(shown(token=1, feature=0, changed=2, add=4.0))
    # A2 is 0, 3, 2, 1: mean 1.5, variance (2.25 + 2.25 + 0.25 + 0.25) / 4.
    assert told["layer"].about == {"x": 0.0, "mean": 1.5, "variance": 1.25, "count": 4}
    assert told["layer"].value == pytest.approx(-1.5 / math.sqrt(1.25 + 1e-5))
    # Feature 1 is 1, 0, 2, 2, −1 and 3 + 4: mean 11/6, mean square 59/6.
    batch = told["batch"]
    assert batch.about["count"] == 6
    assert batch.about["mean"] == pytest.approx(11 / 6)
    assert batch.value == pytest.approx(-(11 / 6) / math.sqrt(59 / 6 - (11 / 6) ** 2 + 1e-5))
    assert found(shown(padding=True))["batch"].about["count"] == 9


def test_padding_stands_for_the_last_word_before_it() -> None:
    numbers = shown(token=8)
    assert numbers.data["token"] == 6
    assert not numbers.data["averaged"][:, ~numbers.data["real"]].any()
    with pytest.raises(HeadscopeError):
        shown(token=9)
