"""A picture for the clipboard: pixels for text processors and chats, SVG for drawing programs."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QMimeData
from PySide6.QtGui import QImage

from viewer.export.page import build_picture
from viewer.export.picture import Picture, to_image, to_svg
from viewer.export.png import png_of
from viewer.figures.request import ExportRequest, Source


@dataclass(frozen=True, eq=False)
class Drawn:
    """A picture as pixels, as PNG and as SVG; made in any thread."""

    image: QImage
    png: bytes
    svg: bytes

    @classmethod
    def of(cls, picture: Picture, dpi: int) -> Drawn:
        """Draw it; `HeadscopeError` if it cannot be drawn."""
        image = to_image(picture, dpi)
        return cls(image, png_of(image), to_svg(picture))


def drawn(request: ExportRequest, source: Source) -> Drawn:
    """The figure that is asked for; `HeadscopeError` if the source lacks it or it cannot be drawn."""
    return Drawn.of(build_picture(source, request), request.dpi)


def picture_mime(picture: Drawn) -> QMimeData:
    """What the clipboard takes; in the main thread."""
    mime = QMimeData()
    mime.setImageData(picture.image)
    mime.setData("image/png", QByteArray(picture.png))
    mime.setData("image/svg+xml", QByteArray(picture.svg))
    return mime
