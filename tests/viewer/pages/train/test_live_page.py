"""The live page says what is so, offers what can be done, and shows the probe's own weights."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.training.progress.events import ContinuedEvent, DoneEvent, PausedEvent, WorkEvent
from tests.viewer.heard_requests import heard
from tests.viewer.pages.train.live_samples import (
    eval_event,
    options,
    probe_event,
    shown_page,
    start_event,
    step_event,
    training_at,
)
from viewer.document.messages.notice import Notice
from viewer.document.messages.requests import ViewRequest
from viewer.document.messages.training_requests import (
    MakeBatch,
    PauseRun,
    ResumeRun,
    StartRun,
    StopRun,
    UseRun,
)
from viewer.document.training.training import Training
from viewer.pages.train.live.live_page import LivePage
from viewer.pages.train.live.live_words import duration, share_done, state_sentence
from viewer.pages.train.live.samples_model import TRANSLATION
from viewer.pages.widgets.buttons import elastic, label

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

Show = Callable[[Training], LivePage]


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    return partial(shown_page, qtbot)


def offered(page: LivePage) -> list[str]:
    """Labels of the strip's buttons that can be pressed."""
    buttons = page.strip.findChildren(QPushButton)
    return [button.text() for button in buttons if button.isVisible() and button.isEnabled()]


def done_event(step: int, **changes: Any) -> DoneEvent:
    values = {"step": step, "epoch": step / 10, "minutes": 34.2, "heldout_loss": 1.25, "bleu": 31.25}
    return DoneEvent(**{**values, **changes})


# the strip


def test_a_run_that_goes_on(show: Show) -> None:
    training = Training()
    training.begin(StartRun(options(), "/nowhere/m"))
    # What the strip says is the mean of the last fifty steps.
    training.take([start_event(), step_event(1100, tokens_per_second=9e9)])
    training.take([step_event(step, tokens_per_second=4800.0) for step in range(1191, 1216)])
    training.take([step_event(step, tokens_per_second=4999.4) for step in range(1216, 1240)])
    training.take([step_event(1240, epoch=3.21, tokens_per_second=4999.4, minutes_left=11.8)])
    page = show(training)

    assert page.strip.state.text() == (
        "Training · step 1,240 · epoch 3.2 · 4,900 tokens/s · about 12 min left"
    )
    assert offered(page) == [
        "Pause", "Evaluate and stop", "Save and end", "Use this model now", "Look at a batch…",
    ]  # fmt: skip
    assert not page.strip.advice.isVisible()

    training.take([WorkEvent(step=1240, epoch=3.21, stage="evaluating", done=64, total=200)])
    assert page.strip.state.text() == (
        "Training · step 1,240 · epoch 3.2 · evaluating on held-out pairs, 64 of 200"
    )
    training.take([step_event(1241, minutes_left=0.4)])
    assert page.strip.state.text().endswith("tokens/s · less than a minute left")
    training.take([WorkEvent(step=1241, epoch=3.21, stage="probe")])
    assert "evaluating" not in page.strip.state.text()


def test_preparing_shows_its_stage_and_share(show: Show) -> None:
    training = Training()
    training.begin(StartRun(options(), "/nowhere/m"))
    page = show(training)
    assert page.strip.progress.maximum() == 0  # busy, nobody knows how long

    training.take([WorkEvent(step=0, epoch=0.0, stage="encoding", done=500_000, total=2_000_000)])

    assert page.strip.state.text() == "Preparing · splitting the pairs into tokens, 500,000 of 2,000,000"
    assert page.strip.progress.maximum() > 0
    assert page.strip.progress.value() / page.strip.progress.maximum() == pytest.approx(0.25)
    assert offered(page) == ["Pause", "Cancel"]
    assert page.probe.empty.isVisible()
    assert page.curves.empty.isVisible()
    assert page.samples.empty.isVisible()


