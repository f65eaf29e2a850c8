"""All heads of all families on one page."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from viewer.drawing.theme import Theme
from viewer.state.figure import FigureSpec
from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.figure_view import FigureView


class AllHeadsView(FigureView):
    """One of the views of a pane.

    Signals:
        read_out: the sentence of what is under the pointer; empty when nothing is.
    """

    read_out = Signal(str)

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, parent)
        self._session = session
        self._pane = pane

    def build(self) -> FigureSpec | None:
        """The pane's figure."""
        return None

    def draw(self, painter: QPainter, figure: FigureSpec, rect: QRectF, colours: Theme) -> None:
        """Draw the figure."""

    def sentence(self) -> str:
        """What is under the pointer, or else under the crosshair, says."""
        return ""
