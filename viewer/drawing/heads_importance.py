"""The page of heads coloured by what each head is worth to the translation."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor, QPainter

from viewer.drawing.cell_colours import codes, palette
from viewer.drawing.heads_layout import HeadsGeometry
from viewer.drawing.lettering import SMALLEST, TextRun, draw_runs, middle, width
from viewer.drawing.theme import Theme
from viewer.state.head_grid import Matrix
from viewer.state.importance_text import signed

LEAST_CONTRAST = 4.5
"""Of type that can be read (WCAG 2, level AA)."""

_MARGIN = 2.0
_LEADING = re.compile(r"(?<!\d)0\.")


def paint_importance(painter: QPainter, place: HeadsGeometry, theme: Theme) -> None:
    """Fill each head's place with the colour of its change of log probability; write that where it fits."""
    spec = place.spec
    assert spec.importance is not None
    table = palette(theme, spec.levels)
    values = codes(spec.importance, None, spec.levels, sqrt_scale=False)
    pixels = SMALLEST * place.scale
    texts = numbers(spec.importance, pixels, place.first.width() - 2 * _MARGIN * place.scale)
    runs: list[TextRun] = []
    for layer in range(spec.layers):
        for head in range(spec.heads):
            area = place.rect_of(layer, head)
            colour = QColor.fromRgb(int(table[values[layer, head]]))
            painter.fillRect(area, colour)
            text = texts[layer][head]
            x = area.center().x() - width(text, pixels) / 2
            y = middle(area.center().y(), pixels)
            runs.append(TextRun(text, x, y, pixels, readable_on(colour, theme)))
    draw_runs(painter, runs, theme)


def numbers(changes: Matrix, pixels: float, room: float) -> list[list[str]]:
    """All numbers, written alike: "−0.77", else "−.77", else "−0.8" if each has room for that; else none."""
    for decimals, short in ((2, False), (2, True), (1, False)):
        texts = [[signed(float(change), decimals) for change in row] for row in changes]
        if short:
            texts = [[_LEADING.sub(".", text) for text in row] for row in texts]
        if all(width(text, pixels) <= room for row in texts for text in row):
            return texts
    return [[""] * len(row) for row in changes]


def readable_on(colour: QColor, theme: Theme) -> str:
    """The theme's colour for type on a ground: `text` or `panel`, or an extreme where these are too near."""

    def best(*roles: str) -> str:
        return max(roles, key=lambda role: contrast(theme.color(role), colour))

    usual = best("text", "panel")
    return usual if contrast(theme.color(usual), colour) >= LEAST_CONTRAST else best("ink", "paper")


def contrast(one: QColor, other: QColor) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2, relative luminance)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def importance_note() -> str:
    """Says what the signs of the numbers mean."""
    return QCoreApplication.translate("Figure", "below 0: without the head the translation is less probable")


def _luminance(colour: QColor) -> float:
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (colour.redF(), colour.greenF(), colour.blueF())
    )
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
