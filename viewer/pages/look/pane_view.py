"""PaneView: the row that makes a view known to panes, their tabs, menus, keys and files; and its widget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from viewer.document.selection import Numbers
from viewer.document.session import Session
from viewer.figures.map.spec import MapSpec
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView, G, S


class PaneFigure(FigureView[S, G]):
    """What the views are to the pane that holds them; one says otherwise where it has more.

    Signals:
        read_out: what the status line says: of the cell under the pointer, or of what was done.
        zoomed: whether only a part of it is in view.
        picture_asked, arithmetic_asked: entries of a context menu that the window answers.
    """

    read_out = Signal(str)
    zoomed = Signal(bool)
    picture_asked = Signal()
    arithmetic_asked = Signal()

    def tell(self) -> None:
        """Say in the status line what is under the pointer or chosen."""

    def reset_zoom(self) -> None:
        """Show all of it."""

    def map_now(self) -> MapSpec | None:
        """The map whose tokens are shown; None where it is not of one map."""
        return None

    def go_to(self, row: int | None, column: int | None) -> None:
        """Choose a row or a column of that map."""


@dataclass(frozen=True, eq=False)
class PaneView:
    """A view of a pane.

    Attributes:
        name: as sessions and bookmarks know it.
        figure: the kind of figure that it shows, by its name in `viewer.figures.registry`.
        make: its widget, of a session, the appearance and the pane's number.
        icon: name of the tab's icon.
        label, tip: the tab's words, in the language in force.
        action: the menu's words.
        spoken: what a screen reader calls it.
        key: the letter that shows it and goes back; empty for none.
        tools: the row of controls above it; None for none.
        of_one_map: it is of the head in view: its numbers can be chosen and its tokens gone to.
        links: gold links are drawn in it.
        asks: it follows from more than the trace; its tab says so where the model cannot be asked.
        numbers: what its numbers always are, where they cannot be chosen; `fixed` says so.
    """

    name: str
    figure: str
    make: Callable[[Session, Appearance, int], PaneFigure[Any, Any]]
    icon: str
    label: Callable[[], str]
    tip: Callable[[], str]
    action: Callable[[], str]
    spoken: Callable[[], str]
    key: str = ""
    tools: Callable[[Session, Appearance, int], QWidget] | None = None
    of_one_map: bool = True
    links: bool = False
    asks: bool = False
    numbers: Numbers = Numbers.WEIGHTS
    fixed: Callable[[], str] = str
