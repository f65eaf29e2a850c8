"""Themes: type and marks stand out from what they are drawn on (WCAG 2, level AA)."""

from __future__ import annotations

import pytest

from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.pages.widgets import appearance
from viewer.pages.widgets.appearance import Palette

TYPE, MARK = 4.5, 3.0


def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb", as WCAG 2 has it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_extremes_are_as_the_standard_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_pictures_can_be_read(theme: Theme) -> None:
    grounds = {
        "text": ("panel", "badge", "highlight", "masked"),
        "dim": ("panel", "badge", "highlight", "masked"),
        "faint": ("panel", "masked", "later"),
        "accent": ("panel", "badge", "highlight"),
    }
    for role, behind in grounds.items():
        for ground in behind:
            assert contrast(getattr(theme, role), getattr(theme, ground)) >= TYPE, (role, ground)
    for ground in (theme.masked, theme.panel):
        assert contrast(theme.hatch, ground) >= MARK
    for colour in (*theme.curves, *theme.heads, theme.positive[-1], theme.negative[-1], theme.weights[-1]):
        assert contrast(colour, theme.panel) >= MARK, colour


@pytest.mark.parametrize("palette", [appearance.LIGHT, appearance.DARK], ids=lambda palette: palette.name)
def test_the_window_can_be_read(palette: Palette) -> None:
    for ground in ("panel", "window", "hover", "soft"):
        for role in ("text", "muted", "accent", "problem"):
            assert contrast(getattr(palette, role), getattr(palette, ground)) >= TYPE, (role, ground)
    assert contrast(palette.on_accent, palette.accent) >= TYPE
    assert contrast(palette.warn_text, palette.warn) >= TYPE
    for role in ("border_strong", "bar"):
        for ground in ("panel", "window"):
            assert contrast(getattr(palette, role), getattr(palette, ground)) >= MARK, (role, ground)
