"""Request bus: where views ask and services answer, in one thread. QtCore only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from viewer.document.messages.requests import ViewRequest


class RequestBus(QObject):
    """What views can ask; a request is answered by the one service that serves its type.

    Signals:
        requested: a view asks for this `ViewRequest`, which is answered next.
    """

    requested = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers_to: dict[type[ViewRequest], Callable[[Any], object]] = {}

    def ask(self, request: ViewRequest) -> None:
        """Ask for something; in a window without an engine, nothing comes of it."""
        self.requested.emit(request)
        answer = self._answers_to.get(type(request))
        if answer is not None:
            answer(request)

    def serve(self, answers: Mapping[type[ViewRequest], Callable[[Any], object]]) -> None:
        """Let these answer requests of their types from now on, instead of who did before."""
        self._answers_to.update(answers)
