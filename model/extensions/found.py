"""Found extensions: looked for when first needed, loaded when first used. No torch.

One that cannot be used is left out and said once; see `model.extensions.troubles`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.errors import HeadscopeError
from model.extensions.kinds import LOADERS, METRICS, QUANTITIES
from model.extensions.troubles import Refused, tell

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_LONGEST_TITLE, _LONGEST_TEXT = 40, 400
_TEXTS = {METRICS: ("formula", "source"), QUANTITIES: ("formula", "caveat", "source"), LOADERS: ()}
_CALLED = {METRICS: ("measure",), QUANTITIES: ("measure",), LOADERS: ("recognises", "load")}


@dataclass(frozen=True)
class Extension:
    """One that can be used.

    Attributes:
        name: its entry point's.
        package: the distribution that brought it, with its version.
        thing: a `HeadMetric`, a `Quantity` or a `Loader`, by the group.
    """

    name: str
    package: str
    thing: Any


def extensions(group: str, taken: Collection[str] = ()) -> Mapping[str, Extension]:
    """What other packages add to a group, by name in order; loads each once.

    Args:
        taken: names that are Headscope's own.
    """
    return _loaded(group, frozenset(taken))[0]


def left_out(group: str, taken: Collection[str] = ()) -> tuple[HeadscopeError, ...]:
    """Why some of a group cannot be used, as it was found when they were loaded."""
    return _loaded(group, frozenset(taken))[1]


def loader_of(folder: Path) -> Extension | None:
    """The first loader that recognises a folder; None without."""
    for name, one in extensions(LOADERS).items():
        try:
            if one.thing.recognises(folder):
                return one
        except (Exception, SystemExit) as error:  # whatever another's code does
            tell(name, one.package, error)
    return None


def package_of(entry: EntryPoint) -> str:
    """The distribution that an entry point is of, with its version."""
    return "?" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"


def forget() -> None:
    """Look again when next asked: what is installed has changed."""
    _loaded.cache_clear()
    _installed.cache_clear()


@cache
def _installed() -> Mapping[str, tuple[EntryPoint, ...]]:
    """By group, from what all packages tell of themselves: to read that takes as long for one as for all."""
    from importlib.metadata import entry_points  # which every start of the window would wait for

    told = entry_points()
    return {group: tuple(told.select(group=group)) for group in _CALLED}


@cache
def _loaded(group: str, taken: frozenset[str]) -> tuple[Mapping[str, Extension], tuple[HeadscopeError, ...]]:
    found: dict[str, Extension] = {}
    problems = []
    for entry in sorted(_installed()[group], key=lambda one: (one.name, one.value)):
        package = package_of(entry)
        try:
            _check_name(entry.name, {*taken, *found})
            thing = entry.load()
            thing = thing() if isinstance(thing, type) else thing
            _check(group, thing)
        except (Exception, SystemExit) as error:
            problems.append(tell(entry.name, package, error))
        else:
            found[entry.name] = Extension(entry.name, package, thing)
    return found, tuple(problems)


def _check_name(name: str, taken: Collection[str]) -> None:
    if not _NAME.fullmatch(name):
        raise Refused("its name is not made of small letters, digits and underscores, or too long")
    if name in taken:
        raise Refused("its name is taken already")


def _check(group: str, thing: Any) -> None:
    """Whether it has what its Protocol asks for."""
    for name in _CALLED[group]:
        if not callable(getattr(thing, name, None)):
            raise Refused(f"it has no method {name}")
    titled = ("title",) if _TEXTS[group] else ()
    for name in (*titled, *_TEXTS[group]):
        text = getattr(thing, name, None)
        most = _LONGEST_TITLE if name == "title" else _LONGEST_TEXT
        if not isinstance(text, str) or not text.strip() or len(text) > most or not text.isprintable():
            raise Refused(f"its {name} is no text of at most {most} characters in one line")
    if group == METRICS:
        top = getattr(thing, "most", None)
        if not _is_number(getattr(thing, "least", None)) or not (top is None or _is_number(top)):
            raise Refused("its range, least and most, is not two numbers (most may be None)")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < float("inf")
