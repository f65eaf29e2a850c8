"""What the form makes of a corpus that is known, and what it leaves as the person chose it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from model.data.survey import CorpusSurvey
from viewer.state.training import Training
from viewer.views.appearance import Appearance
from viewer.views.train.form_suited import SUITED, suited_values
from viewer.views.train.form_values import PROBE_EVERY, preset_values
from viewer.views.train.train_form import TrainForm

USUAL = {**preset_values("small"), "probe_every": PROBE_EVERY}


def survey(pairs: int, characters: int = 36, *, complete: bool = True) -> CorpusSurvey:
    """Pairs of which each translation has so many characters: ten tokens, as 36 make."""
    lengths = np.zeros(characters + 1, np.int64)
    lengths[characters] = pairs
    return CorpusSurvey("tsv", complete, pairs=pairs, train=pairs, target_lengths=lengths)


@pytest.mark.parametrize(
    ("pairs", "batch", "epochs", "warmup", "frames"),
    [
        # 10 tokens a pair: 79 batches of 1,024 tokens; 38 epochs are 3,002 steps, a quarter to warm up.
        (8000, 1024, 38.0, 700, 5),
        # 1,250,000 tokens: 306 batches of 4,096, ten epochs.
        (125_000, 4096, 10.0, 700, 5),
        # 20,000,000: 4,883 batches; the usual warm-up is short beside 48,830 steps.
        (2_000_000, 4096, 10.0, 4000, 5),
        # 1,000: one batch; no more than a hundred epochs are asked for, and every frame is kept.
        (100, 1024, 100.0, 400, 1),
    ],
)
def test_a_corpus_gets_batches_and_a_length_of_its_size(
    pairs: int, batch: int, epochs: float, warmup: int, frames: int
) -> None:
    found = suited_values(USUAL, survey(pairs))

    assert found == {"batch_tokens": batch, "epochs": epochs, "warmup": warmup, "probe_every": frames}


def test_nothing_is_made_of_a_corpus_that_is_not_known() -> None:
    assert suited_values(USUAL, None) == {}
    assert suited_values(USUAL, survey(8000, complete=False)) == {}
    assert suited_values({**USUAL, **preset_values("notes")}, survey(8000)) == {}  # it counts in sentences


@pytest.fixture
def training(qapp: object) -> Training:
    return Training()


@pytest.fixture
def form(qtbot: QtBot, training: Training) -> TrainForm:
    form = TrainForm(training, Appearance("light"))
    qtbot.addWidget(form)
    return form


def held(form: TrainForm) -> dict[str, Any]:
    return {name: form.row(name).value() for name in SUITED}


def test_the_form_follows_the_corpus_and_is_still_the_preset(form: TrainForm, training: Training) -> None:
    task = held(form)
    training.set_survey(survey(8000))
    assert held(form) == task  # a built-in task suits itself

    form.data.sources["files"].click()
    training.set_survey(survey(8000))
    assert held(form) == {"batch_tokens": 1024, "epochs": 38.0, "warmup": 700, "probe_every": 5}
    assert form.model.preset.value() == "small"
    assert form.notes.slow.text() == ""

    training.set_survey(survey(2_000_000))
    assert (form.row("batch_tokens").value(), form.row("warmup").value()) == (4096, 4000)

    form.data.sources["task"].click()
    assert held(form) == task


def test_what_the_person_chose_stays(form: TrainForm, training: Training) -> None:
    form.data.sources["files"].click()
    form.row("warmup").set_value(123)
    form.row("epochs").set_value(3.0)
    training.set_survey(survey(8000))

    assert held(form) == {"batch_tokens": 1024, "epochs": 3.0, "warmup": 123, "probe_every": 5}
    assert "makes about 237 steps" in form.notes.slow.text()


def test_a_run_that_was_opened_is_shown_as_it_was(form: TrainForm, training: Training) -> None:
    form.data.sources["files"].click()
    form.take_files([__file__])
    options = form.options()
    form.set_options(options)
    training.set_survey(survey(8000))

    assert form.options() == options


def test_columns_by_name_go_with_their_file(form: TrainForm) -> None:
    form.data.sources["files"].click()
    form.take_files([__file__])
    form.row("columns").set_value(("en", "fr"))

    form.row("pairs").set_value(())

    assert form.row("columns").value() == ("1", "2")
