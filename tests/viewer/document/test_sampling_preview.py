"""The sampling dialog's preview: exact where it can be, else bounds that hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from tests.viewer.exploring_samples import SHARES, session_with, step_trace
from viewer.dialogs.beam_dialog import BeamDialog
from viewer.dialogs.sampling_dialog import SamplingDialog
from viewer.dialogs.shares_view import between
from viewer.document.sampling_preview import filtered_shares, step_shares


def drawn_with(probabilities: np.ndarray, temperature: float, top_k: int, top_p: float) -> np.ndarray:
    """The definition on the whole vocabulary, most probable first."""
    weights = (probabilities / probabilities[0]) ** (1 / temperature)
    if top_k:
        weights[top_k:] = 0
    weights /= weights.sum()
    if top_p < 1:
        weights[np.cumsum(weights) - weights >= top_p] = 0
        weights /= weights.sum()
    return weights


@settings(deadline=None, max_examples=200)
@given(
    seed=st.integers(0, 10_000),
    temperature=st.floats(0.05, 5.0),
    top_k=st.integers(0, 40),
    top_p=st.floats(0.02, 1.0),
)
def test_the_bounds_hold_what_the_filters_make_of_the_whole_vocabulary(
    seed: int, temperature: float, top_k: int, top_p: float
) -> None:
    logits = np.random.default_rng(seed).normal(0, 3, 60)
    every = np.sort(np.exp(logits) / np.exp(logits).sum())[::-1]
    truth = drawn_with(every.copy(), temperature, top_k, top_p)[:10]

    found = filtered_shares(
        np.log(every[:10]).tolist(), 60, temperature=temperature, top_k=top_k, top_p=top_p
    )

    for bounds, share in zip(found, truth, strict=True):
        assert bounds.low - 1e-9 <= share <= bounds.high + 1e-9
        if 0 < top_k <= 10:
            assert bounds.high == pytest.approx(bounds.low, abs=1e-9)


def test_at_temperature_one_the_models_own_numbers_come_out() -> None:
    found = filtered_shares(np.log(SHARES).tolist(), 8000, temperature=1.0, top_k=0, top_p=1.0)

    assert [bounds.low for bounds in found] == pytest.approx(SHARES)
    assert [bounds.high for bounds in found] == pytest.approx(SHARES)


def test_top_p_takes_the_fewest_words_that_reach_it() -> None:
    """1/2 + 1/4 reach 0.7; renormalised they are 2/3 and 1/3."""
    found = filtered_shares(np.log(SHARES).tolist(), 8000, temperature=1.0, top_k=0, top_p=0.7)

    assert [bounds.low for bounds in found] == pytest.approx([2 / 3, 1 / 3, 0, 0, 0])
    assert [between(bounds) for bounds in found[:2]] == ["67 %", "33 %"]


def test_what_is_not_known_is_shown_as_a_range() -> None:
    found = filtered_shares(np.log(SHARES).tolist(), 8000, temperature=2.0, top_k=0, top_p=1.0)

    assert found[0].low < found[0].high
    assert "–" in between(found[0])


def test_the_dialog_shows_what_its_settings_make_of_the_step(qtbot: QtBot) -> None:
    dialog = SamplingDialog({"mode": "greedy"}, 1, step_shares(session_with(step_trace(0))))
    qtbot.addWidget(dialog)
    assert dialog.preview is not None
    assert [after.text() for after in dialog.preview.after] == ["50 %", "25 %", "12 %", "6.2 %", "3.1 %"]

    dialog.top_k.setValue(2)
    assert [after.text() for after in dialog.preview.after] == ["67 %", "33 %"] + ["left out"] * 3
    assert [word.font().strikeOut() for word in dialog.preview.words] == [False, False, True, True, True]

    dialog.temperature.setValue(0.5)  # squares: 4 to 1
    assert [after.text() for after in dialog.preview.after][:2] == ["80 %", "20 %"]


def test_the_dialogs_answers(qtbot: QtBot) -> None:
    sampling = SamplingDialog({"mode": "sample", "temperature": 0.8, "top_k": 5, "seed": 0}, 4)
    beam = BeamDialog({"mode": "greedy"})
    for dialog in (sampling, beam):
        qtbot.addWidget(dialog)
    assert sampling.preview is None
    assert sampling.decoding == {"mode": "sample", "temperature": 0.8, "top_k": 5, "seed": 0}
    assert sampling.samples.value() == 4

    beam.size_box.setValue(6)
    beam.penalty.setValue(0.6)

    assert beam.decoding == {"mode": "beam", "beam_size": 6, "length_penalty": 0.6, "n_best": 6}
    assert (beam.size_box.minimum(), beam.size_box.maximum()) == (2, 16)
