"""The table of distances between encodings, each with a bar."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from viewer.guarded import Guarded
from viewer.state.exploring import OrderExperiment
from viewer.views.appearance import Appearance
from viewer.views.buttons import label
from viewer.views.learn.distances_model import BAR_ROLE, DistancesModel
from viewer.views.tables import make_plain

_MOST_ROWS = 12


class DistanceDelegate(Guarded, QStyledItemDelegate):
    """Draws a number and under it its bar."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = appearance

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a cell."""
        super().paint(painter, option, index)
        share = index.data(BAR_ROLE)
        if share is None:
            return
        rect: QRect = option.rect
        thick, margin = self._look.px(4), self._look.px(3)
        room = QRect(rect.left() + margin, rect.bottom() - thick - 1, rect.width() - 4 * margin, thick)
        painter.fillRect(room, self._look.color("border"))
        painter.fillRect(
            room.adjusted(0, 0, round(share * room.width()) - room.width(), 0), self._look.color("accent")
        )


class DistancesView(Guarded, QWidget):
    """A heading, the table, and what is measured in it."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = appearance
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
        return QSize(self._look.px(300), super().sizeHint().height())

    def _restyle(self) -> None:
        high = round(QFontMetrics(self.table.font()).height() * 1.2) + self._look.px(12)
        self.table.verticalHeader().setDefaultSectionSize(high)
        rows = min(_MOST_ROWS, max(1, self.model.rowCount()))
        self.table.setFixedHeight(rows * high + self.table.horizontalHeader().sizeHint().height() + 4)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.heading.setText(self.tr("Distance between a piece's encodings in the two orders"))
        self.note.setText(
            self.tr(
                "Euclidean distance of the encoder's last output for the piece; 0 where the order is all the "
                "same to it."
            )
        )
        self.table.setAccessibleName(self.heading.text())
        self.model.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
