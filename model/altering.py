"""How changes of a model's computation are carried out while it runs; the weights stay untouched.

Shapes: b batch, h heads, q queries, k keys, S source length.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from model.alteration_check import blocked_tokens, check_alterations
from model.alterations import Alteration, ChangePositions, Reorder, ScaleHead, SetRow
from model.attention import AttentionSite
from model.batch_decoding import length_limit
from model.config import Architecture
from model.errors import HeadscopeError
from model.trace import AttentionKind

NO_POSITION = -1
"""The position id of a token that gets no position; see `model.embeddings.PositionalEncoding`."""


class Altering:
    """Alterations of one model reading one source, ready for the tap, the masks and the position ids.

    It serves one sequence, several new queries at once (teacher forcing) and the beams of a search. Within a
    decoder layer self-attention has to come before cross-attention, whose rows it counts.

    Args:
        alterations: those of one head or row compose as `model.alterations` says; `()` changes nothing.
        source_length: S, tokens of the source, the end token included.

    Raises:
        HeadscopeError: a change that this model or sentence has no place for, see `check_alterations`.

    Attributes:
        source_mask: bool [1, S], False for blocked tokens; None when none is.
        source_positions: position ids int64 [S]; None when they are the usual ones.
    """

    def __init__(
        self,
        alterations: Iterable[Alteration],
        architecture: Architecture,
        *,
        source_length: int,
        device: torch.device | str = "cpu",
    ) -> None:
        self.alterations = tuple(alterations)
        check_alterations(self.alterations, architecture, source_length)
        self._device = torch.device(device)
        self._source_length = source_length
        self._steps = 0  # target positions known to the decoder layer that is being computed
        self._factors: dict[AttentionSite, Tensor] = {}
        self._rows: dict[AttentionSite, list[SetRow]] = {}
        self._orders: list[tuple[int, ...]] = []
        positions: dict[str, ChangePositions] = {}
        for change in self.alterations:
            if isinstance(change, ScaleHead):
                self._scale(change, architecture.n_heads)
            elif isinstance(change, SetRow):
                site = AttentionSite(change.kind, change.layer)
                self._rows.setdefault(site, []).append(change)
            elif isinstance(change, Reorder):
                self._orders.append(change.order)
            elif isinstance(change, ChangePositions):
                sides = ("source", "target") if change.side == "both" else (change.side,)
                positions |= dict.fromkeys(sides, change)
        self._allowed = torch.ones(source_length, dtype=torch.bool, device=self._device)
        self._allowed[list(blocked_tokens(self.alterations))] = False
        self.source_mask = None if bool(self._allowed.all()) else self._allowed[None]
        most = architecture.max_positions
        target = positions.get("target")
        # Traces of earlier versions do not say how many: it was the most that a translation may have.
        said = None if target is None else target.steps
        steps = length_limit(source_length, most) if said is None else min(said, most)
        self.source_positions = self._position_ids(positions.get("source"), source_length)
        self._target_positions = self._position_ids(target, steps)
        self._no_target_positions = target is not None and target.how == "none"

    def _scale(self, change: ScaleHead, n_heads: int) -> None:
        site = AttentionSite(change.kind, change.layer)
        factors = self._factors.setdefault(site, torch.ones(n_heads, 1, 1, device=self._device))
        factors[slice(None) if change.head is None else change.head] *= change.factor

    def _position_ids(self, change: ChangePositions | None, count: int) -> Tensor | None:
        if change is None:
            return None
        if change.how == "none":
            return torch.full((count,), NO_POSITION, device=self._device)
        return torch.tensor(shuffled(count, change.seed), dtype=torch.int64, device=self._device)

    def __bool__(self) -> bool:
        """Whether anything is changed at all."""
        return bool(self.alterations)

    def order_source(self, ids: Sequence[int]) -> list[int]:
        """Source ids in the order in which they are to be read; the last one, the end token, stays last.

        Raises:
            HeadscopeError: `alteration_order`: there are not as many as the order is made for.
        """
        *pieces, end = ids
        for order in self._orders:
            if len(order) != len(pieces):
                places = " ".join(str(place + 1) for place in order)
                raise HeadscopeError("alteration_order", order=places, count=len(pieces))
            pieces = [pieces[place] for place in order]
        return [*pieces, end]

    def target_positions(self, start: int, count: int) -> Tensor | None:
        """Position ids int64 [count] of the steps from `start` on; None when they are the usual ones."""
        if self._target_positions is None:
            return None
        if self._no_target_positions:
            return torch.full((count,), NO_POSITION, device=self._device)
        own = torch.arange(start, start + count, device=self._device)
        known = self._target_positions[start : start + count]
        own[: len(known)] = known
        return own

    def tap(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """What the model goes on with instead of a pattern [b, h, q, k]; None when that is unchanged.

        Rows are set, then heads scaled. Scaling a pattern scales the head's output before W_O exactly: that
        output is the pattern times the values.
        """
        shown = self.shown(site, pattern)
        used = self.scaled(site, shown)
        return None if used is pattern else used

    def shown(self, site: AttentionSite, pattern: Tensor) -> Tensor:
        """A pattern [b, h, q, k] as it is recorded: with rows set, never scaled, so that rows sum to 1."""
        queries, keys = pattern.shape[-2:]
        first = 0
        if site.kind is AttentionKind.DECODER_SELF:
            self._steps = keys
        if site.kind is not AttentionKind.ENCODER_SELF:
            first = self._steps - queries
        return self._with_rows(site, pattern, first)

    def used(self, site: AttentionSite, pattern: Tensor, first: int) -> Tensor:
        """What the model goes on with instead of the rows from `first` on [b, h, q, k] of a pattern.

        As `tap`, whatever this has seen before.
        """
        return self.scaled(site, self._with_rows(site, pattern, first))

    def scaled(self, site: AttentionSite, pattern: Tensor) -> Tensor:
        """A pattern [b, h, q, k] as it is recorded, with heads scaled: what the model goes on with."""
        factors = self._factors.get(site)
        return pattern if factors is None else pattern * factors.to(pattern.dtype)

    def _with_rows(self, site: AttentionSite, pattern: Tensor, first: int) -> Tensor:
        queries, keys = pattern.shape[-2:]
        rows = [row for row in self._rows.get(site, ()) if first <= row.query < first + queries]
        if not rows:
            return pattern
        result = pattern.clone()
        for row in rows:
            heads = slice(None) if row.head is None else row.head
            result[:, heads, row.query - first] = self._weights(row, keys).to(pattern.dtype)
        return result

    def _weights(self, row: SetRow, keys: int) -> Tensor:
        """The row as it is to be, float64 [keys]."""
        if row.kind is AttentionKind.DECODER_SELF:
            allowed = torch.arange(keys, device=self._device) <= row.query
        else:
            allowed = self._allowed
        weights = torch.zeros(keys, dtype=torch.float64, device=self._device)
        if row.key is not None:
            weights[row.key] = 1.0
        elif row.weights is not None:
            typed = torch.tensor(row.weights, dtype=torch.float64, device=self._device)
            weights[allowed] = typed / typed.sum()
        else:
            weights[allowed] = 1.0 / int(allowed.sum())
        return weights


def shuffled(count: int, seed: int) -> list[int]:
    """0 .. count-1 in an order drawn with `seed`, never the usual one if there is another.

    The same in every version of Python: only `random.Random.random` is promised to stay as it is.
    """
    draw = random.Random(seed)
    order = list(range(count))
    while True:
        keys = [draw.random() for _ in range(count)]
        drawn = sorted(range(count), key=keys.__getitem__)
        if drawn != order or count < 2:
            return drawn
