"""PanelRow: the row that makes a panel known to the inspector or the drawer, their tabs, files and keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QByteArray, Signal
from PySide6.QtWidgets import QWidget

from viewer.figures.figure import AnyFigure
from viewer.figures.request import Page
from viewer.pages.widgets.worded import Worded


class LookPanel(Worded, QWidget):
    """What the panels are to those who hold them; one says otherwise where it has more.

    Attributes:
        tools: what the drawer shows beside its tabs while the panel is open.

    Signals:
        read_out: a sentence for the status line: of what is under the pointer, or of what was done.
        failed: a `HeadscopeError`: numbers could not be read.
        example_asked: there is no run; show an example.
        title_changed: its tab is called otherwise now.
        circuits_asked: what the head in view does in general.
    """

    read_out = Signal(str)
    failed = Signal(object)
    example_asked = Signal()
    title_changed = Signal()
    circuits_asked = Signal()
    tools: QWidget | None = None

    def title(self) -> str:
        """The name of its tab, in the language in force; empty for that of its row."""
        return ""

    def figure(self) -> AnyFigure | None:
        """What it shows, for paper; None where there is nothing to be drawn."""
        return None

    def exported(self) -> Page | None:
        """What it shows with a table of its own, where no view of the figures says it; see `figure`."""
        return None

    @property
    def least_width(self) -> int:
        """Pixels below which it is not legible."""
        return 0

    def set_plain(self, on: bool) -> None:
        """Leave out what an audience should not read."""

    def save_state(self) -> QByteArray:
        """How its room is divided, for `restore_state`."""
        return QByteArray()

    def restore_state(self, state: QByteArray) -> None:
        """Divide the room as before; an empty or strange state changes nothing."""


@dataclass(frozen=True)
class PanelRow:
    """A panel of the inspector or the drawer.

    Attributes:
        name: as files know it.
        label: the name of its tab, in the language in force.
        widget: the `LookPanel`, `module:name`, made of a session, the appearance and what it stands in; it is
            imported when it is first wanted.
        key: opens it, with Ctrl; empty for none.
        picture: that of the drawer is a picture itself, and takes the place of the map in a small window.
        beside_two: that of the inspector stays where two maps have too little room: it is what opened one.
    """

    name: str
    label: Callable[[], str]
    widget: str
    key: str = ""
    beside_two: bool = False
    picture: bool = False