def test_bytes_are_read_in_percent_and_learning_has_no_measure(show: Show) -> None:
    training = Training()
    training.begin(StartRun(options(), "/nowhere/m"))
    page = show(training)

    training.take([WorkEvent(step=0, epoch=0.0, stage="reading", done=557_056, total=2_216_104)])
    assert page.strip.state.text() == "Preparing · reading the pairs, 25 %"

    # Once it has all sentences, SentencePiece does not say how far it is.
    training.take([WorkEvent(step=0, epoch=0.0, stage="vocabulary", done=331_456, total=331_456)])
    assert page.strip.state.text() == "Preparing · learning the vocabulary"
    assert page.strip.progress.maximum() == 0


def test_waiting_for_the_disk_says_why_and_offers_to_try_again(show: Show, qtbot: QtBot) -> None:
    training = training_at(30)
    page = show(training)
    error = HeadscopeError("disk_full", path="/disk/m", reason="No space left on device")
    training.take([PausedEvent(step=30, epoch=3.0, error=error)])

    assert page.strip.state.text() == "Waiting · step 30 · epoch 3.0"
    assert page.strip.advice.text().startswith(Notice.of(error).sentence())
    assert "Try again" in offered(page)
    asked = heard(training)
    page.strip.resume.click()
    assert asked == [ResumeRun()]

    training.take([ContinuedEvent(step=30, epoch=3.0)])
    assert page.strip.state.text().startswith("Training · step 30")
    assert not page.strip.advice.isVisible()


def test_paused_stopping_failed(show: Show) -> None:
    training = training_at(30)
    page = show(training)

    training.set_phase("paused")
    assert page.strip.state.text() == "Paused · step 30 · epoch 3.0"
    assert "Resume" in offered(page)
    assert "Pause" not in offered(page)
    assert "may be closed" in page.strip.advice.text()

    training.set_phase("stopping")
    assert page.strip.state.text() == "Stopping · step 30 · epoch 3.0"
    assert "Evaluate and stop" not in offered(page)
    assert "Save and end" in offered(page)  # sooner than after the evaluation

    problem = Notice("training_diverged", {"step": 31})
    training.set_phase("failed", problem, resumable=True)
    assert page.strip.state.text() == "Stopped by an error · step 30 · epoch 3.0"
    assert page.strip.advice.text().startswith(problem.sentence())
    assert offered(page) == ["Resume", "Open in Look", "Look at a batch…"]
    training.set_phase("failed", problem, resumable=False)
    assert "Resume" not in offered(page)


def test_the_end_tells_the_result_and_what_to_do_next(show: Show, qtbot: QtBot) -> None:
    training = training_at(100, out="/models/words")
    page = show(training)
    training.take([done_event(100)])
    training.set_phase("ended")

    assert page.strip.state.text() == "Finished · 100 steps · 34 min · held-out loss 1.25 · BLEU 31.2"
    assert "/models/words" in page.strip.advice.text()
    assert offered(page) == ["Open in Look", "Look at a batch…"]
    assert page.strip.use.property("role") == "primary"
    asked = heard(training)
    page.strip.use.click()
    assert asked == [UseRun()]


@pytest.mark.parametrize(
    ("reason", "words"),
    [("patience", "no more improvement"), ("asked", "as requested"), ("epochs", "Finished ·")],
)
def test_why_it_ended(reason: Any, words: str) -> None:
    training = training_at(10)
    training.take([done_event(10, reason=reason, bleu=None)])
    training.set_phase("ended")

    assert words in state_sentence(training)
    assert "BLEU" not in state_sentence(training)


def test_a_run_that_was_ended_early_can_be_resumed(show: Show, qtbot: QtBot) -> None:
    training = training_at(20)
    page = show(training)
    training.set_phase("ended", resumable=True)

    assert page.strip.state.text() == "Ended before its limit · step 20 · epoch 2.0"
    assert offered(page) == ["Resume", "Open in Look", "Look at a batch…"]
    assert page.strip.resume.property("role") == "primary"
    asked = heard(training)
    page.strip.resume.click()
    assert asked == [ResumeRun()]


