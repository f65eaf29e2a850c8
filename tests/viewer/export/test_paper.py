"""A paper's column: size, type, words, marks, colours and scale of the files that are written."""

from __future__ import annotations

import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QFontDatabase, QFontMetricsF, QTextLayout

from model.errors import HeadscopeError
from model.trace.trace import ArrayPatterns, AttentionKind
from model.trace.trace_file import save_trace
from tests.viewer.export_samples import sample_trace, words
from viewer.commands import render
from viewer.commands.render_arguments import build_parser
from viewer.document.selection import Selection
from viewer.export.animation import frame_count
from viewer.export.page import build_picture
from viewer.export.picture import to_image, to_pdf, to_png, to_svg
from viewer.figures.canvas.fonts import families, figure_font
from viewer.figures.canvas.theme import COLOURS, theme
from viewer.figures.paper import PAPER
from viewer.figures.request import ExportRequest, Source

pytestmark = pytest.mark.usefixtures("qapp")
SVG = "{http://www.w3.org/2000/svg}"
CROSS = Selection(kind=AttentionKind.CROSS, layer=0, head=1)
LONG = {"source": words(24), "target": ("<s>", *words(24, start="▁mot"))}


def request(**changes: Any) -> ExportRequest:
    return ExportRequest(selection=CROSS, width_mm=84.0).but(**changes)


def svg_of(wanted: ExportRequest, **trace: Any) -> ET.Element:
    return ET.fromstring(to_svg(build_picture(Source(sample_trace(**trace)), wanted)))


def texts(root: ET.Element) -> dict[str, float]:
    """Every text of an SVG with its type on the page in points: its size times all scalings."""
    found: dict[str, float] = {}

    def walk(element: ET.Element, scale: float) -> None:
        matrix = re.match(r"matrix\(([^,]+),([^,]+)", element.get("transform", ""))
        if matrix:
            scale *= float(np.hypot(float(matrix[1]), float(matrix[2])))
        if element.tag == f"{SVG}text":
            found[(element.text or "").strip()] = float(element.get("font-size", "0")) * scale * 0.75
        for child in element:
            walk(child, scale)

    walk(root, 1.0)
    return found


def lightness(colour: int) -> float:
    """CIE 1976 L* of 0xffRRGGBB (IEC 61966-2-1, D65)."""
    share = np.array([colour >> 16 & 255, colour >> 8 & 255, colour & 255]) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    y = float(linear @ [0.2126, 0.7152, 0.0722])
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


@pytest.mark.parametrize("size", [6.0, 7.0, 9.5])
def test_labels_are_of_the_size_asked_for(size: float) -> None:
    found = texts(svg_of(request(font_size=size, width_mm=120.0)))
    assert found["girl"] == pytest.approx(size, abs=0.01)
    assert found["donné"] == pytest.approx(size, abs=0.01)


def test_labels_that_do_not_fit_are_smaller_but_all_there_and_the_command_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "long.trace"
    save_trace(sample_trace(**LONG), path)
    out = tmp_path / "long.svg"
    asked = ["--trace", str(path), "--kind", "cross", "--width", "84", "--font-size", "10", "--out", str(out)]
    assert render.run(asked) == 0
    found = texts(ET.parse(out).getroot())
    sizes = [found[f"w{i}"] for i in range(23)] + [found[f"mot{i}"] for i in range(23)]
    assert min(sizes) >= 5 - 0.4  # 5 pt in whole pixels
    said = re.search(r"labels of 10 pt do not fit; they are ([\d.]+) pt", capsys.readouterr().err)
    assert said is not None
    assert float(said[1]) == pytest.approx(min(sizes), abs=0.4)


@pytest.mark.parametrize(("width", "height"), [(84.0, 70.0), (160.0, 100.0)])
def test_files_are_no_higher_than_asked_and_keep_every_label(width: float, height: float) -> None:
    wanted = request(width_mm=width, height_mm=height, bare=True)
    picture = build_picture(Source(sample_trace(**LONG)), wanted)
    across, down = struct.unpack(">II", to_png(picture, 254)[16:24])
    assert (across, down) == (round(width * 10), pytest.approx(height * 10, abs=4))
    assert down <= height * 10
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)", to_pdf(picture))
    assert box is not None
    assert [float(side) * 25.4 / 72 for side in box.groups()] == pytest.approx([width, height], abs=0.36)
    root = ET.fromstring(to_svg(picture))
    assert float(root.get("height", "").removesuffix("mm")) <= height
    assert {f"w{i}" for i in range(23)} | {f"mot{i}" for i in range(23)} <= texts(root).keys()


