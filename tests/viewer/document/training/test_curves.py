"""Curves: what was measured comes back at its step, however it arrived."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.viewer.fake_training import eval_event, step_event
from viewer.document.training.curves import Curves


def pairs(curves: Curves, name: str) -> list[tuple[float, float]]:
    steps, values = curves.series(name)
    return list(zip(steps.tolist(), values.tolist()))


def test_every_measure_stands_at_its_step() -> None:
    curves = Curves()
    for step in (1, 2, 3):
        curves.add_step(step_event(step))
    curves.add_evaluation(eval_event(2))
    assert pairs(curves, "loss") == [(1, 1.0), (2, 0.5), (3, 1 / 3)]
    assert pairs(curves, "heldout_loss") == [(2, 1.5)]
    assert pairs(curves, "bleu") == [(2, 10.0)]
    assert pairs(curves, "lr") == [(1, 0.1), (2, 0.1), (3, 0.1)]
    assert pairs(curves, "grad_norm") == [(1, 2.0), (2, 2.0), (3, 2.0)]
    assert pairs(curves, "tokens_per_second") == [(1, 100.0), (2, 100.0), (3, 100.0)]


def test_an_empty_curve_has_no_rows_and_an_unknown_one_does_not_exist() -> None:
    curves = Curves()
    for name in Curves.NAMES:
        steps, values = curves.series(name)
        assert steps.shape == values.shape == (0,)
    with pytest.raises(KeyError):
        curves.series("accuracy")


def test_ten_thousand_steps_keep_their_numbers_through_every_growth() -> None:
    curves = Curves()
    for step in range(1, 10_001):
        curves.add_step(step_event(step, loss=step * 0.5))
    steps, values = curves.series("loss")
    np.testing.assert_array_equal(steps, np.arange(1, 10_001))
    np.testing.assert_array_equal(values, np.arange(1, 10_001) * 0.5)


def test_series_cannot_be_written_and_keep_their_numbers_whatever_comes() -> None:
    curves = Curves()
    for step in range(1, 6):
        curves.add_step(step_event(step, loss=step))
    steps, values = curves.series("loss")
    with pytest.raises(ValueError, match="read-only"):
        values[0] = 7
    with pytest.raises(ValueError, match="read-only"):
        steps[0] = 7
    curves.add_step(step_event(3, loss=30.0))
    curves.add_step(step_event(4, loss=40.0))
    assert values.tolist() == [1, 2, 3, 4, 5]
    assert pairs(curves, "loss") == [(1, 1), (2, 2), (3, 30), (4, 40)]


def test_what_a_killed_run_had_measured_beyond_its_save_is_replaced() -> None:
    curves = Curves()
    for step in range(1, 9):
        curves.add_step(step_event(step))
        if step % 2 == 0:
            curves.add_evaluation(eval_event(step))
    curves.add_step(step_event(5, loss=9.0))
    assert [step for step, _ in pairs(curves, "loss")] == [1, 2, 3, 4, 5]
    assert [step for step, _ in pairs(curves, "heldout_loss")] == [2, 4]
    assert [step for step, _ in pairs(curves, "bleu")] == [2, 4]


def test_an_evaluation_made_again_replaces_the_first() -> None:
    curves = Curves()
    curves.add_step(step_event(2))
    curves.add_evaluation(eval_event(2, bleu=1.0))
    curves.add_evaluation(eval_event(2, bleu=5.0))
    assert pairs(curves, "bleu") == [(2, 5.0)]
    assert [step for step, _ in pairs(curves, "loss")] == [2]


def test_an_evaluation_without_bleu_has_a_loss_alone() -> None:
    curves = Curves()
    curves.add_evaluation(eval_event(4, bleu=None))
    curves.add_evaluation(eval_event(8, bleu=2.0))
    assert [step for step, _ in pairs(curves, "heldout_loss")] == [4, 8]
    assert pairs(curves, "bleu") == [(8, 2.0)]


def test_a_loss_that_is_no_number_is_a_gap() -> None:
    curves = Curves()
    curves.add_step(step_event(1, loss=1.0))
    curves.add_step(step_event(2, loss=math.nan))
    curves.add_step(step_event(3, loss=3.0))
    steps, values = curves.series("loss")
    assert steps.tolist() == [1, 2, 3]
    assert np.isnan(values).tolist() == [False, True, False]


def test_the_history_of_a_run_is_put_in_at_once_and_goes_on() -> None:
    curves = Curves()
    steps = np.arange(2, 2002, 2)
    curves.add_steps(steps, {"loss": steps * 0.25, "lr": np.full(1000, 0.5)})
    curves.add_step(step_event(2001, loss=7.0))
    assert pairs(curves, "loss")[:2] == [(2, 0.5), (4, 1.0)]
    assert pairs(curves, "loss")[-1] == (2001, 7.0)
    assert np.isnan(curves.series("grad_norm")[1][:1000]).all()
    curves.keep_until(3)
    assert pairs(curves, "loss") == [(2, 0.5)]
