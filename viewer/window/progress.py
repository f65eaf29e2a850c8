"""Progress: what takes long is said over the window, with a way to give it up, which goes on meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QProgressBar, QProgressDialog, QWidget

from viewer.pages.widgets.plain_tip import plain
from viewer.services.readings import Readings

SOON_MS = 300
"""What takes no longer shows no progress."""


def progress_over(over: QWidget, title: str, text: str, cancel: str, most: int = 1) -> QProgressDialog:
    """A dialog that shows itself if it is not taken away before; it closes only by whoever made it.

    Args:
        most: how many parts there are to do; 0 where nobody knows.
    """
    dialog = QProgressDialog(plain(text), cancel, 0, 1, over)
    dialog.setWindowTitle(title)
    dialog.setMinimumDuration(SOON_MS)
    dialog.setAutoClose(False)
    dialog.setAutoReset(False)
    dialog.setValue(0)  # from now on it counts the time
    dialog.setMaximum(most)
    return dialog


def show_progress(dialog: QProgressDialog, done: int, most: int) -> None:
    """How far it is.

    Not by `setValue`: of a modal dialog that handles whatever waits, the end of the work among it, with which
    the dialog goes while it is still being told.
    """
    dialog.setMaximum(most)
    bar = dialog.findChild(QProgressBar)
    if bar is not None:
        bar.setValue(done)


class ReadingProgress(QObject):
    """Says which file is being read, once that takes long: most are read before there is anything to say.

    Attributes:
        dialog: says it; None while nothing is read, or nothing for long.
    """

    def __init__(self, readings: Readings, window: QWidget) -> None:
        super().__init__(window)
        self._readings, self._window = readings, window
        self.dialog: QProgressDialog | None = None
        self.soon = QTimer(self)
        self.soon.setSingleShot(True)
        self.soon.setInterval(SOON_MS)
        self.soon.timeout.connect(self._say)
        readings.changed.connect(self._changed)

    def _changed(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.hide()
            dialog.deleteLater()
        if self._readings.name:
            self.soon.start()
        else:
            self.soon.stop()

    @Slot()
    def _say(self) -> None:
        translate = QCoreApplication.translate
        text = translate("ReadingProgress", "Reading {name}…").format(name=self._readings.name)
        cancel = translate("Exporting", "Cancel")
        dialog = progress_over(self._window, translate("ReadingProgress", "Open"), text, cancel, most=0)
        dialog.canceled.connect(self._readings.drop, Qt.ConnectionType.QueuedConnection)
        self.dialog = dialog
        dialog.show()
