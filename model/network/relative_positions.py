"""RelativePositions: positions that act inside self-attention, on how far a key is from a query.

Three kinds, one interface: `Rotary` turns queries and keys (Su et al. 2021, arXiv 2104.09864, section 3.2),
`Alibi` takes from a score in proportion to the distance (Press et al. 2022, arXiv 2108.12409, section 3),
`Offsets` adds learned vectors to keys and values (Shaw et al. 2018, arXiv 1803.02155, section 3). They act in
the self-attention of both stacks and never in cross-attention, whose two texts have no common count.

Shapes: b batch (1 where all sequences are alike), h heads, q queries, k keys, e width of a head.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.config import Architecture, PositionLayout
from model.positions.positions import alibi_slopes, frequencies


@dataclass(frozen=True, eq=False)
class Spots:
    """Where queries and keys of a self-attention stand; made once a pass, for all its layers.

    Attributes:
        queries, keys: position ids int64 [b, q] and [b, k]; -1 for a token that has no position.
    """

    queries: Tensor
    keys: Tensor
    _known: dict[Hashable, Tensor] = field(default_factory=dict)

    def once(self, name: Hashable, make: Callable[[], Tensor]) -> Tensor:
        """What `make` works out of them: by the first layer that asks, for all layers."""
        if name not in self._known:
            self._known[name] = make()
        return self._known[name]

    @property
    def offsets(self) -> Tensor:
        """Key position - query position, int64 [b, q, k]."""
        return self.keys[:, None, :] - self.queries[:, :, None]

    @property
    def placed(self) -> Tensor:
        """Whether query and key both have a position, bool [b, q, k]."""
        return (self.queries >= 0)[:, :, None] & (self.keys >= 0)[:, None, :]


class RelativePositions(nn.Module):
    """What positions do in one layer's self-attention; here nothing.

    Attributes:
        fuses: whether the fused kernel can take part; it cannot where values depend on the query.
    """

    fuses = True

    def turned(self, x: Tensor, spots: Spots) -> Tensor:
        """Queries or keys [b, any heads, q, e] of the tokens that ask, as they are compared."""
        return x

    def added(self, q: Tensor, spots: Spots) -> Tensor | None:
        """What is added to the scores of queries [b, h, q, e], already divided by √e: [b, h, q, k]."""
        return None

    def mixed(self, pattern: Tensor, spots: Spots) -> Tensor | None:
        """What is added to a pattern's [b, h, q, k] mix of values: [b, h, q, e]."""
        return None

    def value_terms(self, spots: Spots) -> Tensor | None:
        """The same before it is mixed, what is added to each key's value: [b, q, k, e]."""
        return None


class Rotary(RelativePositions):
    """Turns each pair of dimensions by position · θ_i, so that q·k depends on how far they are apart.

    θ_i = base^(-2i/e). A token without a position is not turned.
    """

    def __init__(self, width: int, base: float, layout: PositionLayout) -> None:
        super().__init__()
        self.layout = layout
        self.frequencies = torch.from_numpy(frequencies(width, base))

    def turned(self, x: Tensor, spots: Spots) -> Tensor:
        """See `RelativePositions`."""
        wide = torch.promote_types(x.dtype, torch.float32)
        cos, sin = spots.once(("turn", wide), lambda: self._turn(spots, wide)).unbind(0)
        if self.layout == "halves":
            first, second = x.chunk(2, -1)
        else:
            first, second = x[..., 0::2], x[..., 1::2]
        parts = (first * cos - second * sin, second * cos + first * sin)
        turned = torch.cat(parts, -1) if self.layout == "halves" else torch.stack(parts, -1).flatten(-2)
        return turned.to(x.dtype)

    def _turn(self, spots: Spots, dtype: torch.dtype) -> Tensor:
        """Cosines and sines [2, b, 1, q, e / 2]."""
        # In float64, which some accelerators lack: at position 1000 an angle of float32 is off in the fifth
        # digit already.
        angle = spots.queries.cpu().clamp_min(0).double()[:, None, :, None] * self.frequencies
        return torch.stack([angle.cos(), angle.sin()]).to(dtype).to(spots.queries.device)


