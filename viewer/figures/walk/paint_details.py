"""Painting the one stage of a layer walk that is shown in detail."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from viewer.figures.canvas.lettering import SMALL, TextRun, draw_runs, elided, line_height, middle, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.walk.details import number
from viewer.figures.walk.layout import bar_rows
from viewer.figures.walk.paint_embedding import paint_embedding
from viewer.figures.walk.spec import (
    BarsDetail,
    Detail,
    EmbeddingDetail,
    LensCell,
    LensDetail,
    LensRow,
    NormDetail,
    ResidualDetail,
)

translate = QCoreApplication.translate


def paint_detail(
    painter: QPainter, area: QRectF, detail: Detail, scale: float, theme: Theme, options: DrawOptions
) -> None:
    """Draw a stage's picture into `area`."""
    if area.width() < 60 * scale or area.height() < 40 * scale:
        return
    if isinstance(detail, EmbeddingDetail):
        paint_embedding(painter, area, detail, scale, theme, options)
    elif isinstance(detail, BarsDetail):
        _bars(painter, area, detail, scale, theme)
    elif isinstance(detail, ResidualDetail):
        _residual(painter, area, detail, scale, theme)
    elif isinstance(detail, NormDetail):
        _norm(painter, area, detail, scale, theme)
    else:
        _lens(painter, area, detail, scale, theme)


def _bars(painter: QPainter, area: QRectF, detail: BarsDetail, scale: float, theme: Theme) -> None:
    """A table whose last column is drawn as bars."""
    pixels = SMALL * scale
    slot = max(76 * scale, *(width(column, pixels) + 14 * scale for column in detail.columns[:-1]))
    before = len(detail.columns) - 1
    left = area.left() + before * slot
    y = middle(area.top() + line_height(pixels) / 2, pixels)
    runs = [
        TextRun(
            elided(column, pixels, area.right() - area.left() - place * slot),
            area.left() + place * slot,
            y,
            pixels,
            "dim",
        )
        for place, column in enumerate(detail.columns)
    ]
    longest = max((row.value for row in detail.rows), default=0.0)
    values = max((width(row.texts[-1], pixels) for row in detail.rows), default=0.0)
    room = max(0.0, area.right() - left - values - 10 * scale)
    for place, row in zip(bar_rows(area, detail, scale), detail.rows):
        base = middle(place.center().y(), pixels)
        runs.append(TextRun(row.name, place.left(), base, pixels))
        for column, text in enumerate(row.texts[:-1], 1):
            runs.append(TextRun(text, place.left() + column * slot, base, pixels))
        long = room * row.value / longest if longest > 0 else 0.0
        thick = min(12 * scale, 0.6 * place.height())
        bar = QRectF(left, place.center().y() - thick / 2, long, thick)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.curves[0 if detail.head_layer is None else 1]))
        painter.drawRoundedRect(bar, 2 * scale, 2 * scale)
        runs.append(TextRun(row.texts[-1], bar.right() + 6 * scale, base, pixels))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    draw_runs(painter, runs, theme)


def residual_points(area: QRectF, detail: ResidualDetail) -> tuple[QPointF, QPointF, QPointF]:
    """Start, tip of what was there, tip of the sum: true to scale in the plane of the two vectors."""
    angle = math.acos(max(-1.0, min(1.0, detail.cosine)))
    bend = QPointF(detail.before, 0.0)
    tip = bend + QPointF(detail.added * math.cos(angle), -detail.added * math.sin(angle))
    points = [QPointF(0, 0), bend, tip]
    left, right = (f(p.x() for p in points) for f in (min, max))
    top, bottom = (f(p.y() for p in points) for f in (min, max))
    size = min(
        area.width() / (right - left) if right > left else math.inf,
        area.height() / (bottom - top) if bottom > top else math.inf,
    )
    size = size if math.isfinite(size) else 1.0
    origin = QPointF(
        area.center().x() - size * (left + right) / 2, area.center().y() - size * (top + bottom) / 2
    )
    start, middle_, end = (origin + point * size for point in points)
    return start, middle_, end


