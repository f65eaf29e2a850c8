"""Masked-word sentences: what the tab says of a token beside its table."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from model.trace.trace import Trace
from viewer.document.text.segments import segment_name, segments_of
from viewer.pages.widgets.wording import percent


def place_text(trace: Trace, place: int, word: str) -> str:
    """Which token it is, and what its row of the table says; `word` as it is shown."""
    translate = QCoreApplication.translate
    where = translate("MaskedText", "{word} at token {number}").format(word=word, number=place + 1)
    segments = segments_of(trace)
    if segments:
        where = translate("MaskedText", "{word} at token {number}, {sentence}").format(
            word=word, number=place + 1, sentence=segment_name(segments[place])
        )
    if place in trace.masked or trace.src_logprob is None or trace.src_rank is None:
        return translate("MaskedText", "{where}: what the model expects here").format(where=where)
    share = percent(math.exp(min(0.0, float(trace.src_logprob[place]))))
    rank = f"{int(trace.src_rank[place]):,}"
    text = translate("MaskedText", "{where}: the model gives it {share} here (rank {rank})")
    return text.format(where=where, share=share, rank=rank)


def note_text(trace: Trace, place: int, listed: float) -> str:
    """What the numbers of the table are.

    Args:
        listed: the share of the words that have a row of their own.
    """
    translate = QCoreApplication.translate
    text = translate(
        "MaskedText", "The model's own probabilities at this token. The words listed add up to {share}."
    )
    text = text.format(share=percent(listed))
    if place in trace.masked:
        return text
    return f"{text} " + translate(
        "MaskedText", "The model has read the word that is here; masked, it has to be guessed."
    )
