"""Painting a flow: its lines, its tokens, and what the lines' widths and colours mean."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from viewer.figures.canvas.axis_labels import draw_labels
from viewer.figures.canvas.frame import draw_legend, draw_words, part_note
from viewer.figures.canvas.lettering import SMALLEST, TextRun, draw_runs, elided, middle, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.sqrt_scale import root
from viewer.figures.canvas.theme import Theme
from viewer.figures.flow.layout import FlowGeometry, line_width
from viewer.figures.flow.lines import Lines
from viewer.figures.flow.paint_segments import paint_flow_segments
from viewer.figures.flow.spec import FlowSpec

_LEVELS = 32  # of width and opacity on a screen; a page has each line's own
_FAINTEST = 0.18
_FADED = 0.16
_SAMPLES = (0.1, 0.25, 0.5, 1.0)
_DASHES = (None, (6.0, 2.0), (1.5, 2.0))


def paint_flow(painter: QPainter, place: FlowGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw a flow where its geometry says."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    paint_lines(painter, place, theme, options)
    paint_tokens(painter, place, theme, options)
    painter.restore()


def paint_lines(painter: QPainter, place: FlowGeometry, theme: Theme, options: DrawOptions) -> None:
    """The lines that stay as they are while the pointer moves: all, faded where some stand out."""
    spec = place.spec
    if spec.only_chosen:
        return
    opacity = _FADED if is_emphasised(spec, options) else 1.0
    _draw_lines(painter, place, theme, place.in_view(spec.lines), opacity=opacity, exact=options.vector)


def paint_tokens(painter: QPainter, place: FlowGeometry, theme: Theme, options: DrawOptions) -> None:
    """What follows the pointer: the lines that stand out; and all that is written."""
    draw_words(painter, place.words, theme)
    lines = standing_out(place, options)
    if lines is not None:
        lines = place.in_view(lines)
        if not place.spec.only_chosen:  # its faded self below would make a line darker than its weight
            _draw_lines(painter, place, theme, lines, opacity=0.0, exact=options.vector)
        _draw_lines(painter, place, theme, lines, exact=options.vector)
    _step_band(painter, place, theme)
    _ends(painter, place, theme, options)
    _later(painter, place, theme)
    paint_flow_segments(painter, place, theme)
    draw_labels(painter, place.rows, theme, (place.spec.first.step_row, options.lit[0]))
    draw_labels(painter, place.columns, theme, (options.lit[1],))
    draw_runs(painter, list(place.titles), theme)
    _legend(painter, place, theme)


def is_emphasised(spec: FlowSpec, options: DrawOptions) -> bool:
    """Whether some lines stand out before the others."""
    tokens = (options.lit, spec.chosen)
    head = options.lit_head is not None and len(spec.maps) > 1
    return head or any(token is not None for pair in tokens for token in pair)


def standing_out(place: FlowGeometry, options: DrawOptions) -> Lines | None:
    """The lines of what the pointer is on, else of the chosen token; None if none stands out."""
    spec = place.spec
    row, column = options.lit
    head = options.lit_head
    if head is not None and head in spec.heads and row is None and column is None:
        return spec.lines.where(spec.lines.place == spec.heads.index(head))
    if row is None and column is None:
        row, column = spec.chosen
    if row is None and column is None:
        return None
    lines = spec.of_tokens(row, column)
    if head is not None and head in spec.heads:
        lines = lines.where(lines.place == spec.heads.index(head))
    return lines


def head_color(theme: Theme, head: int | None) -> QColor:
    """A head's colour; of a mean, or another aggregate, the accent."""
    return theme.color("accent") if head is None else QColor(theme.heads[head % len(theme.heads)])


