"""Painting all heads of all kinds on one page."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter, QPen

from viewer.figures.all_heads.layout import AllHeadsGeometry
from viewer.figures.canvas.cell_colours import palette
from viewer.figures.canvas.frame import draw_bar, draw_legend, draw_words, pooled_note
from viewer.figures.canvas.lettering import draw_runs
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.heads.layout import HeadsGeometry
from viewer.figures.heads.paint import paint_kind

_TICK = 3.0


def paint_all_heads(painter: QPainter, place: AllHeadsGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw the page where its geometry says; `HeadscopeError` if a file cannot be read any more."""
    painter.save()
    try:
        _page(painter, place, theme, options)
    finally:
        painter.restore()


def _page(painter: QPainter, place: AllHeadsGeometry, theme: Theme, options: DrawOptions) -> None:
    spec = place.spec
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    masked = small = False
    for page in place.pages:
        kind = page.spec.kind
        own = replace(
            options,
            selected=options.selected if options.selected_kind is kind else None,
            hover=options.hover if options.hover_kind is kind else None,
        )
        told = paint_kind(painter, page, theme, own)
        masked, small = masked or told[0], small or told[1]
        _steps(painter, page, theme)
    draw_runs(painter, place.names, theme)
    if place.bar is not None:
        draw_bar(painter, place.bar, palette(theme, spec.levels), theme, vector=options.vector)
    draw_legend(
        painter,
        place.legend,
        theme,
        masked=masked,
        later=spec.has_later,
        notes=[pooled_note()] if small else [],
        scale=place.scale,
    )


def _steps(painter: QPainter, place: HeadsGeometry, theme: Theme) -> None:
    """Ticks at both sides of every map at the current step's row: they hide no weight."""
    spec = place.spec
    if spec.step_row is None or not spec.rows:
        return
    share, reach = (spec.step_row + 0.5) / spec.rows, _TICK * place.scale
    ticks = []
    for layer in range(spec.layers):
        for head in range(spec.heads):
            area = place.rect_of(layer, head)
            y = area.top() + share * area.height()
            ticks.append(QLineF(QPointF(area.left() - reach, y), QPointF(area.left(), y)))
            ticks.append(QLineF(QPointF(area.right(), y), QPointF(area.right() + reach, y)))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(theme.color("accent"), place.scale))
    painter.drawLines(ticks)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
