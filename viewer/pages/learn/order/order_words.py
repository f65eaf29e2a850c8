"""Order words: what the order experiment says of its numbers, in the language in force."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from model.tokens.words import SPACE_MARK
from model.trace.exploration import OrderExperiment
from model.trace.trace import Trace
from viewer.document.text.lists import names
from viewer.document.text.token_text import token_texts
from viewer.pages.widgets.wording import percent

translate = QCoreApplication.translate

SAME = 1e-5
"""Encoder outputs that differ by no more in any number are the same: what is left is rounding."""


def small_number(value: float) -> str:
    """A distance: two digits after the point, small ones in powers of ten."""
    if value == 0 or abs(value) >= 0.01:
        return f"{value:.2f}"
    digits, power = f"{value:.0e}".split("e")
    return f"{digits}×10{_superscript(int(power))}"


def _superscript(number: int) -> str:
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def verdict(experiment: OrderExperiment) -> str:
    """What the distances mean, with the largest of them."""
    own, without = (float(experiment.largest[key].max()) for key in (True, False))
    if own <= SAME:
        sentence = translate(
            "OrderWords",
            "The encodings are the same in both orders, with and without positions (largest difference "
            "{own}): this model adds none.",
        )
    elif without <= SAME:
        sentence = translate(
            "OrderWords",
            "With positions each word's encoding depends on where it stands (largest difference {own}). "
            "Without positions it is the same whatever the order (largest difference {without}), so the "
            "model cannot tell who does what to whom.",
        )
    else:
        sentence = translate(
            "OrderWords",
            "With positions the encodings differ between the orders by up to {own}, without positions by up "
            "to {without}.",
        )
    return sentence.format(own=small_number(own), without=small_number(without))


def id_sentence(experiment: OrderExperiment) -> str:
    """That both orders read the same ids, as the traces have them."""
    own, other = (sorted(map(int, reading.trace.src_ids[:-1])) for reading in experiment.readings[:2])
    if own != other:
        return translate(
            "OrderWords", "The two orders do not have the same ids, so this comparison says nothing."
        )
    ids = names(map(str, own))
    return translate(
        "OrderWords", "The pieces are permuted, not split again: both orders read the ids {ids}."
    ).format(ids=ids)


def probability(trace: Trace) -> str:
    """How probable the model found its whole translation."""
    share = math.exp(min(0.0, float(trace.step_logprob.sum(dtype=float))))
    return translate("OrderWords", "probability {share}").format(share=percent(share))


def pieces_read(trace: Trace) -> str:
    """The pieces as the model read them, without the end token; words apart, as they stand."""
    texts = [token.marked for token in token_texts(trace.src_tokens[:-1], style=trace.token_style)]
    return "  ".join(texts)


def joined(pieces: tuple[str, ...]) -> str:
    """Raw pieces as text."""
    return "".join(pieces).replace(SPACE_MARK, " ").strip()
