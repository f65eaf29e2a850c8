"""Distances between encodings as a table, each with a bar."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from model.trace.exploration import OrderExperiment
from viewer.guarded import Guarded
from viewer.pages.learn.order.distances_model import BAR_ROLE, DistancesModel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.row_table import make_plain
from viewer.pages.widgets.worded import Worded

_MOST_ROWS = 12


class DistanceDelegate(Guarded, QStyledItemDelegate):
    """Draws a number and under it its bar."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a cell."""
        super().paint(painter, option, index)
        share = index.data(BAR_ROLE)
        if share is None:
            return
        rect: QRect = option.rect
        thick, margin = self._appearance.px(4), self._appearance.px(3)
        room = QRect(rect.left() + margin, rect.bottom() - thick - 1, rect.width() - 4 * margin, thick)
        painter.fillRect(room, self._appearance.color("border"))
        painter.fillRect(
            room.adjusted(0, 0, round(share * room.width()) - room.width(), 0),
            self._appearance.color("accent"),
        )


class DistancesView(Worded, QWidget):
    """A heading, the table, and what is measured in it."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.model = DistancesModel()
        self.table = QTableView()
        self.heading, self.note = label("title"), label("small")
        for text in (self.heading, self.note):
            text.setWordWrap(True)
        make_plain(self.table)
        self.table.setModel(self.model)
        self.table.setItemDelegate(DistanceDelegate(appearance, self.table))
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for section in range(self.model.columnCount()):
            mode = QHeaderView.ResizeMode
            header.setSectionResizeMode(section, mode.Stretch if section > 1 else mode.ResizeToContents)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widget in (self.heading, self.note, self.table):
            column.addWidget(widget)
        appearance.changed.connect(self._restyle)
        self.retranslate()
        self._restyle()

    def show_experiment(self, experiment: OrderExperiment) -> None:
        """Show the distances of an experiment."""
        self.model.show_experiment(experiment)
        self._restyle()

    def sizeHint(self) -> QSize:
        """Wide enough for two bars with their headers."""
        return QSize(self._appearance.px(300), super().sizeHint().height())

    def _restyle(self) -> None:
        high = round(QFontMetrics(self.table.font()).height() * 1.2) + self._appearance.px(12)
        self.table.verticalHeader().setDefaultSectionSize(high)
        rows = min(_MOST_ROWS, max(1, self.model.rowCount()))
        self.table.setFixedHeight(rows * high + self.table.horizontalHeader().sizeHint().height() + 4)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.heading.setText(self.tr("Distance between a piece's encodings in the two orders"))
        self.note.setText(
            self.tr(
                "Euclidean distance between the encoder's last outputs for the piece; 0 where the "
                "order makes no difference."
            )
        )
        self.table.setAccessibleName(self.heading.text())
        self.model.retranslate()
