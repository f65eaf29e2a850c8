"""PNG, SVG and PDF bytes: sizes, resolution, text as text, metadata, crisp bitmaps, equal bytes."""

from __future__ import annotations

import dataclasses
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from model.errors import HeadscopeError
from viewer.export.picture import Picture, page_height, page_width, to_image, to_pdf, to_png, to_svg
from viewer.figures.canvas.cells import draw_image
from viewer.figures.canvas.fonts import figure_font

pytestmark = pytest.mark.usefixtures("qapp")
SVG = "{http://www.w3.org/2000/svg}"
BITMAP = np.array([[0xFFFF0000, 0xFF00FF00], [0xFF0000FF, 0xFF123456]], np.uint32)
TITLE, CAPTION = "Layer <2> & head", "“猫” → “cat”."


def paint(painter: QPainter, rect: QRectF, vector: bool) -> None:
    painter.setPen(QColor("#101010"))
    painter.setFont(figure_font(14))
    painter.drawText(QPointF(10, 30), "reads donné")
    painter.drawText(QPointF(10, 60), "猫坐在")
    painter.setFont(
        figure_font(14, bold=True)
    )  # a second font: their order in a PDF must not be left to chance
    painter.drawText(QPointF(100, 60), "bold")
    painter.fillRect(QRectF(10, 80, 20, 20), QColor("#c00000"))
    pixels = BITMAP.repeat(32, 0).repeat(
        32, 1
    )  # as maps are drawn: viewers that smooth blur a 32nd of a cell
    image = QImage(pixels.tobytes(), 64, 64, 256, QImage.Format.Format_RGB32)
    draw_image(painter, QRectF(40, 80, 40, 40), image)


def picture(width_mm: float = 50.0, natural: float = 150.0) -> Picture:
    width, height = page_width(width_mm), page_height(natural)
    return Picture(paint, width, height, QColor("#fafafa"), TITLE, CAPTION)


def chunks(png: bytes) -> dict[str, bytes]:
    """The chunks of a PNG; of those of one name the contents one after the other."""
    found: dict[str, bytes] = {}
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        name = png[at + 4 : at + 8].decode()
        found[name] = found.get(name, b"") + png[at + 8 : at + 8 + length]
        at += 12 + length
    return found


@pytest.mark.parametrize("write", [lambda page: to_png(page, 96), to_svg, to_pdf], ids=["png", "svg", "pdf"])
def test_what_is_raised_while_a_page_is_painted_leaves_no_painter_at_work(
    write: Callable[[Picture], bytes],
) -> None:
    """One that is destroyed after its page, as the frames of an exception may have it, ends the process."""
    painters: list[QPainter] = []

    def fail(painter: QPainter, rect: QRectF, vector: bool) -> None:
        painters.append(painter)
        painter.fillRect(rect, QColor("#c00000"))
        raise ValueError("no such head")

    with pytest.raises(ValueError, match="no such head"):
        write(dataclasses.replace(picture(), paint=fail))
    assert [painter.isActive() for painter in painters] == [False]


@pytest.mark.parametrize(("width_mm", "dpi"), [(50, 300), (160, 150), (84.7, 600)])
def test_png_has_the_pixels_and_the_resolution_asked_for(width_mm: float, dpi: int) -> None:
    parts = chunks(to_png(picture(width_mm), dpi))
    width, height = struct.unpack(">II", parts["IHDR"][:8])
    assert width == round(width_mm / 25.4 * dpi)
    assert height == round(page_height(150.0) * dpi / 96)
    across, down, unit = struct.unpack(">IIB", parts["pHYs"])
    assert unit == 1
    assert across == down == round(dpi / 0.0254)


def test_png_carries_title_and_caption() -> None:
    parts = chunks(to_png(picture(), 96))
    everything = parts.get("tEXt", b"") + b"".join(
        text for text in (parts.get("iTXt", b""), parts.get("zTXt", b""))
    )
    assert TITLE.encode() in everything
    assert CAPTION.encode() in everything or CAPTION.encode() in zlib.decompress(everything)


