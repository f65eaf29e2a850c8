"""What the experiment says is what its numbers say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from tests.viewer.pages.learn.order.order_samples import experiment, reading
from viewer.pages.learn.order.order_words import id_sentence, pieces_read, probability, small_number, verdict

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.00"), (3.2, "3.20"), (12.345, "12.35"), (0.01, "0.01"), (2.4e-7, "2×10⁻⁷"), (0.004, "4×10⁻³")],
)
def test_numbers_are_short_and_tiny_ones_in_powers_of_ten(value: float, text: str) -> None:
    assert small_number(value) == text


def test_the_verdict_names_the_largest_differences() -> None:
    text = verdict(experiment())

    assert "2.25" in text
    assert "3×10⁻⁷" in text
    assert "cannot tell who does what to whom" in text


def test_no_more_is_claimed_than_was_found() -> None:
    apart = {True: np.array([1.5], np.float32), False: np.array([0.25], np.float32)}
    text = verdict(experiment(largest=apart))

    assert "1.50" in text
    assert "0.25" in text
    assert "cannot tell" not in text


def test_a_model_without_positions_gets_its_own_verdict() -> None:
    same = {key: np.array([2e-7], np.float32) for key in (True, False)}

    assert "adds none" in verdict(experiment(largest=same))


def test_the_limit_of_the_same_is_a_hundred_thousandth() -> None:
    at, above = ({True: np.array([1.0]), False: np.array([x])} for x in (1e-5, 1.1e-5))

    assert "cannot tell" in verdict(experiment(largest=at))
    assert "cannot tell" not in verdict(experiment(largest=above))


def test_the_ids_come_from_what_was_read() -> None:
    assert "271, 383, 2368" in id_sentence(experiment())
    odd = reading(True, True)
    other = replace(odd, trace=replace(odd.trace, src_ids=np.array([1, 2, 3, 3])))
    readings = experiment().readings

    assert "do not have the same ids" in id_sentence(experiment(readings=(readings[0], other, *readings[2:])))


def test_probability_of_the_whole_translation() -> None:
    assert probability(reading(False, True).trace) == "probability 50 %"
    assert probability(reading(False, False).trace) == "probability 12 %"  # 12.5, rounded to even
    assert probability(reading(True, False).trace) == "probability < 0.1 %"


def test_pieces_as_they_were_read() -> None:
    QApplication.processEvents()
    assert pieces_read(reading(True, True).trace).split() == ["Mary", "loves", "Tom"]