@pytest.mark.parametrize("view", ["heatmap", "flow", "heads", "all_heads", "words"])
def test_too_little_height_names_the_least_that_works(view: str) -> None:
    wanted = request(view=view, height_mm=20.0)
    with pytest.raises(HeadscopeError) as caught:
        build_picture(Source(sample_trace(**LONG)), wanted)
    assert caught.value.code == "picture_low"
    least = float(caught.value.values["least"])
    picture = build_picture(Source(sample_trace(**LONG)), wanted.but(height_mm=least))
    assert picture.height * 25.4 / 96 <= least


def test_a_bare_picture_has_badges_but_no_words_and_the_command_prints_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "a.trace", tmp_path / "a.svg"
    save_trace(sample_trace(), path)
    words = ["--trace", str(path), "--kind", "cross", "--head", "mean", "--out", str(out)]
    assert render.run(words) == 0
    usual = texts(ET.parse(out).getroot()).keys()
    assert capsys.readouterr().err == ""
    assert render.run([*words, "--bare"]) == 0
    bare = ET.parse(out).getroot()
    gone = " ".join(sorted(usual - texts(bare).keys()))
    assert "Decoder layer 1 of 2" in gone
    assert "sha256" in gone
    assert "mean over 3 heads" in texts(bare)
    caption = capsys.readouterr().err.removeprefix("headscope: caption: ").strip()
    assert caption.startswith("Decoder layer 1 of 2, mean over 3 heads")
    assert caption in bare.findtext(f"{SVG}desc", "")


def test_the_step_is_marked_only_if_wanted() -> None:
    accent = theme("light").accent
    plain, marked = (
        to_svg(build_picture(Source(sample_trace()), request(step=3, highlight=highlight))).decode()
        for highlight in (False, True)
    )
    assert accent not in plain
    assert accent in marked
    assert "later steps" in plain  # still of that step


@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_colour_maps_begin_at_the_page_and_grow_evenly(name: str, colours: str) -> None:
    chosen = theme(name, colours)
    levels = [lightness(int(colour)) for colour in chosen.table]
    assert int(chosen.table[0]) == 0xFF000000 | int(chosen.panel[1:], 16)
    steps = np.diff(levels) * (1 if name == "dark" else -1)
    assert steps.min() > -0.2  # a channel's rounding is up to half of 0.36
    wide = np.convolve(steps, np.ones(8), "valid")
    assert wide.min() > 0.7 * 8 * steps.mean()
    assert wide.max() < 1.3 * 8 * steps.mean()
    assert abs(levels[-1] - levels[0]) > 70


def test_viridis_goes_through_its_published_colours() -> None:
    """The nearest entry is within rounding of six of the ten anchors of van der Walt and Smith (2015)."""
    for name in ("light", "dark"):
        table = theme(name, "viridis").table
        rgb = np.stack([table >> np.uint32(shift) & np.uint32(255) for shift in (16, 8, 0)], 1).astype(int)
        for anchor in ((72, 40, 120), (49, 104, 142), (31, 158, 137), (53, 183, 121), (253, 231, 37)):
            assert np.abs(rgb - anchor).sum(1).min() <= 6


def hand_trace() -> Any:
    """Cross-attention whose largest weight is 0.4, in the last row."""
    source, target = ("▁a", "▁b", "▁c", "▁d"), ("<s>", "▁x", "▁y", "</s>")
    weights = np.array([[0.25, 0.25, 0.25, 0.25], [0.3, 0.3, 0.2, 0.2], [0.1, 0.2, 0.3, 0.4]], np.float32)
    arrays = {AttentionKind.CROSS: weights[None, None]}
    return sample_trace(source=source, target=target, patterns=ArrayPatterns(arrays))


