"""Sentences that several views say of a step, in the language in force."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from model.trace.trace import Trace
from viewer.document.text.input_text import given_steps
from viewer.document.text.token_text import token_texts


def percent(share: float) -> str:
    """A share from 0 to 1 as a person reads it: whole from 10 % on, else one decimal; a dash if unknown."""
    if math.isnan(share):
        return "–"
    value = 100.0 * share
    if value < 0.05 and share > 0:
        return QCoreApplication.translate("Wording", "< 0.1 %")
    number = f"{value:.0f}" if value >= 9.95 else f"{value:.1f}"
    return QCoreApplication.translate("Wording", "{number} %").format(number=number)


def step_sentence(trace: Trace, step: int, raw: bool) -> str:
    """What step `step` reads and predicts, and how sure the model was; empty before the first step.

    In a prompt the token that comes next was given: then the share is what the model would have given it.
    """
    if not 0 <= step < trace.steps:
        return ""
    style = trace.token_style
    reads = token_texts(trace.tgt_in_tokens, raw=raw, style=style, starts=True)[step].marked
    predicts = token_texts(trace.tgt_out_tokens, raw=raw, style=style)[step].marked
    if not trace.known_steps[step]:
        sentence = QCoreApplication.translate("Wording", "reads “{reads}” → predicts “{predicts}”")
        return sentence.format(reads=reads, predicts=predicts)
    sentence = QCoreApplication.translate("Wording", "reads “{reads}” → predicts “{predicts}”, {share}")
    share = percent(trace.probability(step))
    if step < given_steps(trace):
        sentence = QCoreApplication.translate(
            "Wording", "reads “{reads}” → (given) “{predicts}”, to the model {share}"
        )
    said = sentence.format(reads=reads, predicts=predicts, share=share)
    rank = 1 if trace.step_rank is None else int(trace.step_rank[step])
    if rank == 1:
        return said
    return said + QCoreApplication.translate("Wording", " (rank {rank})").format(rank=f"{rank:,}")
