"""Exports from the real window: numbers that are still being worked out, and what other tabs have chosen."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QProgressBar
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind
from tests.viewer.desk import Desk
from tests.viewer.driving import Driver
from viewer.commands import render
from viewer.dialogs.export_dialog import ExportChoice
from viewer.document.selection import Numbers
from viewer.window.progress import progress_over, show_progress

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "keyboard", "raise")


@pytest.fixture
def translated(desk: Desk) -> Driver:
    return desk


def test_a_preview_waits_for_its_numbers(translated: Driver) -> None:
    translated.session.select(0, kind=AttentionKind.CROSS, numbers=Numbers.VALUE_WEIGHTED)
    translated.window.exporting.open_dialog()
    dialog = translated.window.exporting.dialog
    assert dialog is not None
    dialog.refresh()
    if not dialog.form.export.isEnabled():  # unless the worker was faster
        assert "being computed" in dialog.form.message.text()
    translated.wait(lambda: dialog.form.export.isEnabled() and not dialog.form.preview.pixmap().isNull())
    assert dialog.form.message.text() == ""
    dialog.reject()


def test_contents_are_named_whole_and_the_page_has_the_width(translated: Driver) -> None:
    translated.window.exporting.open_dialog()
    dialog = translated.window.exporting.dialog
    assert dialog is not None
    translated.wait(lambda: dialog.form.export.isEnabled() and not dialog.form.preview.pixmap().isNull())
    box, page = dialog.form.what, dialog.form.preview.pixmap()
    longest = max(box.fontMetrics().horizontalAdvance(box.itemText(index)) for index in range(box.count()))
    box.showPopup()
    assert box.view().width() > longest > box.width()
    box.hidePopup()
    assert dialog.form.page.viewport().width() >= page.deviceIndependentSize().width()
    dialog.reject()


def test_a_set_is_written_from_the_open_dialog(translated: Driver, tmp_path: Path) -> None:
    exporting = translated.window.exporting
    exporting.open_dialog()
    dialog = exporting.dialog
    assert dialog is not None
    form = dialog.form
    form.each.setCurrentIndex(form.each.findData("heads"))
    form.path.setText(str(tmp_path / "maps.png"))
    form.path.textEdited.emit(form.path.text())
    translated.wait(lambda: form.export.isEnabled())
    trace = exporting.context().source.trace
    assert trace is not None
    kind = dialog.request.selection.kind
    count = trace.layers(kind) * trace.heads(kind)
    form.export.click()
    translated.wait(lambda: not exporting.writing.jobs)
    assert len(list(tmp_path.glob("maps-layer?-head?.png"))) == count
    assert dialog.isVisible()
    assert form.message.text() == f"Saved {count} of {count} files"
    dialog.reject()


def test_asked_for_twice_at_once_it_is_one_dialog_and_given_up_before_it_is_seen_none(
    translated: Driver,
) -> None:
    """It is made in one turn and shown in the next."""
    exporting = translated.window.exporting
    exporting.open_dialog()
    first = exporting.dialog
    exporting.open_dialog()
    assert first is not None
    assert exporting.dialog is first
    translated.wait(first.isVisible)
    first.reject()

    exporting.open_dialog()
    second = exporting.dialog
    assert second is not None
    assert second is not first
    second.reject()
    QTest.qWait(50)
    assert QApplication.activeModalWidget() is None
    exporting.open_dialog()
    third = exporting.dialog
    assert third is not None
    translated.wait(third.isVisible)
    third.reject()


def test_an_export_outlives_the_dialog_that_asked_for_it(translated: Driver, tmp_path: Path) -> None:
    """Found by the monkey (seed 1): Escape right after Export took the job with the dialog."""
    exporting, said = translated.window.exporting, []
    exporting.said.connect(said.append)
    exporting.open_dialog()
    dialog = exporting.dialog
    assert dialog is not None
    dialog.form.path.setText(str(tmp_path / "m.png"))
    dialog.form.path.textEdited.emit(dialog.form.path.text())
    translated.wait(lambda: dialog.form.export.isEnabled())
    dialog.form.export.click()
    dialog.reject()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    translated.wait(lambda: not exporting.writing.jobs)
    assert said == ["Saved m.png"]


def test_an_animation_asks_for_every_step(translated: Driver, tmp_path: Path) -> None:
    """The steps that nobody has looked at yet have no answer when the writing begins."""
    session, exporting = translated.session, translated.window.exporting
    session.select(0, kind=AttentionKind.CROSS, layer=1, head=1, numbers=Numbers.GRADIENT)
    exporting.open_dialog()
    dialog = exporting.dialog
    assert dialog is not None
    dialog.form.format.setCurrentIndex(dialog.form.format.findData("gif"))
    dialog.form.paper.editors["dpi"].setValue(72)
    dialog.form.paper.editors["width"].setValue(60.0)
    dialog.form.path.setText(str(tmp_path / "a.gif"))
    translated.wait(lambda: dialog.form.export.isEnabled())
    request, command = dialog.request, dialog.command()
    dialog.reject()
    exporting.writing.write(ExportChoice(request, str(tmp_path / "a.gif")))
    translated.wait(lambda: not exporting.writing.jobs)
    ours = (tmp_path / "a.gif").read_bytes()
    assert command is not None
    render.run(shlex.split(command)[2:])
    assert (tmp_path / "a.gif").read_bytes() == ours


def test_shares_are_of_the_layer_chosen_in_the_window(translated: Driver) -> None:
    layers = translated.page.next_word.shares.layers
    translated.wait(lambda: layers.count() == 5)
    layers.activated.emit(3)
    request = translated.window.exporting.request()
    assert (request.layer, request.own) == (1, {"measure": "cross"})
    layers.activated.emit(0)
    request = translated.window.exporting.request()
    assert (request.layer, request.own) == (None, {})


def test_nothing_else_is_done_while_a_modal_dialog_is_told_how_far_it_is(qtbot: QtBot) -> None:
    """Among what waits may be the end of the work, with which the dialog goes: that ended the program."""
    over = QDialog()
    qtbot.addWidget(over)
    over.show()
    dialog = progress_over(over, "Export", "Writing", "Cancel")
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    qtbot.waitUntil(dialog.isVisible)  # by itself
    done: list[int] = []
    QTimer.singleShot(0, lambda: done.append(1))

    show_progress(dialog, 2, 5)

    assert done == []
    bar = dialog.findChild(QProgressBar)
    assert bar is not None
    assert (bar.value(), bar.maximum(), dialog.value()) == (2, 5, 2)
    show_progress(dialog, 5, 5)
    assert dialog.isVisible()  # it closes by whoever made it
    QApplication.processEvents()
    assert done == [1]
