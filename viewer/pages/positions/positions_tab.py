"""PositionsTab: the row that makes a part of the Positions page known to it, to bookmarks and export."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from viewer.document.positions.positions_choice import PositionsChoice
from viewer.document.session import Session
from viewer.figures.request import ExportRequest
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.worded import Worded


class PositionsPanel(Worded, QWidget):
    """What the parts are to the page; one says otherwise where it has more.

    Signals:
        read_out: what the pointer is on.
        look_asked: go and see what was found on the Look page.
    """

    read_out = Signal(str)
    look_asked = Signal()

    @property
    def picture(self) -> FigureView[Any, Any] | None:
        """The picture that it is about; None for none."""
        return None

    def scene(self) -> dict[str, Any]:
        """What is chosen here and not in `PositionsChoice`, for `show_scene`; JSON-able."""
        return {}

    def show_scene(self, state: Mapping[str, Any]) -> None:
        """Show what was chosen before; what is not known here changes nothing."""

    def asked(self, request: ExportRequest) -> ExportRequest:
        """The request for what `render --view positions` makes of what is shown, if it makes it."""
        return request


@dataclass(frozen=True, eq=False)
class PositionsTab:
    """A part of the page.

    Attributes:
        name: as bookmarks know it.
        make: its widget.
        label, tip: the tab's words, in the language in force, for what is in view.
        of: which sorts of positions have it; what is in view is one of them. The first row that has a sort
            is the one that opens, and that `render --view positions` draws.
        about_known: it is about what is in view of the model, so that another of its positions, or chosen
            numbers, can be looked at instead.
        explained: a sentence above it, in which `{name}` is the model's; empty for none.
        commanded: whether `render` makes its figure too, with more formats than a page's.
        file_name: of its figure where that is exported; `name` if empty.
    """

    name: str
    make: Callable[[Session, PositionsChoice, Appearance], PositionsPanel]
    label: Callable[[PositionsChoice], str]
    tip: Callable[[PositionsChoice], str]
    of: tuple[type, ...]
    about_known: bool = True
    explained: Callable[[PositionsChoice], str] = lambda choice: ""
    commanded: Callable[[PositionsChoice], bool] = lambda choice: False
    file_name: str = ""
