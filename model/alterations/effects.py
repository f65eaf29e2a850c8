"""Effects: what changes, all together, do to a model's computation. No torch.

Every alteration says here what it does, and nowhere else: `model.decoding.altering` carries it out while
the model runs, pictures read from it which heads are scaled, which rows replaced, which tokens blocked.

Shapes: b batch, h heads, q queries, k keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from model.trace.trace import AttentionKind, Side

NO_POSITION = -1
"""The position id of a token that gets no position; see `model.network.embeddings.PositionalEncoding`."""

EVERY = 2**31 - 1
"""As many tokens as there may ever be."""

Tensor = Any
"""A tensor of torch. Only its own methods may be used, so that nothing here needs torch."""

Rewrite = Callable[[Tensor, int, Tensor], Tensor]
"""Called with a pattern [b, h, q, k], the row that its first query is, and where its queries may attend to,
bool [q, k]; gives the pattern to go on with. It must not write into what it is given."""


class Acting(Protocol):
    """What has effects; see `model.alterations.alteration.Alteration`."""

    def act(self, effects: Effects) -> None:
        """Say what it does."""


@dataclass(frozen=True)
class Scaled:
    """A head's output is multiplied; None for every head of the layer, or every layer."""

    kind: AttentionKind
    layer: int | None
    head: int | None
    factor: float


@dataclass(frozen=True, eq=False)
class Rewritten:
    """Rows of a pattern are replaced after the softmax; None for every head, or every row."""

    kind: AttentionKind
    layer: int
    head: int | None
    query: int | None
    rewrite: Rewrite


@dataclass(frozen=True, eq=False)
class Placed:
    """The tokens of a side get other position ids.

    Attributes:
        ids: gives those of the first so many tokens.
        count: how many tokens get other ones, at most; None: as many as a translation may have.
    """

    ids: Callable[[int], Sequence[int]]
    count: int | None


What = Literal["heads", "patterns", "residual", "cross"]
"""What can be carried from one reading into another: heads' outputs before W_O, patterns alone, what leaves a
layer, keys and values of the source in cross-attention."""


@dataclass(frozen=True)
class Carried:
    """Numbers of another reading of the same model (A) take the places of this one's (B).

    Attributes:
        what: see `What`. Of `residual` the kind says the stack: `encoder_self` or `decoder_self`; `cross` is
            of the kind `cross`.
        head: None for all; of `cross` a head of keys and values.
        position: the only row of B that is replaced (of `cross` a source token); None for all.
        src_ids, out_ids: what A's encoder reads, and A's translation, from which its numbers are worked out.
        source, steps: which token of A stands for each source token of B, and which row of A's decoder for
            each of B's; negative where there is none. Rows beyond these have none.
    """

    what: What
    kind: AttentionKind
    layer: int
    head: int | None
    position: int | None
    src_ids: tuple[int, ...]
    out_ids: tuple[int, ...]
    source: tuple[int, ...]
    steps: tuple[int, ...]


class Effects:
    """Where alterations put what they do.

    Scales of one head multiply, rows are rewritten one after the other, of two positions of a side the last
    wins, and orders are taken one after the other.

    Attributes:
        scaled, rewritten: in the order in which they were said.
        blocked: source tokens that nobody may attend to.
        positions: by side; a side that is not there has its usual ones.
        orders: see `model.alterations.reorder.Reorder`.
        carried: in the order in which they were said.
        read_layer: see `model.alterations.read_layer.ReadLayer`; None where the decoder reads what it was
            trained to read. Of two the last wins.
    """

    def __init__(self) -> None:
        self.scaled: list[Scaled] = []
        self.rewritten: list[Rewritten] = []
        self.blocked: set[int] = set()
        self.positions: dict[Side, Placed] = {}
        self.orders: list[tuple[int, ...]] = []
        self.carried: list[Carried] = []
        self.read_layer: int | None = None

    @classmethod
    def of(cls, alterations: Iterable[Acting]) -> Effects:
        """What these do together."""
        effects = cls()
        for change in alterations:
            change.act(effects)
        return effects

    # What alterations say.

    def scale(self, kind: AttentionKind, layer: int | None, head: int | None, factor: float) -> None:
        """Multiply a head's output before W_O; its pattern is recorded as it is computed."""
        self.scaled.append(Scaled(kind, layer, head, factor))

    def rewrite(
        self, kind: AttentionKind, layer: int, head: int | None, query: int | None, rewrite: Rewrite
    ) -> None:
        """Replace rows of a pattern; it is recorded as it becomes."""
        self.rewritten.append(Rewritten(kind, layer, head, query, rewrite))

    def block(self, token: int) -> None:
        """Let nobody attend to a source token."""
        self.blocked.add(token)

    def place(self, side: Side, ids: Callable[[int], Sequence[int]], count: int | None = EVERY) -> None:
        """Give the tokens of a side other positions; see `Placed`."""
        self.positions[side] = Placed(ids, count)

    def reorder(self, order: tuple[int, ...]) -> None:
        """Read the source's pieces in another order."""
        self.orders.append(order)

    def carry(self, carried: Carried) -> None:
        """Take numbers from another reading."""
        self.carried.append(carried)

    def read(self, layer: int) -> None:
        """Let the decoder read what this many encoder layers made of the source."""
        self.read_layer = layer

    # What pictures ask.

    def factors(self, kind: AttentionKind, layer: int, heads: int) -> list[float]:
        """What multiplies the output of each head of a layer."""
        factors = [1.0] * heads
        for scaled in self.scaled:
            if scaled.kind is kind and scaled.layer in (None, layer):
                for head in range(heads):
                    if scaled.head in (None, head):
                        factors[head] *= scaled.factor
        return factors

    def rows(self, kind: AttentionKind, layer: int, head: int | None, count: int) -> tuple[int, ...]:
        """Queries whose row is replaced in a head, or (None) in any of a layer.

        Args:
            count: rows that there are, where every one is replaced.
        """
        found: set[int] = set()
        for one in self.rewritten:
            if (one.kind, one.layer) == (kind, layer) and (head is None or one.head in (None, head)):
                found.update(range(count) if one.query is None else (one.query,))
        return tuple(sorted(found))
