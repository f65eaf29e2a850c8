"""The picture of a positional encoding; the encoding computed here by the paper's formula."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from tests.viewer.figure_samples import picture
from viewer.figures.canvas.curves import curve_pen, ticks
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.drawing import figure_geometry, figure_height
from viewer.figures.encoding.build import positions_figure
from viewer.figures.encoding.layout import PositionsGeometry
from viewer.figures.encoding.spec import PositionsSpec

pytestmark = pytest.mark.usefixtures("qapp")


def sinusoids(positions: int = 40, dimensions: int = 16) -> np.ndarray:
    angle = np.arange(positions)[:, None] / 10000 ** (np.arange(dimensions) // 2 * 2 / dimensions)
    return np.where(np.arange(dimensions) % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)


def test_similarity_is_the_cosine_and_survives_a_zero_vector() -> None:
    encoding = np.array([[1, 0], [3, 3], [0, 0], [0, -2]], np.float32)
    spec = positions_figure(encoding, ()).body
    assert isinstance(spec, PositionsSpec)
    half = 2**-0.5
    expected = [[1, half, 0, 0], [half, 1, 0, -half], [0, 0, 0, 0], [0, -half, 0, 1]]
    np.testing.assert_allclose(spec.similarity, expected, atol=1e-6)
    assert spec.levels == (-4.0, 4.0)


def test_only_the_first_positions_are_shown_and_said_to_be() -> None:
    figure = positions_figure(sinusoids(), (3, 99, 3, 0), count=10, model_name="tiny", model_sha256="ab" * 32)
    spec = figure.body
    assert isinstance(spec, PositionsSpec)
    assert spec.encoding.shape == (10, 16)
    assert spec.similarity.shape == (10, 10)
    assert spec.curves == (3, 0)
    assert spec.levels == (-1.0, 1.0)
    assert spec.badges == ("first 10 of 40 positions",)
    assert "tiny (sha256 abababababab)" in figure.caption
    assert figure.facts["curves"] == [3, 0]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("vector", [False, True])
@pytest.mark.parametrize("size", [(1000, 600), (500, 900)])
def test_cells_have_the_colours_of_their_values(theme: Theme, vector: bool, size: tuple[int, int]) -> None:
    encoding = sinusoids()
    figure = positions_figure(encoding, (0, 5))
    image, place = picture(figure, *size, theme=theme, options=DrawOptions(vector=vector))
    assert isinstance(place, PositionsGeometry)
    table = [int(value) for value in theme.diverging]
    for position, dimension in ((0, 0), (0, 1), (7, 2), (39, 15), (20, 3)):
        area = place.encoding
        x = area.left() + (dimension + 0.5) * area.width() / 16
        y = area.top() + (position + 0.5) * area.height() / 40
        assert place.cell_at(QPointF(x, y)) == (position, dimension)
        value = float(encoding[position, dimension])
        wanted = round(128 + 127 * value) if value >= 0 else round(127 + 127 * value)
        near = table[max(0, wanted - 1) : wanted + 2]
        assert image.pixel(int(x), int(y)) in near
    centre = place.similarity.center()
    row, column = place.similarity_at(centre) or (-1, -1)
    assert abs(row - column) <= 1
    assert place.similarity_at(place.encoding.center()) is None


def test_a_curve_passes_through_its_values() -> None:
    encoding = np.linspace(-1, 1, 21, dtype=np.float32)[:, None].repeat(2, axis=1)
    image, place = picture(positions_figure(encoding, (1,)), 1000, 600)
    assert isinstance(place, PositionsGeometry)
    area = place.curves
    for position in (3, 10, 17):
        x = area.left() + (position + 0.5) * area.width() / 21
        y = area.bottom() - (float(encoding[position, 0]) + 1) / 2 * area.height()
        # Nearly the curve's blue: its edges are smoothed.
        near = [image.pixelColor(int(x), int(y) + dy) for dy in (-1, 0, 1)]
        assert min(abs(pixel.red() - 0x0B) + abs(pixel.blue() - 0xAD) for pixel in near) < 30
        mirrored = image.pixelColor(int(x), int(area.bottom() - (y - area.top())))
        assert (mirrored.red() > 200) == (position != 10)


def test_curves_differ_without_colour() -> None:
    pens = [curve_pen(index, LIGHT, 1.5) for index in range(6)]
    assert len({tuple(pen.dashPattern()) for pen in pens}) == 6


@pytest.mark.parametrize(
    ("count", "room"), [(1, 100.0), (7, 300.0), (128, 400.0), (1024, 200.0), (512, 30.0)]
)
def test_numbers_on_an_axis_are_round_and_apart(count: int, room: float) -> None:
    values = ticks(count, room, 40)
    assert values[0] == 0
    assert values[-1] < count
    for one, other in itertools.pairwise(values):
        assert (other - one) * room / count >= 40
        assert str(other - one).rstrip("0") in ("1", "2", "5")


@pytest.mark.parametrize("size", [(1000, 600), (500, 900), (300, 200), (10, 10)])
@pytest.mark.parametrize("positions", [1, 2, 300])
def test_any_size_can_be_drawn(size: tuple[int, int], positions: int) -> None:
    figure = positions_figure(sinusoids(positions), tuple(range(8)), count=positions)
    picture(figure, *size, options=DrawOptions(caption=True))


def test_the_pictures_do_not_overlap() -> None:
    figure = positions_figure(sinusoids(), (0,))
    for size in ((1000, 600), (500, 900)):
        place = figure_geometry(figure, QRectF(0, 0, *size))
        assert isinstance(place, PositionsGeometry)
        areas = [place.encoding, place.curves, place.similarity]
        for index, one in enumerate(areas):
            assert QRectF(0, 0, *size).contains(one)
            assert not any(one.intersects(other) for other in areas[index + 1 :])
    assert figure_height(figure, 800, DrawOptions(caption=True)) > 400
