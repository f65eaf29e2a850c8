"""`Manual`: opens the manual, made when first asked for, at the place one is in; does what its links say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog

from viewer.own_turn import InTurns
from viewer.pages.widgets.appearance import Appearance
from viewer.window.localization import Localization
from viewer.window.settings import Settings

if TYPE_CHECKING:
    from viewer.window.manual.manual_window import ManualWindow


class Manual(QObject):
    """The manual of a window.

    Attributes:
        window: None until it is first opened; from then on it may not be whole yet.
    """

    def __init__(
        self,
        parent: QObject,
        appearance: Appearance,
        localization: Localization,
        settings: Settings,
        place: Callable[[], str],
        do: Callable[[str], bool],
    ) -> None:
        """Ready to be opened.

        Args:
            place: says where in the window one is, see `viewer.window.manual.places`.
            do: does an entry of the palette by its name; False where that is not possible now.
        """
        super().__init__(parent)
        self._appearance, self._localization, self._settings = appearance, localization, settings
        self._place, self._do = place, do
        self._asked = ("", "")
        self._turns = InTurns(self)
        self.window: ManualWindow | None = None

    def open_here(self) -> None:
        """Open the part about the place one is in, with its keys."""
        self.open_place(self._place())

    def open_place(self, place: str) -> None:
        """Open the part about a place, with its keys."""
        from viewer.window.manual.places import target_of

        self._open(target_of(place), place)

    def open_page(self, target: str) -> None:
        """Open `page#anchor`."""
        self._open(target)

    def open_keys(self) -> None:
        """Open the page of all keys."""
        self.open_page("keys#all-keys")

    def serve(self, dialog: QDialog) -> None:
        """Have F1 in a dialog open the part about it."""
        QShortcut(QKeySequence("F1"), dialog, self._dialog_asked)

    def close(self) -> None:
        """Take it away with the window that it belongs to."""
        self._turns.stop()
        window, self.window = self.window, None
        if window is not None:
            window.close()
            window.deleteLater()

    def _dialog_asked(self) -> None:
        key = self.sender()
        if isinstance(key, QShortcut):
            self.open_place(f"dialog.{type(key.parent()).__name__}")

    def _open(self, target: str, place: str = "") -> None:
        """Of several that are asked for before there is a window, the last."""
        self._asked = target, place
        if self.window is not None and self.window.is_whole:
            self.window.open_target(target, place)
        self._turns.begin(self._opening())

    def _opening(self) -> Iterator[None]:
        """To make the window, where there is none that is whole, takes many turns; to show it, one."""
        from viewer.window.manual.manual_window import ManualWindow

        window = self.window
        if window is None or not window.is_whole:
            yield
            if window is not None:  # its making failed
                window.deleteLater()
            window = ManualWindow(self._appearance, self._localization, self._settings, at_once=False)
            self.window = window
            window.action_asked.connect(self._act)
            window.address_asked.connect(_open_outside)
            for _ in window.parts:
                yield
            window.open_target(*self._asked)
        yield
        window.show()
        window.raise_()
        window.activateWindow()
        window.view.setFocus()

    def _act(self, name: str) -> None:
        if not self._do(name) and self.window is not None:
            self.window.say(
                QCoreApplication.translate(
                    "Manual", "Not possible now: there is nothing here that it could act on."
                )
            )


def _open_outside(address: str) -> None:
    QDesktopServices.openUrl(QUrl(address))
