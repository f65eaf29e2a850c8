"""Logit figure: what each part of the model wrote for a word, sub-layer by sub-layer and part by part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.questions.causes.logit import LOGIT, LogitParts
from model.questions.causes.parts import Part
from model.trace.trace import Trace
from viewer.document.text.token_text import text_after
from viewer.figures.causes.text import group_name, method_notes, part_name, place_name, sum_badge
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.sheet.waterfall import Waterfall
from viewer.figures.text import provenance_caption, trace_badges, trace_facts

MOST = 12
"""Parts that have a bar of their own."""


def logit_figure(
    trace: Trace, answer: LogitParts, *, raw: bool = False, provenance: Mapping[str, Any] | None = None
) -> FigureSpec[SheetSpec]:
    """Two waterfalls of the same sum: in the order of computation, and the largest parts.

    Args:
        raw: pieces as the tokenizer writes them.
    """
    translate = QCoreApplication.translate
    badges = [sum_badge(), *trace_badges(trace, sqrt_scale=False)]
    if answer.copies:
        badges.insert(
            1, translate("Causes", "this model also copies words: these are logits of what it writes")
        )
    title = logit_title(trace, answer, raw=raw)
    total = translate("Causes", "logit") if answer.rival is None else translate("Causes", "difference")
    parts = [(part_name(part), float(value)) for part, value in answer.ranked()]
    own = provenance or {}
    spec = SheetSpec(
        title,
        tuple(badges),
        (
            (
                Waterfall(translate("Causes", "Layer by layer"), *_by_place(answer), total),
                Waterfall.of_largest(translate("Causes", "Largest parts"), parts, MOST, total),
            ),
        ),
    )
    facts = trace_facts(trace) | {
        "view": "logit",
        "step": answer.step,
        "word": answer.word_token,
        "rival": answer.rival_token,
        "logit": answer.logit,
        "formula": LOGIT.formula,
        "caveat": LOGIT.caveat,
        "numbers_source": LOGIT.source,
        "badges": badges,
        "provenance": dict(own),
    }
    return FigureSpec(spec, provenance_caption(trace, title, spec.badges, own, method_notes(LOGIT)), facts)


def logit_title(trace: Trace, answer: LogitParts, *, raw: bool = False) -> str:
    """Such as "What each head wrote for “chat” rather than “chien”, step 2"."""
    translate = QCoreApplication.translate
    words = [
        shown_word(trace, answer.step, piece, raw=raw) for piece in (answer.word_token, answer.rival_token)
    ]
    if answer.rival is None:
        text = translate("Causes", "What each head wrote for “{word}”, step {step}")
    else:
        text = translate("Causes", "What each head wrote for “{word}” rather than “{rival}”, step {step}")
    return text.format(word=words[0], rival=words[1], step=answer.step + 1)


def shown_word(trace: Trace, step: int, piece: str, *, raw: bool = False) -> str:
    """A piece as it reads at a step."""
    if not piece:
        return ""
    return text_after(trace.tgt_out_tokens[:step], piece, raw=raw, style=trace.token_style).marked


def _by_place(answer: LogitParts) -> tuple[list[str], list[float]]:
    """Word, position, each sub-layer in its order; constants, which many places add, last and together."""
    sums: dict[str, float] = {}
    constants = 0.0
    for part, value in zip(answer.parts, answer.values, strict=True):
        if part.group == "constants":
            constants += float(value)
        else:
            name = _place(part)
            sums[name] = sums.get(name, 0.0) + float(value)
    sums[group_name("constants")] = constants
    return list(sums), list(sums.values())


def _place(part: Part) -> str:
    if part.what == "head":
        return place_name(part.where, part.layer)
    return part_name(part)
