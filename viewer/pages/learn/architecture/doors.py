"""Doors of a block: the views and lessons that show more of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.abilities import Ability
from model.trace.trace import Trace
from viewer.document.messages.messages import ModelInfo
from viewer.document.scene import LEARN, LOOK, POSITIONS, Place, Scene
from viewer.document.selection import MAP_VIEW
from viewer.experiments.registry import TOLD_EXPERIMENTS
from viewer.figures.architecture.spec import Block, Role
from viewer.lessons.registry import TOLD

translate = QCoreApplication.translate
_LESSONS: dict[Role, tuple[str, ...]] = {
    "embedding": ("tokenisation",),
    "scale": ("base",),
    "positions": ("base",),
    "attention": ("weighted_average", "scaling", "parallel", "explanation"),
    "norm": ("norms",),
    "add_norm": ("norms",),
    "linear": ("smoothing",),
    "softmax": ("search", "smoothing"),
    "copy": ("copying",),
}
"""Lessons about a kind of block, by name; `masks` besides where there is a mask."""


@dataclass(frozen=True)
class Door:
    """Where a button leads."""

    text: str
    place: Place


def doors_of(block: Block, trace: Trace | None, info: ModelInfo | None) -> tuple[Door, ...]:
    """Those that lead somewhere now.

    Args:
        trace: what was read by the model that is drawn; None while there is none.
    """
    return (*_views(block, trace, info), *_lessons(block))


def _views(block: Block, trace: Trace | None, info: ModelInfo | None) -> Iterator[Door]:
    can = frozenset() if info is None else info.can
    if trace is not None and block.kind in trace.kinds:
        kind, layer = block.kind, block.layer
        here: dict[str, Any] = {"kind": kind, "layer": layer, "view": MAP_VIEW}
        yield Door(translate("ArchitectureView", "Look at its heads"), Place(Scene(LOOK), here))
        if Ability.ANSWER in can:
            place = Place(Scene(LOOK, inspector="arithmetic"), here)
            yield Door(translate("ArchitectureView", "Arithmetic of one weight"), place)
        if Ability.ALTER in can:
            place = Place(Scene(LOOK, inspector="what_if"), here)
            yield Door(translate("ArchitectureView", "What if this layer were off"), place)
    if block.role in ("positions", "scale"):
        yield Door(translate("ArchitectureView", "Positions page"), Place(Scene(POSITIONS)))
    if block.role in ("linear", "softmax", "copy") and trace is not None and trace.steps:
        yield Door(translate("ArchitectureView", "Next word"), Place(Scene(LOOK, inspector="next_word")))
    if trace is not None and Ability.WALK in can:
        yield Door(translate("ArchitectureView", "Layer walk from here"), Place(_walk(block)))


def _walk(block: Block) -> Scene:
    """The layer walk at the stage that the block is."""
    side = "source" if block.stack == "encoder" else "target"
    stage: list[Any] | None
    if block.role in ("linear", "softmax", "copy"):
        stage = None
    elif block.layer is None:
        named = {"positions": "position", "norm": "final_norm"}
        name = named.get(block.role, "embedding")
        stage = [name, name, None]
    else:
        named = {"add": "residual", "norm": "norm", "add_norm": "norm"}
        stage = [named.get(block.role, block.sublayer), block.sublayer, block.layer]
    return Scene(LEARN, "walk", {"side": side, "stages": {side: stage}})


def _lessons(block: Block) -> Iterator[Door]:
    names = (*(("masks",) if block.masked else ()), *_LESSONS.get(block.role, ()))
    for told in (*TOLD, *TOLD_EXPERIMENTS):
        if told.name in names:
            text = translate("ArchitectureView", "Lesson: {title}").format(title=told.title())
            yield Door(text, Place(Scene(LEARN, told.name)))
