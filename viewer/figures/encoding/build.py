"""The figure of a positional encoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from viewer.figures.canvas.matrix import Matrix
from viewer.figures.encoding.spec import PositionsSpec
from viewer.figures.figure import FigureSpec
from viewer.figures.text import made_by, sentence

DEFAULT_COUNT = 128


def positions_figure(
    encoding: Matrix,
    curves: Sequence[int],
    *,
    count: int | None = None,
    model_name: str = "",
    model_sha256: str = "",
    provenance: Mapping[str, Any] | None = None,
    badges: Sequence[str] = (),
) -> FigureSpec[PositionsSpec]:
    """The encoding as heatmap, curves of some dimensions, and how alike positions are.

    Args:
        encoding: the model's own, float32 [max_positions, d_model].
        curves: dimensions to draw; those that do not exist are left out.
        count: how many positions to show, the first 128 (or all) by default.
        badges: what there is to say besides: that it is no model's, how its dimensions are laid out.
    """
    translate = QCoreApplication.translate
    shown = np.asarray(encoding[: DEFAULT_COUNT if count is None else max(1, count)], np.float32)
    positions, dimensions = shown.shape
    kept = tuple(dict.fromkeys(index for index in curves if 0 <= index < dimensions))
    title = translate("Figure", "Positional encoding: {positions} positions, {dimensions} dimensions")
    title = title.format(positions=positions, dimensions=dimensions)
    said = tuple(badges)
    if positions < len(encoding):
        text = translate("Figure", "first {positions} of {all} positions")
        said = (text.format(positions=positions, all=len(encoding)), *said)
    spec = PositionsSpec(shown, similarity(shown), kept, title, said, _levels(shown))
    owned = [sentence(f"{badge[:1].upper()}{badge[1:]}") for badge in badges]
    caption = " ".join([sentence(title), *owned, made_by(model_name, model_sha256, "")])
    facts = {
        "view": "positions",
        "positions": positions,
        "dimensions": dimensions,
        "curves": list(kept),
        "model_name": model_name,
        "model_sha256": model_sha256,
        "badges": list(said),
        "provenance": dict(provenance or {}),
    }
    return FigureSpec(spec, caption, facts)


def opening_curves(dimensions: int) -> tuple[int, ...]:
    """Dimensions whose wavelengths are well apart, to draw where none are chosen."""
    return tuple(sorted({min(d, dimensions - 1) for d in (0, dimensions // 16 * 2, dimensions // 8 * 2)}))


def similarity(encoding: Matrix) -> Matrix:
    """Cosine between every two positions, float32 [position, position]; 0 beside a zero vector."""
    wide = encoding.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    unit = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    cosines: Matrix = (unit @ unit.T).astype(np.float32)
    return cosines


def _levels(encoding: Matrix) -> tuple[float, float]:
    """Symmetrical about 0, up to the power of 2 that holds every value: -1 to 1 for sinusoids."""
    most = float(np.abs(encoding).max()) if encoding.size else 1.0
    high = 1.0 if most == 0 else 2.0 ** np.ceil(np.log2(most) - 1e-9)
    return -float(high), float(high)
