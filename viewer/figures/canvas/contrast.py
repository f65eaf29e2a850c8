"""Contrast: whether text can be read on a colour, and the one that can."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtGui import QColor

from viewer.figures.canvas.theme import Theme

LEAST_CONTRAST = 4.5
"""Of type that can be read (WCAG 2, level AA)."""


def readable_on(colour: QColor, theme: Theme) -> str:
    """The theme's colour for type on a ground: `text` or `panel`, or an extreme where these are too near."""
    return _readable_on(colour.rgb(), theme)


@lru_cache(maxsize=1024)  # the steps of a scale in a few themes: a text has hundreds of words in view
def _readable_on(rgb: int, theme: Theme) -> str:
    colour = QColor.fromRgb(rgb)

    def best(*roles: str) -> str:
        return max(roles, key=lambda role: contrast(theme.color(role), colour))

    usual = best("text", "panel")
    return usual if contrast(theme.color(usual), colour) >= LEAST_CONTRAST else best("ink", "paper")


def contrast(one: QColor, other: QColor) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2, relative luminance)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (colour.redF(), colour.greenF(), colour.blueF())
    )
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
