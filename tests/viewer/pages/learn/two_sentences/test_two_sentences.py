"""One word, two sentences: what is asked, states, choosing words, another model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.questions.orders import PiecesOf
from model.questions.questions import Question, Reading
from model.questions.two_sentences import TwoSentences
from tests.viewer.fake_source import small_info
from tests.viewer.services.bench import Bench as RealBench
from tests.viewer.walk_samples import two_readings
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.engine.engine import Engine
from viewer.figures.closeness.layout import ClosenessGeometry
from viewer.figures.closeness.spec import ClosenessSpec
from viewer.figures.drawing import figure_geometry
from viewer.pages.learn.learn_page import LearnPage
from viewer.pages.learn.two_sentences.two_sentences_form import word_pair
from viewer.pages.widgets.appearance import Appearance
from viewer.resources import bundled_model

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


class Bench:
    def __init__(self, qtbot: QtBot, languages: tuple[str, str] | None = ("en", "fr")) -> None:
        self.session = Session()
        self.asked: list[TwoSentences] = []
        self.opened: list[str] = []
        self.session.answers.wanted.connect(self._wanted)
        if languages is not None:
            self.open(languages)
        self.page = LearnPage(self.session, Appearance("light"))
        self.page.path_asked.connect(self.opened.append)
        self.page.show_lesson("two_sentences")
        qtbot.addWidget(self.page)
        self.page.resize(1200, 690)
        self.page.show()
        self.view, self.form = self.page.view("two_sentences"), self.page.view("two_sentences").form

    def _wanted(self, question: Question, reading: Reading | None, topic: str) -> None:
        if isinstance(question, PiecesOf):  # of the order experiment beside it, a moment after its text
            return
        assert reading is None
        assert isinstance(question, TwoSentences)
        self.asked.append(question)

    def open(self, languages: tuple[str, str], sha256: str = "aa") -> None:
        self.session.set_model(replace(small_info(), languages=languages, sha256=sha256))

    def answer(self) -> None:
        self.session.answers.finish((self.asked.pop(), None), two_readings())

    def choose(self, sentence: int, index: int) -> None:
        strip = self.form.strips[sentence]
        QTest.mouseClick(
            strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, strip.chip_center(index)
        )

    @property
    def spec(self) -> ClosenessSpec:
        figure = self.page.figure
        assert figure is not None
        assert isinstance(figure.body, ClosenessSpec)
        return figure.body


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_the_shipped_pair_is_read_by_itself(bench: Bench) -> None:
    assert bench.asked == [TwoSentences("aa", word_pair("en"))]
    assert "Reading both sentences" in bench.form.message.text()
    assert not bench.view.result.isVisible()
    assert bench.page.figure is None
    bench.answer()
    assert bench.view.result.isVisible()
    assert bench.spec.lines[0].name == "watch"
    assert bench.spec.sentences[0].endswith("“La montre”")


def test_own_sentences_wait_for_enter(bench: Bench) -> None:
    bench.answer()
    for box, text in zip(bench.form.boxes, ("a light bag", "the light"), strict=True):
        box.setText(text)
    assert bench.asked == []
    assert bench.spec.lines  # what was read stays in view until then
    QTest.keyClick(bench.form.boxes[1], Qt.Key.Key_Return)
    assert bench.asked == [TwoSentences("aa", ("a light bag", "the light"))]
    assert not bench.view.result.isVisible()


def test_an_empty_sentence_cannot_be_compared(bench: Bench) -> None:
    bench.form.boxes[0].setText("  ")
    assert not bench.form.go.isEnabled()
    asked = len(bench.asked)
    QTest.keyClick(bench.form.boxes[0], Qt.Key.Key_Return)
    assert len(bench.asked) == asked


def test_a_piece_of_the_first_takes_the_same_piece_of_the_second_along(bench: Bench) -> None:
    bench.answer()
    assert bench.view.pair == (1, 0)
    assert [chip.shade for chip in bench.form.strips[0].chips] == [0.0, 0.35, 0.35, 0.0, 0.0]
    bench.choose(0, 2)
    assert bench.view.pair == (2, 2)
    assert bench.spec.lines[0].name == "old"
    bench.choose(1, 1)
    assert bench.view.pair == (2, 1)
    assert bench.spec.lines[0].name == "old / an"
    bench.choose(0, 0)  # not in the other sentence
    assert bench.view.pair == (0, 1)


def test_chips_are_chosen_by_keys(bench: Bench) -> None:
    bench.answer()
    QTest.keyClick(bench.form.strips[0], Qt.Key.Key_Right)
    assert bench.view.pair == (2, 2)


def test_sentences_without_a_common_word_say_so(bench: Bench) -> None:
    found = replace(two_readings(), tokens=(("▁a", "▁b", "▁c", "▁d", "</s>"), ("▁e", "▁f", "▁g", "</s>")))
    bench.session.answers.finish((bench.asked.pop(), None), found)
    assert "No word has the same pieces in both" in bench.form.message.text()
    assert bench.view.pair == (0, 0)


def test_a_problem_is_said_with_its_remedy(bench: Bench) -> None:
    values = {"model": "en-fr", "reads": "English", "written": "Chinese", "offer": "zh-en"}
    bench.session.answers.fail((bench.asked.pop(), None), Notice("language_unread", values, "error"))
    assert "en-fr reads English" in bench.form.message.text()
    assert bench.form.offer.text() == "Open zh-en"
    QTest.mouseClick(bench.form.offer, Qt.MouseButton.LeftButton)
    assert bench.opened == [str(bundled_model("zh-en"))]


def test_what_failed_can_be_tried_again(bench: Bench) -> None:
    bench.session.answers.fail((bench.asked.pop(), None), Notice("model_overflow", {}, "error"))
    assert bench.form.offer.text() == "Try again"
    QTest.mouseClick(bench.form.offer, Qt.MouseButton.LeftButton)
    assert len(bench.asked) == 1


def test_without_a_model_one_is_offered(qtbot: QtBot) -> None:
    bench = Bench(qtbot, None)
    assert bench.asked == []
    assert bench.form.offer.text() == "Open en-fr"
    bench.open(("zh", "en"))
    assert bench.form.texts == word_pair("zh")
    assert bench.asked == [TwoSentences("aa", word_pair("zh"))]


def test_another_model_reads_its_own_pair_and_own_sentences_stay(bench: Bench) -> None:
    bench.answer()
    bench.open(("zh", "en"), "bb")
    assert bench.asked == [TwoSentences("bb", word_pair("zh"))]
    bench.answer()
    bench.form.boxes[0].setText("my own")
    bench.open(("en", "fr"), "cc")
    assert bench.form.texts[0] == "my own"
    assert bench.asked == []
    assert bench.page.figure is None


def test_values_under_the_pointer_are_told_to_the_digit(bench: Bench) -> None:
    bench.answer()
    view = bench.view.view
    assert view.figure is not None
    place = figure_geometry(view.figure, view.figure_rect, view.options())
    assert isinstance(place, ClosenessGeometry)
    assert view.values_at(place.at(2, 0.5)) == "layer 1\nwatch  0.5\nold  0.875"
    assert view.values_at(QPoint(1, 1).toPointF()) == ""


def test_the_table_holds_every_cosine(bench: Bench) -> None:
    assert bench.page.table() is None
    bench.answer()
    table = bench.page.table()
    assert table is not None
    assert table[0] == ("stage", "position_a", "token_a", "position_b", "token_b", "cosine")
    assert len(table) == 1 + 4 * 5 * 4


@pytest.fixture
def real(qtbot: QtBot, tiny_bundle: Path) -> Iterator[RealBench]:
    bench = RealBench(qtbot, Engine(threads=1))
    bench.open(str(tiny_bundle))
    yield bench
    assert bench.engine.close()


def test_with_a_real_model_the_same_word_begins_as_the_same_vector(real: RealBench, qtbot: QtBot) -> None:
    page = LearnPage(real.session, Appearance("light"))
    page.show_lesson("two_sentences")
    qtbot.addWidget(page)
    page.show()
    form = page.view("two_sentences").form
    for box, text in zip(form.boxes, ("the girl gave", "a girl gave her"), strict=True):
        box.setText(text)
    QTest.keyClick(form.boxes[0], Qt.Key.Key_Return)
    real.wait(lambda: page.view("two_sentences").readings is not None)
    readings = page.view("two_sentences").readings
    assert readings is not None
    a, b = page.view("two_sentences").pair or (0, 0)
    assert readings.tokens[0][a] == readings.tokens[1][b]
    assert readings.cosine[0, a, b] == pytest.approx(1, abs=1e-6)
    assert page.figure is not None
