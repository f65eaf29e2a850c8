"""Exported figures: equal to the view, tokens as text, vector cells, badges; data equal to the figure."""

from __future__ import annotations

import base64
import csv
import io
import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace
from tests.viewer.export_samples import CHINESE, ENGLISH, FRENCH, sample_trace, words
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.export.clipboard import Drawn, picture_mime
from viewer.export.page import MARGIN, build_picture, page_options, type_scale
from viewer.export.picture import page_width, to_image
from viewer.export.writers import write_export
from viewer.figures.building import build_figure
from viewer.figures.canvas.theme import theme
from viewer.figures.drawing import figure_geometry, paint_figure
from viewer.figures.map.layout import MapGeometry
from viewer.figures.request import ExportRequest, Source

pytestmark = pytest.mark.usefixtures("qapp")
SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}"


def request(kind: str = "cross", layer: int = 1, head: int | None = 2, **changes: Any) -> ExportRequest:
    return ExportRequest(selection=Selection(kind=AttentionKind(kind), layer=layer, head=head), **changes)


def export(trace: Trace, wanted: ExportRequest, path: Path) -> Path:
    write_export(Source(trace), wanted, path)
    return path


def cell_centres(trace: Trace, wanted: ExportRequest) -> dict[tuple[int, int], QPointF]:
    """Where the cells' centres are, in logical pixels of the page."""
    figure = build_figure(Source(trace), wanted)
    picture = build_picture(Source(trace), wanted)
    inner = picture.rect.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    place = figure_geometry(figure, inner, page_options(wanted))
    body = figure.body
    return {(r, c): place.rect_of(r, c).center() for r in range(body.rows) for c in range(body.columns)}


def lightness(image: QImage, at: QPointF, scale: float) -> float:
    colour = image.pixelColor(int(at.x() * scale), int(at.y() * scale))
    return 0.2126 * colour.redF() + 0.7152 * colour.greenF() + 0.0722 * colour.blueF()


@pytest.mark.parametrize("theme_name", ["light", "dark"])
@pytest.mark.parametrize("root", [False, True])
def test_grey_levels_rank_as_the_weights(tmp_path: Path, theme_name: str, root: bool) -> None:
    trace = sample_trace()
    wanted = request(theme=theme_name, dpi=192, options=ViewOptions(sqrt_scale=root))
    image = QImage(str(export(trace, wanted, tmp_path / "a.png")))
    weights = trace.pattern(AttentionKind.CROSS, 1, 2)
    pairs = sorted(
        (float(weights[cell]), lightness(image, at, 2)) for cell, at in cell_centres(trace, wanted).items()
    )
    assert len(pairs) == weights.size
    grey = np.array([level for _, level in pairs])
    steps = np.diff(grey if theme_name == "dark" else -grey)
    assert steps.min() > -0.012  # one of 256 colours
    assert abs(grey[-1] - grey[0]) > 0.5
    background = QColor(theme(theme_name).panel)
    assert abs(grey[0] - background.lightnessF()) < 0.05  # zero is the panel's colour


def test_the_exported_map_is_the_view(tmp_path: Path) -> None:
    trace, wanted = sample_trace(), request(dpi=96, step=4, highlight=True)
    image = QImage(str(export(trace, wanted, tmp_path / "a.png")))
    picture = build_picture(Source(trace), wanted)
    view = QImage(image.size(), QImage.Format.Format_RGB32)
    view.fill(theme("light").color("panel"))
    painter = QPainter(view)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inner = picture.rect.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    figure = build_figure(Source(trace), wanted)
    place = paint_figure(painter, figure, inner, theme("light"), page_options(wanted))
    painter.end()
    area = place.map_rect.toAlignedRect()
    assert area.width() > 200
    assert image.copy(area).convertToFormat(QImage.Format.Format_RGB32) == view.copy(area)


