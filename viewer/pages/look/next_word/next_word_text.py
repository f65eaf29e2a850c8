"""Next-word sentences: what the tab says of a step beside its table."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from model.trace.trace import Trace
from viewer.document.text.input_text import given_steps
from viewer.document.text.lists import names
from viewer.pages.widgets.wording import percent


def step_text(trace: Trace, step: int, vocabulary: int, clickable: bool) -> str:
    """Which step it is, and the rank of its token unless that is the most probable one.

    Args:
        vocabulary: how many tokens the model chooses from, 0 if that is not known.
        clickable: a click on a word goes on with it.
    """
    translate = QCoreApplication.translate
    text = translate("NextWordText", "Step {step}").format(step=step + 1)
    rank = 1 if trace.step_rank is None else int(trace.step_rank[step])
    if rank == 1:
        hint = translate("NextWordText", "click a word to try it")
        return f"{text} · {hint}" if clickable else text
    given = step < given_steps(trace)
    if vocabulary:
        said = translate("NextWordText", "chosen: rank {rank} of {words}")
        if given:
            said = translate("NextWordText", "given: rank {rank} of {words}")
        return f"{text} · {said.format(rank=f'{rank:,}', words=f'{vocabulary:,}')}"
    said = translate("NextWordText", "chosen: rank {rank}")
    if given:
        said = translate("NextWordText", "given: rank {rank}")
    return f"{text} · {said.format(rank=f'{rank:,}')}"


def note_text(trace: Trace, step: int, listed: float, vocabulary: int) -> str:
    """What the numbers of the table are.

    Args:
        listed: the share of the words that have a row of their own.
    """
    note = _probabilities_text(trace, step, listed, vocabulary)
    if trace.copy_share is None:
        return note
    text = QCoreApplication.translate(
        "NextWordText", "{share} of them is copied from the sentence read, the rest generated."
    )
    return f"{note} {text.format(share=percent(float(trace.copy_share[step])))}"


def _probabilities_text(trace: Trace, step: int, listed: float, vocabulary: int) -> str:
    translate = QCoreApplication.translate
    share = percent(listed)
    if trace.candidate_drawn is not None:
        text = translate("NextWordText", "Model: its own probabilities; the words listed add up to {share}.")
        if trace.alterations:
            text = translate(
                "NextWordText", "Model, altered: its probabilities; the words listed add up to {share}."
            )
        return f"{text.format(share=share)} {_filters_text(trace, step, vocabulary)}"
    if trace.alterations:
        text = translate(
            "NextWordText",
            "The altered model's probabilities, before sampling or search. The words listed add up to "
            "{share}.",
        )
    else:
        text = translate(
            "NextWordText",
            "The model's own probabilities, before sampling or search. The words listed add up to {share}.",
        )
    return text.format(share=share)


def _filters_text(trace: Trace, step: int, vocabulary: int) -> str:
    """Such as "Drawn with temperature 0.8, top-k 5: 5 of 8,000 words are left."."""
    translate = QCoreApplication.translate
    settings = trace.decoding
    parts = [
        translate("NextWordText", "temperature {value}").format(value=_number(settings.get("temperature")))
    ]
    if settings.get("top_k"):
        parts.append(translate("NextWordText", "top-k {value}").format(value=settings["top_k"]))
    if float(_number(settings.get("top_p"))) < 1:
        parts.append(translate("NextWordText", "top-p {value}").format(value=_number(settings.get("top_p"))))
    values = {"filters": names(parts)}
    if trace.drawn_count is None:
        return translate("NextWordText", "Drawn with {filters}.").format(**values)
    values["count"] = f"{int(trace.drawn_count[step]):,}"
    if not vocabulary:
        return translate("NextWordText", "Drawn with {filters}: {count} words are left.").format(**values)
    return translate("NextWordText", "Drawn with {filters}: {count} of {words} words are left.").format(
        **values, words=f"{vocabulary:,}"
    )


def _number(value: object) -> str:
    """A temperature or top-p of a trace's header; 1, which changes nothing, if a file says nonsense."""
    sound = isinstance(value, int | float) and math.isfinite(value)
    return f"{value:g}" if sound else "1"
