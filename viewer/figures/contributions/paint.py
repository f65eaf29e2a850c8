"""Painting a contribution graph: edges as wide as what flows along them, tokens as dots, the legend."""

from __future__ import annotations

from functools import cache, partial

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from model.trace.trace import AttentionKind
from viewer.figures.canvas.frame import draw_words
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALLEST,
    TextRun,
    draw_runs,
    elided,
    line_height,
    middle,
    width,
)
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.contributions.layout import ContributionsGeometry, Stack, source_labels, step_labels
from viewer.figures.contributions.spec import ContributionsSpec
from viewer.figures.contributions.text import stack_names

_FAINTEST, _STRONGEST = 0.3, 0.85
_THIN = 2.0  # pixels
_SAMPLES = (0.05, 0.2, 0.5)


def edge_colour(theme: Theme, kind: AttentionKind) -> QColor:
    """Of a kind of attention."""
    place = {AttentionKind.ENCODER_SELF: 0, AttentionKind.CROSS: 2, AttentionKind.DECODER_SELF: 1}[kind]
    return QColor(theme.curves[place])


def paint_contributions(
    painter: QPainter, place: ContributionsGeometry, theme: Theme, options: DrawOptions
) -> None:
    """Draw a graph where its geometry says; `options.hover`: the edges under the pointer and chosen."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    paint_edges(painter, place, theme)
    paint_marks(painter, place, theme, options)
    painter.restore()


def paint_edges(painter: QPainter, place: ContributionsGeometry, theme: Theme) -> None:
    """What stays while the pointer moves: edges, dots, labels, legend."""
    pen = cache(partial(_pen, theme))  # most edges are thin and faint, and look the same
    for edge in reversed(range(len(place.spec.edges))):  # the strongest lie on top
        _edge(painter, place, edge, pen(*_look(place, edge)))
    _dots(painter, place, theme)
    _labels(painter, place, theme)
    _columns(painter, place, theme)
    _legend(painter, place, theme)


def paint_marks(painter: QPainter, place: ContributionsGeometry, theme: Theme, options: DrawOptions) -> None:
    """The edges under the pointer and chosen, over the others."""
    for edge in options.hover or ():
        if 0 <= edge < len(place.spec.edges):
            pen = QPen(theme.color("text"), _thickness(place, edge) + 2 * place.scale)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.strokePath(_path(place, edge), pen)
            kind, _, thickness = _look(place, edge)
            _edge(painter, place, edge, _pen(theme, kind, 255, thickness))


def _thickness(place: ContributionsGeometry, edge: int) -> float:
    return max(0.8 * place.scale, float(place.spec.edges.flow[edge]) * place.thickest)


def _path(place: ContributionsGeometry, edge: int) -> QPainterPath:
    x1, y1, x2, y2 = (float(column[edge]) for column in place.ends)
    half = (x1 + x2) / 2
    path = QPainterPath(QPointF(x1, y1))
    path.cubicTo(QPointF(half, y1), QPointF(half, y2), QPointF(x2, y2))
    return path


def _look(place: ContributionsGeometry, edge: int) -> tuple[AttentionKind, int, float]:
    """Its kind, how opaque it is (of 255), how thick."""
    opaque = _FAINTEST + (_STRONGEST - _FAINTEST) * float(place.spec.edges.flow[edge]) ** 0.5
    return place.spec.kind_of(edge), round(255 * opaque), _thickness(place, edge)


def _pen(theme: Theme, kind: AttentionKind, alpha: int, thickness: float) -> QPen:
    colour = edge_colour(theme, kind)
    colour.setAlpha(alpha)
    pen = QPen(colour, thickness)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _edge(painter: QPainter, place: ContributionsGeometry, edge: int, pen: QPen) -> None:
    painter.setPen(pen)
    points = place.pieces(edge)
    if len(points) == 2 or pen.widthF() <= _THIN * place.scale:
        painter.drawPolyline(points)  # a thin curve looks the same in pieces, and is drawn far sooner
    else:
        painter.strokePath(_path(place, edge), pen)


def _dots(painter: QPainter, place: ContributionsGeometry, theme: Theme) -> None:
    """A dot a token and layer, larger the more flows through it; faint where nothing shown does."""
    spec = place.spec
    least = max(spec.threshold, 1e-9)
    for stack, flows in ((place.encoder, spec.flow.encoder), (place.decoder, spec.flow.decoder)):
        largest = min(0.42 * stack.pitch, 0.3 * stack.step, 7 * place.scale)
        pen = QPen(theme.color("outline"), min(2.4 * place.scale, 2 * largest))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        depths, tokens = (flows < least).nonzero()
        painter.drawPoints(
            QPolygonF([QPointF(stack.x(depth), stack.y(token)) for depth, token in zip(depths, tokens)])
        )
        painter.setPen(QPen(theme.color("panel"), place.scale))
        for depth, token in zip(*(part.tolist() for part in (flows >= least).nonzero()), strict=True):
            radius = max(1.6 * place.scale, largest * float(flows[depth, token]) ** 0.5)
            chosen = stack is place.decoder and depth == stack.layers and token == spec.step
            painter.setBrush(theme.color("accent" if chosen else "text"))
            painter.drawEllipse(QPointF(stack.x(depth), stack.y(token)), radius, radius)


def _labels(painter: QPainter, place: ContributionsGeometry, theme: Theme) -> None:
    spec = place.spec
    source = [
        (text, "dim" if token.dim else "text")
        for text, token in zip(source_labels(spec), spec.source, strict=True)
    ]
    steps = [(text, _step_role(spec, step)) for step, text in enumerate(step_labels(spec))]
    left, right = place.source_labels, place.step_labels
    _column_of_labels(painter, place.encoder, left, source, None, place, theme, right=True)
    _column_of_labels(painter, place.decoder, right, steps, spec.step, place, theme, right=False)


def _step_role(spec: ContributionsSpec, step: int) -> str:
    if step == spec.step:
        return "accent"
    return "faint" if spec.causal and step > spec.step else "dim"


def _column_of_labels(
    painter: QPainter,
    stack: Stack,
    room: QRectF,
    labels: list[tuple[str, str]],
    chosen: int | None,
    place: ContributionsGeometry,
    theme: Theme,
    *,
    right: bool,
) -> None:
    """Texts beside a stack; thinned where there is no room for each, the chosen one always there."""
    pixels = LABEL * place.scale
    if stack.pitch < line_height(pixels) * 0.8:
        pixels = max(SMALLEST * place.scale, stack.pitch / 1.1)
    every = max(1, -(-int(line_height(pixels) * 0.8) // max(1, int(stack.pitch))))
    for token, (text, role) in enumerate(labels):
        if token != chosen and (
            token % every or (every > 1 and chosen is not None and abs(token - chosen) < every)
        ):
            continue
        bold = token == chosen
        said = elided(text, pixels, room.width() - 4 * place.scale, bold)
        across = width(said, pixels, bold)
        x = room.right() - 4 * place.scale - across if right else room.left() + 4 * place.scale
        run = TextRun(said, x, middle(stack.y(token), pixels), pixels, role, bold=bold)
        draw_runs(painter, [run], theme)


def _columns(painter: QPainter, place: ContributionsGeometry, theme: Theme) -> None:
    """Above: which stack, and the numbers of its layers; 0 is what enters it."""
    pixels, y = SMALLEST * place.scale, place.column_line.center().y()
    free = place.column_line.left()
    for name, stack in zip(stack_names(), (place.encoder, place.decoder), strict=True):
        wide = width(f"{stack.layers}", pixels) + 6 * place.scale
        every = max(1, -(-int(wide) // max(1, int(stack.step))))
        runs = []
        for depth in range(0, stack.layers + 1, every):
            x = stack.x(depth) - width(f"{depth}", pixels) / 2
            runs.append(TextRun(f"{depth}", x, middle(y, pixels), pixels, "dim"))
        end = runs[0].x - 6 * place.scale
        said = elided(name, pixels, max(0.0, end - free))
        runs.append(TextRun(said, end - width(said, pixels), middle(y, pixels), pixels, "dim"))
        draw_runs(painter, runs, theme)
        free = runs[-2].x + wide


def _legend(painter: QPainter, place: ContributionsGeometry, theme: Theme) -> None:
    """Colours of the attentions, and how wide some edges are."""
    translate, scale = QCoreApplication.translate, place.scale
    pixels, x, y = SMALLEST * scale, place.legend.left(), place.legend.center().y()
    kinds = (
        (AttentionKind.ENCODER_SELF, translate("Contributions", "encoder")),
        (AttentionKind.CROSS, translate("Contributions", "source to decoder")),
        (AttentionKind.DECODER_SELF, translate("Contributions", "decoder")),
    )
    for kind, name in kinds:
        long = 22 * scale + width(name, pixels) + 14 * scale
        if x + long > place.legend.right():
            return
        painter.setPen(QPen(edge_colour(theme, kind), 2.0 * scale))
        painter.drawLine(QPointF(x, y), QPointF(x + 16 * scale, y))
        draw_runs(painter, [TextRun(name, x + 22 * scale, middle(y, pixels), pixels, "dim")], theme)
        x += long
    name = translate("Contributions", "share of the word:")
    samples = [
        (share, translate("Wording", "{number} %").format(number=round(100 * share))) for share in _SAMPLES
    ]
    long = width(name, pixels) + sum(26 * scale + width(text, pixels) for _, text in samples)
    if x + long > place.legend.right():
        return
    draw_runs(painter, [TextRun(name, x, middle(y, pixels), pixels, "dim")], theme)
    x += width(name, pixels) + 6 * scale
    for share, text in samples:
        pen = QPen(theme.color("dim"), max(0.8 * scale, share * place.thickest))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, y), QPointF(x + 14 * scale, y))
        draw_runs(painter, [TextRun(text, x + 17 * scale, middle(y, pixels), pixels, "dim")], theme)
        x += 26 * scale + width(text, pixels)
