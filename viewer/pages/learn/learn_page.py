"""LearnPage: a list of lessons, and the one that was chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from viewer.document.session import Session
from viewer.figures.figure import AnyFigure
from viewer.figures.request import Page
from viewer.pages.learn.lesson import Lesson, LessonView
from viewer.pages.learn.lesson_list import LessonList
from viewer.pages.learn.lessons import LESSONS
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card
from viewer.pages.widgets.lazy import Lazy, LazyStack, Parts, begun
from viewer.pages.widgets.worded import Worded


class LearnPage(Worded, QWidget):
    """The architecture, and experiments to see for oneself why the Transformer is built as it is.

    Attributes:
        lessons: the rows in the order of the list.
        list: where one is chosen.
        views: their widgets, each made when it is first shown.
        parts: makes what is not made yet, a part each time that the next is asked for.

    Signals:
        path_asked: open this model.
        look_asked: what was found is the run in view; go and look at it.
        place_asked: go to this `viewer.document.scene.Place`.
    """

    path_asked = Signal(str)
    look_asked = Signal()
    place_asked = Signal(object)

    def __init__(
        self,
        session: Session,
        appearance: Appearance,
        parent: QWidget | None = None,
        *,
        at_once: bool = True,
    ) -> None:
        """Args: at_once: make all of it now; else whoever makes it goes through its `parts`."""
        super().__init__(parent)
        self.setObjectName("page")
        self.lessons: tuple[Lesson, ...] = tuple(LESSONS)
        self.views: tuple[Lazy[LessonView], ...] = tuple(
            Lazy(partial(self._make, row, session, appearance), row.modules) for row in self.lessons
        )
        self._index = 0
        self._wished: dict[str, Mapping[str, Any]] = {}  # of lessons that nobody has looked at yet
        self._stack = LazyStack(self)
        self._frame = card(self)
        self.list = LessonList(self.lessons, appearance)
        column = QVBoxLayout(self._frame)
        column.setContentsMargins(6, 8, 4, 8)
        column.addWidget(self.list)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self._frame)
        row.addWidget(self._stack, 1)
        self.list.lesson_chosen.connect(self.show_experiment)
        self.parts = begun(self._make_first(), at_once=at_once)

    def _make_first(self) -> Iterator[None]:
        """The lesson that the page opens with."""
        yield
        yield from self.views[self._index].ahead()
        self.show_experiment(self._index)

    def _make(self, row: Lesson, session: Session, appearance: Appearance) -> Parts[LessonView]:
        view = row.make(session, appearance)
        yield
        self._stack.addWidget(view)
        view.path_asked.connect(self.path_asked)
        view.look_asked.connect(self.look_asked)
        view.place_asked.connect(self.place_asked)
        wished = self._wished.pop(row.name, None)
        if wished is not None:
            view.show_scene(wished)
        return view

    def view(self, name: str) -> LessonView:
        """The widget of a lesson, by its name."""
        return self._whole([lesson.name for lesson in self.lessons].index(name))

    def _whole(self, index: int) -> LessonView:
        return self._stack.whole(self.views[index])

    @property
    def _shown(self) -> tuple[Lesson, LessonView]:
        return self.lessons[self._index], self._whole(self._index)

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
        self._index = index
        self._stack.show_lazy(self.views[index])
        self.list.show_lesson(index)

    def show_lesson(self, name: str) -> None:
        """Show the lesson of that name."""
        self.show_experiment([lesson.name for lesson in self.lessons].index(name))

    def scene(self) -> tuple[str, dict[str, Any]]:
        """The lesson in view and what was typed and chosen there, for `show_scene`."""
        lesson, view = self._shown
        return lesson.name, view.scene()

    @property
    def scene_name(self) -> str:
        """What to call it."""
        return self._shown[0].title()

    def show_scene(self, tab: str, state: Mapping[str, Any]) -> None:
        """Show a lesson as it was, once it is made; one that is not known here changes nothing."""
        for index, (lesson, lazy) in enumerate(zip(self.lessons, self.views, strict=True)):
            if lesson.name == tab:
                if lazy.made is None:
                    self._wished[tab] = state  # for whoever makes it
                else:
                    lazy.made.show_scene(state)
                self.show_experiment(index)

    def state(self) -> dict[str, Any]:
        """The lesson in view and the scene of each that was looked at, see `viewer.document.learn_state`."""
        made = zip(self.lessons, self.views, strict=True)
        scenes = {row.name: lazy.made.scene() for row, lazy in made if lazy.made is not None}
        return {"lesson": self._shown[0].name, "scenes": {**self._wished, **scenes}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Show all as it was; lessons that nobody has looked at yet begin as they were."""
        scenes, lesson = state.get("scenes"), state.get("lesson")
        for row, lazy in zip(self.lessons, self.views, strict=True):
            scene = scenes.get(row.name) if isinstance(scenes, Mapping) else None
            if isinstance(scene, Mapping) and lazy.made is None:
                self._wished[row.name] = scene
            elif isinstance(scene, Mapping):
                lazy.get().show_scene(scene)
            if row.name == lesson:
                self.show_experiment(self.lessons.index(row))

    def step(self, by: int) -> bool:
        """Go on (1) or back (-1) in the lesson in view; False where it has nothing more."""
        return self._shown[1].step(by)

    def set_plain(self, on: bool) -> None:
        """Hide the list while presenting."""
        self._frame.setVisible(not on)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Less of a narrow window for the list."""
        super().resizeEvent(event)
        self.list.fit(self.width())
