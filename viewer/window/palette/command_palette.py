"""`CommandPalette`: opens the palette, made when first asked for, and does what is chosen there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from viewer.pages.widgets.appearance import Appearance
from viewer.window.palette.entry import Entry, Reach
from viewer.window.palette.matching import forget

if TYPE_CHECKING:
    from viewer.window.palette.palette_dialog import PaletteDialog


class CommandPalette(QObject):
    """The palette of a window.

    Attributes:
        dialog: None until it was opened.

    Signals:
        opened: the `PaletteDialog` was made, and is about to be seen.
    """

    opened = Signal(object)

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
            self.opened.emit(self.dialog)
        self._reach.numbers.find()  # as when its menu opens
        self.dialog.open_with(Finding(self._reach))

    def ahead(self) -> Iterator[None]:
        """Have what it gathers read before it is opened, a source each time that the next is asked for."""
        from viewer.window.palette.sources import SOURCES

        for source in SOURCES:
            self._reach.localization.in_each(partial(source.entries, self._reach))
            yield

    def do(self, name: str) -> bool:
        """Do an entry by its name, as a link says it; False where there is none, or it cannot be done now."""
        from viewer.window.palette.finding import Finding

        self._reach.numbers.find()
        entry = Finding(self._reach).named(name)
        if entry is None or not entry.enabled:
            return False
        self._host.activateWindow()
        entry.do()
        return True

    def _closed(self) -> None:
        forget()
        self._host.activateWindow()  # where no window manager does
        self._to_picture()

    def _do(self, entry: Entry) -> None:
        if entry.name:
            self._reach.settings.remember_command(entry.name)
        entry.do()
