"""The Arithmetic tab: what it asks, what it says while there is nothing, clicks, keys, copying, language."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTranslator
from PySide6.QtGui import QAction, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from model.alterations.set_row import SetRow
from model.questions.questions import Reading, RowOf
from model.trace.trace import AttentionKind
from tests.viewer.arithmetic_samples import HEAD, LAYER, QUERY, WEIGHTS, by_hand, trace_by_hand
from viewer.document.document import Run
from viewer.document.hover import Hovered
from viewer.document.messages.notice import Notice
from viewer.document.selection import Numbers, Selection
from viewer.document.session import Session
from viewer.figures.arithmetic.spec import ArithmeticSpec, Spot, Stage, Table
from viewer.pages.look.arithmetic.arithmetic_panel import ArithmeticPanel
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

CELL = Selection(kind=AttentionKind.CROSS, layer=LAYER, head=HEAD, step=QUERY, query=QUERY, key=0)
QUESTION = RowOf(AttentionKind.CROSS, LAYER, HEAD, QUERY)


class Stand:
    """A panel on a session that shows one run; notes what is asked."""

    def __init__(
        self,
        qtbot: QtBot,
        selection: Selection = CELL,
        *,
        show: bool = True,
        run: bool = True,
        **changes: Any,
    ) -> None:
        self.session = Session()
        asked: list[tuple[Any, ...]] = []
        # Not a method of this: a cycle with a session in it is cleared away in whichever thread comes along.
        self.session.answers.wanted.connect(lambda question, reading, topic: asked.append((question, topic)))
        self.asked = asked
        self.look = Appearance("light")
        self.panel = ArithmeticPanel(self.session, self.look)
        qtbot.addWidget(self.panel)
        self.panel.resize(285, 600)
        if run:
            self.session.add_run(Run("a", trace_by_hand(), **changes), selection)
        if show:
            self.panel.show()
            qtbot.waitExposed(self.panel)

    def answer(self, row: Any = None) -> None:
        self.session.answers.finish((QUESTION, self.reading), row or by_hand())
        self.panel.view.settle()

    @property
    def reading(self) -> Reading:
        trace = self.session.trace()
        assert trace is not None
        return Reading.of(trace)

    @property
    def spec(self) -> ArithmeticSpec:
        spec = self.panel.view.spec
        assert spec is not None
        return spec

    @property
    def shows(self) -> bool:
        return self.panel.stack.currentWidget() is self.panel.scroll_area

    @property
    def says(self) -> str:
        return "" if self.shows else self.panel.empty.sentence.text()

    def place(self, spot: Spot) -> QPoint:
        geometry = self.panel.view.geometry_now()
        assert geometry is not None
        return geometry.rect_of(spot).center().toPoint()

    def click(self, spot: Spot) -> None:
        QTest.mouseClick(
            self.panel.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, self.place(spot)
        )

    def table(self, stage: Stage) -> int:
        blocks = self.spec.stage(stage).blocks
        return next(n for n, block in enumerate(blocks) if isinstance(block, Table))


def test_hidden_it_asks_nothing(qtbot: QtBot) -> None:
    stand = Stand(qtbot, show=False)
    stand.session.set_crosshair(0, 1)
    assert stand.asked == []
    stand.session.set_crosshair(QUERY, 1)
    stand.panel.show()
    assert stand.asked == [(QUESTION, "arithmetic")]


def test_one_answer_serves_all_keys_of_the_row(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    assert stand.shows
    assert stand.spec.key == 0
    for key in (1, 2, 3):
        stand.session.set_crosshair(QUERY, key)
        assert stand.spec.key == key
    assert len(stand.asked) == 1


def test_waiting_is_said_quietly_after_a_moment(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    assert stand.shows  # an answer that comes at once replaces what was there
    qtbot.waitUntil(lambda: "Computing the row" in stand.says)
    assert stand.panel.empty.button.isHidden()
    stand.answer()
    assert stand.shows


def test_without_a_run_it_says_what_to_do(qtbot: QtBot) -> None:
    stand = Stand(qtbot, run=False)
    assert stand.says.startswith("Translate a sentence")
    assert stand.panel.maps.isHidden()


def test_a_mean_offers_the_strongest_head(qtbot: QtBot) -> None:
    # Of the sample, head 2 spreads evenly: it has most on a key that head 1 gives less than a quarter.
    stand = Stand(qtbot, CELL.but(head=None, key=2))
    assert "choose one head" in stand.says
    assert stand.panel.empty.button.text() == "Head 2, the strongest here"
    assert stand.asked == []
    stand.panel.empty.button.click()
    selection = stand.session.selection()
    assert selection is not None
    assert selection.head == 1
    assert stand.asked == [(replace(QUESTION, head=1), "arithmetic")]


def test_a_problem_is_said_and_can_be_tried_again(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    problem = Notice("run_other_model", {"name": "tiny"}, "error")
    stand.session.answers.fail((QUESTION, stand.reading), problem)
    assert stand.says == problem.sentence()
    stand.panel.empty.button.click()
    assert len(stand.asked) == 2
    stand.answer()
    assert stand.shows


def test_another_model_that_is_opened_is_asked(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.session.answers.fail((QUESTION, stand.reading), Notice("no_model"))
    assert stand.says
    stand.session.answers.forget_problems()
    assert len(stand.asked) == 2


def test_a_run_that_grows_is_not_asked_about(qtbot: QtBot) -> None:
    stand = Stand(qtbot, live=True)
    assert stand.says == "The arithmetic is computed once the translation is complete."
    assert stand.asked == []
    run = stand.session.run()
    assert run is not None
    stand.session.replace_run(run.but(live=False))
    assert stand.asked == [(QUESTION, "arithmetic")]


def test_alterations_that_are_not_known_are_said(qtbot: QtBot) -> None:
    stand = Stand(qtbot, show=False)
    run = stand.session.run()
    assert run is not None
    stand.session.add_run(Run("b", replace(run.trace, alterations=({"type": "prune"},))))
    stand.panel.show()
    assert stand.says
    assert stand.asked == []


def test_without_a_crosshair_it_shows_the_strongest_key_and_says_so(qtbot: QtBot) -> None:
    stand = Stand(qtbot, CELL.but(query=None, key=None))
    stand.answer()
    assert stand.spec.key == int(WEIGHTS.argmax())
    assert stand.panel.hint.isVisible()
    stand.session.set_crosshair(QUERY, 1)
    assert stand.panel.hint.isHidden()


def test_a_click_on_a_bar_chooses_its_key(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    stand.click(Spot(Stage.SOFTMAX, stand.table(Stage.SOFTMAX), 2))
    selection = stand.session.selection()
    assert selection is not None
    assert (selection.query, selection.key) == (QUERY, 2)
    assert stand.spec.key == 2


def test_a_click_on_a_head_goes_to_it(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    stand.click(Spot(Stage.OUTPUT, stand.table(Stage.OUTPUT), 1))
    selection = stand.session.selection()
    assert selection is not None
    assert (selection.layer, selection.head) == (LAYER, 1)


def test_a_click_on_a_heading_folds_its_stage(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    high = stand.panel.view.minimumHeight()
    stand.click(Spot(Stage.DOT))
    assert stand.spec.stage(Stage.DOT).folded
    assert stand.panel.view.minimumHeight() < high - 100
    stand.click(Spot(Stage.DOT))
    assert stand.panel.view.minimumHeight() == high


def test_arrows_walk_stages_and_keys(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    view = stand.panel.view
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(view, key)
    assert view.stage is Stage.MASK
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert stand.spec.stage(Stage.MASK).folded
    for key, wanted in ((Qt.Key.Key_Left, 0), (Qt.Key.Key_Right, 1), (Qt.Key.Key_Right, 2)):
        QTest.keyClick(view, key)
        assert stand.spec.key == wanted
    for _ in range(9):
        QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.stage is Stage.OUTPUT
    assert stand.panel.scroll_area.verticalScrollBar().value() > 0


def test_copy_takes_the_stage_or_the_numbers_chosen(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    copy = (stand.panel.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(*copy)
    assert QGuiApplication.clipboard().text() == stand.spec.stage(Stage.DOT).text
    stand.click(Spot(Stage.DOT, 0, 1))
    QTest.keyClick(*copy)
    assert QGuiApplication.clipboard().text() == "Dimension 2 of 4: q = 2; k = 1; q × k = 2"
    QTest.keyClick(stand.panel.view, Qt.Key.Key_Down)
    QTest.keyClick(*copy)
    assert QGuiApplication.clipboard().text().startswith("2 Scale")


def test_the_menu_copies_what_was_pointed_at(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    menu = stand.panel.view.menu(Spot(Stage.SOFTMAX, stand.table(Stage.SOFTMAX), 1))
    actions: list[QAction] = menu.actions()
    assert [action.text() for action in actions] == [
        "Copy these numbers",
        "Copy this stage",
        "Copy all stages",
    ]
    actions[0].trigger()
    assert QGuiApplication.clipboard().text().startswith("app: score 1; weight 0.2447")
    actions[2].trigger()
    assert QGuiApplication.clipboard().text() == stand.spec.text
    menu.deleteLater()


@pytest.mark.qt_log_ignore("raise", "propagateSizeHints")
def test_pointing_says_the_numbers_and_shows_the_key_elsewhere(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    said: list[str] = []
    stand.panel.read_out.connect(said.append)
    at = QPointF(stand.place(Spot(Stage.SOFTMAX, stand.table(Stage.SOFTMAX), 1)))
    none = Qt.MouseButton.NoButton
    move = QMouseEvent(QEvent.Type.MouseMove, at, at, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(stand.panel.view, move)
    assert said[-1] == f"app: score 1; weight {float(WEIGHTS[1]):.9g}"
    assert stand.session.hover.at == Hovered("a", AttentionKind.CROSS, QUERY, 1)


def test_a_key_pointed_at_elsewhere_is_outlined_here(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    view = stand.panel.view
    before = view.grab().toImage()
    stand.session.hover.set(Hovered("a", AttentionKind.CROSS, QUERY, 2))
    after = view.grab().toImage()
    geometry = view.geometry_now()
    assert geometry is not None
    row = geometry.rect_of(Spot(Stage.SOFTMAX, stand.table(Stage.SOFTMAX), 2))
    edge = QPointF(row.center().x(), row.top()).toPoint()
    assert any(
        before.pixel(edge.x(), edge.y() + dy) != after.pixel(edge.x(), edge.y() + dy) for dy in (-1, 0, 1)
    )
    stand.session.hover.set(Hovered("other run", AttentionKind.CROSS, QUERY, 2))
    assert view.grab().toImage() == before


def test_a_stage_is_shown_as_a_map(qtbot: QtBot) -> None:
    stand = Stand(qtbot, CELL.but(view="flow"))
    stand.answer()
    buttons = stand.panel.maps.buttons
    assert not any(button.isChecked() for button in buttons.values())
    for numbers in (Numbers.SCORES, Numbers.SCALED, Numbers.MASKED, Numbers.WEIGHTS):
        buttons[numbers].click()
        selection = stand.session.selection()
        assert selection is not None
        assert (selection.numbers, selection.view) == (numbers, "map")
        assert [stage for stage, button in buttons.items() if button.isChecked()] == [numbers]


def test_a_screen_reader_hears_the_cell_and_the_stage(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    view = stand.panel.view
    assert view.accessibleName().endswith("predicting “rouges” reads “red” 0.665")
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.accessibleDescription() == "2. Scale: s = q ⋅ k ÷ √d_head; 2.0000"


def test_a_row_that_was_set_is_not_shown_as_computed(qtbot: QtBot) -> None:
    placed = np.array([0, 1, 0, 0], np.float32)
    change = SetRow(AttentionKind.CROSS, LAYER, HEAD, QUERY, key=1)
    stand = Stand(qtbot, show=False)
    trace = trace_by_hand(placed, alterations=(change.to_json(),))
    stand.session.add_run(Run("b", trace), CELL)
    stand.panel.show()
    stand.answer(by_hand(used=placed))
    assert "set by hand" in stand.spec.stage(Stage.SOFTMAX).text
    assert stand.spec.badges


class Shouting(QTranslator):
    """Every text of the arithmetic in capitals, unless it has placeholders."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:
        if context != "Arithmetic" or "{" in text:
            return ""
        return text.upper()


def test_it_follows_the_language(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    translator = Shouting()
    QApplication.installTranslator(translator)
    try:
        qtbot.waitUntil(lambda: stand.spec.stage(Stage.SCALE).title == "SCALE")
    finally:
        QApplication.removeTranslator(translator)
    qtbot.waitUntil(lambda: stand.spec.stage(Stage.SCALE).title == "Scale")


def test_before_an_audience_it_is_larger(qtbot: QtBot) -> None:
    stand = Stand(qtbot)
    stand.answer()
    least, high = stand.panel.least_width, stand.panel.view.minimumHeight()
    stand.look.set_present(True)
    stand.panel.view.settle()
    assert stand.panel.least_width > 1.5 * least
    assert stand.panel.view.minimumHeight() > 1.3 * high
