"""`HeldModel`: the untouched translation's tokens with their probability before and after, as a table."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from viewer.document.text.token_text import text_after
from viewer.document.what_if.what_if import HeldToken
from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.wording import percent

DIFFERENCE_ROLE = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
WORD, BEFORE, AFTER, DIFFERENCE = range(4)


class HeldModel(Guarded, QAbstractTableModel):
    """Rows: tokens; columns: word, before, after, difference."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[HeldToken, ...] = ()
        self._raw = False

    def show_rows(self, rows: tuple[HeldToken, ...], raw: bool) -> None:
        """Take other tokens."""
        if (rows, raw) != (self.rows, self._raw):
            self.beginResetModel()
            self.rows, self._raw = rows, raw
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of tokens; a table has no children."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Word, before, after, difference."""
        return 0 if parent.isValid() else 4

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, tooltips, and the difference of the probabilities."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            text = self.tr("Step {step}: {before} before, {after} after, difference {difference}")
            return plain(
                text.format(
                    step=row.step + 1,
                    before=f"{row.before:.6g}",
                    after=f"{row.after:.6g}",
                    difference=f"{row.difference:+.6g}".replace("-", "−"),
                )
            )
        if role == DIFFERENCE_ROLE:
            return row.difference
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in (BEFORE, AFTER):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignLeft if section in (WORD, DIFFERENCE) else Qt.AlignmentFlag.AlignRight
            )
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return (self.tr("Word"), self.tr("Before"), self.tr("After"), self.tr("Difference"))[section]

    def _text(self, place: int, column: int) -> str:
        row = self.rows[place]
        if column == WORD:
            return text_after([one.piece for one in self.rows[:place]], row.piece, raw=self._raw).marked
        if column == BEFORE:
            return percent(row.before)
        return percent(row.after) if column == AFTER else points(row.difference)


def points(difference: float) -> str:
    """A difference of probabilities in percentage points, with its sign: "−35", "+0.4"."""
    value = 100 * difference
    number = f"{abs(value):.0f}" if abs(value) >= 9.95 else f"{abs(value):.1f}"
    if float(number) == 0:
        return "0"
    return ("−" if value < 0 else "+") + number


class DifferenceDelegate(Guarded, QStyledItemDelegate):
    """Draws the difference's number, and its bar to the left or the right of a line at 0."""

    def __init__(self, appearance: Appearance, parent: Any = None) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one cell; half of the bar's room is a probability of 1."""
        look, difference = self._appearance, float(index.data(DIFFERENCE_ROLE) or 0.0)
        rect = QRectF(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, look.color("soft"))
        painter.setFont(option.font)
        number = painter.fontMetrics().horizontalAdvance("−100") + look.px(4)
        painter.setPen(look.color("text"))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(rect.x(), rect.y(), number, rect.height()), flags, str(index.data()))
        half = (rect.width() - number - look.px(10)) / 2
        middle = rect.x() + number + look.px(6) + half
        bar = bar_rect(middle, half, rect.center().y(), look.px(8), difference)
        painter.fillRect(bar, look.color("problem" if difference < 0 else "accent"))
        painter.setPen(look.color("border_strong"))
        painter.drawLine(round(middle), round(rect.top() + 4), round(middle), round(rect.bottom() - 4))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Roomy rows."""
        return QSize(40, self._appearance.px(26))


def bar_rect(middle: float, half: float, y: float, height: float, difference: float) -> QRectF:
    """The bar of a difference from -1 to 1: from the middle to the left or the right."""
    length = half * min(1.0, abs(difference))
    return QRectF(middle - length if difference < 0 else middle, y - height / 2, length, height)