@pytest.mark.parametrize(
    ("button", "request_"),
    [("pause", PauseRun()), ("stop", StopRun(evaluate=True)), ("cancel", StopRun()), ("use", UseRun())],
)
def test_each_button_asks(show: Show, button: str, request_: ViewRequest) -> None:
    training = training_at(5)
    page, asked = show(training), heard(training)

    QTest.mouseClick(getattr(page.strip, button), Qt.MouseButton.LeftButton)
    assert asked == [request_]


def test_the_batch_asked_for_is_that_of_the_next_step(show: Show) -> None:
    training = training_at(7, out="/nowhere/m")
    page = show(training)
    asked = heard(training)

    page.strip.batch.click()

    assert training.order is not None
    assert asked == [MakeBatch(training.order.options, "/nowhere/m", 7, 4)]


@pytest.mark.parametrize(
    ("limits", "share"),
    [
        ({"steps": 200}, 0.25),
        ({"steps": 0, "epochs": 20.0}, 0.25),
        ({"steps": 200, "epochs": 10.0}, 0.5),  # the nearest
        ({"steps": 0, "minutes": 24.0}, 0.5),
        ({"steps": 0}, None),
    ],
)
def test_progress_is_towards_the_nearest_limit(limits: dict[str, Any], share: float | None) -> None:
    training = training_at(50, **limits)

    assert share_done(training) == (None if share is None else pytest.approx(share))


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0.3, "less than a minute"), (11.6, "12 min"), (95, "95 min"), (150, "2.5 h"), (3000, "2.1 days")],
)
def test_times_are_no_more_exact_than_they_are_known(minutes: float, words: str) -> None:
    assert duration(minutes) == words


def test_nothing_is_cut_off_where_it_is_narrow(show: Show, qtbot: QtBot) -> None:
    page = show(training_at(40))
    page.resize(960, 600)
    strip = page.strip
    qtbot.waitUntil(lambda: strip.pause.mapTo(strip, QPoint()).y() > strip.state.mapTo(strip, QPoint()).y())

    for button in strip.findChildren(QPushButton):
        if button.isVisible():
            assert button.width() >= button.sizeHint().width()
            assert button.visibleRegion().boundingRect() == button.rect()


def test_a_sentence_without_room_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    text = "zoo net map map ant egg yak ink fox sun " * 4
    line = elastic(label("muted"))
    line.setText(text)
    qtbot.addWidget(line)
    line.show()
    line.resize(150, 20)
    shown = QLabel.text(line)

    assert line.text() == text
    assert shown.endswith("…")
    assert line.fontMetrics().horizontalAdvance(shown) <= 150
    line.resize(5000, 20)
    assert QLabel.text(line) == text


def test_the_number_of_a_step_is_never_cut(show: Show) -> None:
    training = training_at(30)
    page = show(training)
    training.take([eval_event(1_234_560)])

    table = page.samples.table
    for column in range(TRANSLATION):
        assert table.columnWidth(column) >= table.sizeHintForColumn(column)


def test_a_new_run_clears_the_page(show: Show) -> None:
    training = training_at(30)
    training.take([probe_event(30)])
    page = show(training)

    training.begin(StartRun(options(), "/nowhere/other"))

    assert page.strip.state.text() == "Preparing"
    assert page.probe.empty.isVisible()
    assert page.samples.model.rowCount() == 0


def test_another_language_reaches_every_part(show: Show) -> None:
    page = show(training_at(10))
    for widget in (page.strip, page.probe, page.curves, page.samples):
        for part in widget.findChildren(QPushButton):
            part.setText("?")
        QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.LanguageChange))

    texts = [button.text() for button in page.findChildren(QPushButton) if button.isVisible()]
    assert "?" not in set(texts) - {page.probe.heads.mean.text()}