def _residual(painter: QPainter, area: QRectF, detail: ResidualDetail, scale: float, theme: Theme) -> None:
    """An arrow for what was there, one for what is added, one for the sum; a line of words for each."""
    pixels = SMALL * scale
    line = line_height(pixels) + 4 * scale
    entries = (
        (theme.curves[5], translate("Walk", "before: {length} long"), detail.before),
        (
            theme.curves[1],
            translate("Walk", "added: {length} long, cosine with before {cosine}"),
            detail.added,
        ),
        (theme.curves[0], translate("Walk", "sum: {length} long, cosine with before {kept}"), detail.total),
    )
    runs = []
    y = area.top()
    for colour, text, value in entries:
        said = text.format(length=number(value), cosine=number(detail.cosine), kept=number(detail.kept))
        painter.setPen(QPen(QColor(colour), 3 * scale))
        painter.drawLine(QLineF(area.left(), y + line / 2, area.left() + 22 * scale, y + line / 2))
        room = area.width() - 30 * scale
        runs.append(
            TextRun(
                elided(said, pixels, room), area.left() + 30 * scale, middle(y + line / 2, pixels), pixels
            )
        )
        y += line
    note = translate("Walk", "Lengths and angles are true, in the plane that the two vectors span.")
    runs.append(
        TextRun(
            elided(note, pixels, area.width()),
            area.left(),
            middle(area.bottom() - line / 2, pixels),
            pixels,
            "dim",
        )
    )
    draw_runs(painter, runs, theme)
    inside = area.adjusted(20 * scale, 3 * line + 20 * scale, -20 * scale, -line - 20 * scale)
    if inside.height() < 30 * scale:
        return
    start, bend, end = residual_points(inside, detail)
    _vector(painter, start, bend, QColor(theme.curves[5]), scale)
    _vector(painter, bend, end, QColor(theme.curves[1]), scale)
    _vector(painter, start, end, QColor(theme.curves[0]), scale)


def _vector(painter: QPainter, start: QPointF, end: QPointF, colour: QColor, scale: float) -> None:
    painter.setPen(QPen(colour, 2.4 * scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    along = end - start
    long = math.hypot(along.x(), along.y())
    if long < 1:
        return
    unit, size = along / long, min(10 * scale, long)
    normal, back = QPointF(-unit.y(), unit.x()), end - unit * size
    painter.drawLine(QLineF(start, back))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([end, back + normal * 0.4 * size, back - normal * 0.4 * size]))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _norm(painter: QPainter, area: QRectF, detail: NormDetail, scale: float, theme: Theme) -> None:
    """Two histograms on one axis, what goes in above what comes out."""
    names = (translate("Walk", "before"), translate("Walk", "after"))
    gap = 12 * scale
    high = (area.height() - gap - line_height(SMALL * scale)) / 2
    most = max(max(counts, default=0) for counts in detail.counts)
    for place in range(2):
        box = QRectF(area.left(), area.top() + place * (high + gap), area.width(), high)
        _histogram(painter, box, detail, place, names[place], most, scale, theme)
    pixels = SMALL * scale
    low, top = detail.edges[0], detail.edges[-1]
    runs = []
    for value in dict.fromkeys((low, 0.0 if low < 0 < top else low, top)):
        x = area.left() + (value - low) / (top - low) * area.width()
        text = number(value)
        x = min(max(area.left(), x - width(text, pixels) / 2), area.right() - width(text, pixels))
        runs.append(TextRun(text, x, middle(area.bottom() - line_height(pixels) / 2, pixels), pixels, "dim"))
    draw_runs(painter, runs, theme)


def _histogram(
    painter: QPainter,
    area: QRectF,
    detail: NormDetail,
    place: int,
    name: str,
    most: int,
    scale: float,
    theme: Theme,
) -> None:
    pixels = SMALL * scale
    line = line_height(pixels)
    text = translate("Walk", "{name}: mean {mean}, deviation {deviation}").format(
        name=name, mean=number(detail.mean[place]), deviation=number(detail.deviation[place])
    )
    bars = area.adjusted(0, line + 4 * scale, 0, -2 * scale)
    low, top = detail.edges[0], detail.edges[-1]
    across = bars.width() / (top - low)

    def x_of(value: float) -> float:
        return bars.left() + (min(max(value, low), top) - low) * across

    mean, spread = detail.mean[place], detail.deviation[place]
    painter.fillRect(
        QRectF(QPointF(x_of(mean - spread), bars.top()), QPointF(x_of(mean + spread), bars.bottom())),
        theme.color("highlight"),
    )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.curves[5 if place == 0 else 0]))
    for index, count in enumerate(detail.counts[place]):
        left, right = x_of(detail.edges[index]), x_of(detail.edges[index + 1])
        tall = bars.height() * count / most if most else 0.0
        painter.drawRect(QRectF(left + 0.5, bars.bottom() - tall, max(0.5, right - left - 1), tall))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("outline"), 1))
    painter.drawLine(QLineF(bars.left(), bars.bottom(), bars.right(), bars.bottom()))
    painter.setPen(QPen(theme.color("accent"), 1.4 * scale, Qt.PenStyle.DashLine))
    painter.drawLine(QLineF(x_of(mean), bars.top(), x_of(mean), bars.bottom()))
    draw_runs(
        painter,
        [
            TextRun(
                elided(text, pixels, area.width()), area.left(), middle(area.top() + line / 2, pixels), pixels
            )
        ],
        theme,
    )


