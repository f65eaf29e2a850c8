"""FigureSpec: all that a picture says, worked out once and drawn alike by the window and every export."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar


class Body(Protocol):
    """What a picture is of: what each kind's own spec says whatever it shows."""

    @property
    def title(self) -> str:
        """The title above it."""

    @property
    def badges(self) -> tuple[str, ...]:
        """What was averaged, scaled, hidden, altered; shown on screen and in every export."""


class Geometry(Protocol):
    """Where everything of a picture went, for hit tests; each kind's own says more."""

    @property
    def spec(self) -> Body:
        """What was placed."""


B_co = TypeVar("B_co", bound=Body, covariant=True)


@dataclass(frozen=True, eq=False)
class FigureSpec(Generic[B_co]):
    """A picture with its caption; `FigureSpec[MapSpec]` is that of a map.

    Attributes:
        body: what is drawn.
        caption: provenance: text, translation, model name and hash, decoding, created by, badges.
        facts: the same as JSON-able data that counts from 0, for CSV comments and manifests.
    """

    body: B_co
    caption: str
    facts: dict[str, Any] = field(default_factory=dict)


AnyFigure = FigureSpec[Body]
"""A picture of whatever kind."""
