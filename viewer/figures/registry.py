"""The registry of figures: one row a kind. Whatever shows, exports or names pictures asks here."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from viewer.figures.alignment import kind as alignment
from viewer.figures.all_heads import kind as all_heads
from viewer.figures.angles import kind as angles
from viewer.figures.architecture import kind as architecture
from viewer.figures.arithmetic import kind as arithmetic
from viewer.figures.bases import kind as bases
from viewer.figures.bias import kind as bias
from viewer.figures.causes import circuits_kind
from viewer.figures.causes import kind as causes
from viewer.figures.clocks import kind as clocks
from viewer.figures.closeness import kind as closeness
from viewer.figures.contributions import kind as contributions
from viewer.figures.curves import kind as curves
from viewer.figures.difference import kind as difference
from viewer.figures.distance import kind as distance
from viewer.figures.effects import kind as effects
from viewer.figures.encoding import kind as encoding
from viewer.figures.figure import Body
from viewer.figures.flow import kind as flow
from viewer.figures.heads import kind as heads
from viewer.figures.kind import Asked, Drawing, FigureKind, Subject
from viewer.figures.map import kind as map
from viewer.figures.option import OF_A_MAP, Option
from viewer.figures.page import kind as page
from viewer.figures.positions import kind as positions
from viewer.figures.rollout import kind as rollout
from viewer.figures.rotation import kind as rotation
from viewer.figures.shares import kind as shares
from viewer.figures.sheet import kind as sheet
from viewer.figures.tree import kind as tree
from viewer.figures.walk import kind as walk
from viewer.figures.words import kind as words

KINDS: tuple[FigureKind, ...] = (
    map.KIND,
    flow.KIND,
    words.KIND,
    heads.KIND,
    all_heads.KIND,
    arithmetic.KIND,
    alignment.KIND,
    rollout.KIND,
    shares.KIND,
    causes.SCORES_KIND,
    causes.LOGIT_KIND,
    causes.CONTRAST_KIND,
    causes.TRUST_KIND,
    causes.SOURCE_KIND,
    causes.LAYERS_KIND,
    circuits_kind.KIND,
    contributions.KIND,
    difference.KIND,
    effects.KIND,
    architecture.KIND,
    positions.KIND,
    tree.KIND,
    page.KIND,
    encoding.KIND,
    walk.KIND,
    closeness.KIND,
    clocks.KIND,
    clocks.ROTARY,
    rotation.KIND,
    rotation.ROTARY,
    distance.KIND,
    bases.KIND,
    angles.KIND,
    bias.KIND,
    sheet.KIND,
    curves.KIND,
)
"""In the order in which commands name them."""


def drawing_of(body: Body) -> Drawing[Any, Any]:
    """How a spec is drawn; `KeyError` for a type that is no kind's."""
    return _drawings(KINDS)[type(body)]


@lru_cache(maxsize=2)
def _drawings(kinds: tuple[FigureKind, ...]) -> dict[type, Drawing[Any, Any]]:
    return {kind.drawing.spec: kind.drawing for kind in kinds if kind.drawing is not None}


def asked(name: str) -> Asked:
    """How a kind is asked for; `KeyError` for one that is not."""
    return asked_kinds()[name]


def asked_kinds() -> dict[str, Asked]:
    """Every kind that can be asked for, by name."""
    return {kind.name: kind.asked for kind in KINDS if kind.asked is not None}


def commanded() -> dict[str, Asked]:
    """Those that `render --view` asks for: of pages and trees only the window knows."""
    windows_own = (Subject.PAGE, Subject.TREE)
    return {name: one for name, one in asked_kinds().items() if one.about not in windows_own}


def own_options() -> list[Option]:
    """The options of kinds that are not those of a map, in the order of their kinds."""
    found = dict.fromkeys(option for one in asked_kinds().values() for option in one.options)
    return [option for option in found if option not in OF_A_MAP]
