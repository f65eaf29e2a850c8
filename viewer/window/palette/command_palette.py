"""`CommandPalette`: opens the palette, made when first asked for, and does what is chosen there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from viewer.pages.widgets.appearance import Appearance
from viewer.window.palette.entry import Entry, Reach

if TYPE_CHECKING:
    from viewer.window.palette.palette_dialog import PaletteDialog


class CommandPalette(QObject):
    """The palette of a window.

    Attributes:
        dialog: None until it was opened.
    """

    def __init__(
        self, host: QWidget, reach: Reach, appearance: Appearance, to_picture: Callable[[], object]
    ) -> None:
        """Ready to be opened.

        Args:
            to_picture: gives the keys to the picture in view.
        """
        super().__init__(host)
        self._host, self._reach, self._appearance = host, reach, appearance
        self._to_picture = to_picture
        self.dialog: PaletteDialog | None = None

    def open(self) -> None:
        """Open it with what there is now."""
        from viewer.window.palette.finding import Finding
        from viewer.window.palette.palette_dialog import PaletteDialog

        if self.dialog is None:
            self.dialog = PaletteDialog(self._appearance, self._host)
            self.dialog.finished.connect(self._closed)
            self.dialog.chosen.connect(self._do)
        self._reach.numbers.find()  # as when its menu opens
        self.dialog.open_with(Finding(self._reach))

    def _closed(self) -> None:
        self._host.activateWindow()  # where no window manager does
        self._to_picture()

    def _do(self, entry: Entry) -> None:
        if entry.name:
            self._reach.settings.remember_command(entry.name)
        entry.do()
