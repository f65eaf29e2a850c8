"""Factory: hands Qt the interfaces of assistive technology that it would not make by itself."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from viewer.pages.accessible.cell_table import CellTable
from viewer.pages.accessible.cells import CellHost
from viewer.pages.accessible.tabs import TabButton, TabInterface, holds_tabs

_installed = False


def install() -> None:
    """Let Qt ask here from now on; once is enough for the process."""
    global _installed
    if not _installed:
        _installed = True
        QAccessible.installFactory(_interface)


def _interface(name: str, thing: QObject | None) -> QAccessibleInterface | None:
    """What stands for an object; None where Qt knows better.

    Args:
        name: of the object's class, and, while nobody has an answer, of each that it is derived from. While
            an object is being destroyed Qt may ask with the name of a base alone: it gets nothing then.
    """
    if not isinstance(thing, QWidget) or name != type(thing).__name__:
        return None
    if isinstance(thing, TabButton):
        return TabInterface(thing)
    if isinstance(thing, CellHost):
        if thing.cell_table is None and type(thing).cells is not CellHost.cells:
            thing.cell_table = CellTable(thing)
        return None
    if holds_tabs(thing):
        return QAccessibleWidget(thing, QAccessible.Role.PageTabList)
    return None
