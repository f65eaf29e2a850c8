"""Matching what is typed with names: letters in their order, beginnings of words first. No Qt."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import east_asian_width

WHOLE, BEGINS, INSIDE, SCATTERED = 120.0, 100.0, 70.0, 50.0
"""Points of a word that is the name, begins a word of it, stands in it; the most of one scattered in it."""
_LENGTH = 0.02  # points that each letter of a name costs: of two that match alike the shorter comes first
_START, _RUN = 3, 2  # points of a letter that begins a word, that follows the one before it


def score(query: str, name: str) -> float | None:
    """How well a name is what was typed: the mean over the query's words; None if a word is not in it.

    A word is in a name whose letters have its own among them in their order, whatever the case. An empty
    query is in every name.
    """
    name = name.casefold()
    words = query.casefold().split()
    total = 0.0
    for word in words:
        points = _word(word, name)
        if points is None:
            return None
        total += points
    mean = total / len(words) if words else 0.0
    return mean - _LENGTH * len(name)


def mentioned(query: str, text: str) -> bool:
    """Whether every word that was typed begins a word of a text."""
    text, words = text.casefold(), query.casefold().split()
    return bool(words) and all(_begins(word, text) for word in words)


def forget() -> None:
    """Let go of what was matched: some megabytes once somebody has typed in all that is to be found."""
    _word.cache_clear()


@lru_cache(maxsize=1 << 15)
def _word(word: str, name: str) -> float | None:
    if word == name:
        return WHOLE
    if _begins(word, name):
        return BEGINS
    if word in name:
        return INSIDE
    points = _scattered(word, name)
    return None if points is None else SCATTERED * points / (_START * len(word))


def _begins(word: str, text: str) -> bool:
    """Whether a word of a text begins so."""
    place = text.find(word)
    while place >= 0:
        if _starts(text, place):
            return True
        place = text.find(word, place + 1)
    return False


def _starts(text: str, place: int) -> bool:
    """Whether a word begins there; in a script without spaces each character may."""
    return place == 0 or not text[place - 1].isalnum() or east_asian_width(text[place]) in "WF"


def _scattered(word: str, name: str) -> int | None:
    """The most points of all ways to find the word's letters in the name in their order; None without one."""
    letters = iter(name)
    if not all(letter in letters for letter in word):
        return None
    # Of the letters so far: the most points of a way whose last letter stands at each place of the name.
    ways: dict[int, int] = {}
    for number, letter in enumerate(word):
        found: dict[int, int] = {}
        best: int | None = 0 if number == 0 else None  # of the ways that end before the place
        for place, there in enumerate(name):
            if there == letter and (best is not None or place - 1 in ways):
                points = max(best or 0, ways[place - 1] + _RUN if place - 1 in ways else 0)
                found[place] = points + (_START if _starts(name, place) else 0)
            if place in ways:
                best = ways[place] if best is None else max(best, ways[place])
        ways = found
    return max(ways.values(), default=None)
