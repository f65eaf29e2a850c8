"""`PanelStack`: the panels of inspector or drawer, one in view, each made when it is first wanted."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pkgutil import resolve_name

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.document.session import Session
from viewer.guarded import Guarded
from viewer.pages.look.panel import LookPanel, PanelRow
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.lazy import Lazy, LazyStack, Parts, keys_after


class PanelStack(Guarded, LazyStack):
    """What a panel is told before it is made, it takes when it is: its state, and that an audience looks.

    Attributes:
        rows: what makes the panels, in their order.
        place: which one is shown, or was last.

    Signals:
        panel_made: a `LookPanel` is there.
        titled: a tab is called otherwise now.
    """

    panel_made = Signal(object)
    titled = Signal()

    def __init__(
        self,
        rows: Sequence[PanelRow],
        session: Session,
        appearance: Appearance,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.rows = tuple(rows)
        self.place = 0
        self._session, self._appearance = session, appearance
        self._closed = self._plain = False
        self._states: dict[str, QByteArray] = {}  # of panels that are not there yet
        self._lazies = tuple(
            Lazy(partial(self._make, row), (row.widget.partition(":")[0],), self._tell) for row in self.rows
        )
        self.currentChanged.connect(self._pass_keys_later)

    def _make(self, row: PanelRow) -> Parts[LookPanel]:
        panel = resolve_name(row.widget)(self._session, self._appearance, self)
        assert isinstance(panel, LookPanel)
        try:
            yield
            if row.name in self._states:
                panel.restore_state(self._states[row.name])
            if self._plain:
                panel.set_plain(True)
            self._give(panel, shown=row is self.rows[self.place])
            self.addWidget(panel)
            keys_after(self.empty, panel)
        except Exception:  # not `GeneratorExit`: the window may be gone, and the panel with it
            panel.deleteLater()  # whoever wants it again makes another
            raise
        self._states.pop(row.name, None)
        panel.title_changed.connect(self.titled)
        return panel

    def _tell(self, panel: LookPanel) -> None:
        self.panel_made.emit(panel)
        if panel.title():
            self.titled.emit()

    @property
    def names(self) -> list[str]:
        """Of the panels in their order, as files know them."""
        return [row.name for row in self.rows]

    @property
    def made(self) -> tuple[LookPanel, ...]:
        """Those that are there."""
        return tuple(lazy.made for lazy in self._lazies if lazy.made is not None)

    def there(self, name: str) -> LookPanel | None:
        """A panel by its name, if it is there."""
        return self._lazies[self.names.index(name)].made

    def view(self, name: str) -> LookPanel:
        """A panel by its name; made now, if need be."""
        return self.whole(self._lazies[self.names.index(name)])

    def ahead(self) -> Iterator[None]:
        """Make those that nobody has looked at yet, a part each time that the next is asked for."""
        for lazy in self._lazies:
            try:
                yield from lazy.ahead()
            except Exception:
                sys.excepthook(*sys.exc_info())  # the others, and the pages, are made all the same

    def titles(self) -> list[str]:
        """What the tabs are called, in the language in force."""
        said = ["" if lazy.made is None else lazy.made.title() for lazy in self._lazies]
        return [title or row.label() for title, row in zip(said, self.rows, strict=True)]

    def show_place(self, place: int) -> None:
        """Show a panel by its place, as soon as it is there."""
        self.place, self._closed = place, False
        self._give_way()
        self.show_lazy(self._lazies[place])

    def take_keys(self) -> None:
        """Give the keys to the first part of the panel in view that takes them, as soon as it is there."""
        (self.currentWidget() or self.empty).setFocus()
        self._pass_keys_later()

    def _pass_keys_later(self) -> None:
        QTimer.singleShot(0, self, self._pass_keys_on)  # by then its parts have their places

    def _pass_keys_on(self) -> None:
        panel = self.currentWidget()
        if panel is None or not panel.hasFocus():
            return
        parts = [
            part
            for part in panel.findChildren(QWidget)
            if part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.isVisible() and part.isEnabled()
        ]
        if parts:  # that nearest the top left
            min(parts, key=lambda part: part.mapTo(panel, QPoint(0, 0)).manhattanLength()).setFocus()
        else:  # of what is being computed there is none yet
            panel.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass the keys on as soon as a panel that has them shows a part that takes them."""
        if event.type() == QEvent.Type.LayoutRequest:
            watched.removeEventFilter(self)
            self._pass_keys_later()
        return super().eventFilter(watched, event)

    def close_all(self) -> None:
        """None is shown; the last stays in front, and takes no room."""
        self._closed = True
        self._give_way()

    def set_plain(self, on: bool) -> None:
        """Leave out what an audience should not read."""
        self._plain = on
        for panel in self.made:
            panel.set_plain(on)

    def save_states(self) -> dict[str, QByteArray]:
        """By name what there is to be kept of panels."""
        states = {row.name: self._state_of(row, lazy) for row, lazy in zip(self.rows, self._lazies)}
        return {name: state for name, state in states.items() if not state.isEmpty()}

    def restore_states(self, states: dict[str, QByteArray]) -> None:
        """Give each panel what was kept of it; an empty or strange state changes nothing."""
        for row, lazy in zip(self.rows, self._lazies, strict=True):
            state = states.get(row.name, QByteArray())
            if lazy.made is not None:
                lazy.made.restore_state(state)
            else:
                self._states[row.name] = state

    def _state_of(self, row: PanelRow, lazy: Lazy[LookPanel]) -> QByteArray:
        return self._states.get(row.name, QByteArray()) if lazy.made is None else lazy.made.save_state()

    def _give_way(self) -> None:
        for row, lazy in zip(self.rows, self._lazies, strict=True):
            if lazy.made is not None:
                self._give(lazy.made, shown=row is self.rows[self.place])

    def _give(self, panel: LookPanel, *, shown: bool) -> None:
        """A panel behind the one in view takes no room: which are there by now is nothing that shows."""
        in_view = shown and not self._closed
        policy = QSizePolicy.Policy.Preferred if in_view else QSizePolicy.Policy.Ignored
        panel.setSizePolicy(policy, policy)
