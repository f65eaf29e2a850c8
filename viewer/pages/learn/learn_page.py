"""LearnPage: a list of lessons, and the one that was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from viewer.document.session import Session
from viewer.figures.figure import AnyFigure
from viewer.figures.request import Page
from viewer.pages.learn.lesson import Lesson, LessonView
from viewer.pages.learn.lessons import LESSONS
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, label, tab_button
from viewer.pages.widgets.worded import Worded


class LearnPage(Worded, QWidget):
    """The architecture, and experiments to see for oneself why the Transformer is built as it is.

    Attributes:
        lessons: the rows in the order of the list.
        views: their widgets.

    Signals:
        path_asked: open this model.
        look_asked: what was found is the run in view; go and look at it.
    """

    path_asked = Signal(str)
    look_asked = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.lessons: tuple[Lesson, ...] = tuple(LESSONS)
        self.views: tuple[LessonView, ...] = tuple(row.make(session, appearance) for row in self.lessons)
        self._heading = label("title")
        self._group = QButtonGroup(self)
        self.tabs = [tab_button(self._group, index) for index in range(len(self.lessons))]
        self._stack = QStackedWidget()
        self._list = card()
        column = QVBoxLayout(self._list)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(4)
        column.addWidget(self._heading)
        for tab, view in zip(self.tabs, self.views, strict=True):
            tab.setProperty("framed", True)
            column.addWidget(tab)
            self._stack.addWidget(view)
            view.path_asked.connect(self.path_asked)
            view.look_asked.connect(self.look_asked)
        column.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self._list)
        row.addWidget(self._stack, 1)
        self._group.idClicked.connect(self.show_experiment)
        self.show_experiment(0)
        self.retranslate()

    def view(self, name: str) -> LessonView:
        """The widget of a lesson, by its name."""
        return self.views[[lesson.name for lesson in self.lessons].index(name)]

    @property
    def _shown(self) -> tuple[Lesson, LessonView]:
        index = self._stack.currentIndex()
        return self.lessons[index], self.views[index]

    @property
    def picture(self) -> QWidget:
        """What the keys belong to while nothing is typed."""
        return self._shown[1].picture or self

    @property
    def figure(self) -> AnyFigure | None:
        """The figure in view; None where none is, or where there are several."""
        return self._shown[1].figure

    def table(self) -> list[tuple[object, ...]] | None:
        """The numbers of `figure` as rows of a table, header first; None where there are none."""
        return self._shown[1].table()

    def exported(self) -> Page | None:
        """The figure in view with its numbers."""
        figure, rows, (lesson, view) = self.figure, self.table(), self._shown
        if figure is None:
            return None
        table = None if rows is None else tuple(rows)
        return Page(figure, lesson.file_name or lesson.name, table, view.command, view.of_trace)

    def show_experiment(self, index: int) -> None:
        """Show the lesson of that place in the list."""
        self._stack.setCurrentIndex(index)
        self.tabs[index].setChecked(True)

    def scene(self) -> tuple[str, dict[str, Any]]:
        """The lesson in view and what was typed and chosen there, for `show_scene`."""
        lesson, view = self._shown
        return lesson.name, view.scene()

    @property
    def scene_name(self) -> str:
        """What to call it."""
        return self._shown[0].title()

    def show_scene(self, tab: str, state: Mapping[str, Any]) -> None:
        """Show a lesson as it was; one that is not known here changes nothing."""
        for index, lesson in enumerate(self.lessons):
            if lesson.name == tab:
                self.show_experiment(index)
                self.views[index].show_scene(state)

    def set_plain(self, on: bool) -> None:
        """Hide the list while presenting."""
        self._list.setVisible(not on)

    def retranslate(self) -> None:
        """Take the language in force."""
        self._heading.setText(self.tr("Experiments"))
        for tab, lesson in zip(self.tabs, self.lessons, strict=True):
            tab.setText(lesson.title())
