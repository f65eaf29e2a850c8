"""The Learn page: what is asked, what is shown of the answer, and where it leads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QScrollBar
from pytestqt.qtbot import QtBot

from model.questions.orders import OrdersOf, PiecesOf, TextPieces
from model.questions.questions import Question, Reading
from model.trace.trace import AttentionKind
from tests.viewer.fake_source import small_info
from tests.viewer.pages.learn.order.order_samples import IDS, ORDER, PIECES, experiment
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.figures.map.spec import MapSpec
from viewer.pages.learn.learn_page import LearnPage
from viewer.pages.learn.order.distances_model import BAR_ROLE
from viewer.pages.widgets.appearance import Appearance
from viewer.resources import bundled_model

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

TEXT = "Tom loves Mary"
SHA = small_info().sha256
TRIED = ("tried", None)


class Bench:
    """A page, its session, and all that it asks for."""

    def __init__(self, qtbot: QtBot, languages: tuple[str, str] | None = ("en", "fr")) -> None:
        self.session = Session()
        self.asked: list[tuple[str, tuple[int, ...] | None]] = []
        self.split: list[str] = []
        self.opened: list[str] = []
        self.looks: list[bool] = []
        self.session.answers.wanted.connect(self._wanted)
        if languages is not None:
            self.open(languages)
        self.appearance = Appearance("light")
        self.page = LearnPage(self.session, self.appearance)
        self.page.path_asked.connect(self.opened.append)
        self.page.look_asked.connect(lambda: self.looks.append(True))
        qtbot.addWidget(self.page)
        self.page.resize(1250, 690)
        self.page.show_lesson("order")
        self.page.show()
        self.view, self.form = self.page.view("order"), self.page.view("order").form

    def _wanted(self, question: Question, reading: Reading | None, topic: str) -> None:
        if isinstance(question, OrdersOf):
            self.asked.append((question.text, question.order))
        elif isinstance(question, PiecesOf):
            self.split.append(question.text)

    def open(self, languages: tuple[str, str]) -> None:
        self.session.set_model(replace(small_info(), languages=languages))

    def pieces(self, text: str = TEXT, pieces: tuple[str, ...] = PIECES) -> None:
        """What the engine answers to a text that is typed."""
        self.form.box.setText(text)
        self.view.orders.split(text)
        self.session.answers.finish((PiecesOf(SHA, text), None), TextPieces(text, pieces))

    def begin(self) -> None:
        """Something is tried that nobody asked for here."""
        before = list(self.asked)
        self.view.orders.try_order(*TRIED)
        self.asked[:] = before

    def finish(self, **changes: Any) -> None:
        """What the engine answers to the last try, or to one of its own."""
        if not self.view.orders.busy:
            self.begin()
        text, order = self.asked[-1] if self.asked else TRIED
        self.session.answers.finish((OrdersOf(SHA, text, order), None), experiment(**changes))

    def fail(self, problem: Notice | None) -> None:
        self.session.answers.fail((OrdersOf(SHA, *TRIED), None), problem)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_each_language_begins_with_a_sentence_of_its_own(qtbot: QtBot) -> None:
    bench = Bench(qtbot, None)
    assert bench.form.box.text() == ""
    assert not bench.form.go.isEnabled()
    bench.open(("en", "fr"))
    assert bench.form.box.text() == "Tom loves Mary."
    assert bench.form.go.isEnabled()
    bench.open(("zh", "en"))
    assert bench.form.box.text() == "你打我"


def test_what_was_typed_stays_when_another_model_is_opened(bench: Bench) -> None:
    bench.form.box.setText("dogs eat")
    bench.open(("zh", "en"))

    assert bench.form.box.text() == "dogs eat"


def test_the_notes_example_is_a_click_away(bench: Bench) -> None:
    assert bench.form.offer.isVisible()
    QTest.mouseClick(bench.form.offer, Qt.MouseButton.LeftButton)

    assert bench.opened == [str(bundled_model("zh-en"))]
    bench.open(("zh", "en"))
    assert bench.form.box.text() == "你打我"
    assert not bench.form.offer.isVisible()


def test_the_shipped_sample_is_tried_by_itself_and_an_own_sentence_is_not(bench: Bench) -> None:
    shipped = bench.form.box.text()
    bench.pieces("cats see dogs", ("a", "b", "c"))
    assert bench.asked == []
    bench.pieces(shipped)
    assert bench.asked == [(shipped, ORDER)]
    bench.finish()
    bench.pieces("cats see dogs", ("a", "b", "c"))
    bench.pieces(shipped)
    assert len(bench.asked) == 1  # what is there stays


def test_typing_asks_for_the_pieces(bench: Bench, qtbot: QtBot) -> None:
    bench.form.box.setText("dogs eat")
    # A slow start lets the shipped sentence be split first.
    qtbot.waitUntil(lambda: bench.split[-1:] == ["dogs eat"])


def test_enter_asks_for_the_order_that_the_chips_show(bench: Bench) -> None:
    bench.pieces()
    assert bench.form.pieces.order == ORDER
    bench.form.pieces.move_piece(0, 1)
    QTest.keyClick(bench.form.box, Qt.Key.Key_Return)

    assert bench.asked == [(TEXT, (1, 2, 0))]


def test_chips_of_another_text_are_not_asked_for(bench: Bench) -> None:
    bench.pieces()
    bench.form.box.setText(TEXT + " too")
    QTest.mouseClick(bench.form.go, Qt.MouseButton.LeftButton)

    assert bench.asked == [(TEXT + " too", None)]
    assert not bench.form.pieces.isEnabled()


def test_one_try_at_a_time(bench: Bench) -> None:
    bench.begin()
    QTest.keyClick(bench.form.box, Qt.Key.Key_Return)
    assert bench.asked == []
    assert "four ways" in bench.form.message.text()
    bench.fail(None)
    QTest.keyClick(bench.form.box, Qt.Key.Key_Return)
    assert len(bench.asked) == 1


def test_a_problem_is_said_and_what_is_offered_can_be_opened(bench: Bench) -> None:
    bench.form.box.setText("狗咬人")
    values = {"model": "en-fr", "reads": "English", "written": "Chinese", "offer": "zh-en"}
    bench.begin()
    bench.fail(Notice("language_unread", values, "error"))

    assert "en-fr reads English" in bench.form.message.text()
    QTest.mouseClick(bench.form.offer, Qt.MouseButton.LeftButton)
    assert bench.opened == [str(bundled_model("zh-en"))]
    assert bench.form.box.text() == "狗咬人"


def test_nothing_is_shown_before_a_result(bench: Bench) -> None:
    assert not bench.view.result.isVisible()
    bench.finish()
    assert bench.view.result.isVisible()
    bench.view.orders.clear()
    assert not bench.view.result.isVisible()


def test_each_cell_shows_its_reading(bench: Bench) -> None:
    bench.finish()
    shown = {
        cell.title.text(): (cell.pieces.text().split(), cell.translation.text(), cell.share.text())
        for cell in bench.view.cells
    }

    own, other = ["Tom", "loves", "Mary"], ["Mary", "loves", "Tom"]
    assert shown == {
        "Own order, with positions": (own, "translation 01", "probability 50 %"),
        "Other order, with positions": (other, "translation 11", "probability 25 %"),
        "Own order, without positions": (own, "translation 00", "probability 12 %"),
        "Other order, without positions": (other, "translation 10", "probability < 0.1 %"),
    }


def test_the_maps_are_of_the_layer_and_head_that_are_chosen(bench: Bench) -> None:
    bench.finish()
    view, readings = bench.view, experiment().readings

    def matrices() -> list[np.ndarray[Any, Any]]:
        specs = [cell.map.figure.body for cell in view.cells if cell.map.figure is not None]
        return [spec.matrix for spec in specs if isinstance(spec, MapSpec)]

    for reading, matrix in zip(readings, matrices(), strict=True):
        weights = reading.trace.patterns.layer(AttentionKind.ENCODER_SELF, 1)
        np.testing.assert_allclose(matrix, weights.mean(axis=0), atol=1e-6)
    view.layer.setCurrentIndex(0)
    view.head.setCurrentIndex(3)
    for reading, matrix in zip(readings, matrices(), strict=True):
        np.testing.assert_array_equal(
            matrix, reading.trace.patterns.pattern(AttentionKind.ENCODER_SELF, 0, 2)
        )
    bench.finish()
    assert (view.layer.currentText(), view.head.currentText()) == ("Encoder layer 1", "Head 3")


def test_the_table_has_the_distances_on_one_scale(bench: Bench) -> None:
    bench.finish()
    model = bench.view.distances.model
    texts = [[model.index(row, column).data() for column in range(4)] for row in range(3)]
    bars = [[model.index(row, column).data(BAR_ROLE) for column in (2, 3)] for row in range(3)]

    assert texts == [
        ["Tom", str(IDS[0]), "8.00", "6×10⁻⁷"],
        ["loves", str(IDS[1]), "2.00", "2×10⁻⁷"],
        ["Mary", str(IDS[2]), "4.00", "4×10⁻⁷"],
    ]
    assert [row[0] for row in bars] == [1.0, 0.25, 0.5]
    assert [row[1] for row in bars] == pytest.approx([7.5e-8, 2.5e-8, 5e-8])
    assert model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole) == "8"


def test_verdict_and_ids(bench: Bench) -> None:
    bench.finish()

    assert "2.25" in bench.view.verdict.text()
    assert "271, 383, 2368" in bench.view.ids.text()


def test_a_reading_becomes_a_run_once(bench: Bench) -> None:
    bench.finish()
    other = bench.view.cells[3]
    for _ in range(2):
        QTest.mouseClick(other.look, Qt.MouseButton.LeftButton)

    (run,) = bench.session.document.runs
    assert other.reading is not None
    assert run.trace is other.reading.trace
    assert run.alterations == other.reading.trace.alterations
    assert bench.looks == [True, True]
    selection = bench.session.selection()
    assert selection is not None
    assert (selection.kind, selection.layer, selection.head) == (AttentionKind.ENCODER_SELF, 1, None)
    assert bench.session.text == TEXT


def test_runs_of_two_readings_stand_beside_each_other(bench: Bench) -> None:
    bench.finish()
    for cell in bench.view.cells[:2]:
        QTest.mouseClick(cell.look, Qt.MouseButton.LeftButton)

    first, second = bench.session.document.runs
    assert first.id != second.id
    assert bench.session.run() is second


def test_the_distances_move_under_the_readings_where_there_is_no_room(bench: Bench) -> None:
    bench.finish()
    cells, distances = bench.view.cells, bench.view.distances

    def left(widget: Any) -> int:
        return int(widget.mapTo(bench.page, widget.rect().topLeft()).x())

    assert left(distances) > left(cells[1])
    bench.page.resize(760, 690)
    QTest.qWait(1)
    assert left(distances) < left(cells[1])


def test_all_readings_of_a_short_sentence_fit_a_small_screen(bench: Bench) -> None:
    bench.page.resize(1250, 645)  # what a window of 1280 x 800 pixels leaves
    bench.finish()
    QTest.qWait(1)
    bars = [
        bar for bar in bench.view.findChildren(QScrollBar) if bar.orientation() == Qt.Orientation.Vertical
    ]
    assert bars
    assert all(bar.maximum() == 0 for bar in bars)
    highest = max(cell.map.height() for cell in bench.view.cells)
    bench.page.resize(1250, 1000)
    QTest.qWait(1)
    assert min(cell.map.height() for cell in bench.view.cells) > highest


class Marking(QTranslator):
    """Puts a sign before everything that is marked for translation."""

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:
        return "#" + text

    def isEmpty(self) -> bool:
        return False


def test_every_word_of_the_page_follows_the_language(bench: Bench) -> None:
    bench.pieces()
    bench.finish()
    marking = Marking()
    QCoreApplication.installTranslator(marking)
    try:
        QTest.qWait(1)
        labels = [label for label in bench.page.findChildren(QLabel) if label.isVisible() and label.text()]
        own = [TEXT, *(cell.translation.text() for cell in bench.view.cells)]
        own += [cell.pieces.text() for cell in bench.view.cells]
        buttons = [button.text() for button in bench.page.findChildren(QAbstractButton) if button.text()]
        header = bench.view.distances.model.headerData(0, Qt.Orientation.Horizontal)
        choices = [bench.view.layer.itemText(0), bench.view.head.itemText(0), bench.view.head.itemText(1)]
        words = [label.text() for label in labels if label.text() not in own]

        assert [text for text in [*words, *buttons, header, *choices] if not text.startswith("#")] == []
        assert bench.form.box.text() == TEXT
        assert bench.form.pieces.order == ORDER
    finally:
        QCoreApplication.removeTranslator(marking)
    QTest.qWait(1)
    assert bench.view.verdict.text().startswith("With positions")


def test_the_list_goes_while_presenting(bench: Bench) -> None:
    bench.page.set_plain(True)
    assert not bench.page.list.isVisible()
    bench.page.set_plain(False)
    assert bench.page.list.isVisible()


def test_everything_can_be_reached_by_tab(bench: Bench) -> None:
    bench.finish()
    bench.pieces()
    bench.form.box.setFocus()
    reached = []
    for _ in range(14):
        QTest.keyClick(bench.page.window(), Qt.Key.Key_Tab)
        reached.append(bench.page.focusWidget())
    wanted = [bench.form.go, bench.form.pieces, bench.form.reverse, bench.form.shuffle, bench.view.layer]
    wanted += [bench.view.head, bench.view.distances.table, *(cell.look for cell in bench.view.cells)]

    assert [widget for widget in wanted if widget not in reached] == []


def test_nothing_typed_is_asked_of_a_session_that_is_gone(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.form.box.setText(TEXT)
    shiboken6.delete(bench.session)
    with qtbot.captureExceptions() as raised:
        qtbot.wait(200)  # longer than the pause after which a text is asked about
    assert raised == []
