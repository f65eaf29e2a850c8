"""Words of a sentence in the making: English ones, and French ones that know which of these they render."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, eq=False, slots=True)
class English:
    """One English word in its place; two equal words are two objects."""

    text: str


@dataclass(frozen=True, eq=False, slots=True)
class French:
    """One French word and the English words it renders."""

    text: str
    of: tuple[English, ...] = ()


@dataclass(slots=True)
class Phrase:
    """The same in both languages, each in its own order."""

    english: list[English] = field(default_factory=list)
    french: list[French] = field(default_factory=list)

    def __add__(self, other: Phrase) -> Phrase:
        return Phrase(self.english + other.english, self.french + other.french)

    def texts(self) -> tuple[str, str]:
        """Both languages, words separated by spaces."""
        return " ".join(word.text for word in self.english), " ".join(word.text for word in self.french)

    def links(self) -> tuple[tuple[int, int], ...]:
        """(source, target) places of words that render each other, in order."""
        places = {id(word): i for i, word in enumerate(self.english)}
        links = ((places[id(own)], j) for j, word in enumerate(self.french) for own in word.of)
        return tuple(sorted(links))


def fixed(english: str, french: str, links: str) -> Phrase:
    """A phrase that never changes; `links` as in Pharaoh format: "0-0 1-0"."""
    words = [English(text) for text in english.split()]
    of: dict[int, list[English]] = {}
    for link in links.split():
        i, j = map(int, link.split("-"))
        of.setdefault(j, []).append(words[i])
    return Phrase(words, [French(text, tuple(of.get(j, ()))) for j, text in enumerate(french.split())])
