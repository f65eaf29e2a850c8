"""`Scene`: where in the window one is: the page, what is open on it, what was typed and chosen. No Qt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

LOOK, POSITIONS, LEARN, TRAIN = PAGES = ("look", "positions", "learn", "train")
"""The pages in their order."""
_LONGEST = 1 << 16
_MOST = 1 << 31


@dataclass(frozen=True)
class Scene:
    """What a bookmark holds besides the run and the selection.

    Attributes:
        page: one of `PAGES`.
        tab: of Positions the tab, of Learn the experiment, of Train the side; empty for none.
        state: what was chosen and typed in that tab: plain values, which only the tab understands.
        drawer: of Look the panel that was open, empty if it was closed; None where nothing is said.
        inspector: of Look the tab beside the map, empty if it was hidden; None where nothing is said.
        frame: number of the frame of a time-lapse; None where none was in view.
    """

    page: str = LOOK
    tab: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)
    drawer: str | None = None
    inspector: str | None = None
    frame: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values by field name; what is not said is left out."""
        values = {
            "page": None if self.page == LOOK else self.page,
            "tab": self.tab or None,
            "state": dict(self.state) or None,
            "drawer": self.drawer,
            "inspector": self.inspector,
            "frame": self.frame,
        }
        return {name: value for name, value in values.items() if value is not None}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`; unknown keys are ignored, and what makes no sense is not said."""
        page, tab, frame = values.get("page"), values.get("tab"), values.get("frame")
        return cls(
            page=page if page in PAGES else LOOK,
            tab=tab if isinstance(tab, str) else "",
            state=_plain(values.get("state")),
            drawer=_text(values.get("drawer")),
            inspector=_text(values.get("inspector")),
            frame=frame if type(frame) is int and frame >= 0 else None,
        )


@dataclass(frozen=True)
class Place:
    """Where a part of the window leads to.

    Attributes:
        scene: what is to be opened.
        selection: fields of the active pane's `Selection` that change, by name.
    """

    scene: Scene
    selection: Mapping[str, Any] = field(default_factory=dict)


def plain_state(value: Any) -> dict[str, Any]:
    """A state as it can be written; empty where it cannot."""
    return _plain(value)


def whole(state: Mapping[str, Any], name: str, default: int) -> int:
    """An integer of a scene's state; the default where it has none."""
    value = state.get(name)
    return value if type(value) is int and abs(value) < _MOST else default


def number(state: Mapping[str, Any], name: str, default: float) -> float:
    """A finite number of a scene's state; the default where it has none."""
    value = state.get(name)
    known = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST
    return float(value) if known and value is not None else default


def wholes(state: Mapping[str, Any], name: str) -> tuple[int, ...] | None:
    """Integers from 0 of a scene's state; None where it has none."""
    values = state.get(name)
    if not isinstance(values, list) or not all(type(v) is int and 0 <= v < _MOST for v in values):
        return None
    return tuple(values)


def text(state: Mapping[str, Any], name: str) -> str:
    """A text of a scene's state; empty where it has none."""
    value = state.get(name)
    return value if isinstance(value, str) else ""


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _plain(value: Any) -> dict[str, Any]:
    """The state as it can be written again; empty where it cannot."""
    try:
        fits = len(json.dumps(value, allow_nan=False)) <= _LONGEST
    except (ValueError, RecursionError):
        return {}
    return value if fits and isinstance(value, dict) else {}
