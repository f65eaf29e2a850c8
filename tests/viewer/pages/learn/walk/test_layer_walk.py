"""The layer walk: what it asks for, its states, clicks, keys, languages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QTranslator
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.questions.orders import PiecesOf
from model.questions.questions import EmbeddingOf, Question, Reading, RowOf, WalkOf
from model.trace.trace import AttentionKind
from tests.viewer import walk_samples as samples
from tests.viewer.fake_source import small_info
from tests.viewer.figure_samples import sample_trace
from viewer.document.document import Run
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.figures.walk.layout import WalkGeometry
from viewer.figures.walk.spec import BarsDetail, EmbeddingDetail, LensDetail, WalkSpec
from viewer.figures.walk.stages import Stage
from viewer.pages.learn.learn_page import LearnPage
from viewer.pages.widgets.appearance import Appearance
from viewer.resources import bundled_model

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

SHAPE = {
    "d_model": 4,
    "n_heads": 2,
    "d_ff": 8,
    "encoder_layers": 2,
    "decoder_layers": 1,
    "norm": "post_norm",
    "activation": "relu",
    "scale_embedding": True,
}


class Bench(QObject):
    """A page whose questions the test answers."""

    def __init__(self, qtbot: QtBot, *, run: bool = True, live: bool = False) -> None:
        super().__init__()
        self.session = Session(self)
        self.asked: list[Question] = []
        self.opened: list[str] = []
        self.looks = 0
        self.session.answers.wanted.connect(self._wanted)
        self.session.set_model(replace(small_info(), architecture=SHAPE, sha256="0123456789abcdef" * 4))
        self.trace = sample_trace()
        if run:
            self.session.add_run(Run("one", self.trace, live=live))
        self.page = LearnPage(self.session, Appearance("light"))
        self.page.path_asked.connect(self.opened.append)
        self.page.look_asked.connect(self._look)
        qtbot.addWidget(self.page)
        self.page.resize(1200, 690)
        self.page.show()
        self.page.show_lesson("walk")
        self.walk, self.view = self.page.view("walk"), self.page.view("walk").view

    def _wanted(self, question: Question, reading: Reading | None, topic: str) -> None:
        if not isinstance(question, PiecesOf):  # of the order experiment beside it, a moment after its text
            self.asked.append(question)

    def _look(self) -> None:
        self.looks += 1

    def answer(self) -> None:
        """Everything that is asked, until nothing more is."""
        while self.asked:
            question = self.asked.pop()
            found: Any
            if isinstance(question, WalkOf):
                make = samples.source_walk if question.side == "source" else samples.target_walk
                found = make(question.position)
            elif isinstance(question, EmbeddingOf):
                found = samples.embedding(question.side)
            else:
                assert isinstance(question, RowOf)
                found = samples.heads(question.kind, question.layer, question.query)
            self.session.answers.finish((question, Reading.of(self.trace)), found)

    @property
    def spec(self) -> WalkSpec:
        figure = self.walk.view.figure
        assert figure is not None
        assert isinstance(figure.body, WalkSpec)
        return figure.body

    def place(self) -> WalkGeometry:
        place = self.view.geometry_now()
        assert place is not None
        return place

    def click_block(self, stack: int, name: str, nth: int = 0) -> None:
        column = self.place().columns[stack]
        indices = [index for index, block in enumerate(column.stack.blocks) if block.name == name]
        self.click(column.blocks[indices[nth]].center().toPoint())

    def click(self, point: QPoint) -> None:
        QTest.mouseClick(self.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)

    def key(self, key: Qt.Key) -> None:
        QTest.keyClick(self.view, key)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    bench = Bench(qtbot)
    bench.answer()
    return bench


def test_it_begins_with_the_current_step_and_what_enters_the_decoder(bench: Bench) -> None:
    step = bench.session.selection().step  # type: ignore[union-attr]
    assert step == 1
    assert (bench.spec.side, bench.spec.selected) == ("target", 2)
    assert "step 2 of 3" in bench.spec.title
    assert isinstance(bench.spec.detail, EmbeddingDetail)
    assert all(block.norm is not None for block in bench.spec.stacks[0].blocks)
    assert bench.walk.source.chips[0].text == "red"


def test_while_it_waits_the_map_has_no_numbers_and_a_sentence_says_so(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    assert bench.asked == [WalkOf("target", 1)]
    assert "Reading the sentence again" in bench.walk.hint.text()
    assert bench.spec.selected == -1
    assert bench.page.figure is None
    assert bench.page.table() is None
    bench.answer()
    assert bench.page.figure is not None


def test_without_a_run_it_leads_to_look(qtbot: QtBot) -> None:
    bench = Bench(qtbot, run=False)
    assert bench.walk.empty.isVisible()
    assert bench.asked == []
    QTest.mouseClick(bench.walk.empty.button, Qt.MouseButton.LeftButton)
    assert bench.looks == 1


def test_a_translation_that_is_still_made_is_waited_for(qtbot: QtBot) -> None:
    bench = Bench(qtbot, live=True)
    assert bench.asked == []
    assert "still being made" in bench.walk.hint.text()
    bench.session.replace_run(Run("one", bench.trace))
    assert bench.asked == [WalkOf("target", 2)]  # where the newest token is


def fail(bench: Bench, code: str, **values: object) -> None:
    (question,) = bench.asked
    bench.asked.clear()
    bench.session.answers.fail((question, Reading.of(bench.trace)), Notice(code, values, "error"))


def test_a_run_of_another_bundled_model_offers_to_open_it(qtbot: QtBot) -> None:
    bench = Bench(qtbot, run=False)
    bench.trace = sample_trace(model_name="zh-en")
    bench.session.add_run(Run("two", bench.trace))
    fail(bench, "run_other_model", name="zh-en")
    assert "zh-en" in bench.walk.empty.sentence.text()
    assert bench.walk.empty.button.text() == "Open zh-en"
    QTest.mouseClick(bench.walk.empty.button, Qt.MouseButton.LeftButton)
    assert bench.opened == [str(bundled_model("zh-en"))]
    bench.session.answers.forget_problems()  # the other model is open now
    bench.answer()
    assert bench.page.figure is not None


def test_what_failed_can_be_tried_again(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    fail(bench, "model_overflow")
    assert bench.walk.empty.button.text() == "Try again"
    QTest.mouseClick(bench.walk.empty.button, Qt.MouseButton.LeftButton)
    assert bench.asked == [WalkOf("target", 1)]
    bench.answer()
    assert bench.walk.view.isVisible()


def test_while_a_model_is_opened_there_is_no_button(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    fail(bench, "run_model_loading")
    assert "still being opened" in bench.walk.empty.sentence.text()
    assert not bench.walk.empty.button.isVisible()


def test_a_click_on_a_block_opens_it(bench: Bench) -> None:
    bench.click_block(1, "Add", 1)
    assert bench.walk.stage == Stage("residual", "cross", 0)
    assert "residual connection around Cross-attention" in bench.spec.heading
    bench.click_block(0, "Layer 2")  # its end, which opens it
    assert (bench.spec.side, bench.walk.stage) == ("source", Stage("norm", "feed_forward", 1))
    assert bench.spec.stacks[0].open_layer == "Layer 2 of 2"


def test_up_and_down_walk_through_the_stages_to_the_last_word(bench: Bench) -> None:
    bench.key(Qt.Key.Key_Up)
    assert bench.walk.stage == Stage("norm", "self_attention", 0)
    bench.key(Qt.Key.Key_Down)
    bench.key(Qt.Key.Key_Down)
    assert bench.walk.stage == Stage("position", "position", None)
    for _ in range(30):
        bench.key(Qt.Key.Key_Up)
    assert bench.page.view("walk").stage is None
    assert isinstance(bench.spec.detail, LensDetail)
    bench.click_block(0, "X + P")
    for _ in range(30):
        bench.key(Qt.Key.Key_Up)
    assert bench.walk.stage == Stage("norm", "feed_forward", 1)


def test_left_and_right_walk_along_the_sentence(bench: Bench) -> None:
    bench.key(Qt.Key.Key_Right)
    bench.answer()
    assert bench.session.selection().step == 2  # type: ignore[union-attr]
    assert "step 3 of 3" in bench.spec.title
    bench.key(Qt.Key.Key_Right)
    bench.answer()
    assert "step 3 of 3" in bench.spec.title
    bench.click_block(0, "X + P")
    bench.key(Qt.Key.Key_Right)
    bench.answer()
    assert "source token 2 of 4" in bench.spec.title


def test_a_click_on_a_token_chooses_stack_and_position(bench: Bench) -> None:
    strip = bench.walk.source
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, strip.chip_center(2))
    assert bench.walk.positions == (2, 1)
    bench.answer()
    assert "source token 3 of 4, “⋅les”" in bench.spec.title
    strip = bench.walk.target
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, strip.chip_center(0))
    bench.answer()
    assert "step 1 of 3" in bench.spec.title


def test_the_step_of_look_is_followed(bench: Bench) -> None:
    bench.session.set_step(0)
    bench.answer()
    assert "step 1 of 3" in bench.spec.title


def test_heads_lead_to_look(bench: Bench) -> None:
    bench.click_block(1, "Cross-attention")
    assert bench.asked == [RowOf(AttentionKind.CROSS, 0, 0, 1)]
    bench.answer()
    assert isinstance(bench.spec.detail, BarsDetail)
    assert bench.walk.head.text() == "Show head 2 on Look"
    QTest.mouseClick(bench.walk.head, Qt.MouseButton.LeftButton)
    selection = bench.session.selection()
    assert selection is not None
    assert (selection.kind, selection.layer, selection.head) == (AttentionKind.CROSS, 0, 1)
    assert (bench.looks, selection.query) == (1, 1)


def test_a_click_on_a_bar_goes_to_that_head(bench: Bench) -> None:
    bench.click_block(0, "Self-attention")
    bench.answer()
    place = bench.place()
    point = place.detail.topLeft().toPoint() + QPoint(10, 60)
    assert place.bar_at(point.toPointF()) == 1
    bench.click(point)
    selection = bench.session.selection()
    assert selection is not None
    assert (selection.kind, selection.head) == (AttentionKind.ENCODER_SELF, 0)
    assert bench.looks == 1


def test_only_what_is_seen_is_asked_for(qtbot: QtBot) -> None:
    bench = Bench(qtbot, run=False)
    bench.page.show_lesson("order")
    bench.session.add_run(Run("one", bench.trace))
    assert bench.asked == []
    bench.page.show_lesson("walk")
    assert bench.asked == [WalkOf("target", 1)]


def test_a_stage_that_another_model_lacks_becomes_the_entrance(bench: Bench) -> None:
    bench.click_block(0, "Layer 2")
    walk = samples.source_walk(0, layers=1)
    question = WalkOf("source", 0)
    bench.session.answers.finish((question, Reading.of(bench.trace)), walk)
    assert bench.walk.stage == Stage("sum", "sum", None)


def test_the_table_holds_the_walk(bench: Bench) -> None:
    table = bench.page.table()
    assert table is not None
    assert table[0][:2] == ("side", "position")
    assert table[1] == ("target", 1, "▁pommes", "▁rouges", "", "embedding", "embedding", "norm", "", "", "3")
    bench.page.show_lesson("order")
    assert bench.page.figure is None
    assert bench.page.table() is None


class Shouting(QTranslator):
    def translate(self, context: str, source: str, *_: Any) -> str:
        return (
            source.upper()
            if context in ("Walk", "LayerWalkView", "LearnPage") and "{" not in source
            else source
        )

    def isEmpty(self) -> bool:
        return False


def test_another_language_is_taken_at_once(bench: Bench) -> None:
    assert bench.spec.stacks[0].name == "Encoder"
    translator = Shouting()
    QCoreApplication.installTranslator(translator)
    try:
        QCoreApplication.sendEvent(bench.page, QEvent(QEvent.Type.LanguageChange))
        for widget in (bench.walk, bench.view):
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.LanguageChange))
        assert bench.spec.stacks[0].name == "ENCODER"
        QCoreApplication.sendEvent(bench.page.list, QEvent(QEvent.Type.LanguageChange))
        place = [lesson.name for lesson in bench.page.lessons].index("walk")
        assert bench.page.list.item_of(place).text() == "LAYER WALK"
        assert bench.walk.hint.text().startswith("↑ ↓ WALK")
    finally:
        QCoreApplication.removeTranslator(translator)


def test_the_map_says_what_it_shows_to_those_who_do_not_see_it(bench: Bench) -> None:
    assert bench.page.figure is not None
    assert "step 2 of 3" in bench.view.accessibleDescription()
    assert bench.view.accessibleName() == "Layer walk"


@pytest.mark.parametrize("present", [False, True])
@pytest.mark.parametrize("size", [(1040, 640), (1900, 960)])
def test_it_fits_at_every_size_and_type(
    bench: Bench, size: tuple[int, int], present: bool, tmp_path: Path
) -> None:
    bench.view.look.set_present(present)
    bench.page.resize(*size)
    place = bench.place()
    for column in place.columns:
        assert column.head.top() >= bench.view.figure_rect.top() - 1
        assert column.blocks[0].bottom() <= bench.view.figure_rect.bottom() + 1
        assert all(block.height() >= 8 for block in column.blocks)
    assert place.detail.width() > 200
