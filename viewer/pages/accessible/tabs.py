"""Tabs: buttons of an exclusive row, which assistive technology knows as tabs in a list of tabs."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleStateChangeEvent, QFont, QFontMetrics
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QToolButton, QWidget

from viewer.guarded import Guarded

_TEXTS = QAccessible.Text


class TabButton(Guarded, QToolButton):
    """A flat checkable button; see `viewer.pages.widgets.buttons.tab_button`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "tab")
        self.setCheckable(True)
        self.toggled.connect(self._tell)
        self.toggled.connect(self._share_focus)

    def sizeHint(self) -> QSize:
        """Room for its text also while it is the chosen one, in heavier type: Qt measures the other alone."""
        hint, usual, heavy = super().sizeHint(), self.fontMetrics(), QFont(self.font())
        heavy.setWeight(QFont.Weight.DemiBold)  # as the style sheet has it
        more = QFontMetrics(heavy).horizontalAdvance(self.text()) - usual.horizontalAdvance(self.text())
        spare = 2 * usual.horizontalAdvance(" ")  # what Qt leaves beside the text of any tool button
        return hint + QSize(max(0, more - spare), 0)

    def _tell(self) -> None:
        """Another tab of the row is the chosen one."""
        if QAccessible.isActive():
            changed = QAccessible.State()
            changed.selected = True
            QAccessible.updateAccessibility(QAccessibleStateChangeEvent(self, changed))

    def _share_focus(self) -> None:
        """The Tab key comes to the chosen tab of a row, where Qt would come to the first."""
        group = self.group()
        if group is not None and group.exclusive() and self.isChecked():
            for each in group.buttons():
                mine = each is self
                each.setFocusPolicy(Qt.FocusPolicy.TabFocus if mine else Qt.FocusPolicy.NoFocus)


class TabInterface(Guarded, QAccessibleWidget):
    """A `TabButton` as a tab: Qt would call it a check box.

    Qt owns it once the factory gave it away and deletes it with its button; Python's half lives exactly as
    long, so that nobody here keeps it.
    """

    def __init__(self, button: TabButton) -> None:
        super().__init__(button, QAccessible.Role.PageTab)

    def text(self, kind: QAccessible.Text) -> str:
        """As of a button: its own text where it has no other name."""
        said = super().text(kind)
        if said or kind is not _TEXTS.Name:
            return said
        button = self.button()
        return "" if button is None else button.text().replace("&", "") or button.toolTip()

    def state(self) -> QAccessible.State:
        """Whether it is the chosen one of its row."""
        state, button = super().state(), self.button()
        state.selectable = True
        state.selected = button is not None and button.isChecked()
        return state

    def actionNames(self) -> list[str]:
        """What can be done with it."""
        button = self.button()
        press = [] if button is None or not button.isEnabled() else ["Press"]
        return [*press, *super().actionNames()]

    def doAction(self, name: str) -> None:
        """Choose it, or give it the keys."""
        button = self.button()
        if name == "Press" and button is not None:
            button.click()
        else:
            super().doAction(name)

    def button(self) -> QAbstractButton | None:
        """The button; None once it is gone."""
        found = self.object()
        return found if isinstance(found, QAbstractButton) else None


def holds_tabs(widget: QWidget) -> bool:
    """Whether several tabs stand in a widget, each by itself or in a place of its row that holds no more."""
    tabs = 0
    for child in widget.children():
        inside = [part for part in child.children() if isinstance(part, QWidget)]
        tabs += isinstance(child, TabButton) or (len(inside) == 1 and isinstance(inside[0], TabButton))
    return tabs > 1
