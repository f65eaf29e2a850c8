"""Painting all heads of a kind on one page."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from model.work import result_of
from viewer.figures.canvas.cell_colours import HATCH, LATER, MASKED, Codes, codes, palette
from viewer.figures.canvas.cells import (
    device_scale,
    draw_image,
    draw_rectangles,
    enlarged,
    hatch_lines,
    image_of,
    remembered,
)
from viewer.figures.canvas.frame import draw_bar, draw_legend, draw_words, pooled_note
from viewer.figures.canvas.lettering import SMALL, TextRun, draw_runs, line_height, middle, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.heads.layout import HeadsGeometry
from viewer.figures.heads.paint_importance import paint_importance
from viewer.figures.heads.thumbnails import Thumbnails

# More cells than this on one page would make an SVG of many megabytes.
MOST_VECTOR_CELLS = 128 * 128 * 4
_SHARPEST = 512


def paint_heads(painter: QPainter, place: HeadsGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw a page of heads where its geometry says; `HeadscopeError` if a file cannot be read any more."""
    painter.save()
    try:
        _page(painter, place, theme, options)
    finally:
        painter.restore()


def _page(painter: QPainter, place: HeadsGeometry, theme: Theme, options: DrawOptions) -> None:
    spec = place.spec
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    masked, small = paint_kind(painter, place, theme, options)
    if place.bar is not None:
        draw_bar(painter, place.bar, palette(theme, spec.levels), theme, vector=options.vector)
    if place.legend is not None:
        draw_legend(
            painter,
            place.legend,
            theme,
            masked=masked,
            later=spec.shown_rows < spec.rows and spec.worth is None,
            notes=[pooled_note()] if small else [spec.worth.note] if spec.worth is not None else [],
            scale=place.scale,
        )


def paint_kind(
    painter: QPainter, place: HeadsGeometry, theme: Theme, options: DrawOptions
) -> tuple[bool, bool]:
    """Draw the numbered heads of a kind and their frames.

    Returns:
        whether any cell is masked, and whether pixels stand for several cells.
    """
    spec = place.spec
    _labels(painter, place, theme, options)
    masked = small = False
    if spec.worth is not None:
        paint_importance(painter, place, theme)
    elif spec.rows and spec.columns:
        if options.vector:
            masked, small = _vector_thumbs(painter, place, theme)
        else:
            masked, small = _thumbs(painter, place, theme, options)
    _frames(painter, place, theme, options)
    return masked, small


def thumbnails_of(place: HeadsGeometry, across: float, down: float) -> Thumbnails:
    """The heads as small as they are drawn; remembered, read by whoever draws them.

    Args:
        across, down: device pixels a logical pixel.
    """
    spec = place.spec
    high = max(1, round(place.first.height() * down))
    wide = max(1, round(place.first.width() * across))
    stroke = across * place.scale
    newest: list[Thumbnails] = remembered(spec.grid, "newest", list)

    def make() -> Thumbnails:
        return Thumbnails(spec, high, wide, stroke, newest[0] if newest else None)

    found = remembered(spec.grid, (high, wide, spec.rows, stroke), make)
    if found.complete:
        newest[:] = [found]
    return found


def mosaic(
    place: HeadsGeometry, theme: Theme, across: float, down: float, *, lazy: bool = False
) -> tuple[QImage, int, int, bool]:
    """All thumbnails in one image; remembered, so that who makes it before it is drawn has it drawn at once.

    Args:
        across, down: device pixels a logical pixel.
        lazy: what is not read yet is left out.

    Returns:
        the image; height and width of each in it; whether any cell is masked.

    Raises:
        HeadscopeError: a file cannot be read any more.
    """
    spec = place.spec
    thumbnails = thumbnails_of(place, across, down)
    if not lazy:
        thumbnails.read_all()
    read, atlas = thumbnails.codes(spec.levels, sqrt_scale=spec.sqrt_scale)
    high, wide = atlas.shape[1], atlas.shape[3]

    def compose() -> tuple[QImage, bool]:
        shown = atlas
        if spec.shown_rows < spec.rows:
            shown = atlas.copy()
            shown[:, round(high * spec.shown_rows / spec.rows) :] = LATER
        flat = shown.reshape(spec.layers * high, spec.heads * wide)
        masked = bool(((flat == MASKED) | (flat == HATCH)).any())
        return image_of(palette(theme, spec.levels)[flat]), masked

    key = ("heads", theme.key, high, wide, read)
    image, masked = remembered(spec, key, compose)
    return image, high, wide, masked


