"""Quantities that other packages map; looked for when they are first asked for."""

from __future__ import annotations

from collections.abc import Mapping

from model.extensions.found import Extension, extensions
from model.extensions.kinds import QUANTITIES, Quantity
from viewer.document.selection import Numbers

OWN = frozenset({*map(str, Numbers), "pattern", "attention", "source_share"})
"""What files and commands call numbers of ours."""


def quantities() -> Mapping[str, Extension]:
    """By name."""
    return extensions(QUANTITIES, OWN)


def quantity(name: str) -> Quantity | None:
    """One of them; None where no package that is installed has it."""
    found = quantities().get(name)
    if found is None:
        return None
    thing: Quantity = found.thing
    return thing
