"""Lettering: sizes of type and the measuring, eliding and drawing of text."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from viewer.figures.canvas.fonts import figure_font
from viewer.figures.canvas.theme import Theme
from viewer.text_widths import TextWidths

TITLE = 14.0
LABEL = 13.0
SMALL = 12.0
SMALLEST = 11.0
LEAST_TYPE = 9.0


@dataclass(frozen=True)
class TextRun:
    """A piece of text in one style.

    Attributes:
        x, y: where its baseline starts.
        pixels: height of the type, in logical pixels.
        role: the theme's colour name.
    """

    text: str
    x: float
    y: float
    pixels: float
    role: str = "text"
    bold: bool = False


@lru_cache(maxsize=64)
def metrics(pixels: float, bold: bool = False) -> QFontMetricsF:
    """Metrics of the pictures' font; the same on every device, since sizes are in pixels."""
    return QFontMetricsF(figure_font(pixels, bold=bold))


@lru_cache(maxsize=16)
def text_widths(pixels: float, bold: bool = False) -> TextWidths:
    """Of thousands of texts, which `width` would take ten times as long for."""
    return TextWidths(figure_font(pixels, bold=bold))


def legible(text: str) -> str:
    """The text with "U+1F642" in place of a character that no installed font can draw.

    All such characters look alike otherwise: a box.
    """
    return text if text.isascii() else _legible(text)


@lru_cache(maxsize=16384)
def _legible(text: str) -> str:
    return "".join(map(_legible_character, text))


@lru_cache(maxsize=4096)
def _legible_character(character: str) -> str:
    # Marks and joiners have no picture of their own.
    if unicodedata.category(character)[0] in "LNPS" and not metrics(LABEL).inFontUcs4(ord(character)):
        return f"U+{ord(character):04X}"
    return character


@lru_cache(maxsize=16384)  # the words of the longest inputs, in several sizes
def width(text: str, pixels: float, bold: bool = False) -> float:
    """Advance of a line of text in logical pixels."""
    return metrics(pixels, bold).horizontalAdvance(legible(text))


@lru_cache(maxsize=4096)  # each size of a window asks for other rooms: only the last are asked for again
def elided(text: str, pixels: float, room: float, bold: bool = False) -> str:
    """The text, its end replaced by an ellipsis where it does not fit."""
    text = legible(text)
    if width(text, pixels, bold) <= room:
        return text
    return metrics(pixels, bold).elidedText(text, Qt.TextElideMode.ElideRight, room)


def line_height(pixels: float) -> float:
    """Distance of baselines; fonts with Chinese glyphs report far more than a line needs."""
    return round(1.36 * pixels)


def middle(y: float, pixels: float) -> float:
    """The baseline that centres a line of text on `y`: half the height of a capital below it."""
    return y + 0.36 * pixels


def wrapped(text: str, pixels: float, room: float) -> list[str]:
    """The text in lines no wider than `room`; a word that is too long alone is broken anywhere."""
    lines: list[str] = []
    line = ""
    for word in _breakable(legible(text)):
        if line and width(line + word.rstrip(), pixels) > room:
            lines.append(line.rstrip())
            line = ""
        while width(word.rstrip(), pixels) > room and len(word) > 1:
            fitting = _fitting(word, pixels, room)
            lines.append(word[:fitting])
            word = word[fitting:]
        line += word
    return [*lines, line.rstrip()] if line.strip() else lines


def draw_runs(painter: QPainter, runs: tuple[TextRun, ...] | list[TextRun], theme: Theme) -> None:
    """Draw text where it was placed."""
    for run in runs:
        painter.setFont(figure_font(run.pixels, bold=run.bold))
        painter.setPen(theme.color(run.role))
        painter.drawText(QPointF(run.x, run.y), legible(run.text))


def run_box(run: TextRun) -> QRectF:
    """The room that a run of text takes."""
    height = line_height(run.pixels)
    return QRectF(run.x, run.y - 0.8 * height, width(run.text, run.pixels, run.bold), height)


def _breakable(text: str) -> list[str]:
    """Words with the space after them; each Chinese character is a word."""
    words: list[str] = []
    word = ""
    for character in text:
        word += character
        if character == " " or "\u2e80" <= character <= "\uffef":
            words.append(word)
            word = ""
    return [*words, word] if word else words


def _fitting(word: str, pixels: float, room: float) -> int:
    """How many characters of a word fit, at least 1."""
    low, high = 1, len(word)
    while low < high:
        half = (low + high + 1) // 2
        low, high = (half, high) if width(word[:half], pixels) <= room else (low, half - 1)
    return low