def test_svg_size_text_and_metadata() -> None:
    root = ET.fromstring(to_svg(picture()))
    assert float(root.get("width", "").removesuffix("mm")) == pytest.approx(50, abs=1e-3)
    box = [float(value) for value in root.get("viewBox", "").split()]
    assert box == pytest.approx([0, 0, 50 / 25.4 * 96, page_height(150.0)], abs=1e-3)
    height = float(root.get("height", "").removesuffix("mm"))
    assert height / 50 == pytest.approx(box[3] / box[2], rel=1e-4)
    assert root.findtext(f"{SVG}title") == TITLE
    assert CAPTION in root.findtext(f"{SVG}desc", "")
    texts = list(root.iter(f"{SVG}text"))
    assert {"reads donné", "猫坐在"} <= {(element.text or "").strip() for element in texts}
    assert {element.get("font-family", "") for element in texts} == {figure_font(14).families()[0]}
    assert ",sans-serif;" in root.findtext(f"{SVG}style", "")
    assert (texts[0].get("x"), texts[0].get("y")) == ("10", "30")


def test_svg_asks_viewers_not_to_smooth_bitmaps() -> None:
    (image,) = ET.fromstring(to_svg(picture())).iter(f"{SVG}image")
    assert "image-rendering:pixelated" in image.get("style", "")


