"""Building the figure of a bias by distance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from viewer.document.positions.positions_known import Bias
from viewer.figures.bias.spec import BiasSpec
from viewer.figures.canvas.matrix import Matrix
from viewer.figures.encoding.of_table import within
from viewer.figures.figure import FigureSpec
from viewer.figures.text import made_by, sentence


def bias_figure(
    bias: Bias, *, head: int, length: int, provenance: Mapping[str, Any] | None = None
) -> FigureSpec[BiasSpec]:
    """The bias of every head by offset, and of one head over the first `length` queries and keys."""
    translate, fact = QCoreApplication.translate, bias.fact
    head, length = within(head, bias.heads), max(1, length)
    values = bias.values
    places = np.arange(length)
    apart = places[None, :] - places[:, None]  # key - query
    masked = np.zeros_like(apart, np.bool_) if fact.bidirectional else apart > 0
    title = translate("Figure", "Bias by distance: head {head} of {heads}")
    if fact.sort == "lengths":
        title = translate("Figure", "Relative vectors by distance: layer {head} of {heads}")
    spec = BiasSpec(
        bias=values,
        offsets=fact.offsets,
        buckets=fact.buckets,
        head=head,
        square=np.where(masked, np.float32(0), bias.at(head, apart)),
        masked=masked,
        levels=_levels(fact.weights, signed=fact.sort != "lengths"),
        title=title.format(head=head + 1, heads=bias.heads),
        badges=bias.badges,
        sort=fact.sort,
    )
    said = [spec.title, spec.words.sentence]
    said += [f"{badge[:1].upper()}{badge[1:]}" for badge in spec.badges]
    words = [sentence(text) for text in said]
    words.append(made_by(bias.model_name, bias.model_sha256, ""))
    facts = {
        **bias.facts(),
        "view": "positions",
        "head": head,
        "length": length,
        "badges": list(spec.badges),
        "provenance": dict(provenance or {}),
    }
    return FigureSpec(spec, " ".join(words), facts)


def _levels(weights: Matrix, *, signed: bool) -> tuple[float, float]:
    """Symmetrical about 0 or from it, up to a number of two figures that holds every value."""
    most = float(np.abs(weights).max()) if weights.size else 0.0
    if not most or not math.isfinite(most):
        return -1.0 if signed else 0.0, 1.0
    unit = 10.0 ** (math.floor(math.log10(most)) - 1)
    high = float(f"{math.ceil(most / unit - 1e-9) * unit:.3g}")
    return -high if signed else 0.0, high
