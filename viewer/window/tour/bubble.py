"""`Bubble`: says what to do next beside what that is done with, which it never covers; `Ring` marks it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label

_GAP = 8
_WIDTHS = (360, 280, 210, 150)
_ROUND = 8


class Ring(Guarded, QWidget):
    """A frame about what is meant; it takes no clicks."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._appearance.color("accent"), 3))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 6, 6)


class Bubble(Guarded, QFrame):
    """Where one is, what to do, and two buttons: to leave a step out, and to end.

    Signals:
        skipped, left: the buttons were pressed.
    """

    skipped = Signal()
    left = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setObjectName("tour")
        self.where, self.title, self.text = label("small"), label("title"), label()
        for part in (self.title, self.text):
            part.setWordWrap(True)
        self.skip, self.end = QPushButton(), QPushButton()
        self.skip.clicked.connect(self.skipped)
        self.end.clicked.connect(self.left)
        buttons = QHBoxLayout()
        buttons.addWidget(self.where, 1)
        buttons.addWidget(self.skip)
        buttons.addWidget(self.end)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(6)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addLayout(buttons)
        appearance.changed.connect(self.restyle)
        self.restyle()
        self.hide()

    def restyle(self) -> None:
        """Take the theme in force."""
        colours = self._appearance.palette
        self.setStyleSheet(
            f"QFrame#tour {{ background: {colours.panel}; border: 2px solid {colours.accent};"
            f" border-radius: {_ROUND}px; }}"
        )

    def say(self, where: str, title: str, text: str, *, aloud: bool) -> None:
        """Show a step.

        Args:
            aloud: it is read to whoever does not see it, without taking the keys.
        """
        self.where.setText(where)
        self.title.setText(title)
        self.text.setText(text)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        if aloud:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, f"{where}. {title}. {text}"))

    def size_for(self, width: int) -> QSize:
        """Its size with so much width, or more where its buttons need it."""
        width = max(width, self._column.minimumSize().width())
        return QSize(width, self._column.totalHeightForWidth(width))

    def stand_beside(self, target: QRect, bounds: QRect) -> None:
        """Take a place that leaves `target` free; where there is none, the one that covers least of it."""
        widths = [self._appearance.px(width) for width in _WIDTHS]
        sizes = list(dict.fromkeys((size.width(), size.height()) for size in map(self.size_for, widths)))
        places = [place for size in sizes for place in _places(target, QSize(*size), bounds)]
        self.setGeometry(min(places, key=lambda place: _area(place.intersected(target))))
        self.raise_()


def _places(target: QRect, size: QSize, bounds: QRect) -> Iterator[QRect]:
    """Below, above, at the right and at the left of it; those that leave the window are pushed back in."""
    width, height, middle = size.width(), size.height(), target.center()
    for x, y in (
        (middle.x() - width // 2, target.bottom() + _GAP),
        (middle.x() - width // 2, target.top() - _GAP - height),
        (target.right() + _GAP, middle.y() - height // 2),
        (target.left() - _GAP - width, middle.y() - height // 2),
    ):
        inside = QPoint(
            max(bounds.left(), min(x, bounds.right() - width)),
            max(bounds.top(), min(y, bounds.bottom() - height)),
        )
        yield QRect(inside, size)


def _area(rect: QRect) -> int:
    return max(0, rect.width()) * max(0, rect.height())
