"""Drawing a pattern: strokes, keys, what nobody sees, and the heads sorted by how like it they are."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.abilities import Ability
from model.errors import HeadscopeError
from model.heads.likeness import Drawing, read_drawing
from model.inspection.answering import answer
from model.questions.head_questions import GeneralHeads
from model.trace.trace import AttentionKind
from tests.viewer.exploring_samples import session_with, step_trace
from tests.viewer.pages.look.heads_table.bench import Bench, full
from viewer.document.messages.notice import Notice
from viewer.pages.look.heads_table.drawing_dialog import DrawingDialog
from viewer.pages.look.heads_table.heads_model import COLUMNS
from viewer.pages.look.heads_table.heads_state import HeadsState
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dialog(bench: Bench, qtbot: QtBot) -> DrawingDialog:
    trace = full(bench).session.trace()
    assert trace is not None
    made = DrawingDialog(bench.session, trace, None, Appearance(), None)
    qtbot.addWidget(made)
    made.show()
    return made


def middle(dialog: DrawingDialog, row: int, column: int) -> QPoint:
    return dialog.grid.visualRect(dialog.grid.pattern.index(row, column)).center()


def test_a_stroke_draws_and_one_from_a_drawn_cell_wipes_out(dialog: DrawingDialog) -> None:
    dialog.kind.setCurrentIndex(dialog._trace.kinds.index(AttentionKind.CROSS))
    dialog.kind.activated.emit(dialog.kind.currentIndex())
    grid = dialog.grid
    view, cells = grid.viewport(), grid.pattern.cells
    QTest.mousePress(view, LEFT, pos=middle(dialog, 0, 0))
    QTest.mouseMove(view, middle(dialog, 2, 2))  # so quick that the pointer jumped a cell
    QTest.mouseRelease(view, LEFT, pos=middle(dialog, 2, 2))
    drawn = np.zeros_like(cells)
    drawn[[0, 1, 2], [0, 1, 2]] = 1
    np.testing.assert_array_equal(cells, drawn)
    QTest.mouseClick(view, LEFT, pos=middle(dialog, 1, 1))
    assert cells[1, 1] == 0
    grid.setCurrentIndex(grid.pattern.index(0, 1))
    QTest.keyClick(grid, Qt.Key.Key_Space)
    assert cells[0, 1] == 1
    QTest.keyClick(grid, Qt.Key.Key_Down)
    QTest.keyClick(grid, Qt.Key.Key_Space)
    assert cells[1, 1] == 1
    said = grid.pattern.index(1, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.endswith(": drawn")
    found = dialog.drawing()
    assert found is not None
    assert found.cells is not None
    assert found.cells is not cells


def test_what_a_decoder_cannot_see_is_not_drawn(dialog: DrawingDialog, tmp_path: Path) -> None:
    place = dialog._trace.kinds.index(AttentionKind.DECODER_SELF)
    dialog.kind.setCurrentIndex(place)
    dialog.kind.activated.emit(place)
    dialog.grid.pattern.put(0, 1, True)
    assert not dialog.grid.pattern.cells.any()
    assert "cannot see" in dialog.grid.pattern.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    dialog.accept()
    assert "Nothing is drawn" in dialog.problem.text()
    dialog.show_preset("uniform")
    cells = dialog.grid.pattern.cells
    np.testing.assert_array_equal(cells, np.tril(np.ones_like(cells)))
    dialog.write(str(tmp_path / "a.csv"))
    np.testing.assert_array_equal(read_drawing(tmp_path / "a.csv").cells, cells)
    drawing = dialog.drawing()
    assert drawing is not None
    assert (drawing.name, drawing.cells) == ("uniform", None)
    dialog.grid.pattern.put(1, 0, False)  # whoever changes a pattern has drawn another
    drawing = dialog.drawing()
    assert drawing is not None
    assert drawing.name == "drawn"


def test_heads_are_sorted_by_how_like_the_pattern_they_are(bench: Bench) -> None:
    panel = full(bench).panel
    column = COLUMNS.index("likeness")
    assert panel.list.isColumnHidden(column)
    panel.state.choose_drawing(Drawing("previous"))
    bench.asked.answer()
    assert not panel.list.isColumnHidden(column)
    trace = bench.session.trace()
    assert trace is not None
    expected = {}
    for kind in (AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF):
        for layer in range(trace.layers(kind)):
            for head in range(trace.heads(kind)):
                weights = trace.pattern(kind, layer, head).astype(float)
                own = [weights[i, i - 1] for i in range(1, len(weights))]
                length = math.sqrt((weights[1:] ** 2).sum() * len(own))
                expected[kind, layer, head] = sum(own) / length
    rows = {(r.kind, r.layer, r.head): r.values[0] for r in panel.list.heads.rows}
    assert {key: rows[key] for key in expected} == pytest.approx(expected, abs=1e-6)
    model = panel.list.model()
    shown = [model.index(row, column).data() for row in range(model.rowCount())]
    numbers = [float(text) for text in shown if text != "–"]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == len(expected)
    assert "Likeness to: previous token" in panel.note.toolTip()
    panel.state.choose_drawing(Drawing("drawn", np.ones((1, 1))))
    question = bench.asked.waiting.pop()
    with pytest.raises(HeadscopeError) as refused:
        list(answer(None, question))
    bench.session.answers.fail((question, None), Notice.of(refused.value))
    assert panel.list.isColumnHidden(column)
    assert "1 × 1" in panel.note.toolTip()
    panel.state.choose_drawing(None)
    assert "Likeness" not in panel.note.toolTip()
    bench.panel.hide()


def test_what_heads_do_in_general_is_asked_once_of_the_model_that_can_tell(qapp: object) -> None:
    session = session_with(step_trace(0))
    assert session.model is not None
    asked: list[object] = []
    session.answers.wanted.connect(lambda question, reading, topic: asked.append(question))
    session.set_model(replace(session.model, can=frozenset({Ability.ALTER, Ability.ANSWER})))
    state = HeadsState(session)
    state.watch(True)
    assert "others" in state.general_obstacle or session.model.name in state.general_obstacle
    assert not any(isinstance(question, GeneralHeads) for question in asked)
    session.set_model(replace(session.model, can=frozenset(Ability)))
    assert state.general_obstacle == ""
    session.select(step=1)
    general = [question for question in asked if isinstance(question, GeneralHeads)]
    assert general == [GeneralHeads(model_sha256=session.model.sha256)]
    session.set_model(replace(session.model, name="another", sha256="f" * 64))
    assert "Open the model" in state.general_obstacle
