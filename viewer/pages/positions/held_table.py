"""`HeldTable`: the untouched translation's words with their probability before and after a change."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from viewer.document.what_if.what_if import HeldToken
from viewer.pages.look.what_if.held_model import (
    AFTER,
    BEFORE,
    DIFFERENCE,
    WORD,
    DifferenceDelegate,
    HeldModel,
)
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.row_table import make_plain


class HeldTable(QTableView):
    """A row a word, all of them: the page scrolls."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.words = HeldModel(self)
        self.setModel(self.words)
        make_plain(self)
        self.setItemDelegateForColumn(DIFFERENCE, DifferenceDelegate(appearance, self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().setMinimumSectionSize(1)
        header = self.horizontalHeader()
        header.setMinimumSectionSize(1)
        for section in (WORD, BEFORE, AFTER):
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(DIFFERENCE, QHeaderView.ResizeMode.Stretch)
        appearance.changed.connect(self.restyle)
        self.restyle()

    def show_words(self, rows: tuple[HeldToken, ...], raw: bool) -> None:
        """Show other words."""
        self.words.show_rows(rows, raw)
        self.restyle()

    def restyle(self) -> None:
        """Take the type scale and the language in force."""
        font = self.font()
        font.setPixelSize(self._appearance.px(13))
        high, metrics = self._appearance.px(26), QFontMetrics(font)
        self.verticalHeader().setDefaultSectionSize(high)
        texts = [str(self.words.data(self.words.index(row, WORD))) for row in range(self.words.rowCount())]
        for section, others in ((WORD, texts), (BEFORE, ["99.9 %"]), (AFTER, ["99.9 %"])):
            head = str(self.words.headerData(section, Qt.Orientation.Horizontal))
            widest = max(metrics.horizontalAdvance(text) for text in (head, *others))
            self.setColumnWidth(section, min(widest, self._appearance.px(240)) + self._appearance.px(24))
        head_room = self.horizontalHeader().sizeHint().height()
        self.setFixedHeight(head_room + max(1, self.words.rowCount()) * high + 4)
