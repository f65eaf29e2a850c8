"""Altering: what changes do to a model's computation, carried out while it runs; the weights stay untouched.

Shapes: b batch, h heads, q queries, k keys, S source length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor

from model.alterations.alteration import Alteration
from model.alterations.effects import Effects, Placed, Rewritten
from model.alterations.outline import Outline
from model.alterations.registry import check_alterations
from model.alterations.reorder import order_label
from model.config import Architecture, length_limit
from model.decoding.carrying import CarriedIn
from model.errors import HeadscopeError
from model.network.attention import AttentionSite
from model.trace.trace import AttentionKind


class Altering:
    """Alterations of one model reading one source, ready for the tap, the masks and the position ids.

    It serves one sequence, several new queries at once (teacher forcing) and the beams of a search. Within a
    decoder layer self-attention has to come before cross-attention, whose rows it counts.

    Args:
        alterations: those of one head or row compose as `model.alterations.registry` says; `()` changes
            nothing.
        source_length: S, tokens of the source, the end token included.
        carried: carries numbers of other readings in, where a change asks for it; where it is not given, such
            a change is refused.

    Raises:
        HeadscopeError: a change that this model or sentence has no place for, see `check_alterations`.

    Attributes:
        source_mask: bool [1, S], False for blocked tokens; None when none is.
        source_positions: position ids int64 [S]; None when they are the usual ones.
        carrying: see `model.network.carrying`; whoever passes `tap` on has to pass it too. None when nothing
            is carried in.
        read_layer: which encoder layer the decoder reads; None for what it was trained to read.
    """

    def __init__(
        self,
        alterations: Iterable[Alteration],
        architecture: Architecture | Outline,
        *,
        source_length: int,
        device: torch.device | str = "cpu",
        carried: Callable[[Effects], CarriedIn] | None = None,
    ) -> None:
        self.alterations = tuple(alterations)
        architecture = Outline.of(architecture)
        check_alterations(self.alterations, architecture, source_length)
        effects = Effects.of(self.alterations)
        if effects.carried and carried is None:
            raise HeadscopeError("carry_inside")
        self.carrying = carried(effects) if carried is not None and effects.carried else None
        self._device = torch.device(device)
        self._causal = not architecture.in_rounds
        self._prompted = architecture.prompted
        self._steps = 0  # target positions known to the decoder layer that is being computed
        self._factors = self._multiplied(effects, architecture)
        self.read_layer = effects.read_layer
        self._rewritten: dict[AttentionSite, list[Rewritten]] = {}
        for one in effects.rewritten:
            self._rewritten.setdefault(AttentionSite(one.kind, one.layer), []).append(one)
        self._orders = effects.orders
        self._allowed = torch.ones(source_length, dtype=torch.bool, device=self._device)
        self._allowed[sorted(effects.blocked)] = False
        self.source_mask = None if bool(self._allowed.all()) else self._allowed[None]
        most = architecture.max_positions
        # Traces of earlier versions do not say among how many steps: it was all that a translation may have.
        steps = length_limit(source_length, most)
        self.source_positions = self._position_ids(
            effects.positions.get("source"), source_length, source_length
        )
        self._target_positions = self._position_ids(effects.positions.get("target"), steps, most)

    def _multiplied(self, effects: Effects, architecture: Outline) -> dict[AttentionSite, Tensor]:
        """What multiplies each head's output, [n_heads, 1, 1], where anything does."""
        found: dict[AttentionSite, Tensor] = {}
        for scaled in effects.scaled:
            shape = architecture.shape
            every, heads = range(shape.layers(scaled.kind)), shape.heads(scaled.kind)
            for layer in every if scaled.layer is None else (scaled.layer,):
                site = AttentionSite(scaled.kind, layer)
                factors = found.setdefault(site, torch.ones(heads, 1, 1, device=self._device))
                factors[slice(None) if scaled.head is None else scaled.head] *= scaled.factor
        return found

    def _position_ids(self, placed: Placed | None, usual: int, most: int) -> Tensor | None:
        """int64 [n], of as many tokens as have other positions."""
        if placed is None:
            return None
        count = usual if placed.count is None else min(placed.count, most)
        return torch.tensor(list(placed.ids(count)), dtype=torch.int64, device=self._device)

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
                raise HeadscopeError("alteration_order", order=order_label(order), count=len(pieces))
            pieces = [pieces[place] for place in order]
        return [*pieces, end]

    def target_positions(self, start: int, count: int) -> Tensor | None:
        """Position ids int64 [count] of the steps from `start` on; None when they are the usual ones."""
        if self._target_positions is None:
            return None
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

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """The same as a tap that carries other numbers in too."""
        return self.tap(site, pattern)

    def shown(self, site: AttentionSite, pattern: Tensor) -> Tensor:
        """A pattern [b, h, q, k] as it is recorded: with rows set, never scaled, so that rows sum to 1."""
        queries, keys = pattern.shape[-2:]
        first = 0
        if site.kind is AttentionKind.DECODER_SELF:
            self._steps = keys
        if site.kind is not AttentionKind.ENCODER_SELF:
            first = self._steps - queries
        if self.carrying is not None:
            pattern = self.carrying.patterns(site, pattern, first, self._steps)
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
        result = pattern
        for one in self._rewritten.get(site, ()):
            result = one.rewrite(result, first, self._attended(site.kind, first, *pattern.shape[-2:]))
        return result

    def _attended(self, kind: AttentionKind, first: int, queries: int, keys: int) -> Tensor:
        """Where the rows from `first` on may attend to, bool [q, k]."""
        if kind is not AttentionKind.DECODER_SELF:
            return self._allowed.expand(queries, keys)
        if not self._causal:
            return torch.ones(queries, keys, dtype=torch.bool, device=self._device)
        rows = torch.arange(first, first + queries, device=self._device)
        allowed = torch.arange(keys, device=self._device) <= rows[:, None]
        if self._prompted:
            prompt = min(keys, len(self._allowed))
            allowed[:, :prompt] &= self._allowed[:prompt]
        return allowed
