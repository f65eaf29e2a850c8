"""Images in SVG and PDF, encoded here: Qt would hold the interpreter, and with it the window, while it does.

Qt draws a stand-in of a single pixel in each image's place; the file that it wrote then gets the images. They
are kept without loss in either format, each of them once.
"""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET
import zlib
from bisect import bisect_right
from itertools import accumulate

import numpy as np
from PySide6.QtCore import QByteArray, QIODevice
from PySide6.QtGui import QImage, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from model.errors import HeadscopeError
from viewer.export.png import png_of

_IMAGE, _HREF = "{http://www.w3.org/2000/svg}image", "{http://www.w3.org/1999/xlink}href"
_PNG = "data:image/png;base64,"
_STAND_IN = re.compile(
    rb"(?P<object>\d+ 0 obj\n<<\n/Type /XObject\n/Subtype /Image\n)/Width 1\n/Height 1\n"
    rb"(?P<kind>/BitsPerComponent 8\n/ColorSpace /DeviceRGB\n/Length (?P<length>\d+) 0 R\n"
    rb"/Filter /FlateDecode\n>>\nstream\n)(?P<pixel>.{1,40}?)(?P<end>\nendstream\nendobj\n)"
    rb"(?P=length) 0 obj\n\d+\nendobj\n",
    re.DOTALL,
)
_PLACE = re.compile(rb"(\d{10})(?= 00000 n )")
_START = re.compile(rb"startxref\n(\d+)")


class KeptImages:
    """The images that were drawn on a device; see `KeepsImages`."""

    def __init__(self) -> None:
        self._images: list[QImage] = []

    def stand_in(self, image: QImage) -> QImage:
        """An image of one pixel, whose colour is the number of the image that it stands for."""
        single = QImage(1, 1, QImage.Format.Format_RGB32)
        single.fill(len(self._images))
        self._images.append(image)
        return single

    def to_svg(self, root: ET.Element) -> None:
        """Put them into an SVG in place of their stand-ins; `HeadscopeError` if one has none."""
        placed = 0
        for element in root.iter(_IMAGE):
            image = self._stood_for(QByteArray.fromBase64(element.get(_HREF, "")[len(_PNG) :].encode()))
            if image is not None:
                element.set(_HREF, _PNG + base64.b64encode(png_of(image)).decode())
                placed += 1
        self._check(placed)

    def to_pdf(self, data: bytes) -> bytes:
        """The same PDF, as Qt wrote it, with them in place of their stand-ins; raises as `to_svg`."""
        start = int(_START.findall(data)[-1])
        grown: list[tuple[int, int]] = []  # how much longer all is from a place on

        def whole(found: re.Match[bytes]) -> bytes:
            image = self._numbered(zlib.decompress(found["pixel"]))
            if image is None:
                return found.group()
            packed = zlib.compress(_rgb(image))
            size = b"/Width %d\n/Height %d\n" % (image.width(), image.height())
            new = b"".join((found["object"], size, found["kind"], packed, found["end"]))
            length = b"%b 0 obj\n%d\nendobj\n" % (found["length"], len(packed))
            at = found.end("end")
            grown.append((at, len(new) - (at - found.start())))
            grown.append((found.end(), len(length) - (found.end() - at)))
            return new + length

        body = _STAND_IN.sub(whole, data[:start])
        self._check(len(grown) // 2)
        places, sums = [at for at, _ in grown], [0, *accumulate(more for _, more in grown)]

        def moved(found: re.Match[bytes]) -> bytes:
            at = int(found[1])
            return b"%010d" % (at + sums[bisect_right(places, at)])

        table = _PLACE.sub(moved, data[start:])
        return body + _START.sub(b"startxref\n%d" % len(body), table)

    def _check(self, placed: int) -> None:
        # Another version of Qt may write what stands in otherwise, and a picture without its map is a lie.
        if placed != len(self._images):
            raise HeadscopeError("picture_failed", reason="Qt did not keep an image's place")

    def _stood_for(self, png: QByteArray) -> QImage | None:
        image = QImage.fromData(png)
        if (image.width(), image.height()) != (1, 1):
            return None
        return self._numbered((image.pixel(0, 0) & 0xFFFFFF).to_bytes(3))

    def _numbered(self, colour: bytes) -> QImage | None:
        number = int.from_bytes(colour)
        return self._images[number] if number < len(self._images) else None


class SvgPaper(QSvgGenerator):
    """Qt's writer of SVG, which keeps its images."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = KeptImages()
        self.stand_in = self.kept.stand_in


class PdfPaper(QPdfWriter):
    """Qt's writer of PDF, which keeps its images."""

    def __init__(self, device: QIODevice) -> None:
        super().__init__(device)
        self.kept = KeptImages()
        self.stand_in = self.kept.stand_in


def _rgb(image: QImage) -> bytes:
    """Its pixels row by row, three bytes each."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows, columns = image.height(), image.width()
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(rows, image.bytesPerLine() // 4)[:, :columns]
    # Byte by byte out of the numbers, whatever the processor's order of bytes.
    shifted = pixels[..., None] >> np.array([16, 8, 0], np.uint32)
    return shifted.astype(np.uint8).tobytes()