def test_svg_is_lean() -> None:
    def many(painter: QPainter, rect: QRectF, vector: bool) -> None:
        for index in range(1000):
            painter.fillRect(QRectF(index % 40, index // 40, 1, 1), QColor.fromRgb(index))

    page = picture()
    data = to_svg(Picture(many, page.width, page.height, page.background, "", ""))
    rectangles = list(ET.fromstring(data).iter(f"{SVG}rect"))
    assert len(rectangles) == 1001  # and the background
    assert rectangles[900].attrib.keys() == {"x", "y", "width", "height", "fill", "stroke"}
    assert len(data) < 100 * 1001


def test_svg_holds_no_character_that_xml_forbids() -> None:
    def odd(painter: QPainter, rect: QRectF, vector: bool) -> None:
        painter.setFont(figure_font(14))
        painter.drawText(QPointF(10, 30), "a\x01b & <c>")

    page = picture()
    data = to_svg(Picture(odd, page.width, page.height, page.background, "t\x02", "c\x0b<"))
    root = ET.fromstring(data)
    assert "& <c>" in "".join(root.itertext())


def render_svg(data: bytes, width: int) -> QImage:
    renderer = QSvgRenderer(QByteArray(data))
    assert renderer.isValid()
    size = renderer.viewBoxF().size()
    image = QImage(width, round(width * size.height() / size.width()), QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


def ink(image: QImage, box: tuple[int, int, int, int]) -> int:
    """How many dark pixels lie in a box (left, top, right, bottom)."""
    left, top, right, bottom = box
    return sum(
        image.pixelColor(x, y).lightness() < 128 for x in range(left, right) for y in range(top, bottom)
    )


def rasterised(kind: str, folder: Path) -> QImage:
    """The sample picture at 192 dpi, through the format's own renderer."""
    page = picture()
    width = round(page.width * 2)
    if kind == "png":
        return QImage.fromData(to_png(page, 192))
    if kind == "svg":
        return render_svg(to_svg(page), width)
    tool = shutil.which("pdftoppm")
    if tool is None:
        pytest.skip("pdftoppm (poppler) is not installed")
    (folder / "a.pdf").write_bytes(to_pdf(page))
    command = [tool, "-png", "-singlefile", "-r", "192", str(folder / "a.pdf"), str(folder / "a")]
    subprocess.run(command, check=True, capture_output=True)
    return QImage(str(folder / "a.png"))


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_each_format_draws_latin_chinese_and_hard_pixels(kind: str, tmp_path: Path) -> None:
    image = rasterised(kind, tmp_path)
    assert abs(image.width() - round(picture().width * 2)) <= 1
    assert image.pixelColor(300, 200).name() == "#fafafa"
    assert ink(image, (20, 30, 200, 66)) > 200
    assert ink(image, (20, 92, 110, 130)) > 200
    assert image.pixelColor(40, 180).name() == "#c00000"
    corners = {(84, 164): 0, (156, 164): 1, (84, 236): 2, (156, 236): 3}
    inner = {(116, 196): 0, (124, 196): 1, (116, 204): 2, (124, 204): 3}  # four pixels from the middle
    for (x, y), place in {**corners, **inner}.items():
        assert image.pixelColor(x, y).rgb() == BITMAP.ravel()[place], (x, y)


def pdf_box(data: bytes, name: bytes) -> list[float]:
    found = re.search(rb"/" + name + rb" \[([^\]]*)\]", data)
    assert found is not None
    return [float(value) for value in found.group(1).split()]


def test_pdf_page_is_the_figure() -> None:
    data = to_pdf(picture(50.0))
    for name in (b"MediaBox", b"TrimBox"):
        assert pdf_box(data, name) == pytest.approx(
            [0, 0, 50 / 25.4 * 72, page_height(150.0) * 0.75], abs=2e-3
        )
    assert data.count(b"/Type /Page\n") == 1


def test_pdf_embeds_its_fonts_and_keeps_bitmaps_exact() -> None:
    data = to_pdf(picture())
    descriptors = data.count(b"/Type /FontDescriptor")
    assert descriptors >= 1
    assert len(re.findall(rb"/FontFile[23]?\b", data)) == descriptors
    assert b"DCTDecode" not in data  # JPEG would change the colours


def test_pdf_has_no_date_and_says_what_it_is() -> None:
    data = to_pdf(picture())
    assert b"CreationDate" not in data
    assert b"ModDate" not in data
    assert b"Layer &lt;2&gt; &amp; head" in data
    assert CAPTION.encode() in data
    at = int(data.rsplit(b"startxref", 1)[1].split()[0])
    assert data[at : at + 4] == b"xref"


def test_a_pdf_without_its_end_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.export.pdf._END", b"%%the end of another format")
    with pytest.raises(HeadscopeError, match="finish"):
        to_pdf(picture())


def test_pdf_text_can_be_searched(tmp_path: Path) -> None:
    tool = shutil.which("pdftotext")
    if tool is None:
        pytest.skip("pdftotext (poppler) is not installed")
    (tmp_path / "a.pdf").write_bytes(to_pdf(picture()))
    text = subprocess.run(
        [tool, str(tmp_path / "a.pdf"), "-"], check=True, capture_output=True
    ).stdout.decode()
    assert "reads donné" in text
    assert "猫坐在" in text


def test_pdf_text_is_what_was_written(tmp_path: Path) -> None:
    lines = ["Layer 2 of 14, “fille” l’eau", "小女孩，人。", "sha256 d4f237ab"]

    def draw(painter: QPainter, rect: QRectF, vector: bool) -> None:
        for bold in (False, True):
            painter.setFont(figure_font(14, bold=bold))
            for index, line in enumerate(lines):
                painter.drawText(QPointF(10, 20 + 20 * (2 * index + bold)), line)

    page = Picture(draw, page_width(120), page_height(150), QColor("#ffffff"), TITLE, CAPTION)
    tool = shutil.which("pdftotext")
    if tool is None:
        pytest.skip("pdftotext (poppler) is not installed")
    (tmp_path / "a.pdf").write_bytes(to_pdf(page))
    command = [tool, "-raw", str(tmp_path / "a.pdf"), "-"]
    text = "".join(subprocess.run(command, check=True, capture_output=True).stdout.decode().split())
    for line in lines:
        assert text.count("".join(line.split())) == 2


@pytest.mark.parametrize("write", [lambda p: to_png(p, 96), to_svg, to_pdf], ids=["png", "svg", "pdf"])
def test_equal_pictures_make_equal_bytes(write: object) -> None:
    assert callable(write)
    assert write(picture()) == write(picture())


def test_bytes_are_equal_in_another_process(tmp_path: Path) -> None:
    program = (
        "import sys, zlib; from PySide6.QtGui import QGuiApplication; app = QGuiApplication([]);"
        "from tests.viewer.export.test_export_picture import *;"
        "print([zlib.crc32(data) for data in (to_png(picture(), 96), to_svg(picture()), to_pdf(picture()))])"
    )
    result = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    mine = [zlib.crc32(data) for data in (to_png(picture(), 96), to_svg(picture()), to_pdf(picture()))]
    assert result.stdout.strip() == str(mine)


@pytest.mark.parametrize("width", [0, -5, 19.9, 2001, float("nan"), float("inf")])
def test_impossible_widths_are_refused(width: float) -> None:
    with pytest.raises(HeadscopeError) as caught:
        page_width(width)
    assert caught.value.code == "picture_width"


@pytest.mark.parametrize("dpi", [0, -1, 35, 2401])
def test_impossible_resolutions_are_refused(dpi: int) -> None:
    with pytest.raises(HeadscopeError) as caught:
        to_image(picture(), dpi)
    assert caught.value.code == "picture_dpi"


def test_a_picture_too_large_to_hold_is_refused() -> None:
    with pytest.raises(HeadscopeError) as caught:
        to_image(picture(2000, 5000), 2400)
    assert caught.value.code == "picture_large"
