"""`CheckedPatterns`: those of a recording, read layer by layer when written, and checked then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from model.errors import HeadscopeError
from model.recording.layers import Layers, Places, cut
from model.trace.trace import AttentionKind, Floats
from model.trace.weights_check import check_causal, check_rows, tolerance


@dataclass(frozen=True)
class Recorded:
    """One kind of attention and what of it is kept.

    Attributes:
        rows, columns: the queries and keys that are no padding.
    """

    layers: Layers
    rows: Places = None
    columns: Places = None

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """(layers, heads, queries, keys) without padding."""
        layers, heads, queries, keys = self.layers.shape
        return (
            layers,
            heads,
            queries if self.rows is None else len(self.rows),
            keys if self.columns is None else len(self.columns),
        )


class CheckedPatterns:
    """See `model.trace.trace.Patterns`; every layer is checked to be what it is said to be."""

    def __init__(
        self, recorded: Mapping[AttentionKind, Recorded], *, numbers: str, causal: bool, dtype: str
    ) -> None:
        """Args: numbers: `pattern`, or what they are; causal: no row of decoder_self looks ahead."""
        self._recorded = recorded
        self._numbers = numbers
        self._causal = causal
        self._dtype = dtype

    def shape(self, kind: AttentionKind) -> tuple[int, int, int, int] | None:
        """See `model.trace.trace.Patterns`."""
        one = self._recorded.get(kind)
        return None if one is None else one.shape

    def pattern(self, kind: AttentionKind, layer: int, head: int) -> Floats:
        """See `model.trace.trace.Patterns`; raises as `layer`."""
        weights: Floats = self.layer(kind, layer)[head]
        return weights

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        """See `model.trace.trace.Patterns`.

        Raises:
            HeadscopeError: rows do not sum to 1 and the caller did not say that they are no weights, a row
                attends to a later token, or numbers are not finite.
        """
        one = self._recorded[kind]
        weights = cut(one.layers.layer(layer), one.rows, one.columns)
        place = {"kind": str(kind), "layer": layer + 1}
        if not np.isfinite(weights).all():
            raise HeadscopeError("record_not_finite", **place)
        if self._causal and kind is AttentionKind.DECODER_SELF:
            check_causal(weights, "record_future", place)
        if self._numbers == "pattern":
            check_rows(weights, tolerance(self._dtype, weights.shape[2]), "record_rows", place)
        return weights
