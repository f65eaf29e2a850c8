"""Sentences that several views say of a step, in the language in force."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from model.trace import Trace
from viewer.state.token_text import token_texts


def percent(share: float) -> str:
    """A share from 0 to 1 as a person reads it: whole from 10 % on, else one decimal."""
    value = 100.0 * share
    if value < 0.05 and share > 0:
        return QCoreApplication.translate("Wording", "< 0.1 %")
    number = f"{value:.0f}" if value >= 9.95 else f"{value:.1f}"
    return QCoreApplication.translate("Wording", "{number} %").format(number=number)


def step_sentence(trace: Trace, step: int, raw: bool) -> str:
    """What step `step` reads and predicts, and how sure the model was; empty before the first step."""
    if not 0 <= step < trace.steps:
        return ""
    reads = token_texts(trace.tgt_in_tokens, raw=raw)[step].text
    predicts = token_texts(trace.tgt_out_tokens, raw=raw)[step].text
    sentence = QCoreApplication.translate("Wording", 'reads "{reads}" → predicts "{predicts}", {share}')
    share = percent(math.exp(min(0.0, float(trace.step_logprob[step]))))
    said = sentence.format(reads=reads, predicts=predicts, share=share)
    rank = 1 if trace.step_rank is None else int(trace.step_rank[step])
    if rank == 1:
        return said
    return said + QCoreApplication.translate("Wording", " (rank {rank})").format(rank=f"{rank:,}")
