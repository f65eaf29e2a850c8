"""Type as it is drawn stands out from what is under it, in every picture and lesson, light and dark."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
import pytest
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from tests.viewer.figures.canvas.test_theme import TYPE
from tests.viewer.figures.test_registry import SAMPLES
from tests.viewer.lessons.states import states_of
from viewer.figures.canvas import lettering
from viewer.figures.canvas.lettering import TextRun
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.drawing import paint_figure
from viewer.figures.figure import FigureSpec
from viewer.lessons.registry import TOLD
from viewer.lessons.told import Told

SIZE = (1000, 800)
_MOST = 0.3  # of a word's ground may be lines, edges of bars and the like
Pictures = Callable[[], Iterator[FigureSpec]]


def _lesson(told: Told) -> Pictures:
    return lambda: (state.figure for state in islice(states_of(told, None, None), 2))


def _kind(name: str) -> Pictures:
    return lambda: iter([SAMPLES[name]()])


PICTURES: dict[str, Pictures] = {name: _kind(name) for name in SAMPLES}
PICTURES |= {f"lesson {told.name}": _lesson(told) for told in TOLD if not told.lesson.needs_answer}


def relative(pixels: np.ndarray) -> np.ndarray:
    """Relative luminance [n] of colours [n, 3] from 0 to 255 (WCAG 2)."""
    parts = pixels / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def contrasts(ink: np.ndarray, grounds: np.ndarray) -> np.ndarray:
    one, other = relative(ink[None])[0], relative(grounds)
    return (np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", PICTURES)
def test_type_can_be_read_where_it_stands(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, name: str, theme: Theme
) -> None:
    runs: list[tuple[TextRun, QRect, str]] = []

    def keep(painter: QPainter, drawn: list[TextRun], colours: Theme, *rest: object, **more: object) -> None:
        for run in drawn:
            wide = lettering.width(run.text, run.pixels, run.bold)
            box = QRectF(run.x, run.y - 0.72 * run.pixels, wide, 0.72 * run.pixels)
            runs.append((run, painter.combinedTransform().mapRect(box).toRect(), run.role))

    for module in list(sys.modules.values()):
        if module.__name__.startswith("viewer.figures") and hasattr(module, "draw_runs"):
            monkeypatch.setattr(module, "draw_runs", keep)
    unreadable = {}
    for figure in PICTURES[name]():
        runs.clear()
        image = QImage(*SIZE, QImage.Format.Format_RGB32)
        image.fill(theme.color("panel"))
        painter = QPainter(image)
        paint_figure(painter, figure, QRectF(image.rect()), theme, DrawOptions(caption=True))
        painter.end()
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(SIZE[1], SIZE[0], 4)[:, :, 2::-1]
        assert runs
        for run, box, role in runs:
            inside = box.intersected(image.rect())
            ground = rows[inside.top() : inside.bottom() + 1, inside.left() : inside.right() + 1]
            if not run.text.strip() or not ground.size:
                continue
            colour = theme.color(role)
            ink = np.array([colour.red(), colour.green(), colour.blue()])
            found = contrasts(ink, ground.reshape(-1, 3).astype(float))
            if (found < TYPE).mean() > _MOST:
                unreadable[run.text] = (role, round(float(np.median(found)), 2))
    assert unreadable == {}
