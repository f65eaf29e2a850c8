"""Building the shares of source and prefix: their badges, formula and caveat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.questions.answers import SourceShares
from model.questions.causes.contributions import Contributions
from model.questions.causes.methods import method_named
from model.trace.trace import AttentionKind, Floats, Trace
from viewer.document.text.method_text import method_words
from viewer.document.text.token_text import token_texts
from viewer.figures.figure import FigureSpec
from viewer.figures.map.numbers_text import copies_badge
from viewer.figures.shares.measure import CONTRIBUTIONS, CROSS, SOURCE, Measure
from viewer.figures.shares.spec import SharesSpec, WordShares
from viewer.figures.text import provenance_caption, trace_badges, trace_facts


def shares_figure(
    trace: Trace,
    answer: SourceShares,
    layer: int | None,
    step: int,
    *,
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec[SharesSpec]:
    """All steps' shares in one decoder layer's cross-attention, or (None) their mean over the layers.

    Raises:
        IndexError: there is no such layer.
    """
    source = answer.source
    translate = QCoreApplication.translate
    if layer is None:
        title = translate("Shares", "Source and prefix, mean over {layers} decoder layers")
    else:
        title = translate("Shares", "Source and prefix, decoder layer {layer} of {layers}")
    shown = source.mean(axis=0, dtype=np.float64) if layer is None else source[layer].astype(np.float64)
    spec = _spec(trace, CROSS, source, shown, layer, step, title)
    return _figure(trace, spec, provenance or {}, SOURCE)


def contributed_shares_figure(
    trace: Trace,
    answer: Contributions,
    layer: int | None,
    step: int,
    *,
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec[SharesSpec]:
    """All steps' shares by contributions, up to a decoder layer or (None) through all.

    Raises:
        IndexError: there is no such layer.
    """
    at = len(answer.cross) - 1 if layer is None else layer
    translate = QCoreApplication.translate
    if layer is None:
        title = translate("Shares", "Source and prefix, through both stacks")
    else:
        title = translate("Shares", "Source and prefix, up to decoder layer {layer} of {layers}")
    words = WordShares(
        token_texts(trace.src_tokens, style=trace.token_style),
        token_texts(trace.tgt_in_tokens, style=trace.token_style),
        np.concatenate(
            [answer.up_to(AttentionKind.CROSS, at), answer.up_to(AttentionKind.DECODER_SELF, at)], axis=1
        ),
    )
    shown = answer.source_shares[at].astype(np.float64)
    more = (copies_badge(),) if answer.copies else ()
    spec = _spec(trace, CONTRIBUTIONS, answer.source_shares, shown, layer, step, title, words, more)
    return _figure(trace, spec, provenance or {}, method_words(method_named("alti")).source)


def _spec(
    trace: Trace,
    measure: Measure,
    source: Floats,
    shown: np.ndarray,
    layer: int | None,
    step: int,
    title: str,
    words: WordShares | None = None,
    more: tuple[str, ...] = (),
) -> SharesSpec:
    badge = QCoreApplication.translate("Shares", "share of the source: {formula}, not an attention weight")
    return SharesSpec(
        source=source,
        shown=shown,
        layer=layer,
        step=step,
        tokens=token_texts(trace.tgt_out_tokens, style=trace.token_style),
        title=title.format(layer=(layer or 0) + 1, layers=len(source)),
        badges=(badge.format(formula=measure.formula()), *more, *trace_badges(trace, sqrt_scale=False)),
        later_from=step + 1,
        notes=measure.notes(),
        measure=measure,
        words=words,
    )


def _figure(
    trace: Trace, spec: SharesSpec, provenance: Mapping[str, Any], source: str
) -> FigureSpec[SharesSpec]:
    whole = "mean" if spec.measure is CROSS else "all"
    facts = trace_facts(trace) | {
        "view": "shares",
        "layer": whole if spec.layer is None else spec.layer,
        "step": spec.step,
        "numbers": spec.measure.numbers,
        "formula": spec.measure.formula(),
        "caveat": " ".join(spec.notes),
        "numbers_source": source,
        "source": [float(share) for share in spec.shown],
        "badges": list(spec.badges),
        "provenance": dict(provenance),
    }
    return FigureSpec(spec, provenance_caption(trace, spec.title, spec.badges, provenance, spec.notes), facts)