def svg_cells(root: ET.Element, centres: dict[tuple[int, int], QPointF]) -> dict[tuple[int, int], str]:
    """The colour that each cell's centre gets when the rectangles are painted one over the other."""
    colours: dict[tuple[int, int], str] = {}
    parents = {child: parent for parent in root.iter() for child in parent}
    for element in root.iter(f"{SVG}rect"):
        chain = {**parents[element].attrib, **element.attrib}
        if chain.get("stroke") != "none" or "transform" in chain:
            continue
        x, y, width, height = (float(element.get(name, "0")) for name in ("x", "y", "width", "height"))
        rect = QRectF(x, y, width, height)
        for cell, at in centres.items():
            if rect.contains(at):
                colours[cell] = chain.get("fill", "")
    return colours


@pytest.mark.parametrize("tokens", [8, 30])
def test_svg_cells_are_the_colours_of_the_png(tmp_path: Path, tokens: int) -> None:
    trace = sample_trace(source=words(tokens), target=("<s>", *words(tokens)))
    wanted = request(dpi=192)
    image = QImage(str(export(trace, wanted, tmp_path / "a.png")))
    root = ET.parse(export(trace, wanted, tmp_path / "a.svg")).getroot()
    assert not list(root.iter(f"{SVG}image"))
    centres = cell_centres(trace, wanted)
    colours = svg_cells(root, centres)
    assert len(colours) == tokens * tokens
    for cell, at in centres.items():
        assert colours[cell] == image.pixelColor(int(at.x() * 2), int(at.y() * 2)).name(), cell


def test_beyond_128_tokens_the_cells_are_one_exact_bitmap(tmp_path: Path) -> None:
    trace = sample_trace(source=words(140), target=("<s>", *words(130)), layers=2)
    wanted = request(width_mm=400)
    root = ET.parse(export(trace, wanted, tmp_path / "a.svg")).getroot()
    (element,) = root.iter(f"{SVG}image")
    data = base64.b64decode(element.get(f"{XLINK}href", "").split(",", 1)[1])
    bitmap = QImage.fromData(data)
    assert bitmap.width() % 140 == 0
    assert bitmap.height() % 130 == 0
    side = bitmap.width() // 140, bitmap.height() // 130
    assert min(side) >= 4  # viewers that smooth blur less than a cell
    table = theme("light").table
    weights = trace.pattern(AttentionKind.CROSS, 1, 2)
    for row, column in [(0, 0), (5, 77), (129, 139), (64, 3)]:
        colour = bitmap.pixelColor(column * side[0] + side[0] // 2, row * side[1] + side[1] // 2)
        near = range(int(weights[row, column] * 255) - 1, int(weights[row, column] * 255) + 3)
        assert colour.rgb() in [int(table[min(255, max(0, index))]) for index in near]
    assert len(list(root.iter(f"{SVG}rect"))) < 400
    assert b"DCTDecode" not in export(trace, wanted, tmp_path / "a.pdf").read_bytes()


def svg_texts(path: Path) -> list[str]:
    return [element.text or "" for element in ET.parse(path).getroot().iter(f"{SVG}text")]


def test_tokens_titles_and_badges_are_text_in_svg(tmp_path: Path) -> None:
    trace = sample_trace(alterations=("head 1 silenced",))
    wanted = request(head=None, options=ViewOptions(sqrt_scale=True))
    texts = svg_texts(export(trace, wanted, tmp_path / "a.svg"))
    joined = " ".join(texts)
    for token in ("The", "little", "girl", "gave", "La", "petite", "fille", "donné"):
        assert token in texts, token
    assert any("Decoder layer 2 of 2, mean over 3 heads" in text for text in texts)
    for fact in ("made-up", "0123456789ab", "square-root", "head 1 silenced", "queries", "keys", "0.5"):
        assert fact in joined, fact


@pytest.mark.parametrize(
    "wanted",
    [request(), request("encoder_self", 0, 0), request(view="heads")],
    ids=["cross", "encoder", "heads"],
)
def test_chinese_is_right_in_all_three(tmp_path: Path, wanted: ExportRequest) -> None:
    trace = sample_trace(source=CHINESE, target=("<s>", "▁The", "▁cat", "</s>"))
    texts = svg_texts(export(trace, wanted, tmp_path / "a.svg"))
    assert any("猫" in text for text in texts)
    if wanted.view == "heatmap":
        assert {"猫", "坐在", "垫子"} <= {text.lstrip("·") for text in texts}
    png = export(trace, wanted.but(dpi=96), tmp_path / "a.png")
    assert "猫坐在垫子上。" in QImage(str(png)).text("Description")
    pdf = export(trace, wanted, tmp_path / "a.pdf")
    tool = shutil.which("pdftotext")
    if tool is None:
        pytest.skip("pdftotext (poppler) is not installed")
    text = subprocess.run([tool, str(pdf), "-"], check=True, capture_output=True).stdout.decode()
    assert "猫" in "".join(text.split())


@pytest.mark.parametrize("kind", ["encoder_self", "decoder_self", "cross"])
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_all_heads_fit_one_page(tmp_path: Path, kind: str, ending: str) -> None:
    path = export(sample_trace(), request(kind, view="heads", dpi=96), tmp_path / f"a.{ending}")
    data = path.read_bytes()
    assert data.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending])
    if ending == "png":
        assert QImage(str(path)).width() == round(page_width(160))


