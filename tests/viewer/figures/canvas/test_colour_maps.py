"""The colour maps against CIE 1976 lightness as the standard defines it, computed here."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.figures.canvas.theme import DARK, LIGHT, Theme, theme

THEMES = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])


def channels(table: np.ndarray) -> np.ndarray:
    return np.stack([(table >> shift) & 255 for shift in (16, 8, 0)], axis=1).astype(float)


def lightness(rgb: np.ndarray) -> np.ndarray:
    share = rgb / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    y = linear @ [0.2126, 0.7152, 0.0722]
    return np.where(y > 216 / 24389, 116 * np.cbrt(y) - 16, y * 24389 / 27)


@THEMES
def test_lightness_moves_one_way_in_even_steps(colours: Theme) -> None:
    levels = lightness(channels(colours.table))
    steps = np.diff(levels) * np.sign(levels[-1] - levels[0])
    assert len(levels) == 256
    assert steps.min() >= -0.05  # 8-bit rounding
    assert abs(levels[-1] - levels[0]) > 75
    even = np.linspace(levels[0], levels[-1], 256)
    assert np.abs(levels - even).max() < 0.8


@THEMES
def test_zero_is_the_panel_in_both_maps(colours: Theme) -> None:
    panel = colours.color("panel").rgb()
    assert int(colours.table[0]) == panel
    assert int(colours.diverging[127]) == panel
    assert int(colours.diverging[128]) == panel


@THEMES
def test_the_diverging_map_is_as_strong_on_both_sides(colours: Theme) -> None:
    rgb = channels(colours.diverging)
    levels = lightness(rgb)
    assert len(levels) == 256
    assert np.abs(levels[:128][::-1] - levels[128:]).max() < 5
    # Blue and orange: told apart by hue, wherever there is any.
    assert (rgb[:64, 0] - rgb[:64, 2]).min() > 50
    assert (rgb[192:, 2] - rgb[192:, 0]).min() > 50


@THEMES
def test_masked_later_and_zero_are_three_colours(colours: Theme) -> None:
    names = ("panel", "masked", "later", "hatch", "outline")
    assert len({colours.color(name).rgb() for name in names}) == len(names)


@THEMES
def test_type_stands_out_from_the_panel(colours: Theme) -> None:
    def luminance(name: str) -> float:
        colour = colours.color(name)
        return float(lightness(np.array([[colour.red(), colour.green(), colour.blue()]]))[0])

    for name, least in (("text", 70), ("dim", 45), ("accent", 45), ("faint", 25)):
        assert abs(luminance(name) - luminance("panel")) > least


def test_themes_by_name() -> None:
    assert theme("light") is LIGHT
    assert theme("dark") is DARK
