"""Part: what adds to a residual stream: a word, its position, a head, a feed-forward network, a constant.

No torch. Layers, heads and positions count from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.questions.causes.report import Cell
from model.trace.trace import AttentionKind, Side

What = Literal["word", "position", "head", "feed_forward", "bias", "norm"]

GROUPS: tuple[str, ...] = ("word", "position", "heads", "feed_forward", "constants")
"""Parts taken together; constants are biases and what norms add."""

_GROUP = {"head": "heads", "bias": "constants", "norm": "constants"}


@dataclass(frozen=True)
class Part:
    """One summand of a residual stream, the same whatever norms do to it later on.

    Attributes:
        what: `word` is the embedding (scaled), `norm` what a norm adds whatever comes in (its bias; of a
            BatchNorm its mean too).
        side: the stack that it is of.
        where: of a head, bias or norm the sub-layer: `self_attention`, `cross`, `feed_forward`; a `norm` may
            also be `closing`, a bias `query`, `key` (of the projections) or `output` (of the words).
        layer: None for what belongs to no layer.
    """

    what: What
    side: Side
    where: str = ""
    layer: int | None = None
    head: int | None = None

    @property
    def group(self) -> str:
        """Which of `GROUPS` it is in."""
        return _GROUP.get(self.what, self.what)

    @property
    def kind(self) -> AttentionKind | None:
        """The family of the attention that a head is of."""
        if self.what != "head":
            return None
        if self.where == "cross":
            return AttentionKind.CROSS
        return AttentionKind.ENCODER_SELF if self.side == "source" else AttentionKind.DECODER_SELF

    @property
    def label(self) -> str:
        """For people who read English, counted from 1: `cross 2.3`, `encoder feed_forward 1`."""
        stack = "encoder" if self.side == "source" else "decoder"
        layer = "" if self.layer is None else f" {self.layer + 1}"
        if self.kind is not None and self.layer is not None and self.head is not None:
            return f"{self.kind} {self.layer + 1}.{self.head + 1}"
        if self.what in ("bias", "norm"):
            return f"{stack} {self.what} {self.where}{layer}"
        return f"{stack} {self.what}{layer}"

    def cells(self) -> tuple[Cell, ...]:
        """As `columns` names them."""
        numbers = (
            number for at in (self.layer, self.head) for number in (at, None if at is None else at + 1)
        )
        return (self.label, self.what, self.side, self.where or None, *numbers)


def columns(prefix: str = "") -> tuple[str, ...]:
    """Names of the columns of a part."""
    names = ("part", "what", "side", "where", "layer", "layer_number", "head", "head_number")
    return tuple(f"{prefix}{name}" for name in names)
