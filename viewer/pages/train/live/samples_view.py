"""`SamplesView`: one held-out sentence and what became of it at each evaluation."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from viewer.document.training.training import Training
from viewer.guarded import Guarded
from viewer.pages.train.live.samples_model import BEST_ROLE, HELDOUT_LOSS, TRANSLATION, SamplesModel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import NarrowBox, label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.row_table import make_plain
from viewer.pages.widgets.worded import Worded

_ROOMY = 330  # pixels at 14-pixel type that all columns need


class _BestInBold(Guarded, QStyledItemDelegate):
    """The best evaluations so far in the accent colour."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Colour the numbers of a best row, and its translation if it is the newest one."""
        super().initStyleOption(option, index)
        colour: QColor | None = None
        if index.column() == TRANSLATION:
            option.font.setBold(index.row() == 0)
        elif index.data(BEST_ROLE):
            colour = self._appearance.color("accent")
        else:
            colour = self._appearance.color("muted")
        if colour is not None:
            palette = option.palette
            palette.setColor(palette.ColorRole.Text, colour)
            palette.setColor(palette.ColorRole.HighlightedText, colour)


class SamplesView(Worded, QFrame):
    """Choose a sentence; its translations stand under each other, the newest on top."""

    def __init__(self, training: Training, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._training = training
        self._appearance = appearance
        self.setProperty("role", "card")
        self.title = label("title")
        self.sentence = NarrowBox(12)
        self.model = SamplesModel(training, self)
        self.table = QTableView()
        self.empty = label("muted")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._prepare_table()
        self._lay_out()
        self.sentence.currentTextChanged.connect(self.model.show_source)
        training.evaluated.connect(self.refresh)
        training.reset.connect(self.refresh)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self.retranslate()

    def _prepare_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setItemDelegate(_BestInBold(self._appearance, table))
        make_plain(table)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.verticalHeader().setMinimumSectionSize(1)
        header = table.horizontalHeader()
        # Not by their contents: Qt does not look again when a row comes on top.
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(TRANSLATION, QHeaderView.ResizeMode.Stretch)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.sentence, 1)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 8)
        column.setSpacing(4)
        column.addLayout(head)
        column.addLayout(self._stack, 1)

    def refresh(self) -> None:
        """Take new evaluations and new sentences; the chosen one stays."""
        sources = self.model.sources()
        if [self.sentence.itemText(i) for i in range(self.sentence.count())] != sources:
            chosen = self.sentence.currentText()
            with QSignalBlocker(self.sentence):
                self.sentence.clear()
                self.sentence.addItems(sources)
                self.sentence.setCurrentIndex(max(0, self.sentence.findText(chosen)))
            self.model.show_source(self.sentence.currentText())
        self.model.refresh()
        self._fit_columns()
        self.sentence.setVisible(bool(sources))
        self.title.setText(self.tr("Translations of") if sources else self.tr("Translations"))
        self.sentence.setToolTip(plain(self.sentence.currentText()))
        self._stack.setCurrentWidget(self.table if self.model.rowCount() else self.empty)

    def _fit_columns(self) -> None:
        """The numbers' columns as wide as the widest of them; no loss where it is narrow: the curves tell."""
        self.table.setColumnHidden(HELDOUT_LOSS, self.width() < self._appearance.px(_ROOMY))
        header = self.table.horizontalHeader()
        for column in range(TRANSLATION):
            needed = max(self.table.sizeHintForColumn(column), header.sectionSizeHint(column))
            header.resizeSection(column, needed + self._appearance.px(6))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.sentence.setAccessibleName(self.tr("Held-out sentence"))
        self.table.setAccessibleName(self.tr("Its translation at each evaluation"))
        self.empty.setText(self.tr("At each evaluation, translations of held-out sentences are listed here."))
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, TRANSLATION)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the translations room."""
        super().resizeEvent(event)
        self._fit_columns()

    def _restyle(self) -> None:
        self.table.verticalHeader().setDefaultSectionSize(self._appearance.px(24))
        self._fit_columns()
        self.table.viewport().update()