def _lens(painter: QPainter, area: QRectF, detail: LensDetail, scale: float, theme: Theme) -> None:
    """One row a layer, the last at the bottom as the layers are computed upwards: read from top to bottom."""
    pixels = SMALL * scale
    line = line_height(pixels)
    names = max(width(row.name, pixels) for row in detail.rows) + 12 * scale
    ends = (text for row in detail.rows for text in (_rank(row.rank), percent(row.probability)))
    end = max(width(text, pixels, True) for text in ends) + 12 * scale
    count = max(len(row.cells) for row in detail.rows)
    slot = max(0.0, (area.width() - names - end) / max(1, count))
    high = min(46 * scale, (area.height() - line - 6 * scale) / len(detail.rows))
    if slot < 36 * scale:  # too narrow for all: the most probable ones
        count = max(1, min(count, int((area.width() - names - end) / (48 * scale))))
        slot = max(0.0, (area.width() - names - end) / count)
    y = middle(area.top() + line / 2, pixels)
    produced = elided(translate("Walk", "“{token}”").format(token=detail.produced), pixels, end)
    runs = [
        TextRun(translate("Walk", "most probable words"), area.left() + names, y, pixels, "dim"),
        TextRun(produced, area.right() - end + 8 * scale, y, pixels, "accent"),
    ]
    for index, row in enumerate(detail.rows):
        box = QRectF(area.left(), area.top() + line + 6 * scale + index * high, area.width(), high)
        base = middle(box.center().y(), pixels)
        if row.last:
            painter.setPen(QPen(theme.color("faint"), 1))
            painter.drawLine(QLineF(box.left(), box.top(), box.right(), box.top()))
        runs.append(TextRun(row.name, box.left(), base, pixels, "text", row.last))
        for place, cell in enumerate(row.cells[:count]):
            where = QRectF(
                box.left() + names + place * slot, box.top() + 2 * scale, slot - 4 * scale, high - 4 * scale
            )
            _lens_cell(painter, where, cell, scale, theme)
        runs += _produced(row, box, area.right() - end + 8 * scale, pixels)
    draw_runs(painter, runs, theme)


def _lens_cell(painter: QPainter, area: QRectF, cell: LensCell, scale: float, theme: Theme) -> None:
    """Ground as deep as the word is probable; the produced word is framed."""
    table = theme.table
    colour = QColor.fromRgb(int(table[round(255 * 0.62 * min(1.0, cell.probability))]))
    painter.setPen(QPen(theme.color("accent"), 2 * scale) if cell.produced else QPen(theme.color("grid"), 1))
    painter.setBrush(colour)
    painter.drawRoundedRect(area, 4 * scale, 4 * scale)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pixels = SMALL * scale
    line = min(line_height(pixels), area.height() / 2)
    texts: tuple[str, ...] = (cell.text, percent(cell.probability))
    if area.height() < 1.7 * line_height(pixels):
        texts, line = (cell.text,), area.height()
    dark = colour.lightnessF() < 0.5
    role = "paper" if dark else "ink"
    runs = []
    for index, text in enumerate(texts):
        shown = elided(text, pixels, area.width() - 8 * scale, cell.produced and index == 0)
        top = area.center().y() - len(texts) * line / 2 + index * line
        long = width(shown, pixels, cell.produced and index == 0)
        runs.append(
            TextRun(
                shown,
                area.center().x() - long / 2,
                middle(top + line / 2, pixels),
                pixels,
                role,
                cell.produced and index == 0,
            )
        )
    draw_runs(painter, runs, theme)


def percent(share: float) -> str:
    """A probability in percent, as the language in force writes it."""
    value = f"{100 * share:.0f}" if share >= 0.1 else f"{100 * share:.1f}" if share >= 0.001 else "< 0.1"
    return translate("Walk", "{value} %").format(value=value)


def _rank(rank: int) -> str:
    return translate("Walk", "rank {rank}").format(rank=f"{rank:,}")


def _produced(row: LensRow, box: QRectF, left: float, pixels: float) -> list[TextRun]:
    """The produced token's place and probability, as high as the lines of the cells beside them."""
    line = min(line_height(pixels), box.height() / 2)
    return [
        TextRun(
            text, left, middle(box.center().y() + (index - 0.5) * line, pixels), pixels, "accent", not index
        )
        for index, text in enumerate((_rank(row.rank), percent(row.probability)))
    ]