def _thumbs(painter: QPainter, place: HeadsGeometry, theme: Theme, options: DrawOptions) -> tuple[bool, bool]:
    """All thumbnails from one image, composed in device pixels; returns as `paint_kind`."""
    spec = place.spec
    image, high, wide, masked = mosaic(place, theme, *device_scale(painter), lazy=options.lazy)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    for layer in range(spec.layers):
        for head in range(spec.heads):
            source = QRectF(head * wide, layer * high, wide, high)
            painter.drawImage(place.rect_of(layer, head), image, source)
    return masked, spec.rows > high or spec.columns > wide


def _vector_thumbs(painter: QPainter, place: HeadsGeometry, theme: Theme) -> tuple[bool, bool]:
    """All thumbnails as shapes or one image each; returns as `paint_kind`."""
    spec, table = place.spec, palette(theme, place.spec.levels)
    any_masked = False
    shown, columns = spec.shown_rows, spec.columns
    as_shapes = spec.layers * spec.heads * shown * columns <= MOST_VECTOR_CELLS
    high, wide = min(shown, _SHARPEST), min(columns, _SHARPEST)
    for layer in range(spec.layers):
        for head in range(spec.heads):
            area = place.rect_of(layer, head)
            painter.fillRect(area, theme.color("later"))
            if not shown:
                continue
            picture = result_of(spec.grid.pooled(layer, head, high, wide, shown))
            masked = picture.masked
            values: Codes = codes(picture.values, masked, spec.levels, sqrt_scale=spec.sqrt_scale)
            area.setHeight(area.height() * shown / spec.rows)
            if as_shapes:
                draw_rectangles(painter, area, values, table)
            else:
                draw_image(painter, area, image_of(table[enlarged(values, _SHARPEST)]))
            if masked is not None and masked.any():
                any_masked = True
                painter.setPen(QPen(theme.color("hatch"), 1))
                painter.drawLines(hatch_lines(masked, area, place.scale))
    return any_masked, shown > high or columns > wide


def _labels(painter: QPainter, place: HeadsGeometry, theme: Theme, options: DrawOptions) -> None:
    """Numbers of layers and heads, and what they count."""
    spec, pixels = place.spec, SMALL * place.scale
    line, grid = line_height(pixels), place.grid_rect
    layer, head = options.selected or (None, None)
    above, beside = grid.top() - 0.55 * line, grid.left() - 6 * place.scale
    runs = [
        _number(index, place.rect_of(0, index).center().x(), above, pixels, index == head)
        for index in range(spec.heads)
    ]
    for index in range(spec.layers):
        x = beside - width(str(index + 1), pixels, True) / 2
        runs.append(_number(index, x, place.rect_of(index, 0).center().y(), pixels, index == layer))
    baseline = middle(grid.top() - 1.6 * line, pixels)
    layers, heads = (
        QCoreApplication.translate("Figure", "layers ↓"),
        QCoreApplication.translate("Figure", "heads →"),
    )
    left = place.words.room.left()
    runs.append(TextRun(layers, left, baseline, pixels, "dim"))
    x = max(grid.center().x() - width(heads, pixels) / 2, left + width(layers, pixels) + pixels)
    runs.append(TextRun(heads, x, baseline, pixels, "dim"))
    draw_runs(painter, runs, theme)


def _number(index: int, x: float, y: float, pixels: float, strong: bool) -> TextRun:
    text = str(index + 1)
    role = "accent" if strong else "dim"
    return TextRun(text, x - width(text, pixels, strong) / 2, middle(y, pixels), pixels, role, strong)


def _frames(painter: QPainter, place: HeadsGeometry, theme: Theme, options: DrawOptions) -> None:
    """A thin frame around each map, a thick one around what is chosen (a whole layer for its mean)."""
    spec = place.spec
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("grid"), 1))
    for layer in range(spec.layers):
        for head in range(spec.heads):
            painter.drawRect(place.rect_of(layer, head))
    painter.setPen(QPen(theme.color("accent"), place.scale))
    if options.hover is not None:
        painter.drawRect(place.rect_of(*options.hover).adjusted(-1, -1, 1, 1))
    if options.selected is not None:
        layer, chosen = options.selected
        area = place.rect_of(layer, chosen or 0)
        if chosen is None:
            area = area.united(place.rect_of(layer, spec.heads - 1))
        painter.setPen(QPen(theme.color("accent"), 2 * place.scale))
        painter.drawRect(area.adjusted(-1, -1, 1, 1))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
