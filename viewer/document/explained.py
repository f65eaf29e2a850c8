"""Explained words: which of a step's words a selection asks about, and the question about their logits."""

from __future__ import annotations

from model.questions.causes.logit import LogitOf
from model.trace.trace import Trace
from viewer.document.selection import Selection


def piece_id(trace: Trace, step: int, piece: str) -> int | None:
    """The id of a piece that was produced or considered at a step; None for any other."""
    if piece == trace.tgt_out_tokens[step]:
        return int(trace.tgt_out_ids[step])
    if piece in trace.candidate_tokens[step]:
        return int(trace.candidate_ids[step][trace.candidate_tokens[step].index(piece)])
    return None


def logit_question(trace: Trace, selection: Selection) -> LogitOf | None:
    """What is asked of the words of a selection; None where a word is none of the step's candidates."""
    step = selection.step
    if not 0 <= step < trace.steps:
        return None
    word = piece_id(trace, step, selection.word) if selection.word else None
    rival = piece_id(trace, step, selection.rival) if selection.rival else None
    if (selection.word and word is None) or (selection.rival and rival is None):
        return None
    return LogitOf(step, word, rival)