@pytest.mark.parametrize("width_mm", [60.0, 85.0, 160.0])
def test_titles_are_whole_at_any_common_width(tmp_path: Path, width_mm: float) -> None:
    path = export(sample_trace(), request(width_mm=width_mm), tmp_path / "a.svg")
    assert {"Decoder layer 2 of 2, head 3 of 3", "target tokens (queries): reads → predicts"} <= set(
        svg_texts(path)
    )
    angles = np.arange(64)[:, None] / 10000 ** (np.arange(0, 32, 2) / 32)
    encoding = np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)
    wanted = ExportRequest(view="positions", width_mm=width_mm)
    write_export(Source(positions=encoding, model_name="a"), wanted, tmp_path / "b.svg")
    assert {"Values", "Chosen dimensions", "Cosine similarity of positions"} <= set(
        svg_texts(tmp_path / "b.svg")
    )


@pytest.mark.parametrize(("width_mm", "share"), [(60.0, 0.25), (85.0, 0.35)])
def test_a_map_on_a_narrow_column_is_no_thumbnail(width_mm: float, share: float) -> None:
    wanted = request(width_mm=width_mm)
    picture = build_picture(Source(sample_trace()), wanted)
    figure = build_figure(Source(sample_trace()), wanted)
    inner = picture.rect.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    place = figure_geometry(figure, inner, page_options(wanted))
    assert isinstance(place, MapGeometry)
    assert place.map_rect.width() > share * picture.width
    assert 11 * type_scale(width_mm) * 72 / 96 >= 6  # points


def test_on_a_journals_column_24_tokens_have_all_their_labels(tmp_path: Path) -> None:
    source = ("The", "old", "teacher", "who", "lived", "near", "the", "river", "told", "us", "that", "her")
    trace = sample_trace(source=source * 2, target=("<s>", *source, *source[:11], "mountains"))
    wanted = request(width_mm=84.0)
    picture = build_picture(Source(trace), wanted)
    inner = picture.rect.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    place = figure_geometry(build_figure(Source(trace), wanted), inner, page_options(wanted))
    assert isinstance(place, MapGeometry)
    assert (
        [label.index for label in place.rows] == [label.index for label in place.columns] == list(range(24))
    )
    runs = [run for label in (*place.rows, *place.columns) for run in label.runs]
    assert min(run.pixels for run in runs) * 72 / 96 >= 5 - 1e-6  # points
    assert not any("…" in run.text for run in runs)


def rows_of(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text("utf-8"), newline="")))[1:]


def test_csv_of_the_whole_decoding_and_of_a_step(tmp_path: Path) -> None:
    trace = sample_trace()
    assert len(rows_of(export(trace, request(), tmp_path / "a.csv"))) == 7 * 8
    rows = rows_of(export(trace, request(step=2), tmp_path / "b.csv"))
    assert sorted({row[3] for row in rows}) == ["0", "1", "2"]
    rows = rows_of(export(trace, request("encoder_self", step=2), tmp_path / "c.csv"))
    assert len(rows) == 8 * 8


