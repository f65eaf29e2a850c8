"""The registry of figures: one row a kind. Whatever shows, exports or names pictures asks here.

A kind is imported when it is first asked for: a picture needs its own alone.
"""

from __future__ import annotations

from functools import lru_cache
from pkgutil import resolve_name
from typing import Any

from viewer.figures.figure import Body
from viewer.figures.kind import Asked, Drawing, FigureKind, Subject
from viewer.figures.option import OF_A_MAP, Option

KINDS: tuple[str, ...] = (
    "viewer.figures.map.kind:KIND",
    "viewer.figures.flow.kind:KIND",
    "viewer.figures.words.kind:KIND",
    "viewer.figures.heads.kind:KIND",
    "viewer.figures.all_heads.kind:KIND",
    "viewer.figures.arithmetic.kind:KIND",
    "viewer.figures.alignment.kind:KIND",
    "viewer.figures.rollout.kind:KIND",
    "viewer.figures.shares.kind:KIND",
    "viewer.figures.causes.kind:SCORES_KIND",
    "viewer.figures.causes.kind:LOGIT_KIND",
    "viewer.figures.causes.kind:CONTRAST_KIND",
    "viewer.figures.causes.kind:TRUST_KIND",
    "viewer.figures.causes.kind:SOURCE_KIND",
    "viewer.figures.causes.kind:LAYERS_KIND",
    "viewer.figures.causes.circuits_kind:KIND",
    "viewer.figures.contributions.kind:KIND",
    "viewer.figures.difference.kind:KIND",
    "viewer.figures.effects.kind:KIND",
    "viewer.figures.architecture.kind:KIND",
    "viewer.figures.positions.kind:KIND",
    "viewer.figures.tree.kind:KIND",
    "viewer.figures.page.kind:KIND",
    "viewer.figures.encoding.kind:KIND",
    "viewer.figures.walk.kind:KIND",
    "viewer.figures.closeness.kind:KIND",
    "viewer.figures.clocks.kind:KIND",
    "viewer.figures.clocks.kind:ROTARY",
    "viewer.figures.rotation.kind:KIND",
    "viewer.figures.rotation.kind:ROTARY",
    "viewer.figures.distance.kind:KIND",
    "viewer.figures.bases.kind:KIND",
    "viewer.figures.angles.kind:KIND",
    "viewer.figures.bias.kind:KIND",
    "viewer.figures.sheet.kind:KIND",
    "viewer.figures.curves.kind:KIND",
)
"""Where each lies, `module:name`, in the order in which commands name them."""


def kinds() -> tuple[FigureKind, ...]:
    """All of them."""
    return tuple(map(_kind, KINDS))


def drawing_of(body: Body) -> Drawing[Any, Any]:
    """How a spec is drawn; `KeyError` for a type that is no kind's."""
    return _drawing(type(body), KINDS)


@lru_cache(maxsize=128)
def _drawing(spec: type, rows: tuple[str, ...]) -> Drawing[Any, Any]:
    folder = f"{spec.__module__.rpartition('.')[0]}."  # its kind most likely lies there, too
    for row in sorted(rows, key=lambda row: not row.startswith(folder)):
        drawing = _kind(row).drawing
        if drawing is not None and drawing.spec is spec:
            return drawing
    raise KeyError(spec)


@lru_cache(maxsize=128)
def _kind(row: str) -> FigureKind:
    found = resolve_name(row)
    assert isinstance(found, FigureKind)
    return found


def asked(name: str) -> Asked:
    """How a kind is asked for; `KeyError` for one that is not."""
    return asked_kinds()[name]


def asked_kinds() -> dict[str, Asked]:
    """Every kind that can be asked for, by name."""
    return {kind.name: kind.asked for kind in kinds() if kind.asked is not None}


def commanded() -> dict[str, Asked]:
    """Those that `render --view` asks for: of pages and trees only the window knows."""
    windows_own = (Subject.PAGE, Subject.TREE)
    return {name: one for name, one in asked_kinds().items() if one.about not in windows_own}


def own_options() -> list[Option]:
    """The options of kinds that are not those of a map, in the order of their kinds."""
    found = dict.fromkeys(option for one in asked_kinds().values() for option in one.options)
    return [option for option in found if option not in OF_A_MAP]
