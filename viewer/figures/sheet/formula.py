"""Formula: LaTeX set as a picture, by ziamath; drawn as shapes on any paint device."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QByteArray, QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgRenderer

_SIZE = 24.0
_INK = "#010203"  # stands in what is kept for whatever colour it is drawn in
_MOST_KEPT = 256
_svgs: dict[str, str] = {}
_one_at_a_time = threading.Lock()  # the library that sets them does not say that it is safe otherwise


@dataclass(frozen=True)
class Formula:
    """A formula of a size.

    Attributes:
        latex: what it says, without dollar signs.
        width, height: in logical pixels.
    """

    latex: str
    width: float
    height: float

    def draw(self, painter: QPainter, at: QPointF, colour: str) -> None:
        """Draw it with its top left at a point; `colour` as "#rrggbb"."""
        _renderer(self.latex, colour).render(painter, QRectF(at.x(), at.y(), self.width, self.height))


@lru_cache(maxsize=128)
def formula_of(latex: str, pixels: float, most: float = 0.0) -> Formula:
    """A formula in type of so many pixels; smaller where it would be wider than `most` (0: any width)."""
    box = _read(latex, _INK).viewBoxF()
    factor = pixels / _SIZE
    if most > 0:
        factor = min(factor, most / max(1.0, box.width()))
    return Formula(latex, box.width() * factor, box.height() * factor)


def is_set(latex: str) -> bool:
    """Whether a formula was set already, so that measuring and drawing it takes no time."""
    return latex in _svgs


def set_formula(latex: str) -> None:
    """Set a formula, in any thread: the first takes most of a second, each other a tenth."""
    with _one_at_a_time:
        if latex not in _svgs:
            _svgs[latex] = _svg(latex)
            while len(_svgs) > _MOST_KEPT:
                _svgs.pop(next(iter(_svgs)))


def _svg(latex: str) -> str:
    from ziamath.config import config
    from ziamath.zmath import Latex

    config.svg2 = False  # Qt knows no symbols that are used again
    svg: str = Latex(latex, size=_SIZE, color=_INK).svg()
    return svg


@lru_cache(maxsize=32)  # once drawn 0.2 MB each
def _renderer(latex: str, colour: str) -> QSvgRenderer:
    return _read(latex, colour)


def _read(latex: str, colour: str) -> QSvgRenderer:
    set_formula(latex)
    return QSvgRenderer(QByteArray(_svgs[latex].replace(_INK, colour).encode()))
