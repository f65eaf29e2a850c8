"""Notes: sentences below or beside a plot, wrapped."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF

from viewer.figures.canvas.lettering import LABEL, TextRun, line_height, middle, wrapped

_GAP = 0.35  # of a line, between two sentences


def notes_height(texts: Sequence[str], room: float, scale: float) -> float:
    """Height that the sentences take at a width."""
    pixels = LABEL * scale
    lines = sum(len(wrapped(text, pixels, room)) for text in texts)
    return (lines + _GAP * max(0, len(texts) - 1)) * line_height(pixels)


def place_notes(rect: QRectF, texts: Sequence[str], scale: float, roles: Sequence[str] = ()) -> list[TextRun]:
    """The sentences from the top of `rect` down; lines that do not fit are left out.

    Args:
        roles: colour names, one a sentence; `text` where there is none.
    """
    pixels = LABEL * scale
    line = line_height(pixels)
    runs: list[TextRun] = []
    y = rect.top()
    for index, text in enumerate(texts):
        role = roles[index] if index < len(roles) else "text"
        for each in wrapped(text, pixels, rect.width()):
            if y + line > rect.bottom() + 1:
                return runs
            runs.append(TextRun(each, rect.left(), middle(y + line / 2, pixels), pixels, role))
            y += line
        y += _GAP * line
    return runs
