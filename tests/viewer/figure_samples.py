"""Traces with weights chosen by hand, and pictures of figures, for the drawing's tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from model.trace.trace import ArrayPatterns, AttentionKind, Trace
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import LIGHT, Theme
from viewer.figures.drawing import paint_figure
from viewer.figures.figure import FigureSpec, Geometry

SOURCE = ("▁red", "▁app", "les", "</s>")
TARGET = ("▁pommes", "▁rouges", "</s>")

# [query, key], every row another one, so that a transposed or mirrored picture is another picture.
CROSS = np.array([[0.7, 0.2, 0.1, 0.0], [0.0, 0.25, 0.5, 0.25], [0.05, 0.05, 0.3, 0.6]], np.float32)
DECODER = np.array([[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.2, 0.5, 0.3]], np.float32)
ENCODER = np.array(
    [[0.1, 0.2, 0.3, 0.4], [0.9, 0.1, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.25, 0.25, 0.25, 0.25]], np.float32
)


def sample_trace(**changes: Any) -> Trace:
    """2 layers of 2 heads over `SOURCE` and `TARGET`; layer 1, head 0 holds the matrices above.

    Layer 0 looks at the first key only; layer 1, head 1 spreads evenly over the allowed keys.
    """
    values: dict[AttentionKind, np.ndarray[Any, Any]] = {}
    for kind, hand in (
        (AttentionKind.ENCODER_SELF, ENCODER),
        (AttentionKind.DECODER_SELF, DECODER),
        (AttentionKind.CROSS, CROSS),
    ):
        first = np.zeros_like(hand)
        first[:, 0] = 1
        allowed = np.tril(np.ones_like(hand)) if kind is AttentionKind.DECODER_SELF else np.ones_like(hand)
        even = allowed / allowed.sum(axis=1, keepdims=True)
        values[kind] = np.array([[first, first], [hand, even]], np.float32)
    return trace_of(values, SOURCE, TARGET, **changes)


def trace_of(
    patterns: Mapping[AttentionKind, np.ndarray[Any, Any]],
    source: tuple[str, ...],
    target: tuple[str, ...],
    **changes: Any,
) -> Trace:
    """A trace of some patterns and pieces; the target begins with the start token."""
    steps = len(target)
    read = ("<s>", *target)[:steps]
    fields: dict[str, Any] = {
        "patterns": ArrayPatterns(patterns),
        "src_text": "red apples",
        "tgt_text": "pommes rouges",
        "src_tokens": source,
        "tgt_in_tokens": read,
        "tgt_out_tokens": target,
        "src_ids": np.arange(len(source)),
        "tgt_in_ids": np.arange(steps),
        "tgt_out_ids": np.arange(steps),
        "step_logprob": np.zeros(steps, np.float32),
        "candidate_ids": np.zeros((steps, 1), np.int64),
        "candidate_logprobs": np.zeros((steps, 1), np.float32),
        "candidate_tokens": (("a",),) * steps,
        "model_name": "tiny",
        "model_sha256": "0123456789abcdef" * 4,
        "created_by": "headscope 9.9",
    }
    return Trace(**(fields | changes))


def square_trace(tokens: int, *, heads: int = 1, layers: int = 1) -> Trace:
    """As many source as target tokens; query q reads key q, head h leaks to the left."""
    shape = (layers, heads, tokens, tokens)
    weights = np.zeros(shape, np.float32)
    for head in range(heads):
        leak = np.float32(head / max(1, heads))
        for query in range(tokens):
            weights[:, head, query, query] = 1 - leak if query else 1
            weights[:, head, query, max(0, query - 1)] += leak if query else 0
    words = tuple(f"▁{'wo' * (1 + n % 4)}{n}" for n in range(tokens - 1))
    patterns = dict.fromkeys(AttentionKind, weights)
    return trace_of(patterns, (*words, "</s>"), (*words, "</s>"))


def picture(
    figure: FigureSpec,
    width: int = 640,
    height: int = 480,
    *,
    theme: Theme = LIGHT,
    scale: float = 1.0,
    options: DrawOptions | None = None,
) -> tuple[QImage, Geometry]:
    """The figure on an image of `scale` device pixels a logical pixel, and where everything went."""
    image = QImage(round(width * scale), round(height * scale), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(theme.color("panel"))
    painter = QPainter(image)
    place = paint_figure(painter, figure, QRectF(0, 0, width, height), theme, options or DrawOptions())
    painter.end()
    return image, place
