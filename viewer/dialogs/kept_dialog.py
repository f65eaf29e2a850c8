"""`KeptDialog`: the sessions that are kept for the user, as a list: each can be opened or discarded."""

from __future__ import annotations

import time

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.question import agreed
from viewer.services.kept import Kept
from viewer.services.safe_places import SafePlaces

_SIZE = (680, 300)
_SENTENCE, _HOW = 3, 4


class KeptDialog(QDialog):
    """What crashes and closed windows left, the newest first; nothing is removed unasked.

    Signals:
        restore_asked: the folder of the one to be opened.
    """

    restore_asked = Signal(str)

    def __init__(self, places: SafePlaces, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._places = places
        self._kept: list[Kept] = []
        self.setWindowTitle(self.tr("Autosaved sessions"))
        self.resize(*_SIZE)
        self.table = QTableWidget(0, 5)
        self.table.setAccessibleName(self.windowTitle())
        self.table.setHorizontalHeaderLabels(
            [
                self.tr("When"),
                self.tr("Model"),
                self.tr("Runs"),
                self.tr("First sentence"),
                self.tr("How it ended"),
            ]
        )
        self.open_button = QPushButton(self.tr("Open"))
        self.discard_button = QPushButton(self.tr("Discard…"))
        self._lay_out()
        self.open_button.clicked.connect(self._open)
        self.discard_button.clicked.connect(self._discard)
        self.table.itemSelectionChanged.connect(self._chosen)
        self.table.doubleClicked.connect(self._open)
        self.refresh()

    def _lay_out(self) -> None:
        table = self.table
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_SENTENCE, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        hint = label(
            text=self.tr("Sessions stay here until you discard them, or too many newer ones are kept.")
        )
        hint.setWordWrap(True)
        self.open_button.setDefault(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.discard_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 14)
        for widget in (hint, table, buttons):
            column.addWidget(widget)

    def refresh(self) -> None:
        """Show what is kept now."""
        self._kept = self._places.kept()
        self.table.setRowCount(len(self._kept))
        for row, kept in enumerate(self._kept):
            outline = kept.outline
            how = self.tr("Closed") if kept.closed else self.tr("Unexpectedly")
            text = " ".join(outline.text.split())
            for column, value in enumerate((when(kept), outline.model, str(outline.runs), text, how)):
                item = QTableWidgetItem(value)
                item.setToolTip(plain(value))
                self.table.setItem(row, column, item)
        if self._kept:
            self.table.selectRow(0)
        self._chosen()

    @property
    def chosen(self) -> list[Kept]:
        """Those that are marked."""
        return [self._kept[index.row()] for index in self.table.selectionModel().selectedRows()]

    def _chosen(self) -> None:
        chosen = self.chosen
        self.open_button.setEnabled(len(chosen) == 1)
        self.discard_button.setEnabled(bool(chosen))

    def _open(self) -> None:
        if len(self.chosen) == 1:
            folder = str(self.chosen[0].folder)
            self.accept()
            self.restore_asked.emit(folder)

    def _discard(self) -> None:
        chosen = self.chosen
        text = self.tr("Discard this session? Its runs cannot be brought back.")
        if len(chosen) > 1:
            text = self.tr("Discard these {count} sessions? Their runs cannot be brought back.")
        if agreed(self, self.windowTitle(), text.format(count=len(chosen)), warns=True):
            for kept in chosen:
                self._places.remove(kept.folder)
            self.refresh()


def when(kept: Kept) -> str:
    """The time at which it was written, as the language in force writes it."""
    moment = QDateTime.fromSecsSinceEpoch(int(min(kept.when, time.time())))
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)
