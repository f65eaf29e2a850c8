"""`CandidateDelegate`: draws the cells of the next-word table: a word, or a percentage and its bar."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from viewer.guarded import Guarded
from viewer.pages.look.next_word.candidates_model import CHOSEN_ROLE, CUT_ROLE, SHARE_ROLE, WORD
from viewer.pages.widgets.appearance import Appearance

ROW = 26
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class CandidateDelegate(Guarded, QStyledItemDelegate):
    """A full bar is a probability of 1. The bar stands beside its number, or below it where room is short.

    Attributes:
        hovered: row under the pointer, -1 for none.
        narrow: the bars stand below their numbers.
    """

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.hovered = -1
        self.narrow = False

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one cell."""
        look, chosen, cut = self._appearance, bool(index.data(CHOSEN_ROLE)), bool(index.data(CUT_ROLE))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, look.color("soft"))
        elif index.row() == self.hovered:
            painter.fillRect(rect, look.color("hover"))
        font = QFont(option.font)
        font.setBold(chosen)
        font.setStrikeOut(cut and index.column() == WORD)
        painter.setFont(font)
        painter.setPen(look.color("accent" if chosen else "muted" if cut else "text"))
        if index.column() == WORD:
            inside = rect.adjusted(look.px(4), 0, -look.px(4), 0)
            room = int(inside.width())
            text = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, room)
            painter.drawText(inside, _MIDDLE | Qt.AlignmentFlag.AlignLeft, text)
        else:
            color = "accent" if chosen else "border_strong" if cut else "bar"
            self._draw_number(painter, rect, str(index.data()), float(index.data(SHARE_ROLE) or 0.0), color)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Roomy rows."""
        return QSize(40, self._appearance.px(ROW))

    def _draw_number(self, painter: QPainter, rect: QRectF, text: str, share: float, color: str) -> None:
        look = self._appearance
        number = painter.fontMetrics().horizontalAdvance("99.9 %") + look.px(6)
        right = _MIDDLE | Qt.AlignmentFlag.AlignRight
        if self.narrow:
            inside = rect.adjusted(look.px(6), 0, -look.px(4), -look.px(5))
            painter.drawText(inside, right, text)
            high = look.px(4)
            bar = QRectF(inside.left(), rect.bottom() - high - look.px(2), inside.width(), high)
        else:
            painter.drawText(QRectF(rect.x(), rect.y(), number, rect.height()), right, text)
            left = rect.x() + number + look.px(8)
            bar = QRectF(left, rect.center().y() - look.px(4), rect.right() - look.px(6) - left, look.px(8))
        self._draw_bar(painter, bar, share, color)

    def _draw_bar(self, painter: QPainter, bar: QRectF, share: float, color: str) -> None:
        radius = min(self._appearance.px(3), bar.height() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.color("pressed"))
        painter.drawRoundedRect(bar, radius, radius)
        if share <= 0:
            return
        bar.setWidth(max(1.5, bar.width() * share))
        painter.setBrush(self._appearance.color(color))
        painter.drawRoundedRect(bar, min(radius, bar.width() / 2), radius)
