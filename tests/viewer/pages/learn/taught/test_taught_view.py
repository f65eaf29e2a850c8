"""The page that lessons share: controls, handles, arrangements; answers that come late, fail, are stopped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.lessons.control import Control, Place, Slider
from model.lessons.lesson import Ask, Finding, Lesson, Numbers, Subject, Values
from model.questions.questions import Question
from model.trace.trace import AttentionKind
from tests.viewer.exploring_samples import session_with
from tests.viewer.fake_source import small_info, small_trace
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.figures.drawing import figure_geometry
from viewer.figures.sheet.curves import PlacedCurves
from viewer.figures.sheet.layout import SheetGeometry
from viewer.figures.sheet.text_table import TextTable
from viewer.lessons.told import Told
from viewer.lessons.weighted_average import WEIGHTED_AVERAGE
from viewer.pages.learn.taught.taught_view import TaughtView
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")


@dataclass(frozen=True)
class Doubled(Question, answered_by="nowhere:doubled"):
    """Twice a number, asked of the model in use."""

    number: int


def _controls(subject: Subject | None) -> tuple[Control, ...]:
    own = Slider("number", 0, 9, 3, whole=True)
    return (own,) if subject is None else (own, Place("row", subject.queries, subject.query))


def _asks(values: Values, subject: Subject | None) -> Ask | None:
    return None if subject is None else (Doubled(int(values["number"])), subject.reading)


def _numbers(values: Values, answer: Any, subject: Subject | None) -> Numbers:
    if answer == "bad":
        raise HeadscopeError("empty_text")
    return Numbers((Finding("twice", int(answer), answer == 2 * int(values["number"])),), {"twice": answer})


TOY = Told(
    Lesson(
        "toy",
        _controls,
        _numbers,
        _asks,
        needs_answer=True,
        stations=lambda subject: ({"number": 5}, {"number": 1}),
    ),
    title=lambda: "Toy",
    why=lambda: "Because.",
    expect=lambda: "Twice the number.",
    formula=lambda values: f"2\\cdot {values['number']}",
    paper=lambda: "Nobody (2000)",
    control=lambda name: name.title(),
    finding=lambda found: f"Twice is {found.value}.",
    lines=lambda numbers, values: ((TextTable("Table", ("a", "b"), (("x", str(numbers.data["twice"])),)),),),
)


class Bench:
    """A page, and whoever answers its questions."""

    def __init__(self, qtbot: QtBot, told: Told, session: Session) -> None:
        self.qtbot, self.session = qtbot, session
        self.asked: list[tuple[Question, Any]] = []
        session.answers.wanted.connect(
            lambda question, reading, topic: self.asked.append((question, reading))
        )
        self.view = TaughtView(told, session, Appearance("light"))
        qtbot.addWidget(self.view)
        self.view.resize(1000, 640)
        self.view.show()

    def texts(self) -> list[str]:
        """What can be read on the page."""
        return [one.text() for one in self.view.findChildren(QLabel) if one.isVisible() and one.text()]

    def button(self, text: str) -> QPushButton:
        (found,) = (
            one for one in self.view.findChildren(QPushButton) if one.isVisible() and one.text() == text
        )
        return found

    def answer(self, value: Any) -> None:
        self.session.answers.finish(self.asked.pop(), value)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot, TOY, session_with(small_trace(3)))


@pytest.fixture
def average(qtbot: QtBot) -> Bench:
    return Bench(qtbot, WEIGHTED_AVERAGE, Session())


def test_without_a_translation_it_says_what_to_do(qtbot: QtBot) -> None:
    bench = Bench(qtbot, TOY, Session())
    assert any("Translate a sentence on the Look page first" in text for text in bench.texts())
    assert (bench.asked, bench.view.figure, bench.view.table()) == ([], None, None)
    opened: list[str] = []
    bench.view.path_asked.connect(opened.append)
    QTest.mouseClick(bench.button("Open en-fr"), Qt.MouseButton.LeftButton)
    assert opened == ["en-fr"]


def test_of_a_translation_that_has_only_begun_nothing_can_be_chosen(qtbot: QtBot) -> None:
    session = session_with(small_trace(0))
    session.select_kind(AttentionKind.CROSS)
    bench = Bench(qtbot, TOY, session)
    assert "Translate a sentence on the Look page first; this lesson uses it." in bench.texts()
    assert not bench.asked
    session.select_kind(AttentionKind.ENCODER_SELF)  # of the source there are rows
    session.model_changed.emit()
    assert bench.view.values["row"] == 0
    assert len(bench.asked) == 1


def test_answers_that_come_late_keep_the_last_picture(bench: Bench) -> None:
    assert "Computing…" in bench.texts()
    assert bench.view.figure is None
    bench.answer(6)
    assert "Twice is 6." in bench.texts()
    assert bench.view.table() == [("part", "name", "at", "value"), ("Table", "x", "b", "6")]

    spin = bench.view.controls.widget("number").spin
    spin.setValue(4)
    assert bench.asked[0][0] == Doubled(4)
    assert "Twice is 6." in bench.texts()  # still
    assert bench.view.table() is not None
    bench.answer(7)
    assert "Twice is 7. Here it is not as expected." in bench.texts()
    spin.setValue(3)
    assert not bench.asked  # known
    assert "Twice is 6." in bench.texts()


def test_what_fails_says_so_and_the_next_model_is_asked_anew(bench: Bench) -> None:
    bench.answer(6)
    bench.view.turn("number", 8)
    key = bench.asked.pop()
    problem = Notice.of(HeadscopeError("source_cannot", name="other"))
    bench.session.answers.fail(key, problem)
    assert problem.sentence() in bench.texts()
    assert not any("Twice is" in text for text in bench.texts())
    assert bench.view.figure is None
    bench.session.answers.forget_problems()
    assert bench.asked == [key]
    bench.answer(16)
    assert "Twice is 16." in bench.texts()
    bench.view.turn("number", 2)
    bench.answer("bad")  # the numbers themselves refuse
    assert Notice.of(HeadscopeError("empty_text")).sentence() in bench.texts()


def test_what_takes_long_says_how_far_it_is_and_is_stopped(bench: Bench) -> None:
    key = bench.asked[0]
    bench.session.answers.progress(key, 2, 5)
    assert "Computing: 2 of 5" in bench.texts()
    unwanted: list[Question] = []
    bench.session.answers.unwanted.connect(lambda question, reading: unwanted.append(question))
    QTest.mouseClick(bench.button("Stop"), Qt.MouseButton.LeftButton)
    assert unwanted == [Doubled(3)]
    assert "Stopped." in bench.texts()
    assert len(bench.asked) == 1  # not asked again by itself
    QTest.mouseClick(bench.button("Restart"), Qt.MouseButton.LeftButton)
    assert bench.asked == [key, key]
    bench.session.answers.progress(key, 1, 5)
    bench.session.answers.grow(key, 5)
    assert "Twice is 5. Here it is not as expected." in bench.texts()
    bench.session.answers.fail(key, None)  # stopped in the status line
    assert {"Stopped.", "Twice is 5. Here it is not as expected."} <= set(bench.texts())
    bench.view.turn("number", 4)
    assert bench.asked[-1][0] == Doubled(4)
    assert "Stopped." not in bench.texts()


def test_controls_that_nobody_turned_follow_what_is_open(bench: Bench) -> None:
    assert bench.view.values["row"] == 1  # the step in view
    bench.session.set_step(2)
    bench.session.model_changed.emit()
    assert bench.view.values["row"] == 2
    bench.view.turn("row", 0)
    bench.session.set_step(1)
    bench.session.model_changed.emit()
    assert bench.view.values["row"] == 0


def test_a_clicker_goes_from_station_to_station(bench: Bench) -> None:
    assert bench.view.step(1)
    assert bench.view.values["number"] == 5
    assert bench.view.step(1)
    assert bench.view.values["number"] == 1
    assert not bench.view.step(1)
    assert bench.view.step(-1)
    assert bench.view.values["number"] == 5


def test_a_turned_control_changes_what_you_got(average: Bench) -> None:
    before = average.texts()
    average.view.controls.widget("width").spin.setValue(3.0)
    assert average.view.values["width"] == 3.0
    assert average.texts() != before
    assert not average.asked


def test_a_handle_is_dragged(average: Bench) -> None:
    view = average.view.view
    place = figure_geometry(view.figure, view.figure_rect, view.options())  # type: ignore[arg-type]
    assert isinstance(place, SheetGeometry)
    plot = next(part for part in place.parts if isinstance(part, PlacedCurves))
    handle = next(one for one in plot.part.handles if one.control == "key2")
    begin = plot.plot.at(handle.x, handle.y)
    x = 5.0
    end = QPointF(plot.plot.at(x, handle.y).x(), begin.y() - 40)

    def point(at: QPointF) -> QPoint:
        return QPoint(round(at.x()), round(at.y()))

    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point(begin))
    QTest.mouseMove(view, point(end))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point(end))
    # As exact as a pixel is wide.
    assert average.view.values["key2"] == pytest.approx(x, abs=6.0 / plot.plot.box.width())
    QTest.mouseMove(view, point(begin))  # let go
    assert average.view.values["key2"] == pytest.approx(x, abs=6.0 / plot.plot.box.width())


def test_a_scene_comes_back(qtbot: QtBot, average: Bench) -> None:
    for name, value in (("query", 1.5), ("key3", 0.25), ("width", 99.0)):
        average.view.turn(name, value)
    scene = average.view.scene()
    assert scene["values"]["width"] == 3.0  # held to its range
    other = Bench(qtbot, WEIGHTED_AVERAGE, Session())
    other.view.show_scene({"values": {**scene["values"], "unknown": 1, "key1": "nowhere"}})
    assert other.view.scene()["values"] == {**scene["values"], "key1": 0.5}


def test_controls_stand_beside_the_picture_or_above_it(average: Bench) -> None:
    view = average.view

    def corner(widget: Any) -> QPoint:
        return widget.mapTo(view, QPoint(0, 0))  # type: ignore[no-any-return]

    average.qtbot.waitUntil(lambda: corner(view.controls).x() > corner(view.view).x() + view.view.width() - 1)
    view.resize(560, 640)
    average.qtbot.waitUntil(
        lambda: corner(view.controls).y() + view.controls.height() <= corner(view.view).y() + 1
    )
    view.resize(1000, 640)
    average.qtbot.waitUntil(lambda: corner(view.controls).x() > corner(view.view).x() + view.view.width() - 1)


def test_another_language_and_model(bench: Bench) -> None:
    bench.answer(6)
    bench.view.retranslate()
    assert "Because." in bench.texts()
    bench.session.set_model(replace(small_info(), sha256="ff"))
    assert "Twice is 6." in bench.texts()
