"""Another theme, type or language: what is seen takes it before a frame shows it, all else soon after."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QLabel, QStackedWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from viewer.pages.looks.renewal import Renewal, once_taken
from viewer.pages.widgets.appearance import DARK, LIGHT, Appearance
from viewer.pages.widgets.worded import Worded

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # windows, without a screen


class Speaker(Worded, QLabel):
    """Counts how often it says its words, and how often it is painted."""

    said = painted = 0

    def retranslate(self) -> None:
        self.said += 1

    def paintEvent(self, event: QEvent) -> None:  # type: ignore[override]
        self.painted += 1


class Bench:
    """A window with a label that is seen and many that are not."""

    def __init__(self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Renewal, "slice_s", 0.0)
        self.look = Appearance("light")
        self.window = QWidget()
        self.stack = QStackedWidget()
        self.pages = [QWidget(), QWidget()]
        self.seen = Speaker("seen")
        self.hidden = [Speaker(str(number)) for number in range(30)]
        for page, labels in zip(self.pages, ([self.seen], self.hidden), strict=True):
            column = QVBoxLayout(page)
            for label in labels:
                column.addWidget(label)
            self.stack.addWidget(page)
        QVBoxLayout(self.window).addWidget(self.stack)
        self.renewal = Renewal(self.window, self.look)
        self.look.changed.connect(self.renewal.restyle)
        self.renewal.restyle()
        qtbot.addWidget(self.window)
        self.window.show()
        qtbot.waitExposed(self.window)
        self.rest()

    def turn(self, done: Callable[[], bool]) -> None:
        """Have the event loop turn, and look after each turn, until something is so."""
        for _ in range(10_000):
            if done():
                return
            QApplication.processEvents()
        raise TimeoutError

    def rest(self) -> None:
        """Until every widget has what is in force."""
        self.turn(lambda: not self.renewal.busy)


@pytest.fixture
def bench(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(qtbot, monkeypatch)


def colour(label: QLabel) -> str:
    return label.palette().color(label.foregroundRole()).name()


def test_what_is_seen_has_another_theme_long_before_the_rest(bench: Bench) -> None:
    bench.look.choose("dark")
    bench.turn(lambda: colour(bench.seen) == DARK.text)
    assert colour(bench.hidden[-1]) == LIGHT.text
    assert bench.renewal.busy
    bench.rest()
    assert {colour(label) for label in bench.hidden} == {DARK.text}


def test_nothing_is_painted_before_all_that_is_seen_has_it(bench: Bench) -> None:
    before = bench.seen.painted
    bench.look.choose("dark")
    bench.seen.repaint()
    bench.window.repaint()
    assert bench.seen.painted == before
    bench.turn(lambda: bench.seen.painted > before)
    assert colour(bench.seen) == DARK.text


def test_a_frame_that_was_on_its_way_is_not_lost(bench: Bench) -> None:
    bench.seen.update()
    bench.look.choose("dark")
    before = bench.seen.painted
    QCoreApplication.sendPostedEvents(None, QEvent.Type.UpdateRequest.value)
    assert bench.seen.painted == before
    bench.turn(lambda: bench.seen.painted > before)


def test_what_is_made_or_shown_meanwhile_has_it_too(bench: Bench) -> None:
    bench.look.choose("dark")
    made = QLabel("made", bench.pages[0])
    made.show()
    bench.stack.setCurrentIndex(1)
    bench.rest()
    assert colour(made) == DARK.text
    assert {colour(label) for label in bench.hidden} == {DARK.text}


def test_of_two_changes_the_later_one_is_taken(bench: Bench) -> None:
    bench.look.choose("dark")
    bench.look.choose("light")
    bench.look.set_type_size(150)
    bench.rest()
    labels = (bench.seen, *bench.hidden)
    assert {colour(label) for label in labels} == {LIGHT.text}
    assert {label.font().pixelSize() for label in labels} == {bench.look.px(14)}


def test_every_widget_says_its_words_once_in_another_language(bench: Bench) -> None:
    QApplication.sendEvent(bench.window, QEvent(QEvent.Type.LanguageChange))
    bench.turn(lambda: bench.seen.said > 0)
    assert bench.hidden[-1].said == 0
    bench.rest()
    assert {label.said for label in (bench.seen, *bench.hidden)} == {1}


def test_one_that_went_or_fails_does_not_keep_the_others_from_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    caught: list[object] = []
    monkeypatch.setattr("sys.excepthook", lambda *error: caught.append(error))

    def fail() -> None:
        raise ValueError

    bench.hidden[3].retranslate = fail  # type: ignore[method-assign]
    QApplication.sendEvent(bench.window, QEvent(QEvent.Type.LanguageChange))
    bench.hidden.pop(5).deleteLater()
    bench.rest()
    assert len(caught) == 1
    assert bench.hidden[-1].said == 1
    assert bench.window.updatesEnabled()


def test_work_waits_until_what_is_seen_has_it(bench: Bench) -> None:
    colours: list[str] = []
    bench.look.choose("dark")
    once_taken(bench.seen, lambda: colours.append(colour(bench.seen)))
    assert not colours
    bench.turn(lambda: bool(colours))
    assert colours == [DARK.text]


def test_a_window_that_nobody_sees_has_it_at_once(bench: Bench) -> None:
    bench.window.hide()
    bench.look.choose("dark")
    assert not bench.renewal.busy
    assert {colour(label) for label in (bench.seen, *bench.hidden)} == {DARK.text}


def test_tests_of_the_window_have_it_at_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Renewal, "slice_s", math.inf)
    bench.look.choose("dark")
    assert {colour(label) for label in (bench.seen, *bench.hidden)} == {DARK.text}
