"""Axis labels: which of both axes are drawn, how large, in what colour."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPolygonF, QTransform

from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.fonts import figure_font
from viewer.figures.canvas.lettering import LABEL, SMALL, SMALLEST, TextRun, legible, text_widths, width
from viewer.figures.canvas.theme import Theme

_LONGEST = 64  # labels, all of those of most pictures


@dataclass(frozen=True)
class PlacedLabel:
    """A label where it is drawn.

    Attributes:
        index: row or column.
        runs: its text, relative to `origin` in the turned frame; `box` is the room that it takes there.
        angle: in degrees, -45 for a slanted one.
        strong: drawn whole, on a ground of its own.
    """

    index: int
    runs: tuple[TextRun, ...]
    origin: QPointF
    angle: float
    box: QRectF
    strong: bool = False

    def outline(self) -> QPolygonF:
        """The box on the picture."""
        return self.frame().map(QPolygonF(self.box))

    def contains(self, point: QPointF) -> bool:
        """Whether a point of the picture lies on the label."""
        turned, _ = self.frame().inverted()
        return self.box.contains(turned.map(point))

    def frame(self) -> QTransform:
        """The turned frame in the picture's."""
        return QTransform().translate(self.origin.x(), self.origin.y()).rotate(self.angle)


def draw_labels(
    painter: QPainter, labels: Iterable[PlacedLabel], theme: Theme, lit: Container[int | None] = ()
) -> None:
    """Draw labels, a strong one on a ground that covers what its full text would run over.

    Args:
        lit: rows or columns whose ground is the theme's `highlight`.
    """
    whole, style = painter.transform(), None
    for label in labels:
        painter.setTransform(label.frame() * whole)
        if label.strong:
            painter.fillRect(label.box, theme.color("highlight" if label.index in lit else "panel"))
        for run in label.runs:
            if style != (style := (run.pixels, run.bold, run.role)):  # a map has a hundred, nearly all alike
                painter.setFont(figure_font(run.pixels, bold=run.bold))
                painter.setPen(theme.color(run.role))
            painter.drawText(QPointF(run.x, run.y), legible(run.text))
    painter.setTransform(whole)


@dataclass(frozen=True)
class Marks:
    """Tokens of an axis that stand out, as places along the axis.

    Attributes:
        strong: labelled whole, in the accent colour; the first matter most.
        later_from: first token of a later step, faint; those after it are not even known yet.
    """

    strong: tuple[int, ...] = ()
    later_from: int | None = None

    def is_later(self, index: int) -> bool:
        """Whether a token belongs to a later step."""
        return self.later_from is not None and index >= self.later_from

    def is_unknown(self, index: int) -> bool:
        """Whether a token is not known yet at the current step."""
        return self.later_from is not None and index > self.later_from

    def role(self, index: int, *, quiet: bool = False) -> str:
        """The theme's colour for a token's label."""
        if self.is_later(index):
            return "faint"
        if index in self.strong:
            return "accent"
        return "faint" if quiet else "text"


class Itself:
    """A tuple as a key, equal to no other: that of thousands of labels is never compared label by label."""

    __slots__ = ("of",)

    def __init__(self, of: tuple[AxisLabel, ...]) -> None:
        self.of = of

    def __hash__(self) -> int:
        return id(self.of)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.of is self.of


def widest(labels: Sequence[AxisLabel], drawn: range, pixels: float, *, second: bool = False) -> float:
    """Width in bold type of the longest of the labels that are drawn; of what is predicted there if `second`.

    A layout asks for it a dozen times with the same labels, and the next head's has the same again.
    """
    return _widest(Itself(tuple(labels)), drawn, pixels, second)  # a tuple stays itself


@lru_cache(maxsize=32)  # each keeps its labels, which may be thousands
def _widest(labels: Itself, drawn: range, pixels: float, second: bool) -> float:
    # What is a fraction of a pixel too narrow would end in an ellipsis: the longest are measured as Qt draws.
    if len(drawn) > _LONGEST:
        about = _about(labels, second)[drawn.start : drawn.stop : drawn.step]
        longest = [drawn[place] for place in np.argpartition(about, -_LONGEST)[-_LONGEST:]]
    else:
        longest = list(drawn)
    return max((width(_text(labels.of[index], second), pixels, True) for index in longest), default=0.0)


@lru_cache(maxsize=8)
def _about(labels: Itself, second: bool) -> npt.NDArray[np.float64]:
    """How wide each label is, letter by letter, in type of one size: the longest are that in any."""
    of = text_widths(LABEL, True).of
    return np.array([of(_text(label, second)) for label in labels.of])


def _text(label: AxisLabel, second: bool) -> str:
    return legible(label.second if second else label.text)


def type_size(room: float, scale: float, *, tight: float, least: float) -> float:
    """The largest type for lines of text `room` apart, not below `least` pixels.

    Where even the least is too large some lines are left out, and the others may as well be legible.
    """
    for pixels in (LABEL, SMALL, SMALLEST):
        if room >= tight * pixels * scale:
            return pixels * scale
    return room / tight if room >= tight * least else max(SMALLEST * scale, least)


def stride_of(room: float, pixels: float, *, tight: float) -> int:
    """Every how many cells, `room` apart, there is place for a line of text."""
    return max(1, math.ceil(tight * pixels / room - 1e-6)) if room > 0 else 1


def chosen(first: int, last: int, stride: int, strong: Sequence[int]) -> list[int]:
    """Which of the tokens `first` to `last` (exclusive) are labelled: the strong, and others not too near."""
    kept: list[int] = []
    for index in strong:
        if first <= index < last and all(abs(index - other) >= stride for other in kept):
            kept.append(index)
    regular = range(-(-first // stride) * stride, last, stride)
    others = [index for index in regular if all(abs(index - other) >= stride for other in kept)]
    return [*others, *reversed(kept)]
