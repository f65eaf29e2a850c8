"""SetRow: one row of attention weights is replaced. No torch, but for the methods of its tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.alterations.alteration import Alteration, Case, NoArguments
from model.alterations.effects import Effects, Tensor
from model.alterations.place import check_there, check_token, check_values, place_label
from model.alterations.values import check_count, is_number, refuse
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind

WEIGHTS_TOLERANCE = 1e-4


@dataclass(frozen=True)
class SetRow(NoArguments, Alteration, name="row"):
    """One row of attention weights is replaced.

    Attributes:
        head: None for every head of the layer.
        query: the row: a source token, or in the decoder a step.
        key: all weight on this key; None if `weights` says it, or the row is to be uniform over the keys that
            it may attend to.
        weights: one number for each key that it may attend to, in order (in decoder self-attention the steps
            up to its own, else the source tokens that are not blocked); none negative, together 1 to within
            `WEIGHTS_TOLERANCE`. The model goes on with them divided by their sum.
    """

    by_hooks = True

    kind: AttentionKind
    layer: int
    head: int | None
    query: int
    key: int | None = None
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        check_values(self.kind, self.layer, self.head)
        check_count("query", self.query)
        if self.key is not None:
            check_count("key", self.key)
            if self.weights is not None:
                refuse("weights", self.weights, "left out where a key is named")
            if self.kind is AttentionKind.DECODER_SELF and self.key > self.query:
                raise HeadscopeError("alteration_later", row=self.query + 1, key=self.key + 1)
        elif self.weights is not None:
            self._check_weights(self.weights)

    def _check_weights(self, weights: Any) -> None:
        if not isinstance(weights, tuple) or not weights or not all(map(is_number, weights)):
            refuse("weights", weights, "a list of numbers")
        total = sum(weights)
        if min(weights) < 0 or abs(total - 1) > WEIGHTS_TOLERANCE:
            raise HeadscopeError("alteration_weights", total=f"{total:.6g}", least=f"{min(weights):.6g}")
        if self.kind is AttentionKind.DECODER_SELF and len(weights) != self.query + 1:
            raise HeadscopeError(
                "alteration_weights_count", row=self.query + 1, keys=self.query + 1, count=len(weights)
            )
        object.__setattr__(self, "weights", tuple(map(float, weights)))

    def label(self) -> str:
        """See `Alteration`."""
        place = place_label(self.kind, self.layer, self.head)
        return f"row {self.query + 1} of {place} {self._what()}"

    def _what(self) -> str:
        if self.key is not None:
            return f"on key {self.key + 1}"
        if self.weights is None:
            return "uniform"
        return "set to " + " ".join(f"{weight:.4g}" for weight in self.weights)

    def check(self, case: Case) -> None:
        """See `Alteration`."""
        check_there(self.kind, self.layer, self.head, case)
        kind, row = str(self.kind), self.query + 1
        encoder = self.kind is AttentionKind.ENCODER_SELF
        rows = case.source_length if encoder else case.architecture.max_positions
        if self.query >= rows:
            raise HeadscopeError("alteration_row", value=row, kind=kind, count=rows)
        if self.kind is AttentionKind.DECODER_SELF:
            if case.architecture.in_rounds and self.weights is not None:
                raise HeadscopeError("rounds_weights")
            if case.architecture.prompted:
                self._check_prompt(case)
            return  # which keys it may attend to follows from the row alone
        if self.key is not None:
            check_token(self.key, case)
            if self.key in case.blocked:
                raise HeadscopeError("alteration_blocked", row=row, kind=kind, key=self.key + 1)
            return
        keys = case.source_length - len(case.blocked)
        if self.weights is not None and len(self.weights) != keys:
            raise HeadscopeError("alteration_weights_count", row=row, keys=keys, count=len(self.weights))
        if keys == 0:
            raise HeadscopeError("alteration_all_blocked", row=row, kind=kind)

    def _check_prompt(self, case: Case) -> None:
        """Refuse what stands on blocked tokens of a prompt, which the decoder reads itself."""
        kind, row = str(self.kind), self.query + 1
        keys = row - sum(token <= self.query for token in case.blocked)
        if self.key in case.blocked:
            raise HeadscopeError("alteration_blocked", row=row, kind=kind, key=self.key + 1)
        if keys == 0:
            raise HeadscopeError("alteration_all_blocked", row=row, kind=kind)
        if self.weights is not None and keys < row:
            raise HeadscopeError("alteration_weights_count", row=row, keys=keys, count=len(self.weights))

    def act(self, effects: Effects) -> None:
        """See `Alteration`."""
        effects.rewrite(self.kind, self.layer, self.head, self.query, self._rewritten)

    def _rewritten(self, pattern: Tensor, first: int, allowed: Tensor) -> Tensor:
        """See `model.alterations.effects.Rewrite`."""
        at = self.query - first
        if not 0 <= at < pattern.shape[-2]:
            return pattern
        heads = slice(None) if self.head is None else self.head
        result = pattern.clone()
        result[:, heads, at] = self._weights(pattern, allowed[at]).to(pattern.dtype)
        return result

    def _weights(self, pattern: Tensor, allowed: Tensor) -> Tensor:
        """The row as it is to be, float64 [k], from where it may attend to, bool [k]."""
        double = pattern.new_empty(0).double()
        weights = double.new_zeros(len(allowed))
        if self.key is not None:
            weights[self.key] = 1.0
        elif self.weights is not None:
            typed = double.new_tensor(self.weights)
            weights[allowed] = typed / typed.sum()
        else:
            weights[allowed] = 1.0 / int(allowed.sum())
        return weights
