"""LEARN: the lessons and experiments as entries of the palette."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication

from viewer.document.scene import LEARN as LEARN_PAGE
from viewer.document.scene import Place, Scene
from viewer.pages.learn.lessons import LESSONS
from viewer.window.palette.entry import Entry, Reach, Source


def _lessons(reach: Reach) -> Sequence[Entry]:
    page = QCoreApplication.translate("TopBar", "Learn")
    return [
        Entry(
            lesson.name,
            lesson.title(),
            partial(reach.scenes.go, Place(Scene(LEARN_PAGE, lesson.name))),
            lesson.group() or page,
            also=(lesson.name.replace("_", " "),),
            about=lesson.about(),
        )
        for lesson in LESSONS
    ]


LEARN = Source("lesson", _lessons)
