"""Tabs are tabs to assistive technology, are gone with their buttons, and hold nothing in memory."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QButtonGroup, QCheckBox, QWidget
from shiboken6 import delete

from viewer.pages.accessible.factory import install
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import tab_button
from viewer.pages.widgets.overflow_row import OverflowRow

ROLE, TEXT = QAccessible.Role, QAccessible.Text
pytestmark = pytest.mark.usefixtures("listening")


@pytest.fixture
def listening(qapp: QApplication) -> Iterator[None]:
    """Somebody listens: Qt tells of every change, also of what is being destroyed."""
    install()
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def row(names: tuple[str, ...]) -> tuple[QWidget, list[QAccessibleInterface]]:
    """A row of tabs in the window's own row, with a check box in it that is none."""
    shown = OverflowRow(Appearance("light"))
    group = QButtonGroup(shown)
    for number, name in enumerate(names):
        tab = tab_button(group, number)
        tab.setText(name)
        shown.add(tab)
    shown.add(QCheckBox("other"))
    group.buttons()[0].setChecked(True)
    return shown, [QAccessible.queryAccessibleInterface(tab) for tab in group.buttons()]


def test_a_tab_is_a_tab() -> None:
    shown, tabs = row(("&Map", "Flow"))
    assert [tab.role() for tab in tabs] == [ROLE.PageTab] * 2
    assert [tab.text(TEXT.Name) for tab in tabs] == ["Map", "Flow"]
    assert [bool(tab.state().selected) for tab in tabs] == [True, False]
    assert not tabs[0].state().checkable
    tabs[1].actionInterface().doAction("Press")
    assert [bool(tab.state().selected) for tab in tabs] == [False, True]
    others = QAccessible.queryAccessibleInterface(shown.findChildren(QCheckBox)[0])
    assert others.role() is ROLE.CheckBox
    holder = tabs[0].parent().parent()  # the place in the row is between them
    assert (holder.object(), holder.role()) == (shown, ROLE.PageTabList)
    assert tabs[0].parent().role() is not ROLE.PageTabList


def test_what_is_destroyed_leaves_nothing() -> None:
    rows: list[weakref.ref[QWidget]] = []
    ended = []
    for turn in range(60):
        shown, tabs = row(("one", "two", "three"))
        rows.append(weakref.ref(shown))
        ended += [QAccessible.uniqueId(tab) for tab in tabs]
        assert all(tab.isValid() for tab in tabs)
        if turn % 2:
            del tabs  # Python forgets before Qt does
            gc.collect(0)
            assert QAccessible.queryAccessibleInterface(shown).role() is ROLE.PageTabList
        if turn % 3 == 0:
            delete(shown)
        elif turn % 3 == 1:
            shown.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        del shown
    gc.collect()
    assert [each for each in rows if each() is not None] == []
    assert [QAccessible.accessibleInterface(number) for number in ended] == [None] * len(ended)
