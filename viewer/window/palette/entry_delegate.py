"""`EntryDelegate`: draws a line of the palette: what it is, of what sort, by which key."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance
from viewer.window.palette.entries_model import ENABLED_ROLE, GROUP_ROLE, KEYS_ROLE

ROW = 30
_GROUP_SHARE = 0.34  # of a line, at most
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class EntryDelegate(Guarded, QStyledItemDelegate):
    """The title at the left, sort and key at the right; a long title is cut: the tooltip has it."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Roomy rows."""
        return QSize(40, self._appearance.px(ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one line."""
        look = self._appearance
        rect = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        enabled = bool(index.data(ENABLED_ROLE))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.color("soft"))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), look.px(5), look.px(5))
        inside = rect.adjusted(look.px(10), 0, -look.px(10), 0)
        quiet = look.color("muted" if enabled else "disabled")
        painter.setFont(option.font)
        keys = str(index.data(KEYS_ROLE) or "")
        if keys:
            inside = self._draw_keys(painter, inside, keys, enabled)
        group = self._elided(
            painter.fontMetrics(), str(index.data(GROUP_ROLE)), inside.width() * _GROUP_SHARE
        )
        painter.setPen(quiet)
        painter.drawText(inside, _MIDDLE | Qt.AlignmentFlag.AlignRight, group)
        inside.setRight(inside.right() - painter.fontMetrics().horizontalAdvance(group) - look.px(12))
        painter.setPen(look.color("disabled" if not enabled else "accent" if chosen else "text"))
        title = self._elided(painter.fontMetrics(), str(index.data()), inside.width())
        painter.drawText(inside, _MIDDLE | Qt.AlignmentFlag.AlignLeft, title)
        painter.restore()

    def _draw_keys(self, painter: QPainter, inside: QRectF, keys: str, enabled: bool) -> QRectF:
        """A badge at the right; returns what is left."""
        look = self._appearance
        wide, high = painter.fontMetrics().horizontalAdvance(keys) + look.px(12), look.px(22)
        badge = QRectF(inside.right() - wide, inside.center().y() - high / 2, wide, high)
        painter.setPen(look.color("border"))
        painter.setBrush(look.color("panel"))
        painter.drawRoundedRect(badge, look.px(4), look.px(4))
        painter.setPen(look.color("text" if enabled else "disabled"))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, keys)
        return inside.adjusted(0, 0, -wide - look.px(10), 0)

    @staticmethod
    def _elided(metrics: QFontMetrics, text: str, room: float) -> str:
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(room))
