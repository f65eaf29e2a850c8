"""`CausalPage`: which positions the decoder may read at each position of a pair: the causal mask, 1 and 0."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QSignalBlocker, Qt
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QSpinBox, QTableView, QVBoxLayout, QWidget

from model.training.batch_view import BatchView
from viewer.dialogs.batch_matrix import Index
from viewer.document.text.token_text import text_after
from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance, blend
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain


class CausalModel(Guarded, QAbstractTableModel):
    """Rows are the real positions of a pair's decoder input, columns all its positions with their padding."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._pieces: tuple[str, ...] = ()
        self._real = 0

    def show_pair(self, view: BatchView | None, pair: int) -> None:
        """Show a pair of a batch, from 0; nothing without a batch."""
        self.beginResetModel()
        self._pieces = () if view is None else view.target_in_pieces[pair]
        self._real = 0 if view is None else int(view.target_mask[pair].sum())
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of real positions."""
        return 0 if parent is not None and parent.isValid() else self._real

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of positions, padding too."""
        return 0 if parent is not None and parent.isValid() else len(self._pieces)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """1 where a position may be read; what it means; colours."""
        row, column = index.row(), index.column()
        read = column <= row
        if role == Qt.ItemDataRole.DisplayRole:
            return "1" if read else "0"
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self._tip(row, column))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._appearance.color("text" if read else "disabled")
        if role == Qt.ItemDataRole.BackgroundRole:
            if read:
                return QBrush(self._appearance.color("chip"))
            if column >= self._real:
                faint = blend(self._appearance.color("panel"), self._appearance.color("border_strong"), 0.5)
                return QBrush(faint, Qt.BrushStyle.BDiagPattern)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The tokens of the decoder input."""
        return self._text(section) if role == Qt.ItemDataRole.DisplayRole else None

    def _text(self, place: int) -> str:
        return text_after(self._pieces[:place], self._pieces[place]).marked

    def _tip(self, row: int, column: int) -> str:
        if column <= row:
            text = self.tr("At “{query}” the decoder may read “{key}”.")
        elif column < self._real:
            text = self.tr("At “{query}” the decoder may not read “{key}”: it comes later.")
        else:
            text = self.tr("At “{query}” the decoder may not read the padding.")
        query, key = self._text(row), self._text(column)
        return text.format(query=query, key=key)


class CausalPage(QWidget):
    """The causal mask of one pair, and which pair it is."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._view: BatchView | None = None
        self.title, self.pair, self.text = label("title"), QSpinBox(self), label("muted")
        self.text.setWordWrap(True)
        self.matrix = CausalModel(appearance, self)
        self.table = QTableView(self)
        self.table.setModel(self.matrix)
        self.table.setStyleSheet("QTableCornerButton::section { background: transparent; border: none; }")
        self.table.setSelectionMode(QTableView.SelectionMode.NoSelection)
        for header in (self.table.horizontalHeader(), self.table.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(False)
        row = QHBoxLayout()
        row.addWidget(self.title)
        row.addWidget(self.pair)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        column.addWidget(self.text)
        self.pair.valueChanged.connect(self._show)
        appearance.changed.connect(self._restyle)
        self.retranslate()

    def show_batch(self, view: BatchView | None) -> None:
        """Show a batch's mask; the pair in view stays if it has one of that number."""
        self._view = view
        with QSignalBlocker(self.pair):
            self.pair.setRange(1, max(1, 0 if view is None else len(view.target_in)))
        self._show()

    def _show(self) -> None:
        self.matrix.show_pair(self._view, self.pair.value() - 1)
        self._restyle()

    def _restyle(self) -> None:
        metrics, matrix = self.table.fontMetrics(), self.matrix
        texts = [matrix.headerData(place, Qt.Orientation.Horizontal) for place in range(matrix.columnCount())]
        wide = max([self._appearance.px(40), *(metrics.horizontalAdvance(text) for text in texts)])
        wide = min(wide + self._appearance.px(14), self._appearance.px(110))
        self.table.horizontalHeader().setDefaultSectionSize(wide)
        self.table.verticalHeader().setDefaultSectionSize(self._appearance.px(28))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.title.setText(self.tr("Pair"))
        self.pair.setAccessibleName(self.tr("Pair"))
        self.text.setText(
            self.tr(
                "Rows: the decoder's position; columns: what it may read there (1). No position sees "
                "the token it must predict, nor the padding after it."
            )
        )
        self._show()
