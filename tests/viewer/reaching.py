"""What of a window can be got at: seen and not covered, in the menu of a visible "…", or scrolled to."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMenuBar,
    QScrollArea,
    QScrollBar,
    QSlider,
    QTableView,
    QWidget,
)

from viewer.pages.widgets.overflow_menu import controls_of, name_of
from viewer.pages.widgets.overflow_row import OverflowRow

_KINDS = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QSlider)
_PARTS_OF = (QAbstractSpinBox, QComboBox, QMenuBar, QScrollBar, QTableView)
_SEEN = 0.9  # of its area: round corners are nobody's


def controls(window: QWidget) -> Iterator[QWidget]:
    """Everything that is pressed, chosen, dragged or typed into, and that its owner shows now."""
    wanted: dict[QWidget, bool] = {}
    for control in (control for kind in _KINDS for control in window.findChildren(kind)):
        if not isinstance(control.parentWidget(), _PARTS_OF) and _wanted(control, window, wanted):
            yield control
    assert any(row.findChildren(QWidget) for row in window.findChildren(OverflowRow))


def _line(control: QWidget, window: QWidget) -> Iterator[QWidget]:
    part: QWidget | None = control
    while part is not None and part is not window:
        yield part
        part = part.parentWidget()


def _wanted(widget: QWidget, window: QWidget, known: dict[QWidget, bool]) -> bool:
    """Whether its owner shows it and all that it is in; `known` remembers each part of a window."""
    if widget not in known:
        hidden = widget.isHidden() and widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
        around = widget.parentWidget()
        own = not hidden or type(widget).__name__ == "_Slot"
        known[widget] = own and (around is None or around is window or _wanted(around, window, known))
    return known[widget]


def seen(control: QWidget) -> bool:
    """Whether a control is in the window whole, and nothing lies over its middle."""
    if not control.isVisible():
        return False
    visible = sum(part.width() * part.height() for part in control.visibleRegion())
    if visible < _SEEN * control.width() * control.height() or not visible:
        return False
    window = control.window()
    there = window.childAt(control.mapTo(window, control.rect().center()))
    return there is not None and (there is control or control.isAncestorOf(there))


def scrolled_to(control: QWidget) -> bool:
    """Whether a scroll area that is in view brings it into view."""
    for part in _line(control, control.window()):
        if isinstance(part, QScrollArea) and part.widget() is not None:
            inner = part.widget().rect()
            place = control.mapTo(part.widget(), QPoint())
            return not part.viewport().visibleRegion().isEmpty() and inner.contains(place)
    return False


def in_menus(window: QWidget) -> set[QWidget]:
    """The controls whose entries stand in the menu of a "…" that is seen."""
    found: set[QWidget] = set()
    for row in window.findChildren(OverflowRow):
        if row.away and seen(row.more):
            row.fill()
            named = {action.text().split("\t")[0] for action in row.menu.actions()}
            for control in (control for widget in row.away for control in controls_of(widget)):
                name = name_of(control).replace("&", "&&")
                if any(text == name or text.startswith(name) for text in named):
                    found.add(control)
    return found


def lost(window: QWidget) -> list[str]:
    """The controls that nobody can get at, by name."""
    QApplication.processEvents()
    put_away = in_menus(window)
    return [
        f"{type(control).__name__} {name_of(control)!r}"
        for control in controls(window)
        if control not in put_away and not seen(control) and not scrolled_to(control)
    ]


def menu_actions(window: QMainWindow) -> set[QAction]:
    """All that the menu bar has, submenus included."""
    found: set[QAction] = set()
    waiting: list[QMenu] = [
        menu for menu in (action.menu() for action in window.menuBar().actions()) if isinstance(menu, QMenu)
    ]
    while waiting:
        for action in waiting.pop().actions():
            inner = action.menu()
            if isinstance(inner, QMenu):
                waiting.append(inner)
            else:
                found.add(action)
    return found
