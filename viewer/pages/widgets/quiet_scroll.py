"""A scroll area that takes no keys: it scrolls by wheel and bar; what it holds brings itself into view."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from viewer.guarded import Guarded


class QuietScrollArea(Guarded, QScrollArea):
    """Leaves the window its keys: a plain one scrolls by arrows, also with Ctrl, and by the page keys."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Nothing is meant for it."""
        event.ignore()

    def scrollContentsBy(self, right: int, down: int) -> None:
        """Move what is held, and the ring around what is seen of it."""
        super().scrollContentsBy(right, down)
        held = self.widget()
        if held is not None and held.hasFocus():
            held.update()


def width_beside_bar(widget: QWidget) -> int:
    """The width that a widget has where the bar of the area that it stands in is shown, in pixels.

    A height that is asked for goes by this one. If it went by the width of the moment, and what is narrower
    is lower, it would call the bar and send it away again, for ever.
    """
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    if area is None or area.verticalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAsNeeded:
        return widget.width()
    # By widths alone: what the area holds takes the bar's room before the bar is hidden.
    bar = area.verticalScrollBar().sizeHint().width()
    content = area.widget()
    over = (widget if content is None else content).width() - (area.maximumViewportSize().width() - bar)
    return widget.width() - (over if 0 < over <= bar else 0)
