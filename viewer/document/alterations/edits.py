"""Edits of a tuple of changes: what every kind of them needs. Nothing raises."""

from __future__ import annotations

from collections.abc import Sequence

from model.alterations.alteration import Alteration

Changes = tuple[Alteration, ...]


def without(changes: Changes, gone: Alteration | None) -> Changes:
    """The changes without one of them."""
    return tuple(change for change in changes if change != gone)


def replaced(changes: Changes, old: Sequence[Alteration], new: Alteration | None) -> Changes:
    """The changes with `new` where the first of `old` was, else at the end."""
    if new is None:
        return tuple(change for change in changes if change not in old)
    if not old:
        return (*changes, new)
    at = changes.index(old[0])
    kept = [change for change in changes if change not in old]
    return (*kept[:at], new, *kept[at:])
