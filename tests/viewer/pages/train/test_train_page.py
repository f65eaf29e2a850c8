"""The page as a whole: what is in view when, and where its requests go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from model.data.pairs.survey import CorpusSurvey
from model.train_options import TrainOptions
from tests.viewer.heard_requests import heard
from viewer.app import build_window
from viewer.dialogs.batch_dialog import BatchDialog
from viewer.document.messages.training_requests import (
    MakeBatch,
    ReadCorpus,
    ResumeRun,
    ShowRun,
    StartRun,
    StopBatch,
)
from viewer.document.session import Session
from viewer.document.training.training import Training
from viewer.pages.train.form import train_form
from viewer.pages.train.train_page import CORPUS, RUN, TrainPage
from viewer.pages.widgets.appearance import Appearance
from viewer.window.main_window import MainWindow
from viewer.window.settings import Settings

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the platform without a screen


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


@pytest.fixture
def training(qapp: QApplication) -> Training:
    return Training()


@pytest.fixture
def window(qtbot: QtBot, training: Training, tmp_path: Path) -> Iterator[MainWindow]:
    settings = Settings(str(tmp_path / "s.ini"))
    window = build_window(None, settings, training=training, theme="light", language="en")
    window.resize(1280, 800)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()


@pytest.fixture
def page(qtbot: QtBot, training: Training) -> TrainPage:
    """Without a window around it."""
    page = TrainPage(Session(), training, Appearance("light"))
    page.resize(1250, 700)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    return page


def order(out: str = "/models/x", **changes: object) -> StartRun:
    return StartRun(TrainOptions(name="x", task="copy", task_size=7), out, **changes)  # type: ignore[arg-type]


def test_nothing_is_read_before_anybody_looks(
    qtbot: QtBot, training: Training, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train_form, "_SETTLE_MS", 0)
    asked = heard(training, ReadCorpus)
    unseen = TrainPage(Session(), training, Appearance("light"))
    qtbot.addWidget(unseen)
    QTest.qWait(30)

    assert asked == []


def test_before_a_run_there_are_form_and_corpus(page: TrainPage) -> None:
    assert page.form.isVisible()
    assert page.preview.isVisible()
    assert not page.bar.isVisible()
    assert not page.offer.isVisible()
    assert page.form.foot.start.isEnabled()


def test_a_run_takes_the_room_and_gives_it_back_on_wish(page: TrainPage, training: Training) -> None:
    training.begin(order())

    assert not page.form.isVisible()
    assert page.live.isVisible()
    page.settings.click()
    assert page.form.isVisible()
    training.set_phase("ended")
    assert page.live.isVisible()  # what was watched stays in view
    page.tabs[CORPUS].click()
    assert page.preview.isVisible()
    assert page.form.isVisible()
    page.tabs[RUN].click()
    assert page.live.isVisible()
    assert not page.form.isVisible()


def test_start_carries_the_form_s_run_and_is_remembered(window: MainWindow, tmp_path: Path) -> None:
    page = window.pages.train
    asked = heard(window.training, StartRun)
    page.form.data.rows["task_size"].set_value(123)

    page.form.foot.start.click()

    assert asked[0].options.task_size == 123
    window.close()
    later = Settings(str(tmp_path / "s.ini"))
    assert later.train_options == asked[0].options
    again = build_window(None, later, theme="light", language="en")
    assert again.pages.train.form.options() == asked[0].options
    again.deleteLater()


def test_a_batch_can_be_looked_at_before_the_run(
    window: MainWindow, training: Training, qtbot: QtBot
) -> None:
    window.pages.show_page(3)
    page = window.pages.train
    training.set_survey(CorpusSurvey("task", complete=True, train=5))
    asked = heard(training, MakeBatch, StopBatch)
    page.preview.batch.click()

    (request,) = asked
    assert (request.options, request.out, request.step) == (page.form.options(), "", 0)
    assert request.pad > 0
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(BatchDialog)))
    (dialog,) = window.findChildren(BatchDialog)
    dialog.step.setValue(3)
    qtbot.waitUntil(lambda: len(asked) == 2)
    assert asked[1] == replace(request, step=2)
    dialog.cancel.click()
    assert asked[2] == StopBatch()


def test_an_unfinished_run_is_offered_and_goes_on_as_it_was(
    page: TrainPage, training: Training, qtbot: QtBot
) -> None:
    opened = heard(training, ShowRun)
    training.set_offer("/models/x")
    assert page.offer.isVisible()
    page.look.click()
    page.go_on.click()
    assert opened == [ShowRun("/models/x")] * 2

    resumed = heard(training, ResumeRun)
    training.order, training.phase, training.resumable = order(), "ended", True
    training.reset.emit()
    qtbot.waitUntil(lambda: resumed == [ResumeRun()])
    assert page.form.options().task_size == 7
    assert page.form.out() == "/models/x"


def test_a_run_that_is_only_looked_at_stays_where_it_is(page: TrainPage, training: Training) -> None:
    resumed = heard(training, ResumeRun)
    training.set_offer("/models/x")
    page.look.click()
    training.order, training.phase, training.resumable = order(), "ended", True
    training.reset.emit()
    QTest.qWait(20)

    assert resumed == []
    assert page.live.isVisible()


def test_a_run_in_view_goes_on_with_what_the_form_changes_of_it(page: TrainPage, training: Training) -> None:
    asked = heard(training, StartRun)
    training.order, training.phase, training.resumable = order(), "ended", True
    training.reset.emit()
    page.form.row("epochs").set_value(55)

    page.form.resume_run_asked.emit("/models/x")

    assert [(one.out, one.resume, one.options.train.epochs) for one in asked] == [("/models/x", True, 55)]


def test_files_dropped_anywhere_on_the_page_become_the_data(page: TrainPage, tmp_path: Path) -> None:
    path = tmp_path / "eng-fra.tsv"
    path.write_text("a\tb\n")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)), QUrl.fromLocalFile(str(tmp_path))])
    event = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip

    page.dropEvent(event)

    assert page.form.options().pairs == (str(path),)


def test_the_page_in_its_window(window: MainWindow) -> None:
    # The page is a tab, a key and a menu entry away.
    for ask in (
        lambda: window.top.pages[3].click(),
        lambda: QTest.keyClick(window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier),
        lambda: window.actions_["show_train"].trigger(),
    ):
        window.pages.show_page(0)
        assert not window.pages.train.isVisible()
        ask()
        assert window.pages.train.isVisible()
        assert window.top.pages[3].isChecked()
    assert window.top.pages[3].text() == "Train"
    assert window.actions_["show_train"] in window.menus.view.actions()

    # Call-outs stay with the page that they point at.
    window.guidance.show_callouts()
    assert window.guidance.guide is not None
    bubbles = window.guidance.guide.callouts.bubbles
    assert any(bubble.isVisible() for bubble in bubbles)

    window.pages.show_page(3)
    assert not any(bubble.isVisible() for bubble in bubbles)
    window.pages.show_page(0)
    assert any(bubble.isVisible() for bubble in bubbles)

    # Before an audience the run alone is left.
    window.pages.show_page(3)
    page = window.pages.train
    window.presenting.toggle()
    assert not page.form.isVisible()
    window.presenting.toggle()
    assert page.form.isVisible()

    # Nothing keeps an English text that has a Chinese one.
    window.toggle_language()
    window.toggle_language()

    assert page.form.foot.start.text() == "Start"
    assert page.form.data.sources["task"].text() == "Built-in task"
    assert page.form.row("n_heads").title.text() == "Heads"


def test_of_the_pages_made_ahead_the_plots_of_a_run_come_last(window: MainWindow) -> None:
    pages, seen = window.pages, []
    for _ in pages.ahead():
        page = pages.train_page
        seen.append((page is not None, page is not None and page.live.curves.plots is not None))
    assert seen == sorted(seen)
    assert seen[-1] == (True, True)
    assert seen.count((True, False)) > 5
    assert pages.learn_page is not None
    assert not pages.train.isVisible()
