"""A lesson that is nowhere but here: one file, one row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QLineEdit, QVBoxLayout

from tests.viewer.figure_samples import sample_trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.figure import FigureSpec
from viewer.figures.map.build import map_figure
from viewer.pages.learn.lesson import Lesson, LessonView
from viewer.pages.widgets.appearance import Appearance


class ToyView(LessonView):
    """A field, and a map that can be exported."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self.field = QLineEdit()
        QVBoxLayout(self).addWidget(self.field)

    @property
    def figure(self) -> FigureSpec | None:
        return map_figure(sample_trace(), Selection(layer=1, step=1), ViewOptions())

    def table(self) -> list[tuple[object, ...]] | None:
        return [("word", "number"), (self.field.text(), 1)]

    def scene(self) -> dict[str, Any]:
        return {"typed": self.field.text()}

    def show_scene(self, state: Mapping[str, Any]) -> None:
        self.field.setText(str(state.get("typed", "")))


TOY = Lesson("toy", lambda: "A toy", ToyView, "toy-figure")
