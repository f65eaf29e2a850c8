"""Spelling of French words beside others: elision, contraction, and forms before a vowel."""

from __future__ import annotations

from itertools import pairwise

from model.data.tasks.grammar.words import English, French

# An aspirated h is a consonant: le hamster, but l'homme.
ASPIRATED = {"hamster", "hamsters", "haricot", "haricots", "héros"}
VOWELS = tuple("aàâeéèêiîoôuûhœ")

BEFORE_VOWEL = {
    "je": "j'", "me": "m'", "te": "t'", "le": "l'", "la": "l'", "ne": "n'", "de": "d'", "que": "qu'",
    "ma": "mon", "ta": "ton", "sa": "son", "ce": "cet",
}  # fmt: skip
CONTRACTED = {("à", "le"): "au", ("à", "les"): "aux", ("de", "le"): "du", ("de", "les"): "des"}


def begins_with_vowel(word: str) -> bool:
    """Whether a word makes the one before it elide."""
    return word.startswith(VOWELS) and word not in ASPIRATED


def joined(words: list[French]) -> list[French]:
    """The words as they are written beside one another: `le homme` becomes `l' homme`, `à le roi` `au roi`.

    An elided word keeps its place as a word of its own, ending in its apostrophe; a contraction is one word
    that renders what both did.
    """
    elided = [
        French(BEFORE_VOWEL.get(word.text, word.text), word.of) if begins_with_vowel(after.text) else word
        for word, after in pairwise(words)
    ]
    result: list[French] = []
    for word in [*elided, words[-1]]:
        both = CONTRACTED.get((result[-1].text, word.text)) if result else None
        if both:
            result[-1] = French(both, _merged(result[-1].of, word.of))
        else:
            result.append(word)
    return result


def _merged(first: tuple[English, ...], second: tuple[English, ...]) -> tuple[English, ...]:
    return tuple(dict.fromkeys(first + second))


def article(english: str) -> str:
    """`a` or `an`, by the letter that the next English word begins with."""
    return "an" if english.startswith(tuple("aeiou")) else "a"
