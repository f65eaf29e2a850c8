"""`Picture`: a figure laid out for paper, and its PNG, SVG and PDF bytes.

Lengths are logical pixels of 1/96 inch; a picture of W mm is laid out W / 25.4 * 96 wide and as high as the
figure needs, so that the page is cropped to it. Equal figures give equal bytes: no dates, no random ids.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPaintDevice, QPainter
from shiboken6 import delete, isValid

from model.errors import HeadscopeError
from model.version import VERSION
from viewer.export.kept_images import SvgPaper
from viewer.export.pdf import pdf_bytes
from viewer.export.png import png_of
from viewer.export.svg import tidy_svg
from viewer.figures.paper import DPI, WIDTH_MM
from viewer.painting import painting

MM_PER_INCH = 25.4
PX_PER_INCH = 96
PX_PER_POINT = PX_PER_INCH / 72
CREATOR = f"Headscope {VERSION}"

# A side of 32,767 pixels is the most that Qt's rasteriser draws.
LONGEST_SIDE = 32_767
MOST_PIXELS = 400_000_000

FORMATS = ("png", "svg", "pdf")


@dataclass(frozen=True)
class Picture:
    """Something to draw on a page.

    Attributes:
        paint: draws into the rectangle it is given; the second argument says whether the device is vector.
        width, height: logical pixels; the height a whole number of points (the unit of PDF pages).
        background: filled before painting.
        title, caption: for the file's metadata.
    """

    paint: Callable[[QPainter, QRectF, bool], None]
    width: float
    height: float
    background: QColor
    title: str
    caption: str

    @property
    def rect(self) -> QRectF:
        """The whole page."""
        return QRectF(0.0, 0.0, self.width, self.height)


def page_width(width_mm: float) -> float:
    """Logical pixels of a width in mm; `HeadscopeError` outside `WIDTH_MM`."""
    low, high = WIDTH_MM
    if not low <= width_mm <= high:
        raise HeadscopeError("picture_width", width=f"{width_mm:g}", low=f"{low:g}", high=f"{high:g}")
    return width_mm / MM_PER_INCH * PX_PER_INCH


def page_height(natural: float) -> float:
    """The height of a page that holds a figure of height `natural`: the next whole point."""
    return max(1, math.ceil(natural / PX_PER_POINT - 1e-6)) * PX_PER_POINT


def to_bytes(picture: Picture, file_format: str, dpi: int) -> bytes:
    """The bytes of a picture in one of `FORMATS`; raises as the functions below."""
    if file_format == "png":
        return to_png(picture, dpi)
    return to_svg(picture) if file_format == "svg" else to_pdf(picture)


def pixels_of(picture: Picture, dpi: int) -> QSize:
    """How many pixels the picture has; `HeadscopeError` (`picture_dpi`) for an impossible resolution."""
    low, high = DPI
    if not low <= dpi <= high:
        raise HeadscopeError("picture_dpi", dpi=dpi, low=low, high=high)
    scale = dpi / PX_PER_INCH
    return QSize(round(picture.width * scale), max(1, round(picture.height * scale)))


def to_image(picture: Picture, dpi: int) -> QImage:
    """The picture in pixels: width in mm x dpi / 25.4 of them, rounded.

    Raises:
        HeadscopeError: `picture_dpi`, `picture_large`.
    """
    scale, size = dpi / PX_PER_INCH, pixels_of(picture, dpi)
    if max(size.width(), size.height()) > LONGEST_SIDE or size.width() * size.height() > MOST_PIXELS:
        raise HeadscopeError("picture_large", width=size.width(), height=size.height())
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        raise HeadscopeError("picture_large", width=size.width(), height=size.height())
    image.fill(picture.background)
    with _painting(image) as painter:
        painter.scale(scale, scale)
        picture.paint(painter, picture.rect, False)
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(dpi / MM_PER_INCH * 1000))
    image.setDotsPerMeterY(round(dpi / MM_PER_INCH * 1000))
    for key, text in (("Title", picture.title), ("Description", picture.caption), ("Software", CREATOR)):
        image.setText(key, text)
    return image


def to_png(picture: Picture, dpi: int) -> bytes:
    """PNG with its resolution (pHYs), and title, caption and creator as text; raises as `to_image`."""
    return png_of(to_image(picture, dpi))


def to_svg(picture: Picture) -> bytes:
    """SVG with its size in mm, text as text; `HeadscopeError` if Qt cannot draw it."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = SvgPaper()
    generator.setOutputDevice(buffer)
    generator.setResolution(PX_PER_INCH)
    generator.setSize(QSize(math.ceil(picture.width), math.ceil(picture.height)))
    generator.setViewBox(picture.rect)
    with _painting(generator) as painter:
        painter.fillRect(picture.rect, picture.background)
        picture.paint(painter, picture.rect, True)
    mm = MM_PER_INCH / PX_PER_INCH
    return tidy_svg(
        bytes(buffer.data().data()),
        generator.kept,
        size_mm=(picture.width * mm, picture.height * mm),
        view_box=(picture.width, picture.height),
        title=picture.title,
        description=f"{picture.caption} {CREATOR}".strip(),
    )


def to_pdf(picture: Picture) -> bytes:
    """A PDF of one page, fonts embedded; `HeadscopeError` if Qt cannot draw it."""

    def draw(device: QPaintDevice, scale: float) -> None:
        with _painting(device) as painter:
            # Without it Qt stores stand-ins as JPEG, which changes their colours.
            painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
            painter.scale(scale, scale)
            painter.fillRect(picture.rect, picture.background)
            picture.paint(painter, picture.rect, True)
            # Which ends it: `end` would keep the interpreter from the window while Qt writes page and fonts.
            delete(painter)

    return pdf_bytes(
        draw,
        width_points=picture.width / PX_PER_POINT,
        height_points=round(picture.height / PX_PER_POINT),
        title=picture.title,
        caption=picture.caption,
        creator=CREATOR,
    )


@contextmanager
def _painting(device: QPaintDevice) -> Iterator[QPainter]:
    """A painter on a page; `HeadscopeError` (`picture_failed`) if Qt cannot draw there."""
    with painting(device) as painter:
        if not painter.isActive():
            raise HeadscopeError("picture_failed", reason="Qt could not start drawing")
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        yield painter
        if isValid(painter) and not painter.end():
            raise HeadscopeError("picture_failed", reason="Qt could not finish drawing")
