"""Importance painted: the page of heads coloured by what each is worth, by whatever measure."""

from __future__ import annotations

import re

from PySide6.QtGui import QColor, QPainter

from viewer.figures.canvas.cell_colours import codes, palette
from viewer.figures.canvas.contrast import readable_on
from viewer.figures.canvas.lettering import SMALLEST, TextRun, draw_runs, middle, width
from viewer.figures.canvas.matrix import Matrix
from viewer.figures.canvas.theme import Theme
from viewer.figures.heads.importance import signed
from viewer.figures.heads.layout import HeadsGeometry

_MARGIN = 2.0
_LEADING = re.compile(r"(?<!\d)0\.")


def paint_importance(painter: QPainter, place: HeadsGeometry, theme: Theme) -> None:
    """Fill each head's place with the colour of its number; write that where it fits."""
    spec = place.spec
    assert spec.worth is not None
    table = palette(theme, spec.levels)
    values = codes(spec.worth.values, None, spec.levels, sqrt_scale=False)
    pixels = SMALLEST * place.scale
    texts = numbers(spec.worth.values, pixels, place.first.width() - 2 * _MARGIN * place.scale)
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
