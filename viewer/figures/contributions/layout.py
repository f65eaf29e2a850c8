"""Layout: encoder layers left, decoder layers right, a token a row; where edges run, what is at a point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF

from model.questions.causes.contribution_flow import KINDS
from model.trace.trace import AttentionKind
from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import LABEL, SMALL, SMALLEST, line_height, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.contributions.spec import ContributionsSpec
from viewer.figures.contributions.text import percent, row_text, stack_names
from viewer.figures.figure import FigureSpec

Points = npt.NDArray[np.float64]

NEAR = 6.0
"""A point that is no farther from an edge is on it."""
_LARGEST_PITCH = 40.0
_PAGE_PITCH = 22.0
_LABELS = 0.2  # of the width, at most, each side
_THICKEST = 16.0
_GAP = 8.0
# How far a curve with level ends has come upwards where it is so far across; by its parameter.
_PARAMETER = np.linspace(0.0, 1.0, 257)
_ACROSS = 1.5 * _PARAMETER * (1 - _PARAMETER) ** 2 + 1.5 * _PARAMETER**2 * (1 - _PARAMETER) + _PARAMETER**3
_UPWARDS = _PARAMETER**2 * (3 - 2 * _PARAMETER)
# Of these points, between two that a thin edge is drawn by; fewer where an edge is so long that corners show.
_PIECE, _SHORT_PIECE = 16, 4
_LONG = 96.0  # pixels across


@dataclass(frozen=True)
class Stack:
    """One of the two stacks.

    Attributes:
        left: x of what enters it; step: from one layer to the next; layers: how many.
        top: y of its first token's upper edge; pitch: from token to token; tokens: how many.
    """

    left: float
    step: float
    layers: int
    top: float
    pitch: float
    tokens: int

    def x(self, depth: Any) -> Any:
        """Of what left so many layers."""
        return self.left + depth * self.step

    def y(self, token: Any) -> Any:
        """The middle of a token's row."""
        return self.top + (token + 0.5) * self.pitch

    @property
    def right(self) -> float:
        """x of what leaves it."""
        return self.left + self.layers * self.step

    def token_at(self, y: float) -> int | None:
        """The token whose row is at a height."""
        token = int((y - self.top) // self.pitch) if self.pitch else -1
        return token if 0 <= token < self.tokens else None


@dataclass(frozen=True)
class ContributionsGeometry:
    """A graph, placed.

    Attributes:
        area: both stacks with all their edges.
        source_labels, step_labels: room of the labels left and right.
        heads_of_columns: the line above with the numbers of layers; legend: the line below.
    """

    spec: ContributionsSpec
    words: Words
    area: QRectF
    encoder: Stack
    decoder: Stack
    source_labels: QRectF
    step_labels: QRectF
    column_line: QRectF
    legend: QRectF
    scale: float

    @property
    def thickest(self) -> float:
        """How wide an edge is that carries all."""
        pitch = min(self.encoder.pitch, self.decoder.pitch)
        return max(3.0 * self.scale, min(_THICKEST * self.scale, 0.8 * pitch))

    @cached_property
    def ends(self) -> tuple[Points, Points, Points, Points]:
        """x and y of the lower ends, x and y of the upper ends of the edges drawn."""
        edges, spec = self.spec.edges, self.spec
        encoder = edges.kind == KINDS.index(AttentionKind.ENCODER_SELF)
        own = edges.kind == KINDS.index(AttentionKind.DECODER_SELF)
        assert len(spec.edges) == len(encoder)
        x1 = np.where(own, self.decoder.x(edges.depth), self.encoder.x(edges.depth))
        y1 = np.where(own, self.decoder.y(edges.key), self.encoder.y(edges.key))
        x2 = np.where(encoder, self.encoder.x(edges.layer + 1), self.decoder.x(edges.layer + 1))
        y2 = np.where(encoder, self.encoder.y(edges.query), self.decoder.y(edges.query))
        return x1, y1, x2, y2

    def edge_at(self, point: QPointF) -> int | None:
        """The edge nearest to a point; None if none is near. Of several there, the strongest."""
        if not self.area.adjusted(-NEAR, -NEAR, NEAR, NEAR).contains(point) or not len(self.spec.edges):
            return None
        x1, y1, x2, y2 = self.ends
        across = (point.x() - x1) / np.maximum(1e-9, x2 - x1)
        upwards = np.interp(across, _ACROSS, _UPWARDS)
        distance = np.abs(y1 + (y2 - y1) * upwards - point.y())
        distance[(across < 0) | (across > 1)] = np.inf
        room = np.maximum(NEAR * self.scale, self.spec.edges.flow * self.thickest / 2)
        near = np.flatnonzero(distance <= room)
        if not len(near):
            return None
        return int(near[np.argmin(distance[near] - 1e-3 * self.spec.edges.flow[near])])

    def pieces(self, edge: int) -> list[QPointF]:
        """Points along an edge that a line through them shows it by; of a level one, its two ends."""
        across, upwards = self._along
        x, y = across[edge], upwards[edge]
        if y[0] == y[-1]:
            return [QPointF(x[0], y[0]), QPointF(x[-1], y[-1])]
        if x[-1] - x[0] > _LONG:
            x = (x[0] + (x[-1] - x[0]) * _ACROSS[::_SHORT_PIECE]).tolist()
            y = (y[0] + (y[-1] - y[0]) * _UPWARDS[::_SHORT_PIECE]).tolist()
        return list(map(QPointF, x, y))

    @cached_property
    def _along(self) -> tuple[list[list[float]], list[list[float]]]:
        """x and y of the pieces, an edge a row: found for all at once, as all are painted at once."""
        x1, y1, x2, y2 = self.ends
        x = x1[:, None] + (x2 - x1)[:, None] * _ACROSS[::_PIECE]
        y = y1[:, None] + (y2 - y1)[:, None] * _UPWARDS[::_PIECE]
        return x.tolist(), y.tolist()

    def edge_rect(self, edge: int) -> QRectF:
        """Around the middle of an edge."""
        x1, y1, x2, y2 = (float(column[edge]) for column in self.ends)
        return QRectF((x1 + x2) / 2 - NEAR, (y1 + y2) / 2 - NEAR, 2 * NEAR, 2 * NEAR)

    def step_at(self, point: QPointF) -> int | None:
        """The step whose label is at a point."""
        return self.decoder.token_at(point.y()) if self.step_labels.contains(point) else None

    def source_at(self, point: QPointF) -> int | None:
        """The source token whose label is at a point."""
        return self.encoder.token_at(point.y()) if self.source_labels.contains(point) else None


def contributions_geometry(
    figure: FigureSpec[ContributionsSpec], rect: QRectF, options: DrawOptions
) -> ContributionsGeometry:
    """Lay a graph out so that it fills `rect`."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    room, line = words.room, line_height(SMALL * scale)
    legend = QRectF(room.left(), room.bottom() - line, room.width(), line)
    column_line = QRectF(room.left(), room.top(), room.width(), line)
    top, bottom = column_line.bottom() + 4 * scale, legend.top() - 6 * scale
    most, gap = _LABELS * room.width(), _GAP * scale
    left = min(most, _widest([*map(source_label, _tokens(spec))], scale))
    right = min(1.4 * most, _widest(step_labels(spec), scale))
    area = QRectF(
        room.left() + left + gap,
        top,
        max(1.0, room.width() - left - right - 2 * gap),
        max(1.0, bottom - top),
    )
    encoder_layers, decoder_layers = spec.layers
    # Between the stacks at least the room of a layer, for the edges that cross over, and that of a name.
    layers = max(1, encoder_layers + decoder_layers)
    named = max(width(name, SMALLEST * scale) for name in stack_names()) + 30 * scale
    between = min(0.3 * area.width(), max(named, area.width() / (layers + 1)))
    step = (area.width() - between) / layers
    tallest = _LARGEST_PITCH * scale

    def stack(x: float, layers: int, tokens: int) -> Stack:
        pitch = min(tallest, area.height() / max(1, tokens))
        return Stack(x, step, layers, top + (area.height() - pitch * tokens) / 2, pitch, tokens)

    encoder = stack(area.left(), encoder_layers, len(spec.source))
    decoder = stack(area.left() + step * encoder_layers + between, decoder_layers, len(spec.read))
    return ContributionsGeometry(
        spec,
        words,
        area,
        encoder,
        decoder,
        QRectF(room.left(), top, left + gap / 2, area.height()),
        QRectF(area.right() + gap / 2, top, right + gap / 2, area.height()),
        column_line,
        legend,
        scale,
    )


def contributions_height(figure: FigureSpec[ContributionsSpec], width: float, options: DrawOptions) -> float:
    """A height at which every token has room for its label."""
    spec, scale = figure.body, options.font_scale
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, spec.title, "", spec.badges, figure.caption, options)
    rows = max(len(spec.source), len(spec.read))
    inner = 2 * line_height(SMALL * scale) + 10 * scale
    inner += min(1.2 * width, max(160.0 * scale, rows * _PAGE_PITCH * scale))
    return words.room.top() + inner + tall.bottom() - words.room.bottom()


def source_label(said: tuple[str, str]) -> str:
    """A source token with what the word has of it."""
    return "  ".join(part for part in said if part)


def _tokens(spec: ContributionsSpec) -> list[tuple[str, str]]:
    """Source tokens and what the word has of each; empty under 1 %."""
    return [
        (token.marked, percent(share) if share >= 0.01 else "")
        for token, share in zip(spec.source, spec.flow.encoder[0].tolist(), strict=True)
    ]


def source_labels(spec: ContributionsSpec) -> list[str]:
    """Labels of the encoder's rows."""
    return [source_label(said) for said in _tokens(spec)]


def step_labels(spec: ContributionsSpec) -> list[str]:
    """Labels of the decoder's rows; what comes later is not said yet."""
    labels = []
    for step, (read, predicted) in enumerate(zip(spec.read, spec.predicted, strict=True)):
        known = not spec.causal or step <= spec.step
        reads = read.marked if known or step == spec.step + 1 else ""
        labels.append(row_text(reads, predicted.marked if known else ""))
    return labels


def _widest(labels: list[str], scale: float) -> float:
    # Any of them may be the chosen one, which is bold.
    return max((width(label, LABEL * scale, True) for label in labels), default=0.0) + 8 * scale
