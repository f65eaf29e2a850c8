"""The figures' numbers, words and CSV, beside the paper's formula written out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from model.errors import HeadscopeError
from tests.viewer.pages.positions.samples import info, learned, sinusoids, table
from viewer.document.positions.positions_known import facts_of, known_of
from viewer.document.positions.positions_table import PositionTable, chosen_table
from viewer.figures.bases.build import bases_figure
from viewer.figures.bases.spec import BasesSpec
from viewer.figures.clocks.build import clocks_figure
from viewer.figures.clocks.spec import ClocksSpec
from viewer.figures.distance.build import distance_figure
from viewer.figures.distance.spec import DistanceSpec
from viewer.figures.encoding.build import positions_figure
from viewer.figures.encoding.of_table import spread
from viewer.figures.figure import FigureSpec
from viewer.figures.request import Source
from viewer.figures.rotation.build import rotation_figure
from viewer.figures.rotation.spec import RotationSpec
from viewer.figures.rows import figure_rows

pytestmark = pytest.mark.usefixtures("qapp")


def lines(figure: FigureSpec) -> list[dict[str, Any]]:
    header, *rows = figure_rows(figure)
    return [dict(zip(map(str, header), row, strict=True)) for row in rows]


@pytest.mark.parametrize("halves", [False, True])
def test_a_hand_is_the_tables_sine_and_cosine(halves: bool) -> None:
    figure = clocks_figure(table(halves=halves), position=11, pair=3)
    spec = figure.body
    assert isinstance(spec, ClocksSpec)
    wavelength = 2 * math.pi * 10000 ** (6 / 16)
    angle = 11 / 10000 ** (6 / 16)
    said = spec.sentence(3)
    dimensions = "(dimensions 3 and 11)" if halves else "(dimensions 6 and 7)"
    for words in (f"{wavelength:.4g}", f"{360 / wavelength:.4g}", f"{math.sin(angle):+.4f}", dimensions):
        assert words in said
    assert f"{11 / wavelength:.4g} turns" in said
    row = lines(figure)[3]
    assert float(row["wavelength"]) == pytest.approx(wavelength)
    assert float(row["cosine"]) == pytest.approx(math.cos(angle), abs=1e-7)
    assert float(row["turns"]) == pytest.approx(11 / wavelength)
    assert ("halves" in str(spec.badges)) == halves
    assert "base^(−2i/d_model)" in figure.caption
    assert figure.facts["layout"] == ("halves" if halves else "interleaved")


def test_numbers_out_of_range_are_clamped() -> None:
    figure = rotation_figure(table(), position=500, offset=9, pair=99)
    assert (figure.facts["position"], figure.facts["offset"], figure.facts["pair"]) == (95, 0, 7)
    spec = distance_figure(table(), count=0, offset=9).body
    assert isinstance(spec, DistanceSpec)
    assert (spec.count, spec.offset, spec.nearest.pair) == (1, 0, None)


@pytest.mark.parametrize("halves", [False, True])
def test_the_rotation_is_checked_over_all_pairs(halves: bool) -> None:
    figure = rotation_figure(table(halves=halves), position=7, offset=5, pair=2)
    spec = figure.body
    assert isinstance(spec, RotationSpec)
    omega = 10000 ** (-4 / 16)
    row = lines(figure)[2]
    assert float(row["angle"]) == pytest.approx(5 * omega)
    assert float(row["turned_sine"]) == pytest.approx(math.sin(12 * omega), abs=1e-6)
    assert float(row["table_cosine"]) == pytest.approx(math.cos(12 * omega), abs=1e-6)
    assert spec.holds
    assert f"{math.sin(12 * omega):+.4f}".replace("-", "−") in spec.sentence(2)
    assert figure.facts["largest_difference"] < 1e-6


def test_a_table_that_is_not_its_bases_does_not_pass() -> None:
    spoilt = sinusoids()
    spoilt[12, 5] += 0.01
    figure = rotation_figure(PositionTable(spoilt, 10000.0), position=7, offset=5, pair=0)
    spec = figure.body
    assert isinstance(spec, RotationSpec)
    assert not spec.holds
    assert spec.worst == 2
    assert spec.largest == pytest.approx(0.01, abs=1e-6)
    assert "(pair 2)" in figure.caption


def test_distances_name_the_two_nearest_positions() -> None:
    rows = learned()
    figure = distance_figure(PositionTable(rows, None, model_name="tiny"), count=30, offset=4)
    spec = figure.body
    assert isinstance(spec, DistanceSpec)
    far = {(a, b): math.dist(rows[a], rows[b]) for a in range(30) for b in range(a + 1, 30)}
    pair = min(far, key=lambda pair: far[pair])
    assert figure.facts["smallest_pair"] == list(pair)
    assert f"{far[pair]:.4f}" in figure.caption
    assert spec.badges[0] == "first 30 of 40 positions"
    assert spec.exact is None
    products = [float(rows[p].astype(float) @ rows[p + 4].astype(float)) for p in range(26)]
    assert f"{np.mean(products):,.3f}".replace("-", "−") in spec.offset_sentence(4)
    said = spec.position_sentence(9)
    assert f"norm {float(np.linalg.norm(rows[9])):.3f}" in said
    found = lines(figure)
    assert float(found[4]["dot_mean"]) == pytest.approx(np.mean(products))
    assert float(found[4]["dot_low"]) == pytest.approx(min(products))
    assert found[4]["dot_exact"] == ""
    assert len(found) == 60
    assert (found[39]["what"], found[39]["index"]) == ("position", 9)


def test_of_sinusoids_the_exact_curve_is_said_beside() -> None:
    spec = distance_figure(table(), count=50, offset=6).body
    assert isinstance(spec, DistanceSpec)
    exact = sum(math.cos(6 / 10000 ** (2 * i / 16)) for i in range(8))
    assert f"= {exact:.3f}" in spec.offset_sentence(6)


def test_two_bases_differ_in_their_longest_wavelength() -> None:
    figure = bases_figure(table(), other=1000.0, count=60, offset=10, pair=7)
    spec = figure.body
    assert isinstance(spec, BasesSpec)
    longest = [2 * math.pi * base ** (14 / 16) for base in (10000, 1000)]
    assert [side.longest for side in spec.sides] == pytest.approx(longest)
    assert spec.sides[1].turning == sum(2 * math.pi * 1000 ** (2 * i / 16) <= 60 for i in range(8))
    rows = sinusoids(60, 16, 1000.0)
    nearest = min((math.dist(rows[0], rows[k]), k) for k in range(1, 60))
    assert spec.sides[1].smallest == pytest.approx(nearest[0], abs=1e-5)
    assert spec.sides[1].apart == nearest[1]
    cosine = sum(math.cos(10 / 1000 ** (2 * i / 16)) for i in range(8)) / 8
    assert f"{cosine:+.4f}" in spec.offset_sentence(10)
    assert f"{longest[1]:,.0f}" in spec.pair_sentence(7)
    assert "not a model's table" in str(spec.badges)


def test_a_chosen_table_is_never_taken_for_the_models() -> None:
    chosen = chosen_table(1000.0, 64, 80)
    np.testing.assert_allclose(chosen.rows, sinusoids(80, 64, 1000.0), atol=1e-6)
    badge = "not this model's: base 1,000, d_model 64"
    for figure in (
        clocks_figure(chosen, position=1, pair=0),
        rotation_figure(chosen, position=1, offset=1, pair=0),
        distance_figure(chosen, count=20, offset=1),
        positions_figure(chosen.rows, (), count=9, badges=chosen.badges),
    ):
        assert badge in figure.body.badges
        assert badge[1:] in figure.caption
        assert badge in figure.facts["badges"]
        assert all(badge in str(row["notes"]) for row in lines(figure))
    assert "d_model 64" in str(bases_figure(chosen, other=500, count=9, offset=1, pair=0).body.badges)


def described(rows: np.ndarray, **architecture: Any) -> PositionTable:
    (known,) = known_of(facts_of(info(rows, **architecture)), "tiny")
    assert isinstance(known, PositionTable)
    return known


def test_learned_positions_have_no_hands() -> None:
    own = described(learned(), positions="learned", position_base=10000.0)
    assert own.base is None
    builds: tuple[Callable[[], FigureSpec], ...] = (
        lambda: clocks_figure(own, position=0, pair=0),
        lambda: rotation_figure(own, position=0, offset=0, pair=0),
    )
    for build in builds:
        with pytest.raises(HeadscopeError) as caught:
            build()
        assert caught.value.code == "positions_learned"


@pytest.mark.parametrize("halves", [False, True])
def test_a_stored_table_of_sinusoids_has_hands_and_says_that_it_is_stored(halves: bool) -> None:
    rows = sinusoids(halves=halves).astype(np.float16).astype(np.float32)
    own = described(rows, positions="learned")
    assert (own.base, own.layout, own.learned) == (10000.0, "halves" if halves else "interleaved", False)
    figure = clocks_figure(own, position=3, pair=0)
    assert "sinusoidal, stored as a table" in figure.body.badges
    assert "Sinusoidal, stored as a table." in figure.caption
    assert (own.facts()["learned"], own.facts()["stored"]) == (False, True)
    shifted = described(sinusoids(count=98, halves=halves)[2:], positions="learned")  # as BART counts
    assert (shifted.start, shifted.learned) == (2, False)
    assert described(sinusoids() + np.float32(0.01), positions="learned").learned
    assert "sinusoidal, stored as a table" not in described(sinusoids()).badges
    source = Source(positions=rows, model_name="m")
    (known,) = source.known_positions
    assert isinstance(known, PositionTable)
    assert known.base == 10000.0
    (known,) = Source(positions=learned(), model_name="m").known_positions
    assert isinstance(known, PositionTable)
    assert known.learned


def test_what_the_configuration_leaves_out_is_the_default() -> None:
    own = described(sinusoids())
    assert (own.base, own.layout) == (10000.0, "interleaved")
    assert described(sinusoids(halves=True), position_base=500.0, position_layout="halves").base == 500.0


def test_spread_numbers_hold_the_first_and_the_last() -> None:
    assert spread(3, 8) == (0, 1, 2)
    found = spread(128, 8)
    assert (found[0], found[-1], len(set(found))) == (0, 127, 8)


def test_an_encoding_is_a_line_a_number() -> None:
    figure = positions_figure(sinusoids(5, 4), (0,), model_name="tiny")
    found = [[str(field) for field in line] for line in figure_rows(figure)]
    assert found[0] == ["position", "dimension", "value"]
    assert len(found) == 21
    assert np.float32(found[3 * 4 + 2 + 1][2]) == sinusoids(5, 4)[3, 2]
