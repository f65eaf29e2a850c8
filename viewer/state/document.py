"""The document: runs (what was decoded) and panes (what is looked at). All frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self

from model.trace import Trace
from viewer.state.selection import Selection


@dataclass(frozen=True, eq=False)
class Run:
    """One decoding and where it came from.

    Attributes:
        id: unique in the document.
        parent: the run this one branched from, None for a first one.
        trace: what it showed; while it decodes, the trace up to the newest token.
        provenance: JSON-able facts for captions, such as `{"source": "recorded" | "decoded" | "file"}`.
        alterations: what was changed in the model's computation; empty if nothing.
        live: whether tokens are still being added.
    """

    id: str
    trace: Trace
    parent: str | None = None
    provenance: dict[str, Any] = field(default_factory=dict)
    alterations: tuple[Any, ...] = ()
    live: bool = False

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Pane:
    """A view of one run."""

    run_id: str
    selection: Selection


@dataclass(frozen=True)
class Bookmark:
    """A view that the user gave a name."""

    name: str
    pane: Pane


@dataclass(frozen=True)
class ViewOptions:
    """How every pane is drawn.

    Attributes:
        sqrt_scale: colours by the square root of the weight (the colour bar keeps true values).
        raw_pieces: show pieces as the tokenizer writes them (with U+2581).
        hide_specials: leave start and end tokens out, saying what share of the weight that hides.
    """

    sqrt_scale: bool = False
    raw_pieces: bool = False
    hide_specials: bool = False

    def to_json(self) -> dict[str, bool]:
        """Plain values by field name."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`; unknown keys are ignored.

        Raises:
            ValueError: a value is neither true nor false.
        """
        known = {option.name for option in fields(cls)}
        chosen = {name: value for name, value in values.items() if name in known}
        for name, value in chosen.items():
            if type(value) is not bool:
                raise ValueError(f"{name} is neither true nor false")
        return cls(**chosen)


@dataclass(frozen=True, eq=False)
class Document:
    """Runs in order of birth, the panes (one or two), which of them is active, the view's options.

    There are panes exactly when there are runs.
    """

    runs: tuple[Run, ...] = ()
    panes: tuple[Pane, ...] = ()
    view: ViewOptions = ViewOptions()
    active: int = 0
    bookmarks: tuple[Bookmark, ...] = ()

    def run(self, run_id: str) -> Run | None:
        """The run of that id, or None."""
        return next((run for run in self.runs if run.id == run_id), None)

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return replace(self, **changes)