def test_csv_of_a_family_holds_every_head(tmp_path: Path) -> None:
    trace = sample_trace()
    rows = rows_of(export(trace, request("decoder_self", view="heads"), tmp_path / "a.csv"))
    assert len(rows) == 2 * 3 * 7 * 7
    for row in rows[::17]:
        layer, head, query, key = map(int, row[1:5])
        weights = trace.patterns.pattern(AttentionKind.DECODER_SELF, layer, head)
        assert np.float32(row[7]) == weights[query, key]


def test_csv_without_specials_says_what_is_missing(tmp_path: Path) -> None:
    trace = sample_trace()
    wanted = request(options=ViewOptions(hide_specials=True))
    rows = rows_of(export(trace, wanted, tmp_path / "a.csv"))
    assert {row[6] for row in rows} == set(ENGLISH) - {"</s>"}
    weights = trace.pattern(AttentionKind.CROSS, 1, 2)
    assert all(np.float32(row[7]) == weights[int(row[3]), int(row[4])] for row in rows)
    assert all("special tokens" in row[-1] for row in rows)


def test_csv_of_altered_or_other_numbers_says_so(tmp_path: Path) -> None:
    trace = sample_trace(alterations=("head 1 silenced",), numbers="rollout")
    rows = rows_of(export(trace, request(), tmp_path / "a.csv"))
    assert all("head 1 silenced" in row[-1] and "rollout" in row[-1] for row in rows)


def test_trace_and_npz_hold_everything(tmp_path: Path) -> None:
    trace = sample_trace()
    again = open_trace(export(trace, request(step=1), tmp_path / "a.trace"))
    assert again.tgt_out_tokens == FRENCH[1:]
    with np.load(export(trace, request(step=1), tmp_path / "a.npz")) as archive:
        assert archive["cross"].shape == (2, 3, 7, 8)


@pytest.mark.parametrize(
    ("changes", "words_said"),
    [
        ({"selection": Selection(layer=2)}, "no layer 3; choose one from 1 to 2"),
        ({"selection": Selection(layer=-1)}, "no layer 0; choose one from 1 to 2"),
        ({"selection": Selection(head=3)}, "no head 4; choose one from 1 to 3"),
        ({"step": 7}, "no step 8; choose one from 1 to 7"),
        ({"step": -1}, "no step 0; choose one from 1 to 7"),
        ({"width_mm": 5.0}, "5 mm"),
        ({"dpi": 9}, "9 dpi"),
        ({"view": "positions"}, "no positional encoding"),
    ],
)
def test_what_is_not_there_is_a_sentence(tmp_path: Path, changes: dict[str, Any], words_said: str) -> None:
    with pytest.raises(HeadscopeError, match=words_said):
        export(sample_trace(), ExportRequest(**changes), tmp_path / "a.png")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["a", "a.jpeg", "a.png.bak", ".png"])
def test_an_unknown_ending_is_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(HeadscopeError) as caught:
        export(sample_trace(), request(), tmp_path / name)
    assert caught.value.code == "export_suffix"


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_full_disk_leaves_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    def full(*args: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.write", full)
    with pytest.raises(HeadscopeError) as caught:
        export(sample_trace(), request(), tmp_path / f"a.{ending}")
    assert caught.value.code == "disk_full"
    assert os.listdir(tmp_path) == []


def test_the_clipboard_gets_pixels_png_and_svg() -> None:
    picture = build_picture(Source(sample_trace()), request())
    mime = picture_mime(Drawn.of(picture, 150))
    assert {"image/png", "image/svg+xml"} <= set(mime.formats())
    image = mime.imageData()
    assert isinstance(image, QImage)
    assert image.size() == to_image(picture, 150).size()
    assert QImage.fromData(mime.data("image/png")).convertToFormat(image.format()) == image
    assert ET.fromstring(bytes(mime.data("image/svg+xml").data())).tag == f"{SVG}svg"
