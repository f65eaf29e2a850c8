"""Gold links between the words of a sentence and of its translation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from model.errors import HeadscopeError

Link = tuple[int, int]
"""(source word, target word), from 0."""

Links = tuple[Link, ...]
"""Links of one sentence pair, sorted; a word may have several."""

LinkKind = Literal["sure", "possible"]

MOST_WORDS = 100_000
"""Places of words from here on are taken for a mistake."""


@dataclass(frozen=True)
class Gold:
    """What people (or the program that made the sentence) say which words render each other.

    Equal sets of links are equal: they are kept in ascending order, once each, and what is sure is not said
    to be possible too.

    Attributes:
        sure: links that an alignment must have.
        possible: further ones that it may have; the possible links of Och and Ney (2003) are these and the
            sure ones, see `allowed`.
        source, target: the two texts with spaces between the words that the links count; empty where these
            are the words of the sentence as it was read (`model.alignment.pieces.own_words`).
    """

    sure: Links = ()
    possible: Links = ()
    source: str = ""
    target: str = ""

    def __post_init__(self) -> None:
        sure = set(self.sure)
        object.__setattr__(self, "sure", tuple(sorted(sure)))
        object.__setattr__(self, "possible", tuple(sorted(set(self.possible) - sure)))

    @property
    def allowed(self) -> frozenset[Link]:
        """Sure and possible links."""
        return frozenset(self.sure) | frozenset(self.possible)

    def kind_of(self, link: Link) -> LinkKind | None:
        """What a link is, None if it is none."""
        if link in self.sure:
            return "sure"
        return "possible" if link in self.possible else None

    def toggled(self, link: Link) -> Self:
        """With one link taken a step on: none, sure, possible, none."""
        kind = self.kind_of(link)
        sure, possible = set(self.sure) - {link}, set(self.possible) - {link}
        if kind is None:
            sure.add(link)
        elif kind == "sure":
            possible.add(link)
        return replace(self, sure=tuple(sure), possible=tuple(possible))

    def check(self, source_words: int, target_words: int, *, one_based: bool = False, line: int = 1) -> Self:
        """Itself, if every link joins words that there are.

        Args:
            one_based: how the links were written down, for the message.
            line: where they were.

        Raises:
            HeadscopeError: `pharaoh_range`, `pharaoh_range_one`.
        """
        for i, j in sorted(self.allowed):
            if i >= source_words or j >= target_words:
                code = "pharaoh_range_one" if one_based else "pharaoh_range"
                shown = f"{i + one_based}-{j + one_based}"
                raise HeadscopeError(code, link=shown, line=line, source=source_words, target=target_words)
        return self

    def to_json(self) -> dict[str, Any]:
        """Plain values by field name; links as pairs."""
        values: dict[str, Any] = {"sure": list(map(list, self.sure))}
        values["possible"] = list(map(list, self.possible))
        return values | {name: text for name in ("source", "target") if (text := getattr(self, name))}

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The inverse of `to_json`; unknown keys are ignored.

        Raises:
            ValueError: the values describe no links.
        """
        if not isinstance(values, Mapping):
            raise ValueError("gold links are not described")
        texts = [values.get(name, "") for name in ("source", "target")]
        if not all(isinstance(text, str) for text in texts):
            raise ValueError("the words of gold links are no text")
        return cls(_links(values.get("sure", [])), _links(values.get("possible", [])), *texts)


def _links(values: Any) -> tuple[Link, ...]:
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise ValueError("gold links are not listed")
    links = []
    for value in values:
        good = isinstance(value, list | tuple) and len(value) == 2
        if not good or not all(type(place) is int and 0 <= place < MOST_WORDS for place in value):
            raise ValueError(f"{value!r} is no link of two words")
        links.append((value[0], value[1]))
    return tuple(links)
