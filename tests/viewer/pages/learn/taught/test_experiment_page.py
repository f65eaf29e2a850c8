"""The page of an experiment: the recorded result at once, a run that grows, and doors to what it trained."""

from __future__ import annotations

import dataclasses

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from model.experiments.experiment import ExperimentRun
from model.experiments.recorded import recorded_result
from model.experiments.result import ArmResult, ExperimentResult
from tests.viewer.pages.learn.taught.test_taught_view import Bench
from viewer.document.session import Session
from viewer.experiments.registry import told_named

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot, told_named("norm_order"), Session())


def run_of(bench: Bench, *arms: ArmResult) -> ExperimentResult:
    return dataclasses.replace(recorded_result("norm_order"), arms=arms, recorded=False)


def test_it_begins_with_what_is_recorded_and_asks_nothing(bench: Bench) -> None:
    assert bench.asked == []
    assert any("Post-norm, warm-up" in text for text in bench.texts())
    assert bench.view.figure is not None
    assert "recorded result, seeds: 3" in bench.view.figure.body.badges


def test_a_run_grows_and_opens_what_it_trained(bench: Bench) -> None:
    session = bench.session
    QTest.mouseClick(bench.button("Run it again"), Qt.MouseButton.LeftButton)
    ((question, reading),) = bench.asked
    assert (question, reading) == (ExperimentRun("norm_order", 1), None)
    assert bench.view.figure is not None  # the recorded one, meanwhile
    session.answers.progress((question, None), 40, 960)
    assert "Computing: 40 of 960" in bench.texts()

    part = ArmResult("post_warm", 1, steps=40)
    session.answers.grow((question, None), run_of(bench, part))
    assert "run here, seeds: 1" in bench.view.figure.body.badges
    done = dataclasses.replace(recorded_result("norm_order").arms[0], path="/somewhere/post_warm-1")
    session.answers.finish((question, None), run_of(bench, done))
    opened: list[str] = []
    bench.view.path_asked.connect(opened.append)
    QTest.mouseClick(bench.button("Post-norm, warm-up"), Qt.MouseButton.LeftButton)
    assert opened == ["/somewhere/post_warm-1"]

    QTest.mouseClick(bench.button("Run it again"), Qt.MouseButton.LeftButton)  # back to what is recorded
    assert "recorded result, seeds: 3" in bench.view.figure.body.badges
    assert not any(text.startswith("Look into the models") for text in bench.texts())


def test_two_pages_may_run_at_once(qtbot: QtBot, bench: Bench) -> None:
    other = Bench(qtbot, told_named("scheduled_sampling"), bench.session)
    QApplication.processEvents()  # controls appear with the next layout
    for one in (bench, other):
        QTest.mouseClick(one.button("Run it again"), Qt.MouseButton.LeftButton)
    names = ("norm_order", "scheduled_sampling")
    assert all(bench.session.answers.state(ExperimentRun(name)).waiting for name in names)
    QTest.mouseClick(bench.button("Stop"), Qt.MouseButton.LeftButton)
    assert not bench.session.answers.state(ExperimentRun("norm_order")).waiting
    assert bench.session.answers.state(ExperimentRun("scheduled_sampling")).waiting
    assert "Stopped." in bench.texts()


def test_pressed_again_it_begins_again_what_was_stopped(bench: Bench) -> None:
    key = ExperimentRun("norm_order")
    QTest.mouseClick(bench.button("Run it again"), Qt.MouseButton.LeftButton)
    QTest.mouseClick(bench.button("Stop"), Qt.MouseButton.LeftButton)
    QTest.mouseClick(bench.button("Run it again"), Qt.MouseButton.LeftButton)  # back to what is recorded
    assert not bench.session.answers.state(key).waiting
    QTest.mouseClick(bench.button("Run it again"), Qt.MouseButton.LeftButton)
    assert bench.session.answers.state(key).waiting
    assert "Stopped." not in bench.texts()
