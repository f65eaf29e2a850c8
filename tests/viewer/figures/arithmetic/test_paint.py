"""The picture of one weight's arithmetic: the right numbers in the right places, on screen and in files."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage

from model.errors import HeadscopeError
from tests.viewer.arithmetic_samples import (
    HEAD,
    LAYER,
    QUERY,
    WEIGHTS,
    by_hand,
    made_row,
    trace_by_hand,
    trace_of_row,
)
from tests.viewer.figure_samples import picture
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.export.page import MARGIN, figure_picture
from viewer.export.picture import page_width, to_image, to_pdf, to_png, to_svg
from viewer.figures.arithmetic.build import arithmetic_figure
from viewer.figures.arithmetic.layout import ArithmeticGeometry
from viewer.figures.arithmetic.spec import HEADING, ArithmeticSpec, Spot, Stage, Strip, Table
from viewer.figures.arithmetic.table import write_arithmetic_csv
from viewer.figures.canvas.lettering import run_box
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.drawing import DrawOptions, figure_geometry, figure_height
from viewer.figures.figure import FigureSpec
from viewer.figures.request import ExportRequest

pytestmark = pytest.mark.usefixtures("qapp")

SVG = "{http://www.w3.org/2000/svg}"
NARROW = DrawOptions(title=False)


def hand_figure(key: int = 1, folded: tuple[Stage, ...] = ()) -> FigureSpec:
    answer = by_hand()
    chosen = Selection(kind=answer.kind, layer=LAYER, head=HEAD, step=QUERY, query=QUERY, key=key)
    return arithmetic_figure(trace_by_hand(), chosen, answer, ViewOptions(), folded=folded)


def made_figure(key: int = 3, *, keys: int = 12, size: int = 64, query: int = 5) -> FigureSpec:
    answer = made_row(keys, size, query=query)
    chosen = Selection(
        kind=answer.kind, layer=answer.layer, head=answer.head, step=query, query=query, key=key
    )
    return arithmetic_figure(trace_of_row(answer), chosen, answer, ViewOptions())


def laid_out(figure: FigureSpec, wide: float, options: DrawOptions = NARROW) -> ArithmeticGeometry:
    high = figure_height(figure, wide, options)
    place = figure_geometry(figure, QRectF(0, 0, wide, high), options)
    assert isinstance(place, ArithmeticGeometry)
    return place


def drawn(
    figure: FigureSpec, wide: int, theme: Theme = LIGHT, *, vector: bool = False
) -> tuple[QImage, ArithmeticGeometry]:
    options = DrawOptions(title=False, vector=vector)
    image, place = picture(
        figure, wide, round(figure_height(figure, wide, options)), theme=theme, options=options
    )
    assert isinstance(place, ArithmeticGeometry)
    return image, place


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("vector", [False, True])
def test_the_cells_of_a_strip_have_the_colours_of_their_numbers(theme: Theme, vector: bool) -> None:
    figure = made_figure()
    image, place = drawn(figure, 280, theme, vector=vector)
    assert isinstance(figure.body, ArithmeticSpec)
    table = [int(value) for value in theme.diverging]
    seen = 0
    for stage in place.stages:
        for block, strip in enumerate(stage.spec.blocks):
            if not isinstance(strip, Strip):
                continue
            for index in range(0, len(strip.values), 7):
                value = float(strip.values[index]) / strip.level
                wanted = round(128 + 127 * value) if value >= 0 else round(127 + 127 * value)
                near = table[max(0, wanted - 1) : wanted + 2]
                at = place.rect_of(Spot(stage.spec.stage, block, index)).center()
                assert place.spot_at(at) == Spot(stage.spec.stage, block, index)
                assert image.pixel(int(at.x()), int(at.y())) in near
                seen += 1
    assert seen > 200


def test_strips_of_one_length_stand_under_each_other() -> None:
    place = laid_out(made_figure(), 260)
    cells = place.strip_cells(Spot(Stage.DOT, 0, 17))
    assert len(cells) == 3
    assert len({round(cell.center().x(), 3) for cell in cells}) == 1
    assert len({round(cell.center().y()) for cell in cells}) == 3


def test_bars_are_as_long_as_the_weights_and_the_chosen_row_has_a_ground() -> None:
    place = laid_out(hand_figure(key=1), 300)
    softmax = place.placed(Stage.SOFTMAX)
    lengths = [bar.width() for bar, _, _ in softmax.bars]
    np.testing.assert_allclose(np.array(lengths) / sum(lengths), WEIGHTS, atol=1e-5)
    assert [chosen for _, _, chosen in softmax.bars] == [False, True, False, False]
    (band,) = softmax.bands
    table = next(n for n, block in enumerate(softmax.spec.blocks) if isinstance(block, Table))
    assert band == place.rect_of(Spot(Stage.SOFTMAX, table, 1))


def test_terms_point_to_the_side_of_their_sign() -> None:
    figure = made_figure()
    place = laid_out(figure, 280)
    stage = place.placed(Stage.DOT)
    rows = next(block.rows for block in stage.spec.blocks if isinstance(block, Table))
    assert {row.bar > 0 for row in rows} == {True, False}
    middles = set()
    for row, (bar, negative, _) in zip(rows, stage.bars, strict=True):
        assert negative == (row.bar < 0)
        middles.add(round(bar.right() if negative else bar.left(), 3))
    assert len(middles) == 1


@pytest.mark.parametrize("key", [0, 1, 3])
def test_every_row_can_be_pointed_at(key: int) -> None:
    figure = hand_figure(key)
    place = laid_out(figure, 250)
    assert isinstance(figure.body, ArithmeticSpec)
    for stage in figure.body.stages:
        assert place.spot_at(place.rect_of(Spot(stage.stage)).center()) == Spot(stage.stage, HEADING)
        for number, block in enumerate(stage.blocks):
            if isinstance(block, Table):
                for index in range(len(block.rows)):
                    spot = Spot(stage.stage, number, index)
                    assert place.spot_at(place.rect_of(spot).center()) == spot
    assert place.spot_at(QPointF(-5, -5)) is None


@pytest.mark.parametrize(
    ("wide", "scale"), [(212, 1.0), (250, 1.0), (280, 1.0), (350, 1.6), (600, 1.0), (150, 0.75)]
)
def test_nothing_is_cut_or_covered(wide: float, scale: float) -> None:
    options = DrawOptions(title=False, caption=True, font_scale=scale)
    for figure in (made_figure(), made_figure(70, keys=80, size=128, query=79)):
        place = laid_out(figure, wide, options)
        high = figure_height(figure, wide, options)
        for stage in place.stages:
            for run in stage.runs:
                box = run_box(run)
                assert box.right() <= stage.box.right() + 1.5, run.text
                assert box.left() >= stage.box.left() - 0.5
            for strip in stage.strips:
                assert stage.box.adjusted(-1, 0, 1, 1).contains(strip.area)
            for bar, _, _ in stage.bars:
                assert bar.left() >= stage.box.left()
                assert bar.right() <= stage.box.right()
            assert stage.box.bottom() <= high
        for one, other in zip(place.stages, place.stages[1:]):
            assert not one.box.intersects(other.box)
        caption = [run for run in place.words.runs if run.role == "dim"]
        assert min(run_box(run).top() for run in caption) > place.bottom


def test_numbers_and_bars_of_a_row_keep_apart() -> None:
    place = laid_out(made_figure(), 250)
    for stage in (place.placed(Stage.DOT), place.placed(Stage.SOFTMAX), place.placed(Stage.OUTPUT)):
        for bar, _, _ in stage.bars:
            beside = [run_box(run) for run in stage.runs if abs(run.y - bar.center().y()) < 8]
            assert beside
            assert not any(bar.adjusted(0.1, 0, 0, 0).intersects(box) for box in beside if bar.width() > 1)


def test_a_wide_page_has_two_columns() -> None:
    place = laid_out(made_figure(), 620)
    lefts = [stage.box.left() for stage in place.stages]
    assert len(set(lefts)) == 2
    assert lefts == sorted(lefts)
    assert len({stage.box.left() for stage in laid_out(made_figure(), 500).stages}) == 1


def test_a_folded_stage_is_its_heading_and_result() -> None:
    open_, folded = laid_out(hand_figure(), 260), laid_out(hand_figure(folded=(Stage.SOFTMAX,)), 260)
    stage = folded.placed(Stage.SOFTMAX)
    assert stage.box.height() < 30
    assert not stage.bars
    assert "0.244728" in [run.text for run in stage.runs]
    assert folded.bottom < open_.bottom - 80


def test_the_page_shows_what_the_window_shows() -> None:
    figure = made_figure()
    page = figure_picture(figure, ExportRequest(width_mm=160))
    image = to_image(page, 96)
    wide = page_width(160) - 2 * MARGIN
    place = figure_geometry(figure, QRectF(MARGIN, MARGIN, wide, page.height), DrawOptions(caption=True))
    assert isinstance(place, ArithmeticGeometry)
    assert isinstance(figure.body, ArithmeticSpec)
    values = figure.body.answer.q / figure.body.stage(Stage.DOT).blocks[0].level  # type: ignore[union-attr]
    for index in (3, 17, 60):
        at = place.rect_of(Spot(Stage.DOT, 0, index)).center()
        wanted = round(127.5 + 127 * float(values[index]))
        colours = [int(colour) for colour in LIGHT.diverging[max(0, wanted - 2) : wanted + 3]]
        assert image.pixel(int(at.x()), int(at.y())) in colours


def test_png_svg_and_pdf_say_the_numbers(tmp_path: Path) -> None:
    figure = hand_figure(key=0)
    page = figure_picture(figure, ExportRequest(width_mm=160))
    image = QImage.fromData(to_png(page, 150), "png")
    assert image.width() == round(page.width * 150 / 96)
    assert image.text("Description") == figure.caption
    root = ET.fromstring(to_svg(page))
    # A character of another font has an element of its own.
    said = "".join("".join(root.itertext()).split())
    for wanted in ("q⋅k=4.0000", "4.0000÷√4=4.0000÷2=2.0000", "0.6652", "qof“pommes”"):
        assert wanted in said
    assert len(list(root.iter(f"{SVG}rect"))) > 30
    (tmp_path / "a.pdf").write_bytes(to_pdf(page))
    tool = shutil.which("pdftotext")
    if tool is None:
        pytest.skip("pdftotext is not installed")
    said = subprocess.run(
        [tool, "-layout", str(tmp_path / "a.pdf"), "-"],
        capture_output=True,
        check=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    ).stdout.decode()
    for wanted in ("Dot product", "0.665241", "4 weights of the row agree"):
        assert wanted in said


def read_csv(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))


def test_csv_has_every_number_of_every_stage(tmp_path: Path) -> None:
    write_arithmetic_csv(hand_figure(key=1, folded=(Stage.DOT,)), tmp_path / "a.csv")
    lines = read_csv(tmp_path / "a.csv")
    assert list(lines[0]) == ["stage", "index", "key", "name", "value"]

    def values(stage: str, name: str) -> list[float]:
        return [float(line["value"]) for line in lines if (line["stage"], line["name"]) == (stage, name)]

    about = {line["name"]: line["value"] for line in lines if line["stage"] == "cell"}
    assert about["kind"] == "cross"
    assert (about["layer"], about["head"], about["query"], about["key"]) == ("1", "0", "1", "1")
    assert (about["query_token"], about["key_token"]) == ("▁pommes", "▁app")
    assert values("dot", "q") == [1, 2, 0, -1]
    assert values("dot", "k") == [0, 0, 7, -2]
    assert values("dot", "product") == [0, 0, 0, 2]
    assert values("dot", "score") == [4, 2, 0, 8]
    assert values("scale", "d_head") == [4]
    assert values("scale", "scaled") == [2, 1, 0, 4]
    assert values("mask", "forbidden") == [0, 0, 0, 1]
    assert values("mask", "masked") == [2, 1, 0, float("-inf")]
    for name in ("weight", "recorded", "used"):
        assert np.array_equal(np.array(values("softmax", name), np.float32), WEIGHTS)
    assert values("values", "v") == [0, 1, 0, 0]
    assert values("values", "weighted") == pytest.approx([0, 0.2447285, 0, 0], abs=1e-6)
    assert values("values", "head_output") == pytest.approx([0.665241, 0.244728, 0.180061, 0], abs=1e-5)
    assert len(values("output", "share")) == 8
    assert values("output", "bias") == [0, 0, 0, 0, 0, 0, 0, 3]
    assert values("output", "share_norm")[1] == 4
    keys = [line["key"] for line in lines if line["name"] == "score"]
    assert keys == ["0", "1", "2", "3"]
    assert {line["key"] for line in lines if line["name"] == "k"} == {"1"}


def test_a_csv_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(HeadscopeError):
        write_arithmetic_csv(hand_figure(), tmp_path / "nowhere" / "a.csv")
