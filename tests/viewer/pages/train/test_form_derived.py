"""What the form makes of a corpus that is known and a machine that is timed, and what is given instead."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from model.commands.train_arguments import build_parser, options_from
from model.data.pairs.survey import CorpusSurvey
from model.train_options import TrainOptions
from tests.viewer.heard_requests import heard
from tests.viewer.pages.train.test_form_values import whole
from viewer.document.messages.notice import Notice
from viewer.document.messages.training_requests import ReadCorpus, StartRun, TimeSteps
from viewer.document.training.form_command import command_line
from viewer.document.training.training import Training
from viewer.pages.train.form.train_form import TrainForm
from viewer.pages.widgets.appearance import Appearance

FOLLOWING = ("batch_tokens", "epochs", "warmup", "learning_rate", "probe_every")


def survey(pairs: int, characters: int = 36, *, complete: bool = True) -> CorpusSurvey:
    """Pairs of which each translation has so many characters: ten tokens, as 36 make."""
    lengths = np.zeros(characters + 1, np.int64)
    lengths[characters] = pairs
    letters = ({}, dict.fromkeys("abcdefghij", pairs))
    return CorpusSurvey("tsv", complete, pairs=pairs, train=pairs, target_lengths=lengths, characters=letters)


@pytest.fixture
def training(qapp: object) -> Training:
    return Training()


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def form(qtbot: QtBot, training: Training) -> TrainForm:
    form = TrainForm(training, Appearance("light"))
    qtbot.addWidget(form)
    return form


def shown(form: TrainForm) -> dict[str, Any]:
    return {name: form.row(name).shown() for name in FOLLOWING}


def files(form: TrainForm, tmp_path: Path, text: str = "go .\tva !\n") -> str:
    path = tmp_path / "pairs.tsv"
    path.write_text(text, encoding="utf-8")
    form.take_files([str(path)])
    return str(path)


@pytest.mark.parametrize(
    ("pairs", "batch", "epochs", "warmup", "rate", "frames"),
    [
        # 10 tokens a pair: 79 batches of 1,024 tokens; 38 epochs are 3,002 steps, a quarter to warm up.
        # Noam's peak is then (256 * 700) ** -0.5; 0.5 / 256 is 0.83 of it.
        (8000, 1024, 38.0, 700, 0.83, 5),
        # 1,250,000 tokens: 306 batches of 4,096, ten epochs.
        (125_000, 4096, 10.0, 700, 0.83, 5),
        # 20,000,000: 4,883 batches; the usual warm-up is short beside 48,830 steps.
        (2_000_000, 4096, 10.0, 4000, 1.0, 5),
        # 1,000: one batch; no more than a hundred epochs are asked for, and every frame is kept.
        (100, 1024, 100.0, 20, 0.14, 1),
    ],
)
def test_a_corpus_gets_batches_and_a_length_of_its_size(
    form: TrainForm,
    training: Training,
    pairs: int,
    batch: int,
    epochs: float,
    warmup: int,
    rate: float,
    frames: int,
) -> None:
    form.data.sources["files"].click()
    training.set_survey(survey(pairs))

    assert tuple(shown(form).values()) == (batch, epochs, warmup, rate, frames)
    assert form.model.preset.value() == "small"
    assert form.notes.slow.text() == ""


def test_the_form_follows_the_corpus_and_says_why(form: TrainForm, training: Training) -> None:
    task = shown(form)
    training.set_survey(survey(20_000))
    assert shown(form) == task  # a built-in task suits itself

    form.data.sources["files"].click()
    training.set_survey(survey(2000, complete=False))
    assert form.row("vocab_size").shown() == 8000
    training.set_survey(survey(2000))
    size = form.row("vocab_size")
    assert (size.shown(), size.value()) == (2000, 8000)
    assert size.reason.text() == "8,000 → 2,000, as there are 2,000 pairs"
    assert size.reason.text() in size.editor.accessibleDescription()
    assert "the preset Tiny" in form.notes.few.text()

    training.set_survey(survey(2_000_000))
    assert (size.shown(), size.reason.text(), form.notes.few.text()) == (8000, "", "")
    form.data.sources["task"].click()
    assert shown(form) == task


def test_what_the_person_gives_stays_until_it_is_given_back(form: TrainForm, training: Training) -> None:
    form.data.sources["files"].click()
    form.row("warmup").editor.setValue(123)  # type: ignore[attr-defined]
    form.row("epochs").set_value(3.0)
    training.set_survey(survey(8000))

    assert (form.row("warmup").shown(), form.row("epochs").shown()) == (123, 3.0)
    assert not form.row("warmup").automatic
    assert "makes about 237 steps" in form.notes.slow.text()
    auto = form.row("warmup").auto
    assert auto is not None
    auto.click()
    assert (form.row("warmup").shown(), form.row("warmup").value()) == (50, 4000)
    auto.click()
    assert form.row("warmup").value() == 50  # what is in view is what is given


def test_other_limits_are_the_only_ones_where_nobody_gave_epochs(
    form: TrainForm, training: Training, tmp_path: Path
) -> None:
    files(form, tmp_path)
    training.set_survey(survey(8000))
    form.row("steps").set_value(200)

    assert form.row("epochs").shown() == 0
    assert form.row("warmup").shown() == 50
    options = form.options()
    assert (options.train.epochs, options.train.steps) == (0, 200)
    assert "epochs" not in options.auto
    form.row("schedule").set_value("cosine")
    form.row("steps").set_value(0)
    form.row("minutes").set_value(5.0)
    assert "where it ends" in form.row("schedule").problem.text()


def test_the_command_leaves_to_the_command_what_nobody_gave(
    form: TrainForm, training: Training, tmp_path: Path
) -> None:
    path = files(form, tmp_path)
    training.set_survey(survey(8000))
    line = command_line(form.options(), "/m/pairs")
    assert line == f"headscope train --pairs {path} --probe-every auto --out /m/pairs"

    def alike() -> bool:
        said = vars(build_parser().parse_args(shlex.split(command_line(form.options(), "/m/pairs"))[2:]))
        said.pop("out")
        return whole(options_from(said, Path("/m/pairs"))) == whole(form.options())

    form.model.preset.set_value("tiny")
    assert alike()
    form.row("d_ff").set_value(99)
    assert alike()
    form.row("schedule").set_value("inverse_sqrt")
    form.row("warmup").set_value(50)
    form.row("minutes").set_value(7.0)
    assert alike()


def test_a_run_that_was_opened_is_shown_as_it_was(
    form: TrainForm, training: Training, tmp_path: Path
) -> None:
    files(form, tmp_path)
    made = form.options().taking({"vocab_size": 1200, "warmup": 70, "probe_every": 3})
    options = made.taking({name: made.value(name) for name in made.auto})
    form.set_options(options)
    training.set_survey(survey(8000))

    assert form.options() == options
    assert options.auto == ()
    form.set_options(made)  # asked for, and remembered as it was asked for
    assert form.options() == made


def test_columns_by_name_go_with_their_file(form: TrainForm, tmp_path: Path) -> None:
    files(form, tmp_path)
    form.row("columns").set_value(("en", "fr"))

    form.row("pairs").set_value(())

    assert form.row("columns").value() == ("1", "2")


# Before the start.


@pytest.fixture
def open_form(qtbot: QtBot, training: Training, home: Path) -> Iterator[TrainForm]:
    host = QWidget()  # a window of a fixed width is more than the offscreen platform can do
    form = TrainForm(training, Appearance("light"))
    column = QVBoxLayout(host)
    column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
    column.addWidget(form)
    qtbot.addWidget(host)
    host.resize(470, 900)
    host.show()
    qtbot.waitExposed(host)
    yield form
    host.hide()


class Reader:
    """Answers surveys when it is told to, as the conductor does."""

    def __init__(self, form: TrainForm, training: Training) -> None:
        self.training = training
        self.asked: list[TrainOptions] = []
        training.serve({ReadCorpus: self.take})

    def take(self, request: ReadCorpus) -> None:
        self.asked.append(request.options)
        self.training.set_survey(self.training.survey, surveying=True)


@pytest.mark.parametrize(
    ("code", "row"),
    [("corpus_encoding", "pairs"), ("corpus_no_column", "columns"), ("corpus_encoding_unknown", "encoding")],
)
def test_what_cannot_be_read_is_said_beside_it_and_does_not_start(
    open_form: TrainForm, training: Training, tmp_path: Path, code: str, row: str
) -> None:
    form = open_form
    reader = Reader(form, training)
    orders = heard(training, StartRun)
    path = files(form, tmp_path)
    form.ask_survey()
    assert form.foot.start.isEnabled()
    training.set_survey(None, Notice(code, {"path": path, "name": "x", "names": "y"}))

    assert form.row(row).problem.text() == training.survey_problem.sentence()  # type: ignore[union-attr]
    assert form.row(row).problem.isVisible()
    assert not form.foot.start.isEnabled()
    assert form.row(row).problem.text() in form.foot.reason.text()
    files(form, tmp_path, "mended, and of another length\tyes\n")
    form.ask_survey()
    assert len(reader.asked) == 2
    training.set_survey(survey(50))
    assert form.problems() == {}
    form.foot.start.click()
    assert len(orders) == 1


def test_pairs_that_leave_nothing_to_train_on_do_not_start(
    open_form: TrainForm, training: Training, tmp_path: Path
) -> None:
    reader = Reader(open_form, training)
    files(open_form, tmp_path)
    open_form.ask_survey()
    training.set_survey(CorpusSurvey("tsv", True, pairs=3))

    assert len(reader.asked) == 1
    assert "No sentence pairs are left" in open_form.row("pairs").problem.text()
    assert not open_form.foot.start.isEnabled()


def test_start_before_the_file_was_looked_at_waits_for_a_look(
    open_form: TrainForm, training: Training, tmp_path: Path
) -> None:
    form = open_form
    reader = Reader(form, training)
    training.set_survey(survey(9000))  # of something else
    orders = heard(training, StartRun)
    path = files(form, tmp_path)
    form.foot.start.click()

    assert orders == []
    assert form.foot.reason.text() == "Checking the pairs; then the run starts."
    training.set_survey(None, Notice("corpus_encoding", {"path": path}))
    assert orders == []
    assert form.row("pairs").problem.isVisible()

    files(form, tmp_path, "good\tbon\n")
    form.ask_survey()  # as when the person comes back to the window
    form.foot.start.click()
    assert orders == []
    training.set_survey(survey(1, complete=False), surveying=True)
    assert [order.options.pairs for order in orders] == [(path,)]
    assert len(reader.asked) == 2


def test_existing_pieces_that_are_none_are_said(form: TrainForm, tmp_path: Path) -> None:
    bad = tmp_path / "bad.spm"
    bad.write_bytes(b"no pieces")
    form.row("vocab_files").set_value((str(bad),))

    assert "cannot be read as SentencePiece pieces" in form.row("vocab_files").problem.text()
    assert not form.foot.start.isEnabled()


def test_how_long_it_takes_is_told_before_the_start(
    open_form: TrainForm, training: Training, qtbot: QtBot, tmp_path: Path
) -> None:
    form = open_form
    asked = heard(training, TimeSteps)
    reader = Reader(form, training)
    files(form, tmp_path)
    form.ask_survey()
    assert form.foot.outlook.text() == ""
    training.set_survey(survey(8000))
    assert form.foot.outlook.text() == "Measuring how fast this machine is…"
    qtbot.waitUntil(lambda: len(asked) == 1)
    options, tokens, key = asked[0].options, asked[0].tokens, asked[0].key
    assert (tokens, options.vocab_size) == (10, 8000)

    # 3,002 steps of 1,024 tokens at 1,024 tokens a second: 50 minutes; 700 of them 11.7.
    training.add_speed(key, 1024.0)
    assert form.foot.outlook.text() == (
        "About 50 min on this machine, and evaluations besides: about 3,002 steps; "
        "the warm-up ends after 700 (12 min)."
    )
    form.row("minutes").set_value(20.0)
    # 1,200 batches of 1,024 in 20 minutes.
    assert form.foot.outlook.text() == (
        "20 min on this machine: about 1,200 steps; the warm-up ends after 300 (5 min)."
    )
    assert form.row("warmup").shown() == 300
    form.ask_speed()
    assert len(asked) == 1  # it is known
    form.row("d_model").set_value(128)
    form.ask_speed()
    form.ask_speed()
    assert len(asked) == 2
    assert len(reader.asked) == 1
    training.add_speed(asked[1].key, 0.0)  # it could not be measured
    assert form.foot.outlook.text() == ""
    assert form.foot.start.isEnabled()
