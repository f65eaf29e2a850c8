"""Kept: what a model computed for one text, and how its numbers are put into the computation of another.

Shapes: b batch, h heads, g heads of keys and values, n and m tokens of the two, q and p queries, k and l
keys, e width of a head, d d_model.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

import torch
from torch import Tensor

from model.alterations.effects import Carried
from model.network.attention import AttentionSite
from model.network.transformer import Transformer
from model.trace.trace import AttentionKind, Side

Rows = tuple[Tensor, Tensor]
"""Which row of one takes the place of which row of the other: int64 [r] in B, int64 [r] in A."""


def rows_of(
    across: Sequence[int], start: int = 0, count: int | None = None, device: torch.device | str = "cpu"
) -> Rows:
    """Rows that have a counterpart, the first ones counted from `start`.

    Args:
        across: A's row for each of B's, negative where it has none.
    """
    stop = len(across) if count is None else min(len(across), start + count)
    pairs = [(i - start, across[i]) for i in range(start, stop) if across[i] >= 0]
    own, other = torch.tensor(pairs, dtype=torch.int64, device=device).reshape(-1, 2).unbind(1)
    return own, other


def with_rows(own: Tensor, other: Tensor, rows: Rows) -> Tensor:
    """`own` [..., n, d] with the rows of `other` [..., m, d] in the places of those that have one."""
    result = own.clone()
    result[..., rows[0], :] = other[..., rows[1], :]
    return result


def with_weights(own: Tensor, other: Tensor, rows: Rows, keys: Rows) -> Tensor:
    """A pattern `own` [..., q, k] with the weights of `other` [..., p, l] in the rows that have a
    counterpart.

    Keys without a counterpart keep the weight that they have; the others share what is left in the
    proportions of `other`, so that a row's sum stays what it is. A row in which `other` has nothing for them
    is left alone.
    """
    result = own.clone()
    mine = own[..., rows[0], :]
    taken = other[..., rows[1], :][..., keys[1]]
    if len(keys[0]) < own.shape[-1] or len(keys[1]) < other.shape[-1]:
        left = mine[..., keys[0]].sum(-1, keepdim=True)
        whole = taken.sum(-1, keepdim=True)
        there = whole > 0
        scaled = taken * (left / torch.where(there, whole, 1.0))
        taken = torch.where(there, scaled, mine[..., keys[0]])
    put = mine.clone()
    put[..., keys[0]] = taken
    result[..., rows[0], :] = put
    return result


class Altered(Protocol):
    """What a model is changed by, see `model.decoding.altering.Altering`."""

    def shown(self, site: AttentionSite, pattern: Tensor) -> Tensor:
        """A pattern as it is recorded."""

    def scaled(self, site: AttentionSite, pattern: Tensor) -> Tensor:
        """The same as the model goes on with it."""


class Kept:
    """A tap that keeps all that can be carried; what it wraps is asked first.

    Attributes:
        patterns: as they are recorded, [b, h, q, k]. used: what the model went on with.
        outputs: heads' outputs before W_O, [b, h, q, e].
        memory: of each decoder layer's cross-attention keys and values, [b, g, k, e].
        streams: what leaves each layer, [b, n, d].
    """

    def __init__(self, altering: Altered | None = None) -> None:
        self._altering = altering
        self.carrying = self
        self.patterns: dict[AttentionSite, Tensor] = {}
        self.used: dict[AttentionSite, Tensor] = {}
        self.outputs: dict[AttentionSite, Tensor] = {}
        self.memory: dict[int, tuple[Tensor, Tensor]] = {}
        self.streams: dict[tuple[Side, int], Tensor] = {}

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """See `model.network.attention.Tap`."""
        altering = self._altering
        shown = altering.shown(site, pattern) if altering else pattern
        used = altering.scaled(site, shown) if altering else shown
        self.patterns[site], self.used[site] = shown, used
        return None if used is pattern else used

    def inputs(self, site: AttentionSite, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See `model.network.carrying.Carrying`."""
        if site.kind is AttentionKind.CROSS:
            self.memory[site.layer] = k, v
        return q, k, v

    def output(self, site: AttentionSite, mixed: Tensor) -> Tensor:
        """See `model.network.carrying.Carrying`."""
        self.outputs[site] = mixed
        return mixed

    def stream(self, side: Side, layer: int, x: Tensor) -> Tensor:
        """See `model.network.carrying.Carrying`."""
        self.streams[side, layer] = x
        return x


