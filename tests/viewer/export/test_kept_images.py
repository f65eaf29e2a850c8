"""Images in SVG and PDF: every pixel, every place in the file, and what was drawn past them."""

from __future__ import annotations

import base64
import re
import weakref
import xml.etree.ElementTree as ET
import zlib

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from tests.viewer.export_samples import sample_trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.export import kept_images
from viewer.export.handout import Handout
from viewer.export.picture import Picture, to_pdf, to_svg
from viewer.figures.canvas.cell_colours import palette
from viewer.figures.canvas.cells import draw_image, image_of
from viewer.figures.canvas.fonts import figure_font
from viewer.figures.canvas.theme import LIGHT
from viewer.figures.map.build import map_figure

pytestmark = pytest.mark.usefixtures("qapp")

SIZES = [(3, 5), (40, 1), (1, 1), (300, 200)]
_OBJECT = re.compile(rb"(\d+) 0 obj\n")


def pixels(place: int) -> np.ndarray:
    """[row, column] colours of the image in a place."""
    colours = np.random.default_rng(place).integers(0, 1 << 24, SIZES[place], dtype=np.uint32)
    return colours | np.uint32(0xFF000000)


def bytes_of(colours: np.ndarray) -> bytes:
    """Red, green and blue, row by row, worked out without bits being moved."""
    return bytes(part for value in colours.ravel().tolist() for part in bytes.fromhex(f"{value:08x}")[1:])


def paint(painter: QPainter, rect: QRectF, vector: bool) -> None:
    painter.setFont(figure_font(12))
    for place in range(len(SIZES)):
        draw_image(painter, QRectF(10, 10 + 30 * place, 20, 20), image_of(pixels(place)))
        painter.drawText(QPointF(50, 20 + 30 * place), f"image {place}")
    plain = QImage(2, 1, QImage.Format.Format_RGB32)
    plain.fill(QColor("#123456"))
    painter.drawImage(QRectF(100, 10, 20, 20), plain)  # not kept, as another package's figure may draw
    painter.drawImage(QRectF(130, 10, 20, 20), plain.copy(0, 0, 1, 1))  # as small as a stand-in
    black = plain.copy(0, 0, 1, 1)
    black.fill(0)
    painter.drawImage(QRectF(160, 10, 20, 20), black)


def page() -> Picture:
    return Picture(paint, 200.0, 150.0, QColor("#ffffff"), "t", "c")


def objects(data: bytes) -> dict[int, bytes]:
    """A PDF's objects by number, each read where the table at its end says that it is."""
    start = int(data.rsplit(b"startxref", 1)[1].split()[0])
    head, *lines = data[start:].split(b"trailer")[0].splitlines()
    assert head == b"xref"
    first, count = map(int, lines[0].split())
    assert (first, len(lines)) == (0, count + 1)
    found = {}
    for number, line in enumerate(lines[2:], 1):
        assert len(line) == 19  # and its end
        at = int(line[:10])
        head_of = _OBJECT.match(data, at)
        assert head_of is not None
        assert int(head_of[1]) == number
        found[number] = data[head_of.end() : data.index(b"\nendobj", at)]
    return found


def images_of_pdf(data: bytes) -> list[tuple[tuple[int, int], bytes]]:
    """(rows, columns) and bytes of its images in the order of their numbers."""
    found, images = objects(data), []
    for _, thing in sorted(found.items()):
        if b"/Subtype /Image" in thing:
            head, stream = thing.split(b"stream\n", 1)
            packed = stream[: -len(b"\nendstream")]
            length = re.search(rb"/Length (\d+) 0 R", head)
            assert length is not None
            assert int(found[int(length[1])]) == len(packed)
            wide, high = (int(value) for value in re.findall(rb"/(?:Width|Height) (\d+)", head))
            images.append(((high, wide), zlib.decompress(packed)))
    return images


def test_an_image_that_is_drawn_twice_is_in_a_pdf_once() -> None:
    def twice(painter: QPainter, rect: QRectF, vector: bool) -> None:
        image = image_of(pixels(3))
        for left in (10, 110):
            draw_image(painter, QRectF(left, 10, 50, 50), image)

    drawn = Picture(twice, 200.0, 150.0, QColor("#ffffff"), "t", "c")
    assert images_of_pdf(to_pdf(drawn)) == [(SIZES[3], bytes_of(pixels(3)))]
    assert to_svg(drawn).count(b"base64,") == 2


