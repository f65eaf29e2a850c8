"""A picture for the clipboard: pixels for text processors and chats, SVG for drawing programs."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QMimeData

from viewer.export.picture import Picture, png_of, to_image, to_svg


def picture_mime(picture: Picture, dpi: int) -> QMimeData:
    """The picture as an image, PNG and SVG; `HeadscopeError` if it cannot be drawn."""
    image = to_image(picture, dpi)
    mime = QMimeData()
    mime.setImageData(image)
    mime.setData("image/png", QByteArray(png_of(image)))
    mime.setData("image/svg+xml", QByteArray(to_svg(picture)))
    return mime
