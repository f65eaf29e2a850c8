"""`Library`: the pages of the manual in one language, as they are written in `resources/manual`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from viewer.resources import ROOT

FOLDER = ROOT / "manual"
LIST = FOLDER / "pages.json"
KEYS_MARK = "<!-- keys -->"
"""Where a page has the table of all keys."""
_HEADING = re.compile(r"(#{1,4}) +(.*?)\s*#*\s*")
_FENCE = re.compile(r"\s*(```|~~~)")


@dataclass(frozen=True)
class Heading:
    """A heading of a page; `anchor` is that of the English one: links mean the same in every language."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True)
class Group:
    """Pages that belong together, in their order."""

    title: str
    pages: tuple[str, ...]


class ManualPage:
    """A page.

    Attributes:
        name: of its file, without the ending.
        text: Markdown.
    """

    def __init__(self, name: str, path: Path, english: Path) -> None:
        self.name = name
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self._english = english

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """Its headings in order, the title first."""
        own = list(_headings(self.text))
        english = own if self.path == self._english else list(_headings(self._english.read_text("utf-8")))
        anchors = [slug(text) for _, text in english]
        anchors += [slug(text) for _, text in own[len(anchors) :]]
        return tuple(Heading(level, text, anchor) for (level, text), anchor in zip(own, anchors))

    @property
    def title(self) -> str:
        """Its first heading."""
        return self.headings[0].text if self.headings else self.name

    @cached_property
    def plain(self) -> str:
        """Its words without what marks them, for a search."""
        text = re.sub(r"!\[([^\]]*)\]\([^)]*\)|\[([^\]]*)\]\([^)]*\)", r"\1\2", self.text)
        text = re.sub(r"(?m)^\s*(```\w*|~~~\w*|#{1,4} |- |\d+\. |\|[ :|-]+\|$)", "", text)
        return re.sub(r"\s*\|\s*|\s+", " ", text.replace("**", "").replace("`", ""))


class Library:
    """The manual in a language; a page is read when it is first wanted.

    Args:
        language: `en`, or `zh` (`zh_CN`).
    """

    def __init__(self, language: str) -> None:
        self.language = "zh" if language.startswith("zh") else "en"
        self.groups = tuple(
            Group(entry[self.language], tuple(entry["pages"]))
            for entry in json.loads(LIST.read_text(encoding="utf-8"))
        )
        self.names = tuple(name for group in self.groups for name in group.pages)
        self._pages: dict[str, ManualPage] = {}

    def page(self, name: str) -> ManualPage:
        """A page by its name; the first one for a name that is not in the list."""
        name = name if name in self.names else self.names[0]
        if name not in self._pages:
            path = FOLDER / self.language / f"{name}.md"
            self._pages[name] = ManualPage(name, path, FOLDER / "en" / f"{name}.md")
        return self._pages[name]


@lru_cache(maxsize=2)
def _library(language: str) -> Library:
    return Library(language)


def library(language: str) -> Library:
    """The manual in a language: `en`, or `zh` (`zh_CN`)."""
    return _library("zh" if language.startswith("zh") else "en")


def slug(text: str) -> str:
    """What a heading is called in a link, as sites that show Markdown do: `What if` is `what-if`."""
    kept = re.sub(r"[^\w\- ]", "", re.sub(r"[*`]", "", text).lower())
    return kept.strip().replace(" ", "-")


def _headings(text: str) -> Iterator[tuple[int, str]]:
    """Level and words of each heading; a line in a block of code is none."""
    inside = False
    for line in text.splitlines():
        if _FENCE.match(line):
            inside = not inside
        found = None if inside else _HEADING.fullmatch(line)
        if found is not None:
            yield len(found[1]), re.sub(r"[*`]", "", found[2])
