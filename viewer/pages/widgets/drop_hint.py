"""`DropHint`: a frame over what would take the files that are dragged over it, and what it would do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance

_EDGE, _ROUND = 3, 8


class DropHint(Guarded, QWidget):
    """Lies over a widget while something is dragged over it; a drop goes through it.

    Attributes:
        text: what a drop would do.
    """

    def __init__(self, over: QWidget, appearance: Appearance) -> None:
        super().__init__(over)
        self._over = over
        self._appearance = appearance
        self.text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        over.installEventFilter(self)
        self.hide()

    def offer(self, text: str) -> None:
        """Say what a drop would do."""
        self.text = text
        self.setAccessibleName(text)
        self.setGeometry(self._over.rect())
        self.raise_()
        self.show()
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as what it lies over."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._over.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """A frame, and the words on a ground of their own at the foot."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._appearance.color("accent")
        painter.setPen(QPen(colour, _EDGE))
        frame = QRectF(self.rect()).adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        painter.drawRoundedRect(frame, _ROUND, _ROUND)
        font = self.font()
        font.setPixelSize(self._appearance.px(15))
        painter.setFont(font)
        room = frame.adjusted(16, 16, -16, -16)
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextWordWrap
        words = painter.boundingRect(room, flags, self.text)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(words.adjusted(-12, -7, 12, 7), _ROUND, _ROUND)
        painter.setPen(self._appearance.color("on_accent"))
        painter.drawText(room, flags, self.text)