def test_a_file_that_would_lack_an_image_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if Qt wrote what stands in for an image in a way that is not known here."""
    monkeypatch.setattr(kept_images, "_STAND_IN", re.compile(rb"(?!)"))
    with pytest.raises(HeadscopeError, match="place"):
        to_pdf(page())
    monkeypatch.setattr(kept_images, "_IMAGE", "picture")
    with pytest.raises(HeadscopeError, match="place"):
        to_svg(page())


def test_an_image_without_any_room_needs_none() -> None:
    def nowhere(painter: QPainter, rect: QRectF, vector: bool) -> None:
        draw_image(painter, QRectF(10, 10, 0, 20), image_of(pixels(0)))
        draw_image(painter, QRectF(10, 10, 20, 20), image_of(pixels(0)), 0)
        draw_image(painter, QRectF(10, 10, 20, 20), QImage())

    empty = Picture(nowhere, 200.0, 150.0, QColor("#ffffff"), "t", "c")
    assert images_of_pdf(to_pdf(empty)) == []
    assert b"<image" not in to_svg(empty)


PLAIN = [((1, 2), bytes.fromhex("123456") * 2), ((1, 1), bytes.fromhex("123456")), ((1, 1), bytes(3))]


def test_a_pdf_has_every_pixel_and_every_object_where_it_says() -> None:
    expected = [(SIZES[place], bytes_of(pixels(place))) for place in range(len(SIZES))]
    assert images_of_pdf(to_pdf(page())) == expected + PLAIN


def test_an_svg_has_every_pixel() -> None:
    root = ET.fromstring(to_svg(page()))
    found = []
    for element in root.iter("{http://www.w3.org/2000/svg}image"):
        link = element.get("{http://www.w3.org/1999/xlink}href", "")
        image = QImage.fromData(QByteArray(base64.b64decode(link.removeprefix("data:image/png;base64,"))))
        rows, columns = image.height(), image.width()
        colours = np.array([[image.pixel(x, y) for x in range(columns)] for y in range(rows)], np.uint32)
        found.append(((rows, columns), bytes_of(colours)))
    assert found == [(SIZES[place], bytes_of(pixels(place))) for place in range(len(SIZES))] + PLAIN


@pytest.mark.parametrize("write", [to_svg, to_pdf])
def test_only_the_rows_asked_for_are_in_the_file(write: object) -> None:
    def some(painter: QPainter, rect: QRectF, vector: bool) -> None:
        draw_image(painter, QRectF(0, 0, 100, 100), image_of(pixels(3)), 120)

    assert callable(write)
    data = write(Picture(some, 200.0, 150.0, QColor("#ffffff"), "t", "c"))
    if write is to_pdf:
        assert images_of_pdf(data) == [((120, 200), bytes_of(pixels(3)[:120]))]
    else:
        link = data.split(b"base64,")[1].split(b'"')[0]
        assert QImage.fromData(QByteArray(base64.b64decode(link))).size().toTuple() == (200, 120)


def test_a_handout_of_several_pages_is_whole() -> None:
    """Its maps keep their colours, as those of other PDFs do, and the table of objects holds."""
    source = tuple(f"▁w{n}" for n in range(140))
    figure = map_figure(sample_trace(source=source), Selection(AttentionKind.ENCODER_SELF), ViewOptions())
    handout = Handout("t")
    for number in range(2):
        handout.add(f"stop {number}", "note", figure, "")
    images = images_of_pdf(handout.data())
    assert len(images) == 2
    known = {bytes_of(np.array([colour])) for colour in palette(LIGHT, (0.0, 1.0)).tolist()}
    for _, data in images:
        assert {data[at : at + 3] for at in range(0, len(data), 3)} <= known


def test_a_handout_that_is_let_go_half_way_takes_its_painter_along_first() -> None:
    """A painter that outlives its paper ends the process, or Qt warns, which fails a test."""
    handout = Handout("t")
    handout.add("a stop", "note", None, "")
    there = weakref.ref(handout)
    del handout
    assert there() is None
