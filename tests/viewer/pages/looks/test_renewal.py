"""Another theme, type or language: what is seen takes it before a frame shows it, all else soon after."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QPaintDevice, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QStackedWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from viewer.icons import icon
from viewer.pages.accessible.tabs import TabButton
from viewer.pages.looks.rehearsal import rehearse
from viewer.pages.looks.renewal import Renewal, in_own_turn, in_turns, once_taken
from viewer.pages.widgets.appearance import DARK, LIGHT, Appearance
from viewer.pages.widgets.buttons import IconButton
from viewer.pages.widgets.overflow_row import OverflowRow
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


def in_steps(told: list[str], *names: str) -> Iterator[None]:
    for name in names:
        told.append(name)
        yield


def test_of_what_is_done_in_turns_the_first_step_is_done_at_once(bench: Bench) -> None:
    told: list[str] = []
    in_turns(bench.seen, in_steps(told, "one", "two", "three"))
    assert told == ["one"]
    seen_after = []
    bench.turn(lambda: bool(seen_after.append(len(told))) or not bench.renewal.busy)
    assert seen_after[0] < 3
    assert told == ["one", "two", "three"]


def test_nothing_is_painted_before_all_steps_are_done(bench: Bench) -> None:
    told: list[str] = []
    before = bench.seen.painted
    in_turns(bench.seen, in_steps(told, "one", "two", "three"))
    bench.seen.repaint()
    bench.turn(lambda: bench.seen.painted > before)
    assert told == ["one", "two", "three"]


def test_a_frame_after_steps_paints_everything_once(bench: Bench) -> None:
    """Qt would paint an opaque window with all that it holds, and then all that it holds once more."""
    before, told = bench.seen.painted, []
    bench.renewal.do(in_steps(told, "one", "two"))
    bench.rest()
    bench.turn(lambda: bench.seen.painted > before)
    assert told == ["one", "two"]
    assert bench.seen.painted == before + 1


def test_what_is_asked_for_meanwhile_finds_the_earlier_steps_done(bench: Bench) -> None:
    told: list[str] = []
    in_turns(bench.seen, in_steps(told, "one", "two"))
    in_turns(bench.seen, in_steps(told, "three", "four"))
    assert told == ["one", "two", "three"]
    bench.rest()
    assert told == ["one", "two", "three", "four"]


def test_a_step_may_ask_for_more_and_for_another_theme(bench: Bench) -> None:
    told: list[str] = []

    def outer() -> Iterator[None]:
        yield
        bench.look.choose("dark")
        in_turns(bench.seen, in_steps(told, "inner"))
        once_taken(bench.seen, lambda: told.append(colour(bench.seen)))
        told.append("outer")
        yield

    in_turns(bench.seen, outer())
    bench.rest()
    assert told == ["outer", "inner", DARK.text]


def test_a_step_that_fails_does_not_keep_the_window_from_being_seen(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    caught: list[object] = []
    monkeypatch.setattr("sys.excepthook", lambda *error: caught.append(error))

    def failing() -> Iterator[None]:
        yield
        raise ValueError

    in_turns(bench.seen, failing())
    bench.rest()
    assert len(caught) == 1
    assert bench.window.updatesEnabled()


def test_what_has_a_turn_of_its_own_is_done_before_a_frame(bench: Bench) -> None:
    told: list[int] = []
    in_own_turn(bench.seen, lambda: told.append(bench.seen.painted))
    assert not told
    before = bench.seen.painted
    bench.seen.repaint()
    bench.rest()
    assert told == [before]


def test_without_a_renewal_steps_are_done_at_once(qtbot: QtBot) -> None:
    widget, told = QWidget(), list[str]()
    qtbot.addWidget(widget)
    in_turns(widget, in_steps(told, "one", "two"))
    once_taken(widget, lambda: told.append("three"))
    assert told == ["one", "two", "three"]


def test_whatever_became_due_is_heard_between_two_slices(bench: Bench) -> None:
    told: list[str] = []

    def slow() -> None:
        told.append("slice")
        time.sleep(0.003)  # longer than the timer's time

    for label in bench.hidden:
        label.retranslate = slow  # type: ignore[method-assign]
    timer = QTimer(bench.window)
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: told.append("heard"))
    timer.start(1)
    QApplication.sendEvent(bench.window, QEvent(QEvent.Type.LanguageChange))
    bench.rest()
    timer.stop()
    slices = [place for place, what in enumerate(told) if what == "slice"]
    assert len(slices) == len(bench.hidden)
    assert all("heard" in told[one:other] for one, other in pairwise(slices))


def test_a_rehearsal_draws_what_is_seen_where_nobody_sees_it(bench: Bench) -> None:
    drawn: list[QPaintDevice] = []

    class Picture(QWidget):
        def draw_on(self, painter: QPainter) -> None:
            drawn.append(painter.device())

    pictures = [Picture(page) for page in bench.pages]
    for picture in pictures:
        picture.show()
    assert sum(1 for _ in rehearse(bench.window)) == 2  # the label and the picture of the page in view
    assert len(drawn) == 1
    assert not isinstance(drawn[0], QWidget)
    size = pictures[0].size()
    pictures[0].resize(0, size.height())  # where others leave it no room it would have no paper either
    assert sum(1 for _ in rehearse(bench.window)) == len(drawn) == 1
    pictures[0].resize(size)
    bench.look.choose("dark")
    bench.rest()
    assert len(drawn) == 2


def test_icons_follow_the_theme(qtbot: QtBot, bench: Bench) -> None:
    button = IconButton(bench.look, "close")
    layout = bench.pages[0].layout()
    assert layout is not None
    layout.addWidget(button)
    before = button.icon().cacheKey()
    bench.look.choose("dark")
    bench.rest()
    assert button.icon().cacheKey() == icon("close", DARK.text, DARK.disabled).cacheKey() != before


def test_what_a_row_hides_but_measures_by_has_it_with_the_row(bench: Bench) -> None:
    row, tab = OverflowRow(bench.look), TabButton()
    row.add(tab)
    tab.hide()
    layout = bench.pages[0].layout()
    assert layout is not None
    layout.addWidget(row)
    bench.rest()
    bench.look.set_type_size(150)
    bench.turn(lambda: bench.seen.font().pixelSize() == bench.look.px(14))
    bench.turn(bench.window.updatesEnabled)
    assert tab.font().pixelSize() == bench.look.px(14)
    assert bench.renewal.busy


def test_a_picture_that_fails_in_the_rehearsal_does_not_keep_the_window_from_being_seen(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    caught: list[object] = []
    monkeypatch.setattr("sys.excepthook", lambda *error: caught.append(error))

    class Picture(QWidget):
        def draw_on(self, painter: QPainter) -> None:
            raise ValueError

    picture = Picture(bench.pages[0])
    picture.show()
    bench.look.choose("dark")
    bench.rest()
    assert len(caught) == 1
    assert bench.window.updatesEnabled()
    assert colour(bench.hidden[-1]) == DARK.text