def head_dashes(theme: Theme, head: int | None) -> tuple[float, float] | None:
    """How the lines of heads that share a colour differ."""
    return None if head is None else _DASHES[head // len(theme.heads) % len(_DASHES)]


def _draw_lines(
    painter: QPainter,
    place: FlowGeometry,
    theme: Theme,
    lines: Lines,
    *,
    opacity: float = 1.0,
    exact: bool,
) -> None:
    """Thin lines first; on a screen those of about one weight and colour in one path.

    Args:
        opacity: 1 as they are, less: faded, 0: wiped out with the ground's colour.
    """
    spec = place.spec
    if not len(lines):
        return
    painter.save()
    clip = place.area.adjusted(-1, 0, 1, 0)
    painter.setClipRect(clip)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    share = np.clip(np.abs(lines.value) / np.float32(spec.high), 0, 1)
    if spec.sqrt_scale:
        share = root(share)
    left, right = place.ends(lines)
    below = lines.value < 0
    level = np.arange(len(lines)) if exact else np.ceil(share * _LEVELS).astype(np.int64)
    group = (level * len(spec.maps) + lines.place) * 2 + below
    order = np.argsort(group, kind="stable")
    starts = [0, *(np.flatnonzero(np.diff(group[order])) + 1).tolist(), len(order)]
    x0, x1 = place.area.left(), place.area.right()
    half = (x0 + x1) / 2
    for start, end in pairwise(starts):
        chosen = order[start:end]
        path = QPainterPath()
        for y0, y1 in zip(left[chosen].tolist(), right[chosen].tolist(), strict=True):
            path.moveTo(x0, y0)
            path.cubicTo(half, y0, half, y1, x1, y1)
        first = int(chosen[0])
        value = float(share[first]) if exact else float(level[first]) / _LEVELS
        pen = line_pen(place, theme, spec.heads[int(lines.place[first])], value)
        if below[first]:
            pen.setDashPattern([4.0, 3.0])
        colour = pen.color() if opacity else theme.color("panel")
        colour.setAlphaF(colour.alphaF() * (opacity or 1.0))
        pen.setColor(colour)
        painter.setPen(pen)
        painter.drawPath(path)
    painter.restore()


def line_pen(place: FlowGeometry, theme: Theme, head: int | None, share: float) -> QPen:
    """The pen of a line whose weight is `share` of the scale."""
    colour = head_color(theme, head)
    colour.setAlphaF(_FAINTEST + (1 - _FAINTEST) * share)
    pitch = min(place.queries.pitch, place.keys.pitch)
    pen = QPen(colour, line_width(place.spec, share, pitch, place.scale))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    dashes = head_dashes(theme, head)
    if dashes is not None:
        pen.setDashPattern(list(dashes))
    return pen


def _step_band(painter: QPainter, place: FlowGeometry, theme: Theme) -> None:
    """A band behind the current step's label."""
    step = place.spec.first.step_row
    if step is None or not place.queries.first <= step < place.queries.last:
        return
    height = max(min(place.queries.pitch, 24 * place.scale), 16 * place.scale)
    band = QRectF(place.labels_left - 6, place.queries.y(step) - height / 2, 0, height)
    band.setRight(place.area.left())
    if band.top() >= place.area.top() - height and band.bottom() <= place.area.bottom() + height:
        painter.fillRect(band, theme.color("highlight"))


def _ends(painter: QPainter, place: FlowGeometry, theme: Theme, options: DrawOptions) -> None:
    """A dot at each token where its lines meet, larger at those that stand out."""
    spec = place.spec
    painter.setPen(Qt.PenStyle.NoPen)
    row, column = options.lit
    if row is None and column is None:
        row, column = spec.chosen
    for tokens, x, strong in (
        (place.queries, place.area.left(), row),
        (place.keys, place.area.right(), column),
    ):
        if tokens.pitch < 6 * place.scale:
            shown = [] if strong is None else [strong]
        else:
            shown = list(range(tokens.first, tokens.last))
        for index in shown:
            y = tokens.y(index)
            if not place.area.top() <= y <= place.area.bottom():
                continue
            later = tokens is place.queries and index >= spec.first.shown_rows
            role = "accent" if index == strong else "outline" if later else "faint"
            painter.setBrush(theme.color(role))
            size = (3.2 if index == strong else 1.8) * place.scale
            painter.drawEllipse(QPointF(x, y), size, size)


def _later(painter: QPainter, place: FlowGeometry, theme: Theme) -> None:
    """Outlines where the lines of later steps would begin: of each, or of all where tokens are near."""
    spec, tokens = place.spec, place.queries
    first = max(tokens.first, spec.first.shown_rows)
    if first >= tokens.last:
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    left = place.labels_left - 2
    long = place.area.left() - 6 * place.scale - left
    if tokens.pitch < 9 * place.scale:
        painter.setPen(QPen(theme.color("outline"), 1, Qt.PenStyle.DashLine))
        top = max(place.area.top(), tokens.top + first * tokens.pitch)
        painter.drawRect(QRectF(left, top, long, max(1.0, place.area.bottom() - top)))
        return
    painter.setPen(QPen(theme.color("outline"), 1))
    high = min(tokens.pitch - 3, 22 * place.scale)
    for index in range(first, tokens.last):
        y = tokens.y(index)
        if place.area.top() <= y <= place.area.bottom():
            painter.drawRoundedRect(QRectF(left, y - high / 2, long, high), 3, 3)


def _legend(painter: QPainter, place: FlowGeometry, theme: Theme) -> None:
    """What widths mean, whose colours those are, and which part is in view."""
    spec, scale = place.spec, place.scale
    pixels, y = SMALLEST * scale, place.legend.center().y()
    x = _width_samples(painter, place, theme, place.legend.left())
    if len(spec.maps) > 1:
        x = _head_names(painter, place, theme, x + 8 * scale)
    notes = []
    if spec.signed:
        notes.append(QCoreApplication.translate("Figure", "dashed: below 0"))
    rows, columns = place.queries, place.keys
    if rows.last - rows.first < rows.count or columns.last - columns.first < columns.count:
        notes.append(
            part_note(
                (rows.first + 1, rows.last, rows.count), (columns.first + 1, columns.last, columns.count)
            )
        )
    rest = QRectF(x + 8 * scale, y - pixels, max(0.0, place.legend.right() - x - 8 * scale), 2 * pixels)
    draw_legend(
        painter,
        rest,
        theme,
        masked=False,
        later=spec.first.shown_rows < spec.rows,
        notes=notes,
        scale=scale,
    )


def _width_samples(painter: QPainter, place: FlowGeometry, theme: Theme, x: float) -> float:
    """A stroke for some weights with its number; where they end."""
    spec, scale = place.spec, place.scale
    pixels, y = SMALLEST * scale, place.legend.center().y()
    head = spec.heads[0] if len(spec.maps) == 1 else None
    for value in _SAMPLES:
        number = f"{value * spec.high:.3g}"
        long = 16 * scale + 4 * scale + width(number, pixels) + 12 * scale
        if x + long > place.legend.right():
            break
        share = value**0.5 if spec.sqrt_scale else value
        painter.setPen(line_pen(place, theme, head, share))
        painter.drawLine(QPointF(x, y), QPointF(x + 16 * scale, y))
        run = TextRun(number, x + 20 * scale, middle(y, pixels), pixels, "dim")
        draw_runs(painter, [run], theme)
        x += long
    return x


def _head_names(painter: QPainter, place: FlowGeometry, theme: Theme, x: float) -> float:
    """Each head's colour with its number; where they end."""
    spec, scale = place.spec, place.scale
    pixels, y = SMALLEST * scale, place.legend.center().y()
    name = QCoreApplication.translate("Figure", "head")
    name = elided(name, pixels, max(0.0, place.legend.right() - x))
    draw_runs(painter, [TextRun(name, x, middle(y, pixels), pixels, "dim")], theme)
    x += width(name, pixels) + 6 * scale
    for head in spec.heads:
        number = "" if head is None else str(head + 1)
        long = 14 * scale + 3 * scale + width(number, pixels) + 8 * scale
        if x + long > place.legend.right():
            break
        pen = QPen(head_color(theme, head), 4 * scale)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        dashes = head_dashes(theme, head)
        if dashes is not None:
            pen.setDashPattern([part / 2 for part in dashes])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, y), QPointF(x + 14 * scale, y))
        draw_runs(painter, [TextRun(number, x + 17 * scale, middle(y, pixels), pixels, "dim")], theme)
        x += long
    return x
