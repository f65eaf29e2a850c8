"""What the style sheet does to controls; sizes as Qt lays them out."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QFontMetrics, QStandardItemModel
from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QLabel, QTableView, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from viewer.pages.looks.renewal import Renewal
from viewer.pages.looks.stylesheet import stylesheet
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import elastic, label, tab_button
from viewer.pages.widgets.row_table import make_plain

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # windows, without a screen


def show_styled(qtbot: QtBot, window: QWidget, look: Appearance) -> None:
    window.setStyleSheet(stylesheet(look))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)


@pytest.mark.parametrize("presenting", [False, True])
def test_a_box_of_choices_shows_all_of_them_when_opened(qtbot: QtBot, presenting: bool) -> None:
    look = Appearance("light")
    look.set_present(presenting)
    window, box = QWidget(), QComboBox()
    box.addItems(["Copy the words", "Reverse the words", "日常短句", "Sort", "Trees", "Short sentences"])
    QVBoxLayout(window).addWidget(box)
    window.resize(400, 300)
    show_styled(qtbot, window, look)
    box.showPopup()
    rows = box.view()

    last = rows.visualRect(box.model().index(box.count() - 1, 0))
    assert rows.isVisible()
    assert last.height() >= look.px(26)
    assert rows.viewport().rect().contains(last)
    assert rows.verticalScrollBar().maximum() == 0
    box.hidePopup()


@pytest.mark.parametrize("presenting", [False, True])
@pytest.mark.parametrize("text", ["Self-attention (causal)", "Map", "自注意力 (因果)"])
def test_a_tab_has_room_for_its_text_also_when_it_is_chosen(
    qtbot: QtBot, text: str, presenting: bool
) -> None:
    look = Appearance("light")
    look.set_present(presenting)
    window = QWidget()
    tab = tab_button(QButtonGroup(window), 0)
    tab.setText(text)
    QHBoxLayout(window).addWidget(tab)
    show_styled(qtbot, window, look)
    before = tab.sizeHint()
    tab.setChecked(True)

    heavy = QFont(tab.font())
    heavy.setWeight(QFont.Weight.DemiBold)
    sides = 2 * (look.px(12) + 2)  # padding and border of the sheet
    assert tab.sizeHint() == before
    assert tab.width() - sides >= QFontMetrics(heavy).horizontalAdvance(text)


def test_the_ring_of_a_table_that_has_the_keys_is_whole_beside_its_scroll_bars(qtbot: QtBot) -> None:
    look = Appearance("light")
    window, model = QWidget(), QStandardItemModel(40, 12)
    table = QTableView(window)
    make_plain(table)
    table.setModel(model)
    QVBoxLayout(window).addWidget(table)
    window.resize(300, 200)
    show_styled(qtbot, window, look)
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    image, wide, high = table.grab().toImage(), table.width(), table.height()

    for place in ((wide // 2, 0), (wide // 2, high - 1), (0, high // 2), (wide - 1, high // 2)):
        assert image.pixelColor(*place) == look.color("accent"), place


def test_a_text_that_was_cut_is_cut_anew_for_other_type(qtbot: QtBot) -> None:
    look = Appearance("light")
    window, line, free = QWidget(), elastic(label("", "many words that hardly have any room")), label("", "x")
    column = QVBoxLayout(window)
    column.addWidget(line)
    column.addWidget(free)
    renewal = Renewal(window, look)
    renewal.restyle()
    qtbot.addWidget(window)
    window.resize(240, 80)
    window.show()
    qtbot.waitExposed(window)
    before = QLabel.text(line)
    look.set_type_size(150)
    renewal.restyle()

    after = QLabel.text(line)
    assert after != before
    assert after == line.fontMetrics().elidedText(
        line.text(), line._elision, line.contentsRect().width() - 2 * line.margin()
    )
    assert QLabel.text(free) == "x"