def test_the_scale_to_the_maximum_says_so_and_gives_it_the_last_colour() -> None:
    wanted = ExportRequest(selection=Selection(kind=AttentionKind.CROSS)).but(scale="max", colours="grey")
    picture = build_picture(Source(hand_trace()), wanted)
    svg = ET.fromstring(to_svg(picture))
    badge = "own scale: 0 to 0.4, the largest weight shown"
    assert {badge, "0.4", "0.3", "0.2", "0.1"} <= texts(svg).keys()
    assert badge in picture.caption.lower()
    fills = [element.get("fill") for element in svg.iter(f"{SVG}rect")]
    assert "#000000" in fills  # 0.4 is black; on 0 to 1 it is grey
    shorter = build_picture(Source(hand_trace()), wanted.but(step=1))
    assert "0 to 0.3" in shorter.caption  # 0.4 is of a later step
    linear = build_picture(Source(hand_trace()), wanted.but(scale="linear"))
    assert "own scale" not in linear.caption
    with pytest.raises(HeadscopeError, match="share one scale"):
        frame_count(Source(hand_trace()), wanted.but(motion=ExportRequest().motion))


@pytest.mark.parametrize("view", ["heads", "all_heads", "words"])
def test_other_pictures_have_that_scale_too(view: str) -> None:
    wanted = ExportRequest(view=view, selection=CROSS).but(scale="max")
    trace = sample_trace()
    if view == "words":
        step = trace.steps // 2
        most = float(trace.pattern(AttentionKind.CROSS, 0, 1)[step].max())
    else:
        kinds = trace.kinds if view == "all_heads" else (AttentionKind.CROSS,)
        most = max(float(trace.pattern(k, i, j).max()) for k in kinds for i in range(2) for j in range(3))
    assert f"own scale: 0 to {most:.3g}" in build_picture(Source(trace), wanted).caption.lower()


def test_a_scale_that_makes_no_difference_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.trace"
    save_trace(sample_trace(), path)
    words = ["--trace", str(path), "--scale", "max", "--out", str(tmp_path / "a.svg"), "--view"]
    notes = []
    for view in ("flow", "heatmap"):
        assert render.run([*words, view]) == 0
        notes.append(capsys.readouterr().err)
    assert notes == ["headscope: note: no difference to this file: --scale max\n", ""]


def test_dark_grey_is_read_from_the_pixels() -> None:
    wanted = ExportRequest(selection=Selection(kind=AttentionKind.CROSS), theme="dark")
    image = to_image(build_picture(Source(hand_trace()), wanted.but(scale="max", colours="grey")), 96)
    across, down = range(0, image.width(), 3), range(0, image.height(), 3)
    pixels = {image.pixelColor(x, y).name() for x in across for y in down}
    assert "#ffffff" in pixels


def test_the_command_knows_each_option_once() -> None:
    actions = [action for action in build_parser()._actions if action.option_strings]
    for option in PAPER:
        (action,) = [one for one in actions if option.flag in one.option_strings]
        assert (action.dest, action.default) == (option.dest, None)
    assert build_parser().parse_args(["a", "--out", "b.png", "--sqrt"]).scale == "sqrt"


def test_quotes_are_drawn_by_the_font_of_the_letters() -> None:
    """A Chinese font has quotation marks as wide as a character."""
    if QFontDatabase.WritingSystem.SimplifiedChinese in QFontDatabase.writingSystems(families()[0]):
        pytest.skip("no Latin font is installed")
    layout = QTextLayout("a“b” ‘c’", figure_font(100))
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    assert len({run.rawFont().familyName() for run in layout.glyphRuns()}) == 1
    assert QFontMetricsF(figure_font(100)).horizontalAdvance("“") < 60


def test_a_pdf_of_a_column_carries_its_fonts_and_an_svg_its_text() -> None:
    picture = build_picture(Source(sample_trace()), request(bare=True, font_size=6.0))
    data = to_pdf(picture)
    assert len(re.findall(rb"/FontFile[23]?\b", data)) == len(re.findall(rb"/Type /FontDescriptor", data)) > 0
    assert {"little", "girl", "petite", "fille", "0.25"} <= texts(ET.fromstring(to_svg(picture))).keys()
