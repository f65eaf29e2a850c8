"""Guesses of a model that only reads, before and after it was altered: at masked words, or the class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.trace.trace import Trace
from viewer.document.text.lists import clauses
from viewer.document.text.token_text import token_texts

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Guess:
    """What a model holds most likely, of a masked word or of its classes.

    Attributes:
        word: as it is shown.
        share: its probability; None of a class whose number is none.
    """

    word: str
    share: float | None


def guesses_of(trace: Trace) -> tuple[Guess, ...]:
    """One for each masked word, or one class; none of a model that says nothing."""
    if trace.class_names and trace.class_logits is not None:
        best, shares = int(trace.class_logits.argmax()), trace.class_shares
        return (Guess(trace.class_names[best], None if shares is None else float(shares[best])),)
    if trace.src_candidate_ids is None or trace.src_candidate_logprobs is None:
        return ()
    pieces = tuple(trace.src_candidate_tokens[place][0] for place in trace.masked)
    words = token_texts(pieces, raw=False, style=trace.token_style)
    shares_of = (float(np.exp(trace.src_candidate_logprobs[place, 0])) for place in trace.masked)
    return tuple(Guess(word.marked, share) for word, share in zip(words, shares_of, strict=True))


def guesses_sentence(before: Trace, after: Trace) -> str:
    """What became of the guesses."""
    pairs = list(zip(guesses_of(before), guesses_of(after)))
    if not pairs:
        return translate("Outcome", "This model says nothing of the text: only its maps change")
    return clauses([f"{_text(old)} → {_text(new)}" for old, new in pairs])


def _text(guess: Guess) -> str:
    word = translate("Outcome", "“{word}”").format(word=guess.word)
    return word if guess.share is None else f"{word} {100 * guess.share:.1f} %"
