"""`Lazy`: a widget that is made when it is first wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtWidgets import QWidget

W = TypeVar("W", bound=QWidget)


class Lazy(Generic[W]):
    """Makes a widget once, the first time that it is asked for.

    A page that nobody has looked at yet costs the start neither its import nor its making. Whoever only has
    something to tell it asks whether it is there: what is made later begins with what is so then.

    Attributes:
        made: the widget; None as long as nobody wanted it.
    """

    def __init__(self, make: Callable[[], W]) -> None:
        self._make = make
        self.made: W | None = None

    def get(self) -> W:
        """The widget."""
        if self.made is None:
            self.made = self._make()
        return self.made
