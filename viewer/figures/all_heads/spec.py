"""AllHeadsSpec: every head of every layer of all kinds of a trace on one page."""

from __future__ import annotations

from dataclasses import dataclass

from model.trace.trace import AttentionKind
from viewer.figures.heads.spec import HeadsSpec


@dataclass(frozen=True, eq=False)
class AllHeadsSpec:
    """A page of heads a kind, all on one scale.

    Attributes:
        pages: the page of each kind that the trace has, in the order of `AttentionKind`.
        levels: the value range of every map, (0, 1) for weights.
        sqrt_scale: colours by the square root.
    """

    pages: tuple[HeadsSpec, ...]
    title: str
    badges: tuple[str, ...] = ()
    levels: tuple[float, float] = (0.0, 1.0)
    sqrt_scale: bool = False

    @property
    def kind_name(self) -> str:
        """None in particular."""
        return ""

    @property
    def has_later(self) -> bool:
        """Whether some map has rows of later steps."""
        return any(spec.shown_rows < spec.rows for spec in self.pages)

    def of(self, kind: AttentionKind) -> HeadsSpec | None:
        """The page of a kind, None if the trace has none."""
        return next((spec for spec in self.pages if spec.kind is kind), None)
