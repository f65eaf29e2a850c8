"""What the picture of effects shows: shares worked by hand, missing cells hatched and never zero."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from model.questions.causes.patch_report import patch_report
from tests.viewer.figure_samples import picture
from tests.viewer.figures.effects.samples import figure, patched, path
from viewer.figures.canvas.theme import LIGHT
from viewer.figures.drawing import DrawOptions, figure_geometry
from viewer.figures.rows import figure_rows

pytestmark = pytest.mark.usefixtures("qapp")


def test_effects_are_shares_of_the_difference_and_missing_ones_are_nothing() -> None:
    """(−1 + 3) / 4 = 0.5, (−5 + 3) / 4 = −0.5, (1 + 3) / 4 = 1: the scale ends at 1."""
    spec = figure().body
    np.testing.assert_array_equal(spec.grids[0].values, np.array([[0, np.nan, 0.5], [-0.5, np.nan, 1]]))
    assert spec.levels == (-1.0, 1.0)
    assert all(grid.levels == spec.levels for grid in spec.grids)
    assert spec.grids[0].said(0, 2).endswith("effect 0.50 (measured −1.00)")
    assert "nothing can be carried" in spec.grids[0].said(0, 1)
    assert "measured: log p(La) − log p(Le) at step 1, A 1.00, B −3.00" in spec.badges
    assert "hatched: A has no such token" in spec.badges
    assert [grid.strong for grid in spec.grids] == [((1, 2),), ()]
    whole = replace(patched(), grids=patched().grids[1:], rival=None, rival_token="")
    assert not any("hatched" in badge for badge in figure(whole).body.badges)
    assert "measured: log p(La) at step 1, A 1.00, B −3.00" in figure(whole).body.badges


def test_the_caption_says_formula_caveat_and_source() -> None:
    for found, source in ((patched(), "2202.05262"), (path(), "2211.00593")):
        caption = figure(found).caption
        assert "(carried − B) / (A − B)" in caption
        assert "do not add up" in caption
        assert source in caption


def test_colours_diverge_from_0_and_missing_cells_have_none() -> None:
    image, place = picture(figure(), 700, 300, theme=LIGHT, options=DrawOptions())
    plain, negative, positive, missing = (
        QColor(image.pixel((place.rect_of(cell).topLeft() + QPointF(6, 6)).toPoint()))
        for cell in ((0, 0, 0), (0, 1, 0), (0, 0, 2), (0, 0, 1))
    )
    assert plain.lightness() > 240
    assert negative.red() > negative.blue() + 30
    assert positive.blue() > positive.red() + 30
    assert missing.name() in (LIGHT.color("panel").name(), LIGHT.color("hatch").name()) or (
        missing.saturation() < 40
    )
    hatched = {
        image.pixel(x, y)
        for x in range(int(place.rect_of((0, 0, 1)).left()) + 2, int(place.rect_of((0, 0, 1)).right()) - 2)
        for y in range(int(place.rect_of((0, 0, 1)).top()) + 2, int(place.rect_of((0, 0, 1)).bottom()) - 2)
    }
    assert len(hatched) > 2  # strokes


@pytest.mark.parametrize("width", [250, 420, 900])
def test_every_cell_is_found_where_it_is_drawn(width: int) -> None:
    place = figure_geometry(figure(path()), QRectF(0, 0, width, 240), DrawOptions(title=False, badges=False))
    for at, grid in enumerate(place.spec.grids):
        for row, column in np.ndindex(grid.values.shape):
            box = place.rect_of((at, row, column))
            assert place.cell_at(box.center()) == (at, row, column)
            assert QRectF(0, 0, width, 240).contains(box)
    assert place.cell_at(QPointF(1, 1)) is None
    assert place.bar.box.right() <= width
    assert place.bar.box.bottom() <= 240


def test_the_table_is_the_commands_and_says_what_a_and_b_measure() -> None:
    header, *lines = figure_rows(figure())
    assert header[-4:] == ("m_a", "m_b", "caveat", "notes")
    assert "2202.05262" in lines[0][-2]
    report = patch_report(patched())
    assert len(lines) == len(report.rows) == 8
    first = dict(zip(header, lines[1]))
    assert (first["kind"], first["layer"], first["position"], first["token"]) == (
        "encoder_self",
        0,
        1,
        "▁very",
    )
    assert (first["m"], first["effect"], first["position_number"]) == ("", "", 2)
    told = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert [row["effect"] for row in told["rows"]] == [0, None, 0.5, -0.5, None, 1, 0, 0.25]
    arrays = report.to_arrays()
    np.testing.assert_array_equal(arrays["m_encoder_self"], patched().grids[0].m)
    np.testing.assert_array_equal(arrays["effect_decoder_self"], [[0], [0.25]])
    rows = patch_report(path()).rows
    assert [row[1] for row in rows] == ["q"] * 4 + ["final"]
