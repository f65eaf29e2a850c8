"""`Spotlight`: a soft circle that follows the pointer; all else is a little darker."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QCursor, QPainter, QPaintEvent, QRadialGradient
from PySide6.QtWidgets import QWidget

from viewer.guarded import Guarded

_RADIUS = 0.2  # of the window's height
_SOFT = 0.72  # of the radius, from where on it fades
_DARK = 100  # of 255, black over what is not lit
_FOLLOW_MS = 25


class Spotlight(Guarded, QWidget):
    """Lies over the whole window and lets every click and key through."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setObjectName("spotlight")
        self._window = window
        self._at = QPointF()
        # Transparent for the mouse, it is told of no move.
        self._follow = QTimer(self)
        self._follow.setInterval(_FOLLOW_MS)
        self._follow.timeout.connect(self._look)
        self.hide()

    @property
    def centre(self) -> QPointF:
        """What is lit, in the window's coordinates."""
        return self._at

    def toggle(self) -> None:
        """Light it, or put it out."""
        if self.isHidden():
            self.setGeometry(self._window.rect())
            self._look()
            self.show()
            self.raise_()
            self._follow.start()
            self._window.installEventFilter(self)
        else:
            self.put_out()

    def put_out(self) -> None:
        """Show all alike."""
        self._follow.stop()
        self._window.removeEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as the window."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._window.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Darken all but the circle."""
        shade = QRadialGradient(self._at, _RADIUS * self.height())
        clear, dark = QColor(0, 0, 0, 0), QColor(0, 0, 0, _DARK)
        shade.setColorAt(0.0, clear)
        shade.setColorAt(_SOFT, clear)
        shade.setColorAt(1.0, dark)
        painter = QPainter(self)
        painter.fillRect(self.rect(), shade)
        painter.end()

    def _look(self) -> None:
        at = QPointF(self.mapFromGlobal(QCursor.pos()))
        if at != self._at:
            self._at = at
            self.update()
