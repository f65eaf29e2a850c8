"""What the style sheet does to controls; sizes as Qt lays them out."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.stylesheet import stylesheet


@pytest.mark.qt_log_ignore("This plugin does not support")  # popups, without a screen
@pytest.mark.parametrize("presenting", [False, True])
def test_a_box_of_choices_shows_all_of_them_when_opened(qtbot: QtBot, presenting: bool) -> None:
    look = Appearance("light")
    look.set_present(presenting)
    window, box = QWidget(), QComboBox()
    box.addItems(["Copy the words", "Reverse the words", "日常短句", "Sort", "Trees", "Short sentences"])
    QVBoxLayout(window).addWidget(box)
    window.setStyleSheet(stylesheet(look))
    qtbot.addWidget(window)
    window.resize(400, 300)
    window.show()
    qtbot.waitExposed(window)
    box.showPopup()
    rows = box.view()

    last = rows.visualRect(box.model().index(box.count() - 1, 0))
    assert rows.isVisible()
    assert last.height() >= look.px(26)
    assert rows.viewport().rect().contains(last)
    assert rows.verticalScrollBar().maximum() == 0
    box.hidePopup()
