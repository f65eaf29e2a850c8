"""Building the shares of source and prefix: their badges, formula and caveat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.questions.answers import SourceShares
from model.trace.trace import Trace
from viewer.document.text.token_text import token_texts
from viewer.figures.figure import FigureSpec
from viewer.figures.shares.spec import SharesSpec
from viewer.figures.shares.text import SOURCE, caveat, formula, notes
from viewer.figures.text import provenance_caption, trace_badges, trace_facts


def shares_figure(
    trace: Trace,
    answer: SourceShares,
    layer: int | None,
    step: int,
    *,
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec[SharesSpec]:
    """All steps' shares in one decoder layer, or (None) their mean over the layers.

    Raises:
        IndexError: there is no such layer.
    """
    source = answer.source
    layers = len(source)
    shown = source.mean(axis=0, dtype=np.float64) if layer is None else source[layer].astype(np.float64)
    translate = QCoreApplication.translate
    if layer is None:
        title = translate("Shares", "Source and prefix, mean over {layers} decoder layers")
    else:
        title = translate("Shares", "Source and prefix, decoder layer {layer} of {layers}")
    title = title.format(layer=(layer or 0) + 1, layers=layers)
    badges = (
        translate("Shares", "share of the source: {formula}, not an attention weight").format(
            formula=formula()
        ),
        *trace_badges(trace, sqrt_scale=False),
    )
    spec = SharesSpec(
        source=source,
        shown=shown,
        layer=layer,
        step=step,
        tokens=token_texts(trace.tgt_out_tokens, style=trace.token_style),
        title=title,
        badges=badges,
        later_from=step + 1,
        notes=notes(),
    )
    own = provenance or {}
    facts = trace_facts(trace) | {
        "view": "shares",
        "layer": "mean" if layer is None else layer,
        "step": step,
        "numbers": "source_share",
        "formula": formula(),
        "caveat": caveat(),
        "numbers_source": SOURCE,
        "source": [float(share) for share in shown],
        "badges": list(badges),
        "provenance": dict(own),
    }
    return FigureSpec(spec, provenance_caption(trace, title, badges, own, notes()), facts)
