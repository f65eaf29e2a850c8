"""`Lazy`: a widget that is made when it is first wanted, or part by part before."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Generic, TypeVar

from PySide6.QtWidgets import QWidget

W = TypeVar("W", bound=QWidget)

Parts = Generator[None, None, W]
"""Makes a widget: stops wherever the rest can wait, and returns it."""


class Lazy(Generic[W]):
    """Makes a widget once, the first time that it is asked for.

    A page that nobody has looked at yet costs the start neither its import nor its making. Whoever only has
    something to tell it asks whether it is there: what is made later begins with what is so then.

    Attributes:
        made: the widget; None as long as nobody wanted it.
    """

    def __init__(self, make: Callable[[], Parts[W]]) -> None:
        self._make = make
        self._begun: Parts[W] | None = None
        self.made: W | None = None

    def get(self) -> W:
        """The widget; what is left to be made of it is made now."""
        while self.made is None:
            self._go_on()
        return self.made

    def ahead(self) -> Iterator[None]:
        """Make it before it is wanted, a part each time that the next is asked for."""
        while self.made is None:
            self._go_on()
            yield

    def _go_on(self) -> None:
        begun, self._begun = self._begun or self._make(), None
        try:
            next(begun)
        except StopIteration as end:
            self.made = end.value
        else:
            self._begun = begun