class Alibi(RelativePositions):
    """Takes slope · distance from each score: the slope is the head's and never learned.

    The distance counts both ways, so that the encoder's heads see left and right alike. Where query or key
    has no position, nothing is taken.
    """

    def __init__(self, n_heads: int) -> None:
        super().__init__()
        self.slopes = torch.from_numpy(alibi_slopes(n_heads))

    def added(self, q: Tensor, spots: Spots) -> Tensor:
        """See `RelativePositions`."""
        return spots.once(("distance", q.dtype), lambda: self._taken(spots, q.dtype))

    def _taken(self, spots: Spots, dtype: torch.dtype) -> Tensor:
        wide = torch.promote_types(dtype, torch.float32)
        slopes = self.slopes.to(wide).to(spots.keys.device)
        distances = spots.offsets.abs().masked_fill(~spots.placed, 0).to(wide)
        return -slopes[:, None, None] * distances[:, None]


class Offsets(RelativePositions):
    """Learned vectors of an offset, clipped to ±span: q·(k + a), and Σ α (v + a').

    The heads of a layer share them, each layer has its own. Where query or key has no position there is none.

    Attributes:
        keys, values: [2 span + 1, e], a and a' of an offset in row span + offset.
    """

    fuses = False

    def __init__(self, width: int, span: int) -> None:
        super().__init__()
        self.span = span
        self.keys = nn.Parameter(torch.empty(2 * span + 1, width))
        self.values = nn.Parameter(torch.empty(2 * span + 1, width))

    def added(self, q: Tensor, spots: Spots) -> Tensor:
        """See `RelativePositions`."""
        by_row = F.pad(q @ self.keys.to(q.dtype).t(), (0, 1))  # [b, h, q, rows], and 0 for no position
        rows = self._rows(spots)[:, None]
        return by_row.gather(-1, rows.expand(*by_row.shape[:-1], rows.shape[-1]))

    def mixed(self, pattern: Tensor, spots: Spots) -> Tensor:
        """See `RelativePositions`; the weights are added up by offset first."""
        rows = self._rows(spots)[:, None].expand(pattern.shape)
        by_row = pattern.new_zeros(*pattern.shape[:-1], 2 * self.span + 2).scatter_add(-1, rows, pattern)
        return by_row[..., :-1] @ self.values.to(pattern.dtype)

    def value_terms(self, spots: Spots) -> Tensor:
        """See `RelativePositions`."""
        return F.pad(self.values, (0, 0, 0, 1))[self._rows(spots)]

    def _rows(self, spots: Spots) -> Tensor:
        """Which row counts, int64 [b, q, k]; one behind the last where there is none."""

        def rows() -> Tensor:
            inside = spots.offsets.clamp(-self.span, self.span) + self.span
            return inside.masked_fill(~spots.placed, 2 * self.span + 1)

        return spots.once("rows", rows)


def relative_positions(architecture: Architecture) -> RelativePositions | None:
    """What a layer's self-attention gets; None where positions are added to the embeddings, or not told."""
    a = architecture
    width = a.d_model // a.n_heads
    if a.positions == "rotary":
        return Rotary(width, a.position_base, a.position_layout)
    if a.positions == "alibi":
        return Alibi(a.n_heads)
    return Offsets(width, a.relative_span) if a.positions == "relative" else None


def spots_of(
    position_ids: Tensor | None, start: int, count: int, device: torch.device, earlier: Tensor | None = None
) -> Spots:
    """Where `count` queries from `start` on stand, among themselves and the keys before them.

    Args:
        position_ids: [count] or [b, count]; `start` and on when absent.
        earlier: position ids [b, start] of those before, as the cache keeps them.
    """
    if position_ids is None:
        position_ids = torch.arange(start, start + count, device=device)
    own = position_ids[None] if position_ids.dim() == 1 else position_ids
    if earlier is None:
        return Spots(own, own)
    rows = max(len(own), len(earlier))
    return Spots(own, torch.cat([earlier.expand(rows, -1), own.expand(rows, -1)], dim=1))
