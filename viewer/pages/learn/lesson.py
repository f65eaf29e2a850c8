"""Lesson: the row that makes a lesson or an experiment known to the Learn page, bookmarks and export."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from viewer.document.session import Session
from viewer.figures.figure import AnyFigure
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.worded import Worded


class LessonView(Worded, QWidget):
    """What all lessons are to the page; a lesson says otherwise where it has more.

    Signals:
        path_asked: open this model.
        look_asked: what was found is the run in view; go and look at it.
        place_asked: go to this `viewer.document.scene.Place`.
    """

    path_asked = Signal(str)
    look_asked = Signal()
    place_asked = Signal(object)

    @property
    def picture(self) -> QWidget | None:
        """What the keys belong to while nothing is typed; None for the page."""
        return None

    @property
    def figure(self) -> AnyFigure | None:
        """The figure in view, which can be exported; None where none is, or where there are several."""
        return None

    def table(self) -> list[tuple[object, ...]] | None:
        """The numbers of `figure` as rows of a table, header first; None where there are none."""
        return None

    @property
    def command(self) -> tuple[str, ...]:
        """What `render` is told to draw `figure`; empty where no command does."""
        return ()

    @property
    def of_trace(self) -> bool:
        """Whether the numbers of `figure` are of the translation in view."""
        return False

    def step(self, by: int) -> bool:
        """Go on (1) or back (-1) by what a presenter's clicker moves; False where there is nothing more."""
        return False

    def scene(self) -> dict[str, Any]:
        """What was typed and chosen, for `show_scene`; JSON-able."""
        return {}

    def show_scene(self, state: Mapping[str, Any]) -> None:
        """Show the lesson as it was; what is not known here changes nothing."""


@dataclass(frozen=True)
class Lesson:
    """A lesson of the Learn page.

    Attributes:
        name: as files know it.
        title: its name in the list and in bookmarks, in the language in force.
        make: imports and makes its widget, when it is first shown.
        file_name: of its figure where that is exported; `name` if empty.
        group: the heading that it stands under, in the language in force; empty for none.
        about: what it is about, in the language in force, to be searched.
        modules: what making and showing it imports, by name.
    """

    name: str
    title: Callable[[], str]
    make: Callable[[Session, Appearance], LessonView]
    file_name: str = ""
    group: Callable[[], str] = str
    about: Callable[[], str] = str
    modules: tuple[str, ...] = ()
