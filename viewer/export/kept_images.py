"""Images in SVG and PDF, encoded here: Qt would hold the interpreter, and with it the window, while it does.

Qt draws a stand-in of a single pixel in each image's place; the file that it wrote then gets the images. They
are kept without loss in either format.
"""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET
import zlib
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

import numpy as np
from PySide6.QtCore import QByteArray, QIODevice, QSize
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
_FIRST = 0xA5C300  # the colour of the first stand-in: no image of one pixel is likely to have it
_START = re.compile(rb"startxref\n(\d+)")


class KeptImages:
    """The images that were drawn on a device, as the file will have them; see `KeepsImages`."""

    def __init__(self, encode: Callable[[QImage], bytes]) -> None:
        """Args: encode: at once, since as pixels all of a lecture would take hundreds of megabytes."""
        self._encode = encode
        self._images: list[tuple[QSize, bytes]] = []
        self._stand_ins: dict[int, QImage] = {}  # Qt's number of an image does not come again

    def stand_in(self, image: QImage) -> QImage:
        """An image of one pixel, whose colour is the number of the image that it stands for."""
        single = self._stand_ins.get(image.cacheKey())
        if single is None:
            single = QImage(1, 1, QImage.Format.Format_RGB32)
            single.fill(_FIRST + len(self._images))
            self._images.append((image.size(), self._encode(image)))
            self._stand_ins[image.cacheKey()] = single
        return single

    def to_svg(self, root: ET.Element) -> None:
        """Put them into an SVG in place of their stand-ins; `HeadscopeError` if one has none."""
        placed = set[int]()
        for element in root.iter(_IMAGE):
            number = self._number_in(QByteArray.fromBase64(element.get(_HREF, "")[len(_PNG) :].encode()))
            if number is not None:
                element.set(_HREF, _PNG + base64.b64encode(self._images[number][1]).decode())
                placed.add(number)
        self._check(placed)

    def to_pdf(self, data: bytes) -> bytes:
        """The same PDF, as Qt wrote it, with them in place of their stand-ins; raises as `to_svg`."""
        start = int(_START.findall(data)[-1])
        grown: list[tuple[int, int]] = []  # how much longer all is from a place on
        placed = set[int]()

        def whole(found: re.Match[bytes]) -> bytes:
            number = self._number_of(zlib.decompress(found["pixel"]))
            if number is None:
                return found.group()
            placed.add(number)
            size, packed = self._images[number]
            sides = b"/Width %d\n/Height %d\n" % (size.width(), size.height())
            new = b"".join((found["object"], sides, found["kind"], packed, found["end"]))
            length = b"%b 0 obj\n%d\nendobj\n" % (found["length"], len(packed))
            at = found.end("end")
            grown.append((at, len(new) - (at - found.start())))
            grown.append((found.end(), len(length) - (found.end() - at)))
            return new + length

        body = _STAND_IN.sub(whole, data[:start])
        self._check(placed)
        places, sums = [at for at, _ in grown], [0, *accumulate(more for _, more in grown)]

        def moved(found: re.Match[bytes]) -> bytes:
            at = int(found[1])
            return b"%010d" % (at + sums[bisect_right(places, at)])

        table = _PLACE.sub(moved, data[start:])
        return body + _START.sub(b"startxref\n%d" % len(body), table)

    def _check(self, placed: set[int]) -> None:
        # Another version of Qt may write what stands in otherwise, and a picture without its map is a lie.
        if len(placed) != len(self._images):
            raise HeadscopeError("picture_failed", reason="Qt did not keep an image's place")

    def _number_in(self, png: QByteArray) -> int | None:
        image = QImage.fromData(png)
        if (image.width(), image.height()) != (1, 1):
            return None
        return self._number_of((image.pixel(0, 0) & 0xFFFFFF).to_bytes(3))

    def _number_of(self, colour: bytes) -> int | None:
        number = int.from_bytes(colour) - _FIRST
        return number if 0 <= number < len(self._images) else None


class SvgPaper(QSvgGenerator):
    """Qt's writer of SVG, which keeps its images."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = KeptImages(png_of)
        self.stand_in = self.kept.stand_in


class PdfPaper(QPdfWriter):
    """Qt's writer of PDF, which keeps its images."""

    def __init__(self, device: QIODevice) -> None:
        super().__init__(device)
        self.kept = KeptImages(_packed)
        self.stand_in = self.kept.stand_in


def _packed(image: QImage) -> bytes:
    """Its pixels row by row, three bytes each, as a PDF has them."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows, columns = image.height(), image.width()
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(rows, image.bytesPerLine() // 4)[:, :columns]
    parts = np.empty((rows, columns, 3), np.uint8)
    for place, moved in enumerate((16, 8, 0)):  # out of the numbers, whatever the processor's order of bytes
        np.right_shift(pixels, moved, out=parts[..., place], casting="unsafe")
    return zlib.compress(parts.data)
