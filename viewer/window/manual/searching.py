"""Searching the manual: the pages that have what was typed, likeliest first, with the words around it."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.window.manual.library import Library, ManualPage

_BEFORE, _AFTER = 24, 60  # letters of a line of the results
_TITLE, _HEADING, _ONCE = 100, 20, 1  # points of a page whose title, a heading, the text has a word
_MOST_TIMES = 10


@dataclass(frozen=True)
class Found:
    """A page that has what was searched for.

    Attributes:
        excerpt: the words around the first place.
        term: what to look for in the page.
    """

    page: ManualPage
    excerpt: str
    term: str


def search(library: Library, query: str) -> list[Found]:
    """Pages that have the whole phrase, else all its words, wherever they stand; none for an empty query."""
    phrase = " ".join(query.casefold().split())
    if not phrase:
        return []
    pages = [library.page(name) for name in library.names]
    for terms in ([phrase], phrase.split()):
        scored = [(score, page) for page in pages if (score := _score(page, terms))]
        if scored:
            scored.sort(key=lambda pair: -pair[0])
            return [Found(page, excerpt(page.plain, terms[0]), terms[0]) for _, page in scored]
    return []


def _score(page: ManualPage, terms: list[str]) -> int:
    text = page.plain.casefold()
    if not all(term in text for term in terms):
        return 0
    score = 0
    for term in terms:
        score += min(text.count(term), _MOST_TIMES) * _ONCE
        score += _TITLE * (term in page.title.casefold())
        score += _HEADING * any(term in heading.text.casefold() for heading in page.headings[1:])
    return score


def excerpt(text: str, term: str) -> str:
    """The words around the first place of a term."""
    place = max(0, text.casefold().find(term))
    start, end = max(0, place - _BEFORE), place + len(term) + _AFTER
    if start and " " in text[start:place]:
        start = text.index(" ", start) + 1
    return ("… " if start else "") + text[start:end].strip() + (" …" if end < len(text) else "")
