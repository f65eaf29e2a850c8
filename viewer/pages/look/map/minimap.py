"""`MiniMap`: the small overview of a zoomed map, kept as drawn, so that panning draws no cell anew."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from viewer.figures.canvas.theme import Theme
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.map.layout import MapGeometry
from viewer.figures.map.minimap import centred, minimap_image, minimap_rect, paint_minimap


class MiniMap:
    """Held by a map's view, which tells it where the map is.

    Attributes:
        held: whether it is being dragged.
    """

    def __init__(self) -> None:
        self.held = False
        self._rect: QRectF | None = None
        self._kept: tuple[Hashable, QImage] | None = None

    def paint(self, painter: QPainter, place: MapGeometry, theme: Theme, key: Hashable) -> None:
        """Draw it, if only a part of the map is in view.

        Args:
            key: as long as it is the same, so are the map's numbers and colours.
        """
        if not self.held or self._rect is None:  # under the pointer it stays where it is
            self._rect = minimap_rect(place)
        if self._rect is None:
            return
        ratio = painter.device().devicePixelRatioF()
        of = (key, theme.key, ratio, self._rect.width(), self._rect.height())
        if self._kept is None or self._kept[0] != of:
            self._kept = (of, minimap_image(place.spec, theme, self._rect, ratio))
        paint_minimap(painter, place, self._rect, self._kept[1], theme)

    def hide(self) -> None:
        """The whole map is in view."""
        self._rect, self.held = None, False

    def holds(self, point: QPointF) -> bool:
        """Whether a point of the view is on it."""
        return self._rect is not None and self._rect.contains(point)

    def moved(self, place: MapGeometry, zoom: Zoom, point: QPointF) -> Zoom:
        """The part in view after a press or drag at a point."""
        return zoom if self._rect is None else centred(place, self._rect, zoom, point)
