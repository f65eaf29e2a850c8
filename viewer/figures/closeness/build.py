"""Building the picture of one word in two sentences, and its verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.questions.two_sentences import Common, TwoReadings, common_words
from viewer.document.text.token_text import token_texts
from viewer.figures.closeness.spec import ClosenessLine, ClosenessSpec, Pair
from viewer.figures.figure import FigureSpec
from viewer.figures.text import made_by, sentence

translate = QCoreApplication.translate
MOST_CONTROLS = 4


def word_text(pieces: tuple[str, ...]) -> str:
    """A word's pieces as one reads them."""
    return "".join(token.text for token in token_texts(pieces))


def opening_pair(readings: TwoReadings) -> Pair | None:
    """The word of both sentences that ends up least alike; None where they share none.

    Punctuation is taken only if there is nothing else.
    """
    words = common_words(readings.tokens)
    lettered = [word for word in words if any(c.isalnum() for c in word_text(word.pieces))]
    chosen = min(lettered or words, key=lambda word: _cosine(readings, word.places, -1), default=None)
    return None if chosen is None else chosen.places


def closeness_figure(
    readings: TwoReadings,
    texts: tuple[str, str],
    pair: Pair,
    *,
    model_name: str = "",
    model_sha256: str = "",
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec[ClosenessSpec]:
    """Cosines of a pair of positions, and of other words in both sentences for comparison.

    Args:
        pair: position in the first and in the second sentence.

    Raises:
        IndexError: there are no such positions.
    """
    names = tuple(
        token_texts(tokens)[place].marked for tokens, place in zip(readings.tokens, pair, strict=True)
    )
    same = readings.tokens[0][pair[0]] == readings.tokens[1][pair[1]]
    others = [word for word in common_words(readings.tokens) if word.places != pair][:MOST_CONTROLS]
    own = (
        names[0]
        if same
        else translate("Closeness", "{first} / {second}").format(first=names[0], second=names[1])
    )
    lines = (_line(readings, own, pair, chosen=True), *(_control(readings, word) for word in others))
    if same:
        title = translate("Closeness", "“{word}” in two sentences: cosine of its two vectors, layer by layer")
    else:
        title = translate("Closeness", "“{word}” and “{other}”: cosine of the two vectors, layer by layer")
    title = title.format(word=names[0], other=names[1])
    spec = ClosenessSpec(
        title=title,
        badges=(),
        sentences=(
            _sentence(texts[0], readings.translations[0]),
            _sentence(texts[1], readings.translations[1]),
        ),
        stages=tuple(_stage(name) for name in readings.stages),
        lines=lines,
        verdict=_verdict(lines),
        note=translate(
            "Closeness", "cos(a, b) = a·b / (|a| |b|) of the encoder's vectors; 1: the same direction"
        ),
    )
    facts = {
        "view": "closeness",
        "texts": list(texts),
        "translations": list(readings.translations),
        "positions": list(pair),
        "tokens": [readings.tokens[0][pair[0]], readings.tokens[1][pair[1]]],
        "model_name": model_name,
        "model_sha256": model_sha256,
        "badges": [],
        "provenance": dict(provenance or {}),
    }
    parts = [sentence(title), " · ".join(spec.sentences), sentence(spec.note)]
    return FigureSpec(spec, " ".join([*parts, made_by(model_name, model_sha256, "")]), facts)


def _cosine(readings: TwoReadings, pair: Pair, stage: int) -> float:
    return float(readings.cosine[stage, pair[0], pair[1]])


def _line(readings: TwoReadings, name: str, pair: Pair, *, chosen: bool = False) -> ClosenessLine:
    values = np.asarray(readings.cosine[:, pair[0], pair[1]], np.float64)
    return ClosenessLine(name, pair, tuple(values.tolist()), chosen)


def _control(readings: TwoReadings, word: Common) -> ClosenessLine:
    return _line(readings, word_text(word.pieces), word.places)


def _stage(name: str) -> str:
    if name == "embedding":
        return translate("Closeness", "embedding")
    if name == "sum":
        return translate("Closeness", "+ position")
    return translate("Closeness", "layer {layer}").format(layer=name)


def _sentence(text: str, translation: str) -> str:
    if not translation:
        return translate("Closeness", "“{text}”").format(text=text)
    return translate("Closeness", "“{text}” → “{translation}”").format(text=text, translation=translation)


def _verdict(lines: tuple[ClosenessLine, ...]) -> str:
    own = lines[0].values
    text = translate(
        "Closeness",
        "The same word starts as the same vector ({first}). What it takes in from each sentence moves "
        "the two apart: {last} after the last layer.",
    )
    if own[0] < 0.9995:
        text = translate(
            "Closeness", "The two start as different vectors ({first}); after the last layer it is {last}."
        )
    elif own[-1] > 0.95:
        text = translate(
            "Closeness",
            "The same word starts as the same vector ({first}) and stays nearly the same: {last} "
            "after the last layer. Its context changes little.",
        )
    said = text.format(first=_two(own[0]), last=_two(own[-1]))
    control = next((line for line in lines[1:] if any(c.isalnum() for c in line.name)), None)
    if control is None:
        return said
    text = translate("Closeness", "For comparison, “{word}”: {last}.")
    return f"{said} {text.format(word=control.name, last=_two(control.values[-1]))}"


def _two(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")
