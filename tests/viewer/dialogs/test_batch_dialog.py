"""The look at a batch shows the ids, masks and pairs of the view, and asks for what is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QBrush
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from model.training.batch_view import BatchView
from tests.viewer.heard_requests import heard
from tests.viewer.pages.train.live_samples import options
from viewer.app import build_window
from viewer.dialogs.batch_dialog import BatchDialog
from viewer.dialogs.batch_matrix import Matrix, MatrixModel, MatrixTable
from viewer.document.messages.notice import Notice
from viewer.document.messages.training_requests import MakeBatch, StopBatch
from viewer.document.training.training import Training
from viewer.pages.widgets.appearance import Appearance
from viewer.window.main_window import MainWindow
from viewer.window.settings import Settings

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

OPTIONS = options()
# Two pairs; the second is one token shorter on both sides.
VIEW = BatchView(
    step=4,
    steps_per_epoch=9,
    source=np.array([[7, 8, 2], [9, 2, 0]]),
    target_in=np.array([[1, 5, 6], [1, 4, 0]]),
    target_out=np.array([[5, 6, 2], [4, 2, 0]]),
    source_mask=np.array([[True, True, True], [True, True, False]]),
    target_mask=np.array([[True, True, True], [True, True, False]]),
    source_pieces=(("▁the", "▁cat", "</s>"), ("▁go", "</s>", "<pad>")),
    target_in_pieces=(("<s>", "▁le", "▁chat"), ("<s>", "▁va", "<pad>")),
    target_out_pieces=(("▁le", "▁chat", "</s>"), ("▁va", "</s>", "<pad>")),
    source_pad=0,
    target_pad=0,
    padded_by=2,
    loss=4.12341,
    padded_loss=4.12342,
    largest_difference=3.2e-7,
)


@pytest.fixture
def dialog(qtbot: QtBot) -> BatchDialog:
    training = Training()
    made = BatchDialog(training, Appearance("light"))
    made.training = training  # type: ignore[attr-defined]
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    training = Training()
    training.set_batch(VIEW)
    settings = Settings(str(tmp_path / "s.ini"))
    window = build_window(None, settings, training=training, theme="light", language="en")
    qtbot.addWidget(window)
    window.show()
    yield window
    window.close()


def shown(dialog: BatchDialog, view: BatchView | None = VIEW, **state: Any) -> None:
    dialog.training.set_batch(view, **state)  # type: ignore[attr-defined]


def texts(dialog: BatchDialog, name: str) -> list[list[str]]:
    model = dialog.tables[name].matrix
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def ground(dialog: BatchDialog, name: str, row: int, column: int) -> QBrush | None:
    found: QBrush | None = dialog.tables[name].matrix.index(row, column).data(Qt.ItemDataRole.BackgroundRole)
    return found


def test_tokens_masks_and_the_added_padding(dialog: BatchDialog) -> None:
    shown(dialog)

    assert texts(dialog, "source") == [
        ["the", "cat", "(end)", "(padding)", "(padding)"],
        ["go", "(end)", "(padding)", "(padding)", "(padding)"],
    ]
    assert texts(dialog, "target_in")[0] == ["(start)", "le", "chat", "(padding)", "(padding)"]
    assert texts(dialog, "target_out")[0] == ["le", "chat", "(end)", "(padding)", "(padding)"]
    for name in ("source_mask", "target_mask"):
        assert texts(dialog, name) == [["1", "1", "1", "0", "0"], ["1", "1", "0", "0", "0"]]

    dialog.ids.click()
    assert texts(dialog, "source") == [["7", "8", "2", "0", "0"], ["9", "2", "0", "0", "0"]]
    assert texts(dialog, "target_out") == [["5", "6", "2", "0", "0"], ["4", "2", "0", "0", "0"]]
    dialog.pieces.click()
    assert texts(dialog, "source")[1][0] == "go"


def test_padding_is_hatched_and_added_padding_otherwise(dialog: BatchDialog) -> None:
    shown(dialog)

    assert ground(dialog, "source", 1, 1) is None
    own, added = ground(dialog, "source", 1, 2), ground(dialog, "source", 1, 3)
    assert own is not None
    assert added is not None
    assert own.style() is added.style() is Qt.BrushStyle.BDiagPattern
    assert own.color() != added.color()
    model = dialog.tables["source"].matrix
    assert "padding, token 0" in model.index(1, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert "added" in model.index(1, 3).data(Qt.ItemDataRole.ToolTipRole)
    assert "▁cat, token 8" in model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)


def test_the_causal_mask_lets_a_position_read_itself_and_what_is_before_it(dialog: BatchDialog) -> None:
    shown(dialog)
    mask = dialog.causal.matrix

    def cells() -> list[str]:
        columns = range(mask.columnCount())
        return [
            "".join(mask.index(row, column).data() for column in columns) for row in range(mask.rowCount())
        ]

    def tokens(orientation: Qt.Orientation, count: int) -> list[str]:
        return [mask.headerData(place, orientation) for place in range(count)]

    assert cells() == ["100", "110", "111"]
    assert tokens(Qt.Orientation.Vertical, 3) == ["(start)", "le", "chat"]
    dialog.causal.pair.setValue(2)
    assert cells() == ["100", "110"]  # the padding is read nowhere
    assert tokens(Qt.Orientation.Horizontal, 3) == ["(start)", "va", "(padding)"]

    def tip(row: int, column: int) -> str:
        return str(mask.index(row, column).data(Qt.ItemDataRole.ToolTipRole))

    assert tip(1, 0) == "At “va” the decoder may read “(start)”."
    assert tip(0, 1) == "At “(start)” the decoder may not read “va”: it comes later."
    assert tip(1, 2) == "At “va” the decoder may not read the padding."
    shown(dialog, None)
    assert mask.rowCount() == mask.columnCount() == 0


def test_a_token_is_marked_with_what_it_should_predict(dialog: BatchDialog) -> None:
    shown(dialog)

    dialog.tables["target_in"].hovered.emit((0, 1))

    assert dialog.pair.text() == (
        "Pair 1, position 2: having read “le”, it should predict “chat”, which it then reads."
    )
    marked = [
        (name, row, column)
        for name in ("target_in", "target_out")
        for row in range(2)
        for column in range(3)
        if (brush := ground(dialog, name, row, column)) is not None
        and brush.style() is Qt.BrushStyle.SolidPattern
    ]
    # Read at one place, predicted at the same, read at the next.
    assert marked == [("target_in", 0, 1), ("target_in", 0, 2), ("target_out", 0, 1)]
    assert VIEW.target_out[0, 1] == VIEW.target_in[0, 2]

    dialog.tables["target_out"].hovered.emit((1, 1))
    assert dialog.pair.text() == "Pair 2, position 2: having read “va”, it should predict “(end)”."

    dialog.tables["target_out"].hovered.emit((1, 2))  # padding predicts nothing
    assert "point at a token" in dialog.pair.text()
    assert ground(dialog, "target_in", 0, 1) is None


def test_the_pointer_over_a_cell_marks_it(dialog: BatchDialog, qtbot: QtBot) -> None:
    shown(dialog)
    dialog.tabs.setCurrentIndex(1)
    table = dialog.tables["target_in"]
    place = table.visualRect(table.matrix.index(0, 0)).center()

    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert dialog.pair.text().startswith("Pair 1, position 1: having read “(start)”")


def test_what_padding_changes_in_words(dialog: BatchDialog) -> None:
    shown(dialog)
    assert dialog.verdict.text() == (
        "With 2 more columns of padding, log probabilities differ by at most 3e-07; "
        "loss 4.1234 without them, 4.1234 with them. This is rounding: padding changes nothing."
    )
    assert dialog.size_text.text() == (
        "Training step 5 (9 steps are one pass over the pairs): 2 pairs, padded to 3 source and 3 target "
        "tokens; 17 % of the cells are padding."
    )

    shown(dialog, replace(VIEW, largest_difference=0.31, padded_loss=4.5))
    assert (
        "0.3; loss 4.1234 without them, 4.5000 with them. This is more than rounding" in dialog.verdict.text()
    )


def test_spinners_ask_for_another_batch_once_they_rest(dialog: BatchDialog, qtbot: QtBot) -> None:
    asked = heard(dialog._training, MakeBatch)

    dialog.ask(MakeBatch(OPTIONS, "/m", 4, 3))
    assert asked == [MakeBatch(OPTIONS, "/m", 4, 3)]
    assert (dialog.step.value(), dialog.pad.value()) == (5, 3)

    for _ in range(3):
        dialog.next.click()
    dialog.pad.setValue(7)
    qtbot.waitUntil(lambda: len(asked) == 2)
    assert asked[1] == MakeBatch(OPTIONS, "/m", 7, 7)

    dialog.previous.click()
    qtbot.waitUntil(lambda: len(asked) == 3)
    assert asked[2].step == 6
    dialog.ask(MakeBatch(OPTIONS, "/m", 0, 0))
    dialog.previous.click()
    assert dialog.step.value() == 1


def test_it_can_be_cancelled_while_it_is_made(dialog: BatchDialog, qtbot: QtBot) -> None:
    shown(dialog, None, looking=True)
    assert dialog.progress.isVisible()
    assert dialog.size_text.text() == "Preparing the batch…"
    asked = heard(dialog._training)
    dialog.cancel.click()
    assert asked == [StopBatch()]

    problem = Notice("training_no_pairs", level="error")
    shown(dialog, None, problem=problem)
    assert not dialog.progress.isVisible()
    assert dialog.problem.text() == problem.sentence()

    shown(dialog)
    assert not dialog.problem.isVisible()


def test_a_large_batch_costs_what_is_seen(qtbot: QtBot) -> None:
    rows, columns = 4000, 500
    ids = np.arange(rows * columns).reshape(rows, columns)
    mask = np.ones_like(ids, bool)
    asked = 0

    class Counted(tuple[Any, ...]):
        def __getitem__(self, index: Any) -> Any:
            nonlocal asked
            asked += 1
            return tuple.__getitem__(self, index)

    pieces = Counted((("▁word",) * columns,) * rows)
    table = MatrixTable(Appearance("light"))
    qtbot.addWidget(table)
    table.resize(600, 400)
    table.show_matrix(Matrix(ids, pieces, mask, 0, 4))
    table.show()
    table.grab()

    assert table.matrix.rowCount() == rows
    assert table.matrix.columnCount() == columns + 4
    assert asked < 20_000  # of two million cells


def test_the_tables_are_sound(qtbot: QtBot) -> None:
    model = MatrixModel(Appearance("light"))
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_matrix(Matrix(VIEW.source, VIEW.source_pieces, VIEW.source_mask, 0, 1))
    model.mark({(0, 1): "chip"})
    model.show_pieces(False)
    model.show_matrix(None)

    assert model.rowCount() == 0


def test_tables_scroll_together(dialog: BatchDialog, qtbot: QtBot) -> None:
    wide = {
        name: np.tile(getattr(VIEW, name), (30, 20))
        for name in ("source", "target_in", "target_out", "source_mask", "target_mask")
    }
    pieces: Any = tuple((("▁x",) * 60,) * 60)
    names = ("source_pieces", "target_in_pieces", "target_out_pieces")
    shown(dialog, replace(VIEW, **wide, **dict.fromkeys(names, pieces)))
    dialog.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: dialog.tables["target_in"].horizontalScrollBar().maximum() > 5)

    dialog.tables["target_in"].horizontalScrollBar().setValue(5)
    dialog.tables["target_out"].verticalScrollBar().setValue(40)

    for name in ("target_in", "target_out", "target_mask"):
        assert dialog.tables[name].columnAt(0) == 5
        assert dialog.tables[name].verticalScrollBar().value() == 40


def test_it_is_whole_at_once_unless_somebody_goes_through_its_parts(qtbot: QtBot) -> None:
    training, look = Training(), Appearance("light")
    training.set_batch(VIEW)
    whole, made = BatchDialog(training, look), BatchDialog(training, look, at_once=False)
    for each in (whole, made):
        qtbot.addWidget(each)

    assert (whole.is_whole, made.is_whole) == (True, False)
    QCoreApplication.sendEvent(made, QEvent(QEvent.Type.LanguageChange))  # it has no words yet
    assert len(list(made.parts)) > 5
    assert made.is_whole
    assert list(made.tables) == list(whole.tables)
    for name in whole.tables:
        assert texts(made, name) == texts(whole, name)
        wide = [each.tables[name].horizontalHeader().defaultSectionSize() for each in (made, whole)]
        assert wide[0] == wide[1] > 0


def test_the_window_makes_one_in_several_turns(window: MainWindow, qtbot: QtBot) -> None:
    opened: list[object] = []
    window.dialogs.opened.connect(opened.append)

    window.dialogs.show_batch(MakeBatch(OPTIONS, "/m", 4, 3))
    window.dialogs.show_batch(MakeBatch(OPTIONS, "/m", 8, 2))  # before it is there
    assert opened == []
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(BatchDialog)))

    (dialog,) = window.findChildren(BatchDialog)
    assert opened == [dialog]
    assert dialog.is_whole
    assert (dialog.step.value(), dialog.pad.value()) == (9, 2)
    assert texts(dialog, "target_out")[1][0] == "va"
    dialog.close()
    window.dialogs.show_batch(MakeBatch(OPTIONS, "/m", 0, 0))
    assert dialog.isVisible()
    assert dialog.step.value() == 1
    assert window.findChildren(BatchDialog) == [dialog]


def test_a_window_that_is_closed_meanwhile_opens_none(window: MainWindow, qtbot: QtBot) -> None:
    window.dialogs.show_batch(MakeBatch(OPTIONS, "/m", 4, 3))
    QTest.qWait(1)
    window.close()
    QTest.qWait(100)

    assert not any(each.isVisible() for each in window.findChildren(BatchDialog))


def test_bars_follow_the_width_of_columns(dialog: BatchDialog, qtbot: QtBot) -> None:
    table, wide = dialog.tables["source"], {}
    header, bar = table.horizontalHeader(), table.horizontalScrollBar()
    for name in ("source", "source_mask"):
        wide[name] = np.tile(getattr(VIEW, name), (30, 20))
    for piece in ("▁x", "▁elephants"):
        before = header.defaultSectionSize()
        shown(dialog, replace(VIEW, **wide, source_pieces=tuple(((piece,) * 60,) * 60)))
        qtbot.waitUntil(lambda before=before: header.defaultSectionSize() != before)
        told = (bar.maximum(), bar.pageStep())
        table.updateGeometries()
        assert (bar.maximum(), bar.pageStep()) == told


def test_another_language(dialog: BatchDialog) -> None:
    shown(dialog)
    dialog.cancel.setText("?")
    dialog.titles["source"].setText("?")

    QCoreApplication.sendEvent(dialog, QEvent(QEvent.Type.LanguageChange))

    assert dialog.cancel.text() == "Cancel"
    assert dialog.titles["source"].text() == "Source tokens"
