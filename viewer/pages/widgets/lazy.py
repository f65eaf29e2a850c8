"""`Lazy`: a widget that is made when it is first wanted, or part by part before; `LazyStack` shows one."""

from __future__ import annotations

import importlib
import logging
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QStackedWidget, QWidget

from viewer.giving_way import make_way

_log = logging.getLogger(__name__)
_TURN_MS = 2  # between two parts: what a person does, and frames, have their turn
_threads: list[threading.Thread] = []

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

    def __init__(
        self,
        make: Callable[[], Parts[W]],
        modules: Iterable[str] = (),
        tell: Callable[[W], object] = lambda widget: None,
    ) -> None:
        """Know how to make it.

        Args:
            modules: what making it imports, by name.
            tell: is told once it is there.
        """
        self._make, self._tell = make, tell
        self._begun: Parts[W] | None = None
        self._modules = tuple(modules)
        self._importing: threading.Thread | None = None
        self.made: W | None = None

    def get(self) -> W:
        """The widget; what is left to be made of it is made now."""
        while self.made is None:
            self.go_on()
        return self.made

    def ahead(self) -> Iterator[None]:
        """Make it before it is wanted, a part each time that the next is asked for."""
        while self.made is None:
            self.go_on()
            yield

    def imported(self) -> bool:
        """Whether its modules are there; if not, they are imported in a thread from the first time on."""
        if self._importing is None and self._modules:
            self._importing = _import_beside(self._modules)
        return self._importing is None or not self._importing.is_alive()

    def go_on(self) -> None:
        """Make the next part."""
        begun, self._begun = self._begun or self._make(), None
        try:
            next(begun)
        except StopIteration as end:
            self.made = end.value
            self._tell(end.value)
        else:
            self._begun = begun


class LazyStack(QStackedWidget):
    """Shows one of several widgets that are made when they are first wanted.

    Where a person waits for one, the window does not: what it needs is imported in a thread, it is made a
    part each turn of the event loop, and until it is whole an empty page stands in its place. Whoever wants
    to do something with it (`whole`) has it at once.

    Attributes:
        at_once: make what is to be shown before anything else happens.
        empty: the page in its place until it is whole.
    """

    at_once = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wanted: Lazy[Any] | None = None
        self.empty = QWidget(self)
        self.addWidget(self.empty)
        self._turn = QTimer(self)
        self._turn.timeout.connect(self._go_on)

    def show_lazy(self, lazy: Lazy[Any]) -> None:
        """Show one as soon as it is whole; at once where nobody sees it become so."""
        self._wanted = lazy
        if self.at_once or lazy.made is not None or not self.isVisible():
            self.whole(lazy)
        else:
            self.setCurrentWidget(self.empty)
            self._turn.start(_TURN_MS)

    def prepare(self, lazy: Lazy[Any]) -> None:
        """Begin to import what one needs that will soon be shown, unless it is made at once."""
        if not self.at_once:
            lazy.imported()

    def show_other(self, widget: QWidget) -> None:
        """Show one that is there, whatever was wanted before."""
        self._wanted = None
        self._turn.stop()
        self.setCurrentWidget(widget)

    def whole(self, lazy: Lazy[W]) -> W:
        """One of the widgets; in view, too, if it is the one that is wanted."""
        widget = lazy.get()
        if lazy is self._wanted:
            self.show_other(widget)
        return widget

    def _go_on(self) -> None:
        """The next part of what is wanted, or nothing but a look at its imports."""
        lazy = self._wanted
        if lazy is None:
            self._turn.stop()
        elif lazy.made is not None:  # the last part was made in the turn before, or by somebody else
            self.show_other(lazy.made)
        elif lazy.imported():
            make_way()
            try:
                lazy.go_on()
            except BaseException:
                self._wanted = None
                self._turn.stop()
                raise


def begun(parts: Iterator[None], *, at_once: bool) -> Iterator[None]:
    """What is left to be made of something: nothing any more if all of it is made at once."""
    if at_once:
        for _ in parts:
            pass
    return parts


def importing() -> bool:
    """Whether modules are being imported for a widget."""
    return any(thread.is_alive() for thread in _threads)


def end_importing(seconds: float) -> None:
    """Wait until nothing is imported any more, each import for at most so many seconds."""
    for thread in _threads:
        thread.join(seconds)


def _import_beside(names: tuple[str, ...]) -> threading.Thread:
    thread = threading.Thread(target=_import, args=(names,), name="importing", daemon=True)
    _threads[:] = [one for one in _threads if one.is_alive()]
    _threads.append(thread)
    thread.start()
    return thread


def _import(names: tuple[str, ...]) -> None:
    """In the thread; what cannot be imported says so where it is wanted."""
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:
            _log.debug("%s was not imported beside the window", name, exc_info=True)


def keys_after(before: QWidget, widget: QWidget) -> None:
    """Let the Tab key come from one widget to all parts of another.

    Qt puts behind all the rest what is made in a window that is seen; what is made with the rest stands where
    it belongs.
    """
    inside = widget.findChild(QWidget)
    if not isinstance(inside, QWidget) or not widget.window().isVisible():
        return
    # Qt moves nothing that the Tab key does not come to, and all parts, in their order, only of what has its
    # focus in one of them.
    policies = [(each, each.focusPolicy()) for each in (before, widget)]
    for each, _ in policies:
        each.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    proxy = widget.focusProxy()
    widget.setFocusProxy(inside)
    QWidget.setTabOrder(before, widget)
    widget.setFocusProxy(proxy)  # type: ignore[arg-type]  # PySide's type leaves None out
    for each, policy in policies:
        each.setFocusPolicy(policy)
