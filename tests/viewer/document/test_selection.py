"""A selection always shows something that is there."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.trace.trace import ArrayPatterns, AttentionKind
from tests.viewer.fake_source import HEADS, LAYERS, SHOWCASE, small_trace
from viewer.document.selection import Selection

numbers = st.integers(-3, 9)
selections = st.builds(
    Selection,
    kind=st.sampled_from(AttentionKind),
    layer=numbers,
    head=st.none() | numbers,
    step=numbers,
    query=st.none() | numbers,
    key=st.none() | numbers,
)


@given(selections, st.integers(0, 4), st.booleans())
def test_the_nearest_selection_exists_and_is_stable(selection: Selection, steps: int, encoder: bool) -> None:
    trace = small_trace(steps, encoder=encoder)
    inside = selection.within(trace)
    weights = trace.pattern(inside.kind, inside.layer, inside.head)  # raises if there is no such head
    assert (inside.query is None) == (inside.key is None)
    if inside.query is not None and inside.key is not None:
        assert 0 <= inside.query < weights.shape[0]
        assert 0 <= inside.key < weights.shape[1]
    assert inside.step == -1 if steps == 0 else 0 <= inside.step < steps
    assert inside.within(trace) == inside
    assert (inside.head is None) == (selection.head is None)


def test_a_selection_that_exists_is_kept() -> None:
    selection = Selection(AttentionKind.CROSS, 1, 2, 2, 1, 2)
    assert selection.within(small_trace(3)) == selection


def test_a_family_that_is_missing_becomes_one_that_is_there() -> None:
    selection = Selection(AttentionKind.ENCODER_SELF, 2, 0).within(small_trace(3, encoder=False))
    assert (selection.kind, selection.layer) == (AttentionKind.CROSS, 1)


def test_an_encoder_has_no_steps() -> None:
    trace = small_trace(0)
    patterns = ArrayPatterns({AttentionKind.ENCODER_SELF: np.ones((1, 1, 3, 3), np.float32) / 3})
    alone = replace(trace, patterns=patterns)
    assert Selection(AttentionKind.CROSS, 1, 1, 4).within(alone) == Selection(
        AttentionKind.ENCODER_SELF, 0, 0
    )


def test_a_first_look_is_at_the_telling_head_in_the_middle() -> None:
    assert Selection.opening(SHOWCASE, small_trace(5)) == Selection(AttentionKind.CROSS, 1, 2, 2)


def test_without_a_showcase_it_is_at_the_mean_of_the_last_layer() -> None:
    assert Selection.opening(None, small_trace(4)) == Selection(AttentionKind.CROSS, LAYERS - 1, None, 2)


def test_a_showcase_of_a_larger_model_finds_the_nearest_head() -> None:
    showcase = {"kind": "cross", "layer": 9, "head": 9}
    assert Selection.opening(showcase, small_trace(1)) == Selection(
        AttentionKind.CROSS, LAYERS - 1, HEADS - 1, 0
    )


@given(selections)
def test_json_brings_it_back(selection: Selection) -> None:
    assert Selection.from_json(json.loads(json.dumps(selection.to_json()))) == selection


@pytest.mark.parametrize(
    "values",
    [{"kind": "nonsense"}, {"layer": "1"}, {"layer": None}, {"head": True}, {"step": 1.5}, {"query": []}],
)
def test_senseless_json_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Selection.from_json(values)


def test_unknown_keys_are_ignored_and_missing_ones_default() -> None:
    assert Selection.from_json({"layer": 2, "colour": "blue"}) == Selection(layer=2)
