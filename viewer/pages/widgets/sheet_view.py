"""SheetView: a lesson's picture, in which handles are dragged and cells chosen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.figures.canvas.options import DrawOptions
from viewer.figures.drawing import figure_height
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.layout import SheetGeometry
from viewer.figures.sheet.part import Placed
from viewer.figures.sheet.spec import SheetSpec
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.plain_tip import show_tip
from viewer.pages.widgets.quiet_scroll import width_beside_bar


class SheetView(FigureView[SheetSpec, SheetGeometry]):
    """Draws the figure that its page makes, as high as it asks for.

    Signals:
        turned: control, value: a handle was dragged there, not held to the control's range.
        picked: controls with their values: a click chose these.
    """

    turned = Signal(str, float)
    picked = Signal(object)

    def __init__(
        self,
        appearance: Appearance,
        make: Callable[[], FigureSpec[SheetSpec] | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, parent)
        self._make = make
        self._grasped: tuple[Placed, str] | None = None
        self._asked = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)

    def build(self) -> FigureSpec[SheetSpec] | None:
        """The page's figure; what it says is told to those who do not see it."""
        figure = self._make()
        if figure is not None:
            self.setAccessibleDescription(figure.body.title)
        return figure

    def options(self) -> DrawOptions:
        """Plain: the page says everything around it."""
        return DrawOptions(title=False, font_scale=self.look.scale, least_type=self.look.least_type)

    def settled(self) -> None:
        """Ask for the height that another figure needs."""
        self._ask_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width needs another height."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._ask_height()

    def sizeHint(self) -> QSize:
        """As high as the figure asks for."""
        return QSize(480, max(160, self._asked))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grasp a handle, or choose a cell."""
        place = self.geometry_now()
        if place is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self._grasped = place.handle_at(event.position())
        if self._grasped is None:
            self.press(event.position())

    def press(self, point: QPointF) -> None:
        """See `FigureView`."""
        place = self.geometry_now()
        found = {} if place is None else place.picked_at(point)
        if found:
            self.picked.emit(found)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the handle, or tell what is under the pointer."""
        place = self.geometry_now()
        if place is None:
            return
        if self._grasped is not None:
            part, name = self._grasped
            self.turned.emit(name, part.dragged_to(name, event.position()))
            return
        at = event.position()
        over = place.handle_at(at) is not None or bool(place.picked_at(at))
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        show_tip(event.globalPosition().toPoint(), place.sentence_at(at), self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._grasped = None
        super().mouseReleaseEvent(event)

    def _ask_height(self) -> None:
        figure = self.figure
        if figure is None or self.width() < 40:
            return
        width = max(20, width_beside_bar(self) - 2 * self.margin)
        asked = round(figure_height(figure, width, self.options()) + 2 * self.margin)
        if asked != self._asked:
            self._asked = asked
            self.setMinimumHeight(asked)
            self.updateGeometry()
