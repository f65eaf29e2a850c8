"""Painting a tree of tokens: chips with their probability, lines between them, signs where something ends."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from viewer.figures.canvas.fonts import figure_font
from viewer.figures.canvas.frame import draw_words
from viewer.figures.canvas.lettering import LABEL, SMALLEST, elided, middle, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.tree.layout import BETWEEN, CHIP, GAP, HEADER, PAD, PlacedTree, TreeGeometry
from viewer.figures.tree.spec import TokenNode

_ROUND = 5.0
_BAR = 2.5
SIGN = 9.0
"""Size of the signs of what ends."""


@dataclass(frozen=True)
class TreeMarks:
    """What stands out.

    Attributes:
        in_view: the nodes of the run in view.
        current: the node that is looked at, -1 for none.
        hovered: the node under the pointer, -1 for none.
        step: the column to mark, -1 for none.
    """

    in_view: frozenset[int] = frozenset()
    current: int = -1
    hovered: int = -1
    step: int = -1


def paint_tree(
    painter: QPainter, place: TreeGeometry, theme: Theme, marks: TreeMarks, visible: QRectF | None = None
) -> None:
    """Draw what is visible of a tree, without its header, on a ground that the caller has filled."""
    area = visible or QRectF(0, 0, place.width, place.height)
    columns = place.columns_between(area.left(), area.right() + GAP)
    if marks.step >= 0 and marks.step + 1 in columns:
        band = place.column_box(marks.step + 1)
        painter.fillRect(QRectF(band.left(), area.top(), band.width(), area.height()), _band(theme))
    plain, strong = QPainterPath(), QPainterPath()
    faint = QPainterPath()
    for column in columns:
        for index in place.members(column):
            node = place.tree.nodes[index]
            if node.parent is None:
                continue
            bold = index in marks.in_view
            path = strong if bold else faint if node.standing == "dropped" else plain
            _add_line(path, place, node, area)
    for path, colour, wide in ((faint, "outline", 1.0), (plain, "faint", 1.2), (strong, "accent", 2.0)):
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color(colour), wide))
        painter.drawPath(path)
    for column in columns:
        for index in place.members(column):
            y = place.y(place.rows[index])
            if area.top() - CHIP <= y <= area.bottom() + CHIP:
                _chip(painter, place, place.tree.nodes[index], theme, marks)


def paint_whole_tree(painter: QPainter, place: PlacedTree, theme: Theme, options: DrawOptions) -> None:
    """Draw all of a tree on its page, the path of the run in view before the others."""
    marks = TreeMarks(place.spec.in_view)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    painter.translate(place.words.room.topLeft())
    painter.scale(place.scale, place.scale)
    paint_tree(painter, place.tree, theme, marks)
    paint_header(painter, place.tree, theme, marks, QRectF(0, 0, place.tree.width, 0))
    painter.restore()


def paint_header(
    painter: QPainter, place: TreeGeometry, theme: Theme, marks: TreeMarks, area: QRectF
) -> None:
    """Draw the numbers of the steps at the top of `area`, on a ground of their own."""
    painter.fillRect(QRectF(area.left(), area.top(), area.width(), HEADER), theme.color("panel"))
    for column in place.columns_between(area.left(), area.right() + GAP):
        if column == 0:
            continue
        box = QRectF(place.column_box(column).left(), area.top(), place.column_box(column).width(), HEADER)
        now = column == marks.step + 1
        if now:
            painter.fillRect(box, _band(theme))
        text = str(column)
        painter.setFont(figure_font(SMALLEST, bold=now))
        painter.setPen(theme.color("accent" if now else "dim"))
        x = place.lefts[column] + max(PAD, 0.5 * (place.widths[column] - width(text, SMALLEST, now)))
        painter.drawText(QPointF(x, middle(box.center().y(), SMALLEST)), text)


def paint_sign(painter: QPainter, kind: str, centre: QPointF, theme: Theme) -> None:
    """The sign of an `End`; see `viewer.figures.tree.spec`."""
    half = SIGN / 2
    box = QRectF(centre.x() - half, centre.y() - half, SIGN, SIGN)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if kind == "finished":
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 1.5, 1.5)
    elif kind == "cancelled":
        painter.setPen(QPen(_warm(theme), 1.8))
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 1.5, 1.5)
    elif kind == "cut":
        painter.setPen(QPen(_warm(theme), 2.0))
        painter.drawLine(QLineF(box.left() + 2, box.top(), box.left() + 2, box.bottom()))
        painter.drawLine(QLineF(box.right() - 2, box.top(), box.right() - 2, box.bottom()))
    elif kind == "dropped":
        painter.setPen(QPen(_warm(theme), 1.6))
        inner = box.adjusted(1, 1, -1, -1)
        painter.drawLine(QLineF(inner.topLeft(), inner.bottomRight()))
        painter.drawLine(QLineF(inner.topRight(), inner.bottomLeft()))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent" if kind == "live" else "faint"))
        for place in (-3.6, 0.0, 3.6):
            painter.drawEllipse(QPointF(centre.x() + place, centre.y()), 1.3, 1.3)


def sign_of(node: TokenNode) -> str:
    """The sign at a node, empty for none: of the runs that end there the one that says most."""
    kinds = {kind for _, kind in node.ends}
    if node.standing in ("finished", "cut"):
        kinds.add("finished" if node.standing == "finished" else "cut")
    if node.standing == "dropped" and not node.children:
        kinds.add("dropped")
    order = ("live", "cancelled", "cut", "finished", "dropped", "open")
    return next((kind for kind in order if kind in kinds), "")


def _add_line(path: QPainterPath, place: TreeGeometry, node: TokenNode, area: QRectF) -> None:
    """From the parent's chip to the node's, down the gap before its column."""
    parent = place.rect(node.parent or 0)
    y, above = place.y(place.rows[node.index]), parent.center().y()
    if y < area.top() - CHIP or above > area.bottom() + CHIP:
        return
    left = place.lefts[node.step + 1]
    if y == above:
        path.moveTo(parent.right(), above)
        path.lineTo(left, y)
        return
    bend = left - GAP * 0.42
    path.moveTo(bend, above)
    path.lineTo(bend, y - _ROUND)
    path.quadTo(bend, y, bend + _ROUND, y)
    path.lineTo(left, y)


def _chip(painter: QPainter, place: TreeGeometry, node: TokenNode, theme: Theme, marks: TreeMarks) -> None:
    text, rect = place.texts[node.index], place.rect(node.index)
    bold, current = node.index in marks.in_view, node.index == marks.current
    gone = node.standing == "dropped"
    fill = theme.color("highlight" if bold else "panel" if node.standing != "run" else "badge")
    edge = theme.color("accent" if current else "highlight" if bold else "outline" if not gone else "grid")
    altered = bool(place.tree.strands[node.strand].alterations)
    if node.index == marks.hovered and not current:
        edge = theme.color("dim")
    elif altered and not current:
        edge = _warm(theme)
    pen = QPen(edge, 2.0 if current else 1.0)
    if gone and not current:
        pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    painter.setBrush(fill)
    painter.drawRoundedRect(rect, _ROUND, _ROUND)
    if node.parent is not None:
        _bar(painter, rect, _share(node.logprob), theme, bold, gone)
    room = rect.width() - 2 * PAD - (width(text.share, SMALLEST) + BETWEEN if text.share else 0)
    painter.setFont(figure_font(LABEL, bold=current))
    quiet = gone or text.dim or (node.standing != "run" and not bold)
    painter.setPen(theme.color("accent" if current else "dim" if quiet else "text"))
    y = middle(rect.center().y(), LABEL) - 1
    painter.drawText(QPointF(rect.left() + PAD, y), elided(text.text, LABEL, max(8.0, room), current))
    if text.share:
        painter.setFont(figure_font(SMALLEST))
        painter.setPen(theme.color("dim"))
        painter.drawText(QPointF(rect.right() - PAD - width(text.share, SMALLEST), y), text.share)
    sign = sign_of(node)
    if sign:
        paint_sign(painter, sign, QPointF(rect.right() + SIGN / 2 + 2.5, rect.center().y()), theme)


def _bar(painter: QPainter, rect: QRectF, share: float, theme: Theme, bold: bool, gone: bool) -> None:
    """The probability as a line along the chip's foot."""
    foot = QRectF(rect.left() + 3, rect.bottom() - _BAR - 0.5, (rect.width() - 6) * share, _BAR)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("accent" if bold else "outline" if gone else "faint"))
    painter.drawRoundedRect(foot, min(1.2, foot.width() / 2), 1.2)


def _band(theme: Theme) -> QColor:
    """The ground of the step in view."""
    colour = theme.color("highlight")
    colour.setAlpha(110)
    return colour


def _warm(theme: Theme) -> QColor:
    return QColor(theme.negative[3])


def _share(logprob: float) -> float:
    """The probability, 0 to 1; 0 where nobody recorded it."""
    return 0.0 if math.isnan(logprob) else math.exp(min(0.0, logprob))
