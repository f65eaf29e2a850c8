"""The numbers of rotations, biases and learned tables, beside the formulas and the files of real models."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from main import main
from tests import foreign_assets
from tests.viewer.figure_samples import picture
from tests.viewer.pages.positions.kinds import bias, bucket, rotary
from viewer.document.positions.positions_known import Bias, Rotary
from viewer.document.positions.positions_table import PositionTable
from viewer.figures.angles.build import angles_figure
from viewer.figures.angles.spec import AnglesSpec
from viewer.figures.bias.build import bias_figure
from viewer.figures.bias.spec import BiasSpec
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.paint_tables import counted
from viewer.figures.canvas.tables import TablesGeometry
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.clocks.rotary import RotaryClocksSpec, rotary_clocks_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.rotation.rotary import RotaryRotationSpec, rotary_rotation_figure
from viewer.figures.rows import figure_rows

pytestmark = pytest.mark.usefixtures("qapp")


def lines(figure: FigureSpec) -> list[dict[str, Any]]:
    header, *rows = figure_rows(figure)
    return [dict(zip(map(str, header), row, strict=True)) for row in rows]


def rendered(tmp_path: Path, folder: Path, *words: str) -> list[dict[str, str]]:
    out = tmp_path / "positions.csv"
    assert main(["render", "--view", "positions", "--model", str(folder), *words, "--out", str(out)]) == 0
    with out.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_angles_are_those_of_the_formula() -> None:
    figure = angles_figure(Rotary(rotary(), "m", "ab" * 32), (0, 5, 99), count=20)
    spec = figure.body
    assert isinstance(spec, AnglesSpec)
    assert spec.curves == (0, 5)
    assert spec.cosines.shape == (20, 6)
    for row in lines(figure):
        angle = row["position"] * 500.0 ** (-2 * row["pair"] / 12)
        assert float(row["cosine"]) == pytest.approx(math.cos(angle), abs=1e-6)
        assert float(row["sine"]) == pytest.approx(math.sin(angle), abs=1e-6)
    mean = sum(math.cos(7 * 500.0 ** (-2 * pair / 12)) for pair in range(6)) / 6
    assert spec.mean[7] == pytest.approx(mean)
    assert spec.badges == (
        "first 20 of 80 positions",
        "rotary, base 500",
        "12 of a head's 16 dimensions rotated",
    )
    for words in ("nothing is added to the embeddings", "2104.09864", "Model m"):
        assert words in figure.caption


def test_scaled_frequencies_are_named_and_pairs_that_never_turn_too() -> None:
    speeds = np.array([1.0, 0.5, 0.0])
    figure = rotary_clocks_figure(
        Rotary(rotary(inverse_frequencies=speeds, scaling="llama3")), position=3, pair=2
    )
    spec = figure.body
    assert isinstance(spec, RotaryClocksSpec)
    assert spec.wavelengths.tolist() == pytest.approx([2 * math.pi, 4 * math.pi, math.inf])
    assert "never turns" in spec.sentence(2)
    assert "llama3" in spec.formula()
    assert "frequencies scaled: llama3" in spec.badges
    assert lines(figure)[2]["wavelength"] == ""
    assert float(lines(figure)[1]["angle"]) == pytest.approx(1.5)
    picture(figure, 1200, 500)


@pytest.mark.parametrize("position", [0, 7, 60])
def test_only_the_distance_counts(position: int) -> None:
    figure = rotary_rotation_figure(Rotary(rotary()), position=position, offset=5, pair=2)
    spec = figure.body
    assert isinstance(spec, RotaryRotationSpec)
    query, key = np.random.default_rng(1).normal(size=(2, 6, 2))

    def turn(vector: np.ndarray, place: int) -> np.ndarray:
        angle = place * 500.0 ** (-np.arange(6) / 6)
        pairs = vector[:, 0] + 1j * vector[:, 1]  # RoPE as Su et al. write it, with complex numbers
        turned = pairs * np.exp(1j * angle)
        return np.stack([turned.real, turned.imag], axis=1)

    score = (turn(query, position + 5) * turn(key, position)).sum()
    assert np.einsum("pi,pij,pj->", key, spec.turned.matrices, query) == pytest.approx(score)
    assert spec.largest < 1e-12
    assert np.allclose(spec.turned.turned, spec.turned.wanted), "the ring is where the query points"
    row = lines(figure)[2]
    assert float(row["angle"]) == pytest.approx(5 * 500.0 ** (-4 / 12))
    assert float(row["product_cos"]) == pytest.approx(math.cos(5 * 500.0 ** (-4 / 12)))


def test_a_bias_is_read_by_buckets() -> None:
    fact = bias()
    spec = bias_figure(Bias(fact), head=1, length=30).body
    assert isinstance(spec, BiasSpec)
    for query, key in ((0, 0), (0, 3), (9, 2), (29, 0), (0, 29)):
        number = bucket(max(-20, min(20, key - query)), both=True, buckets=8, furthest=20)
        assert spec.square[query, key] == fact.weights[number, 1]
        assert f"{abs(float(fact.weights[number, 1])):.3f}" in spec.cell_sentence(query, key)
    low, high = spec.levels
    assert low == -high
    assert high >= np.abs(fact.weights).max() > 0.9 * high
    assert {-0.5, 0.5} <= set(spec.boundaries.tolist())
    back = bias_figure(Bias(bias(both=False)), head=0, length=4)
    assert isinstance(back.body, BiasSpec)
    assert "cannot attend" in back.body.cell_sentence(1, 2)
    cells = [(row["query"], row["key"]) for row in lines(back) if row["what"] == "cell"]
    assert cells == [(query, key) for query in range(4) for key in range(query + 1)]
    assert "section 2.1" in back.caption


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("size", [(1240, 560), (1820, 900), (500, 900), (240, 200), (10, 10)])
def test_any_size_can_be_drawn_and_colours_are_true(theme: Theme, size: tuple[int, int]) -> None:
    figures = [
        angles_figure(Rotary(rotary()), (0, 3)),
        rotary_rotation_figure(Rotary(rotary()), position=5, offset=3, pair=2),
        bias_figure(Bias(bias(both=False)), head=1, length=12),
    ]
    for figure in figures:
        image, place = picture(figure, *size, theme=theme, options=DrawOptions(caption=size[0] > 400))
        if not isinstance(place, TablesGeometry) or size[0] < 400:
            continue
        part, box = place.maps[0].part, place.maps[0].box
        row, column = 0, part.matrix.shape[1] // 2
        x = box.left() + (column + 0.5) * box.width() / part.matrix.shape[1]
        y = box.top() + (row + 0.5) * box.height() / part.matrix.shape[0]
        share = float(part.matrix[row, column]) / part.levels[1]
        wanted = round(128 + 127 * share) if share >= 0 else round(127 + 127 * share)
        near = [int(value) for value in theme.diverging[max(0, wanted - 1) : wanted + 2]]
        assert image.pixel(int(x), int(y)) in near


def test_numbers_of_an_axis_that_begins_below_zero() -> None:
    assert counted(-128, 257, 500, 60) == [-100, -50, 0, 50, 100]
    assert counted(1, 4, 100, 20) == [1, 2, 3, 4]


def test_sinusoids_that_begin_elsewhere_are_said_to() -> None:
    angle = (np.arange(30)[:, None] + 2) / 10000 ** (np.arange(4) / 4)
    rows = np.concatenate([np.sin(angle), np.cos(angle)], axis=1).astype(np.float32)
    assert "position 0 has the sinusoids of 2, and so on" in PositionTable(rows, 10000.0, "halves").badges
    assert PositionTable(np.roll(rows, 7, axis=1), 10000.0, "halves").start == 0


def test_llama_turns_by_its_theta(tmp_path: Path) -> None:
    folder = foreign_assets.write_llama(tmp_path / "llama")
    rows = rendered(tmp_path, folder, "--positions", "9")
    assert len(rows) == 9 * 4
    for row in rows:
        angle = int(row["position"]) * 10000.0 ** (-2 * int(row["pair"]) / 8)
        assert float(row["cosine"]) == pytest.approx(math.cos(angle), abs=1e-5)
        assert float(row["sine"]) == pytest.approx(math.sin(angle), abs=1e-5)


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_t5_adds_the_numbers_of_its_file(tmp_path: Path, stack: str) -> None:
    folder = foreign_assets.write_t5(tmp_path / "t5")
    name = f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
    weights = load_file(folder / "model.safetensors")[name]
    rows = rendered(tmp_path, folder, "--stack", stack, "--head", "3", "--positions", "6")
    both = stack == "encoder"
    for row in rows:
        offset = int(row["offset"])
        assert int(row["bucket"]) == bucket(offset, both=both)
        assert np.float32(row["value"]) == weights[bucket(offset, both=both), int(row["head"])]
    offsets = [int(row["offset"]) for row in rows if row["what"] == "offset" and row["head"] == "0"]
    assert offsets == list(range(-128, 129 if both else 1))
    cells = [row for row in rows if row["what"] == "cell"]
    assert {row["head"] for row in cells} == {"2"}, "from 0 in data"
    assert len(cells) == (36 if both else 21)
    assert all(int(row["offset"]) == int(row["key"]) - int(row["query"]) for row in cells)


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_bart_has_two_rows_before_the_first_position(tmp_path: Path, stack: str) -> None:
    folder = foreign_assets.write_bart(tmp_path / "bart")
    stored = load_file(folder / "model.safetensors")
    table = next(array for name, array in stored.items() if name.endswith(f"{stack}.embed_positions.weight"))
    rows = rendered(tmp_path, folder, "--stack", stack, "--positions", "3")
    assert len(rows) == 3 * 32
    for row in rows:
        assert np.float32(row["value"]) == table[int(row["position"]) + 2, int(row["dimension"])]
        assert row["notes"] == f"first 3 of 64 positions; of the {stack}; learned"


def test_what_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = foreign_assets.write_t5(tmp_path / "t5")
    start = ["render", "--view", "positions", "--model", str(folder), "--out", str(tmp_path / "x.png")]
    for words, said in (
        (["--stack", "sideways"], "no positions called sideways"),
        (["--head", "9"], "no head 9; choose one from 1 to 4"),
        (["--head", "mean"], "no head mean"),
    ):
        assert main([*start, *words]) != 0
        assert said in capsys.readouterr().err
    assert not (tmp_path / "x.png").exists()
