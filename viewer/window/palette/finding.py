"""Finding: the entries of the palette as things are, and those of them that are meant, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from viewer.window.palette.entry import Entry, Reach
from viewer.window.palette.matching import mentioned, score
from viewer.window.palette.sources import SOURCES

_LEAST = 20.0  # points below which letters are scattered too far to be meant
_DISABLED = 30.0  # points that it costs not to be possible now
_ABOUT = 30.0  # points of a name whose longer text alone has what was typed
_RECENT = 3.0  # points of what was chosen lately; among alike names it comes first


class Finding:
    """What the palette has while it is open."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._recent = reach.settings.commands
        told = reach.localization.in_each(
            lambda: [
                replace(entry, name=_named(source.name, entry))
                for source in SOURCES
                for entry in source.entries(reach)
            ]
        )
        own = told[reach.localization.language]
        self.entries = [_in_all(entry, row) for entry, row in zip(own, zip(*told.values()))]

    def matching(self, text: str) -> list[Entry]:
        """What was typed leads to: places first, then by how well names match; of nothing, all, recent first.

        What cannot be done now comes after what can; one sees that there is such a thing.
        """
        text = text.strip()
        typed = self._typed(text)
        if not text:
            recent = [self.named(name) for name in self._recent]
            first = [entry for entry in recent if entry is not None and entry.enabled]
            rest = [entry for entry in self.entries if entry not in first]
            return [*first, *sorted(rest, key=lambda entry: not entry.enabled)]
        scored = [(self._points(text, entry), entry) for entry in self.entries]
        found = [(points, entry) for points, entry in scored if points is not None]
        found.sort(key=lambda pair: -pair[0])
        return [*typed, *(entry for _, entry in found)]

    def named(self, name: str) -> Entry | None:
        """The entry of that name, such as `action:export` or `place:cross 2.3`; None where there is none."""
        return next((entry for entry in self.entries if entry.name == name), None) or self._again(name)

    def _typed(self, text: str) -> list[Entry]:
        reach = self._reach
        return [
            replace(entry, name=_named(source.name, entry))
            for source in SOURCES
            for entry in source.typed(reach, text)
        ]

    def _again(self, name: str) -> Entry | None:
        """What was typed once, if there is such a place now."""
        _, _, text = name.partition(":")
        return next((entry for entry in self._typed(text) if entry.name == name), None)

    def _points(self, text: str, entry: Entry) -> float | None:
        names = [score(text, name) for name in (entry.title, *entry.also)]
        points = max((each for each in names if each is not None), default=0.0)
        if mentioned(text, entry.about):
            points = max(points, _ABOUT)
        if points < _LEAST:
            return None
        recent = _RECENT if entry.name and entry.name in self._recent else 0.0
        return points + recent - (0.0 if entry.enabled else _DISABLED)


def _named(source: str, entry: Entry) -> str:
    return f"{source}:{entry.name}" if entry.name else ""


def _in_all(entry: Entry, told: Sequence[Entry]) -> Entry:
    """An entry that is found by what it is called in each language, too."""
    names = [name for each in told for name in (each.title, *each.also, f"{each.group} {each.title}")]
    also = tuple(name for name in dict.fromkeys(names) if name != entry.title)
    return replace(entry, also=also, about=" ".join(dict.fromkeys(each.about for each in told)))
