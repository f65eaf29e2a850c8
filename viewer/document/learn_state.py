"""`LearnState`: what is open on the Learn page, for a session: asked when it is saved. QtCore only.

Plain values: `lesson`, the name of the one in view, and `scenes`, what was typed and chosen in each lesson
that was looked at, by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from viewer.document.scene import plain_state

State = Mapping[str, Any]


class LearnState(QObject):
    """Asks the page, or tells it what a session that was opened holds.

    Signals:
        opened: the `State` of a session that was opened, empty of one that says nothing.
    """

    opened = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ask: Callable[[], State | None] = lambda: None

    def take(self, ask: Callable[[], State | None]) -> None:
        """Ask this what is open; None while there is no page."""
        self._ask = ask

    def now(self, before: State) -> State:
        """What is open; `before` while there is no page."""
        found = self._ask()
        return before if found is None else sound_state(found)


def sound_state(value: Any) -> dict[str, Any]:
    """A state as it can be written and read again; what makes no sense is left out."""
    if not isinstance(value, Mapping):
        return {}
    lesson, scenes = value.get("lesson"), value.get("scenes")
    kept = {
        name: plain_state(scene)
        for name, scene in (scenes.items() if isinstance(scenes, Mapping) else ())
        if isinstance(name, str)
    }
    return {"lesson": lesson if isinstance(lesson, str) else "", "scenes": kept}