class CarriedIn:
    """Carries numbers of another reading into a decoding, row after row.

    Args:
        carried: what is carried, each from a text of its own.
        start: the id that the decoder begins with.
        blocked: source tokens that nobody may attend to: no pattern carries weight to them.
    """

    def __init__(
        self, network: Transformer, carried: Sequence[Carried], start: int, blocked: Collection[int] = ()
    ) -> None:
        self._steps = 0
        self._each = [(one, _kept(network, one, start)) for one in carried]
        self._device = network.device
        self._blocked = frozenset(blocked)

    def patterns(self, site: AttentionSite, pattern: Tensor, first: int, seen: int) -> Tensor:
        """A pattern [b, h, q, k] whose first query is the row `first`; `seen`: rows of the decoder so far."""
        self._steps = seen
        for one, kept in self._each:
            if one.what == "patterns" and _at(one, site):
                rows = self._rows(one, site.kind, first, pattern.shape[-2])
                keys = self._keys(one, site.kind, pattern.shape[-1])
                heads = _heads(one.head)
                result = pattern.clone()
                other = kept.patterns[site][:, heads]
                result[:, heads] = with_weights(pattern[:, heads], other, rows, keys)
                pattern = result
        return pattern

    def inputs(self, site: AttentionSite, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See `model.network.carrying.Carrying`."""
        for one, kept in self._each:
            if one.what == "cross" and _at(one, site):
                rows = self._rows(one, AttentionKind.ENCODER_SELF, 0, k.shape[-2])
                heads = _heads(one.head)
                k, v = (
                    _in_heads(own, other, heads, rows) for own, other in zip((k, v), kept.memory[site.layer])
                )
        return q, k, v

    def output(self, site: AttentionSite, mixed: Tensor) -> Tensor:
        """See `model.network.carrying.Carrying`."""
        for one, kept in self._each:
            if one.what == "heads" and _at(one, site):
                rows = self._rows(one, site.kind, self._first(site.kind, mixed), mixed.shape[-2])
                mixed = _in_heads(mixed, kept.outputs[site], _heads(one.head), rows)
        return mixed

    def stream(self, side: Side, layer: int, x: Tensor) -> Tensor:
        """See `model.network.carrying.Carrying`."""
        kind = AttentionKind.ENCODER_SELF if side == "source" else AttentionKind.DECODER_SELF
        for one, kept in self._each:
            if one.what == "residual" and _at(one, AttentionSite(kind, layer)):
                rows = self._rows(one, kind, self._first(kind, x), x.shape[-2])
                x = with_rows(x, kept.streams[side, layer], rows)
        return x

    def _first(self, kind: AttentionKind, x: Tensor) -> int:
        return 0 if kind is AttentionKind.ENCODER_SELF else self._steps - x.shape[-2]

    def _rows(self, one: Carried, kind: AttentionKind, first: int, count: int) -> Rows:
        """Those that are carried of `count` rows (or keys) from `first` on."""
        across = one.source if kind is AttentionKind.ENCODER_SELF else one.steps
        if one.position is not None:
            across = tuple(at if i == one.position else -1 for i, at in enumerate(across))
        return rows_of(across, first, count, self._device)

    def _keys(self, one: Carried, kind: AttentionKind, count: int) -> Rows:
        """Columns of a pattern that both texts have."""
        if kind is AttentionKind.DECODER_SELF:
            return rows_of(one.steps, 0, count, self._device)
        across = [-1 if token in self._blocked else at for token, at in enumerate(one.source)]
        return rows_of(across, 0, count, self._device)


def _kept(network: Transformer, one: Carried, start: int) -> Kept:
    """What the model computes for the text that is carried from."""
    kept = Kept()
    with torch.inference_mode():
        memory = network.encode(torch.tensor([one.src_ids], device=network.device), tap=kept)
        read = [start, *one.out_ids][: max(1, len(one.out_ids))]
        network.decode(torch.tensor([read], device=network.device), memory, tap=kept)
    return kept


def _at(one: Carried, site: AttentionSite) -> bool:
    return (one.kind, one.layer) == site


def _heads(head: int | None) -> slice:
    return slice(None) if head is None else slice(head, head + 1)


def _in_heads(own: Tensor, other: Tensor, heads: slice, rows: Rows) -> Tensor:
    """Some heads of `own` [b, h, n, e] with rows of `other` [b, h, m, e]."""
    result = own.clone()
    result[:, heads] = with_rows(own[:, heads], other[:, heads], rows)
    return result
