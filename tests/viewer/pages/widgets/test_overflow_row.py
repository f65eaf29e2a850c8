"""A row of controls: what has no room stands in the menu at its end, and does there what it does here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QLabel,
    QMenu,
    QPushButton,
    QSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import MenuButton, label
from viewer.pages.widgets.overflow_menu import KEYS
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow


@pytest.fixture
def row(qtbot: QtBot) -> Iterator[OverflowRow]:
    row = OverflowRow(Appearance("light"), spacing=4)
    qtbot.addWidget(row)
    yield row
    row.close()


def shown(row: OverflowRow, width: int) -> OverflowRow:
    row.resize(width, 40)
    row.show()
    QApplication.processEvents()
    return row


def entries(row: OverflowRow) -> dict[str, QAction]:
    row.fill()
    return {action.text(): action for action in row.menu.actions() if not action.isSeparator()}


def buttons(row: OverflowRow, *names: str, rank: int = 1) -> list[QPushButton]:
    made = [QPushButton(name) for name in names]
    for button in made:
        row.add(button, rank=rank)
    return made


def test_all_stand_in_the_row_while_they_fit(row: OverflowRow) -> None:
    made = buttons(row, "one", "two", "three")
    shown(row, row.sizeHint().width())
    assert [button.isVisible() for button in made] == [True] * 3
    assert row.more.isHidden()


def test_they_leave_from_the_right_the_highest_rank_first_and_come_back(row: OverflowRow) -> None:
    first, second = buttons(row, "first", "second")
    (third,) = buttons(row, "third", rank=5)
    (last,) = buttons(row, "last", rank=STAYS)
    whole = row.sizeHint().width()
    shown(row, whole - 4)
    assert [widget for widget in (first, second, third, last) if not widget.isVisible()] == [third]
    assert row.more.isVisible()
    shown(row, row.minimumSizeHint().width())
    assert row.away == (first, second, third)
    assert last.isVisible()
    shown(row, whole)
    assert not row.away


def test_a_small_one_comes_back_when_a_wide_one_has_left(row: OverflowRow) -> None:
    (small,) = buttons(row, "x", rank=2)
    (wide,) = buttons(row, "a very wide one indeed")
    (last,) = buttons(row, "last", rank=STAYS)
    room = small.sizeHint().width() + last.sizeHint().width() + row.more.sizeHint().width() + 2 * 4
    shown(row, room)
    assert row.away == (wide,)
    assert small.isVisible()


def test_who_owns_a_widget_shows_and_hides_it_while_it_is_away(row: OverflowRow) -> None:
    first, second = buttons(row, "first", "second")
    shown(row, row.more.sizeHint().width())
    assert row.away == (first, second)
    assert not first.isHidden()
    second.hide()
    QApplication.processEvents()
    assert row.away == (first,)
    shown(row, 600)
    assert second.isHidden()
    assert first.isVisible()
    second.show()
    QApplication.processEvents()
    assert second.isVisible()


def test_other_words_need_other_room(row: OverflowRow) -> None:
    first, _ = buttons(row, "a", "b")
    shown(row, row.sizeHint().width() + 4)
    first.setText("a name that is much too long")
    QApplication.processEvents()
    assert row.away == (first,)
    first.setText("a")
    QApplication.processEvents()
    assert not row.away
    assert first.width() >= first.sizeHint().width()


def test_a_row_in_a_row_gets_narrow_instead_of_leaving(row: OverflowRow) -> None:
    (tab,) = buttons(row, "tab")
    inner = OverflowRow(Appearance("light"))
    tools = buttons(inner, "tool", "another tool")
    row.add(inner, rank=2)
    shown(row, row.minimumSizeHint().width() + tab.sizeHint().width())
    assert tab.isVisible()
    assert inner.away == tuple(tools)
    assert inner.more.isVisible()
    assert row.more.isHidden()


def test_the_menu_does_what_the_controls_do(row: OverflowRow) -> None:
    button, box, menu_button = QPushButton("√"), QCheckBox("Fit & more"), MenuButton(Appearance("light"))
    button.setCheckable(True)
    button.setAccessibleName("Square root scale")
    button.setProperty(KEYS, "S")
    inner = QMenu(menu_button)
    inner.addAction("Weights")
    menu_button.setMenu(inner)
    menu_button.setText("Weights")
    menu_button.setAccessibleName("What the numbers show")
    off = QPushButton("off")
    off.setEnabled(False)
    for widget in (button, box, menu_button, off):
        row.add(widget)
    shown(row, row.more.sizeHint().width())
    found = entries(row)
    assert list(found) == ["Square root scale\tS", "Fit && more", "What the numbers show: Weights", "off"]
    found["Square root scale\tS"].trigger()
    found["Fit && more"].trigger()
    assert (button.isChecked(), box.isChecked()) == (True, True)
    assert found["What the numbers show: Weights"].menu() is inner
    assert not found["off"].isEnabled()
    assert entries(row)["Square root scale\tS"].isChecked()


def test_choices_and_numbers_have_entries_too(row: OverflowRow, qtbot: QtBot) -> None:
    choice, slider = QComboBox(), QSlider(Qt.Orientation.Horizontal)
    choice.addItems(["All", "Cross"])
    choice.setAccessibleName("Family")
    slider.setRange(0, 9)
    slider.setAccessibleName("Threshold")
    row.add(choice)
    row.add(slider)
    shown(row, row.more.sizeHint().width())
    found = entries(row)
    submenu = found["Family: All"].menu()
    assert isinstance(submenu, QMenu)
    with qtbot.waitSignal(choice.activated) as chosen:
        submenu.actions()[1].trigger()
    assert chosen.args == [1]
    assert choice.currentText() == "Cross"
    line = found["Threshold"].defaultWidget()  # type: ignore[attr-defined]
    assert isinstance(line, QWidget)
    editor = line.findChild(QSlider)
    assert isinstance(editor, QSlider)
    editor.setValue(7)
    assert slider.value() == 7


def test_a_badge_is_still_to_be_read_and_a_mere_name_needs_no_entry(row: OverflowRow) -> None:
    row.add(label("muted", "Model"), rank=2)
    shown(row, 4)
    assert row.more.isHidden()
    row.add(label("badge", "not verified"))
    shown(row, row.more.sizeHint().width())
    assert [(text, action.isEnabled()) for text, action in entries(row).items()] == [("not verified", False)]
    assert isinstance(row.away[0], QLabel)


def test_the_chosen_one_of_several_stays_in_the_row(row: OverflowRow) -> None:
    """What one looks at has its name in sight, however it was chosen: here, in the menu or by the program."""
    group = QButtonGroup(row)
    tabs = buttons(row, "first", "second", "third")
    for tab in tabs:
        tab.setCheckable(True)
        group.addButton(tab)
    switch, plain = buttons(row, "switch", "plain")
    switch.setCheckable(True)
    (always,) = buttons(row, "always", rank=STAYS)
    tabs[0].setChecked(True)
    margin = row.more.sizeHint().width() + 3 * 4
    shown(row, always.sizeHint().width() + max(tab.sizeHint().width() for tab in tabs) + margin)
    assert in_sight(row, *tabs, switch, plain, always) == ["first", "always"]
    entries(row)["third"].trigger()
    QApplication.processEvents()
    assert in_sight(row, *tabs, switch, plain, always) == ["third", "always"]
    tabs[1].setChecked(True)
    switch.setChecked(True)  # that is on by itself, not in place of others
    QApplication.processEvents()
    assert in_sight(row, *tabs, switch, plain, always) == ["second", "always"]
    assert set(entries(row)) == {"first", "third", "switch", "plain"}
    row.take(tabs[1])
    tabs[1].toggle()  # of a button elsewhere the row hears nothing
    QApplication.processEvents()
    assert "first" in in_sight(row, tabs[0], always)


def in_sight(row: OverflowRow, *those: QPushButton) -> list[str]:
    return [button.text() for button in those if button.isVisible()]
