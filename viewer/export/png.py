"""PNG through Qt, which leaves the interpreter to the window meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage, QImageWriter

from model.errors import HeadscopeError


def png_of(image: QImage) -> bytes:
    """An image as PNG; `HeadscopeError` if it cannot be written."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, b"png")
    if not writer.write(image):
        raise HeadscopeError("picture_failed", reason=writer.errorString())
    return bytes(buffer.data().data())
