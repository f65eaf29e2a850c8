"""The same word in two sentences: the question, and the frozen numpy answer. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from model.questions.questions import Question
from model.tokens.spelling import BROKEN, piece_bytes
from model.tokens.words import TokenStyle, is_special, word_spans
from model.trace.trace import Floats


@dataclass(frozen=True)
class TwoSentences(Question, answered_by="model.inspection.two_sentences:two_readings"):
    """How alike the positions of two source texts are, layer by layer; answered by `TwoReadings`.

    Attributes:
        model_sha256: of which model; another's answer would be about other pieces.
        texts: the two.
    """

    model_sha256: str
    texts: tuple[str, str]


@dataclass(frozen=True)
class Common:
    """A word that stands in both sentences.

    Attributes:
        pieces: its raw pieces, the same in both.
        places: where its first piece stands in the one and the other, from 0.
    """

    pieces: tuple[str, ...]
    places: tuple[int, int]


@dataclass(frozen=True, eq=False)
class TwoReadings:
    """Every position of one source beside every position of another, on their way through the encoder.

    Attributes:
        tokens: raw pieces of both, the end token included, a and b in number.
        stages: `embedding`, `sum` (with the position), then each layer's output: `1`, `2`, ...
        cosine: float32 [stage, a, b]; the cosine with a vector of zeros is 0.
        translations: what the model makes of each text, greedily.
    """

    tokens: tuple[tuple[str, ...], tuple[str, ...]]
    stages: tuple[str, ...]
    cosine: Floats
    translations: tuple[str, str]


def common_words(
    tokens: tuple[tuple[str, ...], tuple[str, ...]], style: TokenStyle = TokenStyle.SENTENCEPIECE
) -> tuple[Common, ...]:
    """Words of the first sentence that stand in the second too, each at its first place in both.

    Special tokens are no words; punctuation is one.
    """
    first, second = (_words(pieces, style) for pieces in tokens)
    both = (Common(word, (place, second[word])) for word, place in first.items() if word in second)
    return tuple(sorted(both, key=lambda word: word.places))


def _words(pieces: tuple[str, ...], style: TokenStyle) -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    for start, end in word_spans(pieces, style):
        # Between spaces a word carries its punctuation along, which would make "old." another one than "old".
        while end - start > 1 and not _has_letters(pieces[end - 1], style):
            found.setdefault((pieces[end - 1],), end - 1)
            end -= 1
        word = pieces[start:end]
        if not is_special(word[0], style):
            found.setdefault(word, start)
    return found


def _has_letters(piece: str, style: TokenStyle) -> bool:
    spelled = piece_bytes(piece, style)
    # A part of a character in bytes counts as a letter: it is not to be parted from the others.
    text = (
        piece if spelled is None or style is TokenStyle.SENTENCEPIECE else spelled.decode("utf-8", "replace")
    )
    return any(character.isalnum() or character == BROKEN for character in text)
