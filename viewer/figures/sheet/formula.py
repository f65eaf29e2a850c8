"""Formula: LaTeX set as a picture, by ziamath; drawn as shapes on any paint device."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QByteArray, QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgRenderer

_SIZE = 24.0
_ANY = "#010203"


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
    box = _renderer(latex, "#000000").viewBoxF()
    factor = pixels / _SIZE
    if most > 0:
        factor = min(factor, most / max(1.0, box.width()))
    return Formula(latex, box.width() * factor, box.height() * factor)


@lru_cache(maxsize=128)
def _renderer(latex: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_svg(latex).replace(_ANY, colour).encode()))


@lru_cache(maxsize=128)
def _svg(latex: str) -> str:
    """The formula in a colour that stands for any: setting it takes far longer than all else."""
    with warnings.catch_warnings():  # it reads its font in a way that Python 3.11 calls out of date
        warnings.simplefilter("ignore", DeprecationWarning)
        # Takes a tenth of a second, which only lessons need.
        from ziamath.config import config
        from ziamath.zmath import Latex

    config.svg2 = False  # Qt knows no symbols that are used again
    svg: str = Latex(latex, size=_SIZE, color=_ANY).svg()
    return svg
