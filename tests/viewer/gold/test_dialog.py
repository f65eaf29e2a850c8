"""The dialog of gold links: typed, clicked, taken from a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from model.alignment.links import Gold
from tests.model.alignment.samples import LINKS
from tests.viewer.gold.samples import gold_of, shown
from viewer.dialogs.gold_dialog import GoldDialog
from viewer.dialogs.gold_grid import POSSIBLE, SURE, GoldGridModel
from viewer.document.session import Session

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the platform without a screen, of any dialog


def opened(qtbot: QtBot, session: Session) -> GoldDialog:
    run = session.run()
    assert run is not None
    dialog = GoldDialog(session, run)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def ok(dialog: GoldDialog) -> bool:
    return dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def marks(dialog: GoldDialog) -> list[list[str]]:
    model = dialog.grid.words
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def press(dialog: GoldDialog, row: int, column: int) -> None:
    place = dialog.grid.visualRect(dialog.grid.words.index(row, column)).center()
    QTest.mouseClick(dialog.grid.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_it_opens_on_the_words_without_links(qtbot: QtBot) -> None:
    dialog = opened(qtbot, shown())
    assert (dialog.source.text(), dialog.target.text()) == ("the red car", "la voiture rouge")
    assert dialog.links.toPlainText() == ""
    assert marks(dialog) == [["", "", ""]] * 3
    headers = [dialog.grid.words.headerData(n, Qt.Orientation.Horizontal) for n in range(3)]
    assert headers == ["the", "red", "car"]
    assert dialog.grid.words.headerData(1, Qt.Orientation.Vertical) == "voiture"
    assert ok(dialog)
    assert dialog.problem.isHidden()
    assert dialog.line.isHidden()


def test_typed_links_are_shown_and_given(qtbot: QtBot) -> None:
    session = shown()
    dialog = opened(qtbot, session)
    dialog.links.setPlainText("0-0 2-1 1p2")
    assert marks(dialog) == [[SURE, "", ""], ["", "", SURE], ["", POSSIBLE, ""]]
    assert dialog.summary.text() == "the–la, car–voiture, red–rouge (possible)"
    dialog.accept()
    assert gold_of(session) == Gold(((0, 0), (2, 1)), ((1, 2),), "the red car", "la voiture rouge")
    session.undo()
    assert gold_of(session) is None


def test_what_is_wrong_is_said_at_once(qtbot: QtBot) -> None:
    session = shown()
    dialog = opened(qtbot, session)
    dialog.links.setPlainText("0-0 2+1")
    assert "'2+1'" in dialog.problem.text()
    assert not dialog.problem.isHidden()
    assert not ok(dialog)
    assert not dialog.grid.isEnabled()
    dialog.accept()
    assert gold_of(session) is None
    assert dialog.isVisible()
    dialog.links.setPlainText("0-0 3-1")
    assert "count from 1" in dialog.problem.text()
    dialog.base.setCurrentIndex(1)
    assert "counts words from 0" in dialog.problem.text()
    dialog.links.setPlainText("1-1 3-2")
    assert ok(dialog)
    assert dialog.problem.isHidden()
    assert dialog.draft.gold is not None
    assert dialog.draft.gold.sure == ((0, 0), (2, 1))


def test_words_split_otherwise(qtbot: QtBot) -> None:
    dialog = opened(qtbot, shown())
    dialog.source.setText("the red c ar")
    assert ok(dialog)
    assert dialog.grid.words.columnCount() == 4
    dialog.source.setText("the red bus")
    assert "spell the source" in dialog.problem.text()
    assert dialog.grid.words.columnCount() == 0
    dialog.source.setText("")
    assert ok(dialog)
    assert dialog.grid.words.columnCount() == 3


def test_clicks_and_keys_go_from_sure_to_possible_to_none(qtbot: QtBot) -> None:
    dialog = opened(qtbot, shown())
    texts = []
    for _ in range(3):
        press(dialog, 1, 2)
        texts.append(dialog.links.toPlainText())
    assert texts == ["2-1", "2p1", ""]
    dialog.grid.setCurrentIndex(dialog.grid.words.index(2, 1))
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return):
        QTest.keyClick(dialog.grid, key)
    assert dialog.links.toPlainText() == "1p2"
    assert dialog.isVisible()


def test_clicked_links_stay_when_words_count_from_one_and_typed_ones_mean_others(qtbot: QtBot) -> None:
    dialog = opened(qtbot, shown())
    press(dialog, 0, 0)
    dialog.base.setCurrentIndex(1)
    assert dialog.links.toPlainText() == "1-1"
    assert dialog.draft.gold is not None
    assert dialog.draft.gold.sure == ((0, 0),)
    dialog.base.setCurrentIndex(0)
    dialog.links.setPlainText("1-1")
    dialog.base.setCurrentIndex(1)
    assert dialog.links.toPlainText() == "1-1"
    assert dialog.draft.gold.sure == ((0, 0),)


def test_links_that_there_are_can_be_changed_and_taken_away(qtbot: QtBot) -> None:
    session = shown(Gold(LINKS, (), "the red car", "la voiture rouge"))
    dialog = opened(qtbot, session)
    assert dialog.links.toPlainText() == "0-0 1-2 2-1"
    dialog.remove_button.click()
    assert dialog.links.toPlainText() == ""
    assert gold_of(session) is not None
    dialog.accept()
    assert gold_of(session) is None


def test_cancel_changes_nothing(qtbot: QtBot) -> None:
    session = shown()
    dialog = opened(qtbot, session)
    press(dialog, 0, 0)
    dialog.reject()
    assert gold_of(session) is None


def test_a_line_of_a_file(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = opened(qtbot, shown())
    path = tmp_path / "g.pharaoh"
    path.write_text("9-9\n0-0 1-2\n\n")
    dialog.open_file(str(path))
    assert dialog.line.isVisible()
    assert (dialog.line.minimum(), dialog.line.maximum()) == (1, 3)
    assert dialog.line.suffix().strip() == "of 3"
    assert not ok(dialog)
    dialog.line.setValue(2)
    assert dialog.links.toPlainText() == "0-0 1-2"
    assert marks(dialog)[2][1] == SURE
    dialog.line.setValue(3)
    assert ok(dialog)
    dialog.open_file(str(tmp_path / "none"))
    assert "no file" in dialog.problem.text()
    path.write_bytes(b"\xff")
    dialog.open_file(str(path))
    assert "not a text file" in dialog.problem.text()


def test_the_grid_is_a_sound_model(qtbot: QtBot) -> None:
    model = GoldGridModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.show(("a", "b"), ("c",), Gold(((0, 0),)))
    model.show(("a", "b"), ("c",), Gold((), ((1, 0),)))
    assert (model.index(0, 0).data(), model.index(0, 1).data()) == ("", POSSIBLE)
    tip = model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == "“b” – “c”: possible link"
    assert model.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole) == tip
    model.show((), (), Gold())
    assert model.rowCount() == 0
    del tester
