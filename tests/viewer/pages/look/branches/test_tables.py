from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from tests.viewer.pages.look.branches.tree_samples import END, run_of
from viewer.document.session import Session
from viewer.pages.look.branches.run_words import mode_text
from viewer.pages.look.branches.runs_model import EACH, MADE, SENTENCE, TEXT, TOTAL, RunsModel
from viewer.pages.look.branches.runs_view import RunsView, TokensView
from viewer.pages.look.branches.tokens_model import TokensModel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.row_table import WHOLE_ROLE, RowTable, in_a_row

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def session(qapp: QApplication) -> Session:
    session = Session()
    session.add_run(run_of("one", [1, 2, END], [0.5, 0.25, 0.5]))
    sampled = {"decoding": {"mode": "sample", "temperature": 0.8, "top_k": 0, "top_p": 1.0}, "seed": 3}
    session.add_run(run_of("two", [3, END], [0.1, 0.5], trace=sampled))
    session.add_run(run_of("three", [1], [0.5], cancelled=True, branch_step=3, parent="one"))
    return session


def shown(view: RunsView | TokensView, row: int, column: int) -> str:
    return str(view.model().index(row, column).data())


def test_the_models_are_sound(session: Session, qtmodeltester: ModelTester) -> None:
    runs, tokens = RunsModel(), TokensModel()
    runs.show_document(session.document, "two")
    tokens.show_trace(session.trace(), False)
    for model in (runs, tokens):
        qtmodeltester.check(model)


def test_a_row_for_each_run(session: Session, qtbot: QtBot) -> None:
    view = RunsView(session, Appearance("light"))
    qtbot.addWidget(view)
    view.refresh()

    assert [shown(view, row, TEXT) for row in range(3)] == ["a b", "c", "a"]
    assert [shown(view, row, MADE) for row in range(3)] == [
        "greedy",
        "sample T=0.8 seed 3",
        "branch at step 4, greedy, stopped by you",
    ]
    total = math.log(0.5 * 0.25 * 0.5)
    assert shown(view, 0, TOTAL) == f"−{-total:.3f}"
    assert shown(view, 0, EACH) == f"−{-total / 3:.3f}"
    assert view.isColumnHidden(SENTENCE)


def test_rows_sort_by_their_numbers_and_are_chosen_where_they_are(session: Session, qtbot: QtBot) -> None:
    view = RunsView(session, Appearance("light"))
    qtbot.addWidget(view)
    view.resize(600, 200)
    view.show()
    view.refresh()

    view.sortByColumn(TOTAL, Qt.SortOrder.AscendingOrder)

    assert [view.run_at(row) for row in range(3)] == ["two", "one", "three"]
    place = view.visualRect(view.model().index(2, TEXT)).center()
    session.show_run("one")
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    pane = session.pane()
    assert pane is not None
    assert pane.run_id == "three"
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert session.document.run("three") is None


def test_sentences_are_named_where_there_are_several(session: Session, qtbot: QtBot) -> None:
    session.add_run(run_of("four", [1, END], [0.5, 0.5], trace={"src_text": "other"}))
    view = RunsView(session, Appearance("light"))
    qtbot.addWidget(view)
    view.refresh()

    assert not view.isColumnHidden(SENTENCE)


def test_tokens_have_a_running_total_and_a_rank(session: Session, qtbot: QtBot) -> None:
    session.add_run(
        run_of("forced", [1, 2, END], [0.5, 0.25, 0.5], trace={"step_rank": np.array([1, 1234, 1])})
    )
    view = TokensView(session, Appearance("light"))
    qtbot.addWidget(view)
    view.resize(500, 200)
    view.show()
    view.refresh()

    rows = [[shown(view, row, column) for column in range(6)] for row in range(3)]
    assert rows == [
        ["1", "a", "50 %", "−0.693", "1", "−0.693"],
        ["2", "b", "25 %", "−1.386", "1,234", "−2.079"],
        ["3", "(end)", "50 %", "−0.693", "1", "−2.773"],
    ]
    qtbot.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(1, 1)).center()
    )
    selection = session.selection()
    assert selection is not None
    assert selection.step == 1


def test_rows_are_copied_as_text(session: Session, qtbot: QtBot) -> None:
    session.show_run("one")
    view = TokensView(session, Appearance("light"))
    qtbot.addWidget(view)
    view.refresh()

    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().split("\n")]
    assert lines[0] == ["Step", "Token", "Probability", "Log prob.", "Rank", "Total"]
    assert lines[1:] == [
        ["1", "a", "50 %", "−0.693", "–", "−0.693"],
        ["2", "b", "25 %", "−1.386", "–", "−2.079"],
        ["3", "(end)", "50 %", "−0.693", "–", "−2.773"],
    ]


@pytest.mark.parametrize(
    ("facts", "decoding", "wanted"),
    [
        ({}, {"mode": "beam", "beam_size": 4}, "beam 4"),
        ({}, {"mode": "forced", "target": "x"}, "forced"),
        ({"provenance": {"source": "recorded"}}, {"mode": "greedy"}, "recorded, greedy"),
        ({"provenance": {"source": "hypothesis"}}, {"mode": "beam", "beam_size": 4}, "hypothesis"),
        (
            {"alterations": ({"type": "scale", "kind": "cross", "layer": 1, "head": 2, "factor": 0.0},)},
            {"mode": "greedy"},
            "greedy, altered: cross-attention of layer 2, head 3 off",
        ),
        (
            {},
            {"mode": "sample", "temperature": 1.2, "top_k": 5, "top_p": 0.9, "seed": 1},
            "sample T=1.2 k=5 p=0.9 seed 1",
        ),
    ],
)
def test_how_a_run_was_made(
    qapp: QApplication, facts: dict[str, object], decoding: dict[str, object], wanted: str
) -> None:
    assert mode_text(run_of("x", [1, END], [0.5, 0.5], trace={"decoding": decoding}, **facts)) == wanted


def test_a_long_text_is_shown_in_part_and_copied_whole(qtbot: QtBot) -> None:
    text, other = "long " * 4000, Qt.ItemDataRole.UserRole + 1  # which other tables use for something else
    items = [QStandardItem(in_a_row(text)), QStandardItem("short")]
    items[0].setData(text, WHOLE_ROLE)
    items[1].setData(0.25, other)
    model = QStandardItemModel()
    model.appendRow(items)
    table = RowTable(Appearance("light"), stretched=0)
    qtbot.addWidget(table)
    table.setModel(model)
    assert len(str(model.index(0, 0).data())) < 500
    assert table.as_text().split("\n")[1] == f"{text}\tshort"
