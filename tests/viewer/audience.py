"""How an audience reads the window: the height of all type in view, painted type too."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QBuffer, QIODevice, QPoint, QRectF
from PySide6.QtGui import QPainter, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from viewer.figures.drawing import paint_figure
from viewer.pages.accessible.cell_table import CellTable
from viewer.pages.widgets.figure_view import FigureView

LEAST = 18  # pixels of the window, at 1280 x 800
_WRITTEN = QLabel | QAbstractButton | QLineEdit
_FILLED = QAbstractItemView | QComboBox | QAbstractSpinBox | QPlainTextEdit


def type_of(svg: str) -> set[float]:
    """The heights of the type in an SVG file of Qt's, whose groups say how much larger they are drawn."""
    sizes, around = set(), ""
    for tag, attributes in re.findall(r"<(g|text) ([^>]*)>", svg):
        if tag == "g":
            around = attributes
            continue
        written = re.search(r'font-size="([\d.]+)', attributes) or re.search(r'font-size="([\d.]+)', around)
        assert written is not None
        turned = re.search(r'transform="matrix\(([^)]*)\)', around)
        a, b, c, d = (float(each) for each in turned[1].split(",")[:4]) if turned else (1.0, 0.0, 0.0, 1.0)
        sizes.add(float(written[1]) * math.sqrt(abs(a * d - b * c)))
    return sizes


def drawn_type(widget: QWidget) -> set[float]:
    """The heights of all type that a widget paints, in pixels of the window."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    paper = QSvgGenerator()
    paper.setOutputDevice(buffer)
    paper.setViewBox(QRectF(widget.rect()))
    painter = QPainter(paper)
    if isinstance(widget, FigureView):
        figure = widget.figure
        assert figure is not None
        widget.draw(painter, figure, widget.figure_rect, widget.theme)
    else:
        widget.render(painter, QPoint(), QRegion(), QWidget.RenderFlag(0))
    painter.end()
    return type_of(bytes(buffer.data().data()).decode())


def painted_type(view: FigureView) -> set[float]:
    """The same of a view's figure as it is painted anew."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    paper = QSvgGenerator()
    paper.setOutputDevice(buffer)
    paper.setViewBox(QRectF(view.rect()))
    painter = QPainter(paper)
    assert view.figure is not None
    paint_figure(painter, view.figure, view.figure_rect, view.theme, view.options())
    painter.end()
    return type_of(bytes(buffer.data().data()).decode())


def _paints(widget: QWidget) -> bool:
    own = next(part for part in type(widget).__mro__ if "paintEvent" in vars(part))
    return own.__module__.startswith(("viewer.", "pyqtgraph.")) and not isinstance(widget, CellTable)


def too_small(window: QWidget) -> dict[str, float]:
    """What is written in view in smaller type than an audience reads, with its height."""
    found: dict[str, float] = {}
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.visibleRegion().isEmpty():
            continue
        name = type(widget).__name__
        if (isinstance(widget, _WRITTEN) and widget.text()) or isinstance(widget, _FILLED):
            filled = not isinstance(widget, QHeaderView) or widget.count()
            pixels = widget.fontInfo().pixelSize()
            if pixels < LEAST and filled and not isinstance(widget, CellTable):
                found[widget.text() if isinstance(widget, _WRITTEN) else name] = pixels
        elif isinstance(widget, FigureView):
            sizes = drawn_type(widget) if widget.figure is not None else set()
            if not sizes and widget.figure is not None:  # drawn from memory, as a picture
                sizes = painted_type(widget)
            assert sizes or widget.figure is None
            if min(sizes, default=LEAST) < LEAST:
                found[name] = min(sizes)
        elif _paints(widget):
            inner = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
            sizes = drawn_type(inner)
            if min(sizes, default=LEAST) < LEAST:
                found[name] = min(sizes)
    return found
