"""`Recorder`: from taps to patterns, what attention modules report in a decoding, kept as numpy.

A recorder is passed as `tap` for one call at a time; nothing stays attached to the model.
Shapes: L layers, H heads, S source tokens, T target tokens so far, b beams. Encoder and decoder may differ in
L and H; a kind that the model lacks is absent.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from torch import Tensor

from model.decoding.altering import Altering
from model.network.attention import AttentionSite
from model.trace.attention_shape import AttentionShape
from model.trace.trace import ArrayPatterns, AttentionKind, Floats, Patterns


def _taken(altering: Altering | None, site: AttentionSite, pattern: Tensor) -> tuple[Floats, Tensor | None]:
    """The weights to record [b, H, q, k], and what the tap has to return."""
    if altering is None:
        return pattern.float().numpy(force=True), None
    # A scaled head's weights are recorded as they were computed: it is the head's output that is scaled.
    shown: Floats = altering.shown(site, pattern).float().numpy(force=True)
    return shown, altering.tap(site, pattern)


class Recorder:
    """The patterns of one sequence, row by row, in arrays that grow.

    A row once written never changes, so that a snapshot shares the arrays with its successors.

    Args:
        altering: what is changed in the computation; a replaced row is recorded as replaced.
        capacity: target tokens there is room for at first.
    """

    def __init__(
        self,
        shape: AttentionShape,
        source_length: int,
        *,
        altering: Altering | None = None,
        capacity: int = 64,
    ) -> None:
        self._shape = shape
        self._altering = altering
        self.carrying = None if altering is None else altering.carrying
        self._rows = 0
        self._capacity = capacity
        self._source = source_length
        self._arrays = {kind: self._room(kind) for kind in AttentionKind if shape.layers(kind)}

    def _room(self, kind: AttentionKind) -> Floats:
        queries = self._source if kind is AttentionKind.ENCODER_SELF else self._capacity
        keys = self._capacity if kind is AttentionKind.DECODER_SELF else self._source
        return np.zeros((self._shape.layers(kind), self._shape.heads(kind), queries, keys), np.float32)

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """Record a pattern [1, H, q, k]; see `model.network.attention.Tap`."""
        taken, replaced = _taken(self._altering, site, pattern)
        new = taken[0]
        if site.kind is AttentionKind.ENCODER_SELF:
            self._arrays[site.kind][site.layer] = new
            return replaced
        queries, keys = new.shape[1:]
        if site.kind is AttentionKind.DECODER_SELF:
            # Self-attention sees every target token so far, and comes before its layer's cross-attention.
            self._rows = keys
            if keys > self._capacity:
                self._grow(max(keys, 2 * self._capacity))
        self._arrays[site.kind][site.layer, :, self._rows - queries : self._rows, :keys] = new
        return replaced

    def snapshot(self, steps: int) -> ArrayPatterns:
        """Read-only views of the first `steps` rows; no copy."""
        views = {
            AttentionKind.ENCODER_SELF: (slice(None), slice(None)),
            AttentionKind.DECODER_SELF: (slice(steps), slice(steps)),
            AttentionKind.CROSS: (slice(steps), slice(None)),
        }
        return ArrayPatterns({kind: array[:, :, *views[kind]] for kind, array in self._arrays.items()})

    def fork(self, steps: int) -> Recorder:
        """An independent recorder that holds the first `steps` rows."""
        other = Recorder(self._shape, self._source, altering=self._altering, capacity=self._capacity)
        other._copy(self, steps)
        other._rows = steps
        return other

    def _grow(self, capacity: int) -> None:
        larger = Recorder(self._shape, self._source, altering=self._altering, capacity=capacity)
        larger._copy(self, self._capacity)
        self._capacity, self._arrays = capacity, larger._arrays

    def _copy(self, other: Recorder, steps: int) -> None:
        """Take over the first `steps` rows."""
        for kind, array in other._arrays.items():
            if kind is AttentionKind.ENCODER_SELF:
                self._arrays[kind] = array
            else:
                keys = steps if kind is AttentionKind.DECODER_SELF else self._source
                self._arrays[kind][:, :, :steps, :keys] = array[:, :, :steps, :keys]


class StepRecord:
    """The rows that one decoding step added to every beam.

    Attributes:
        rows: for each kind of decoder attention, one array a layer: [b, H, keys].
    """

    def __init__(self) -> None:
        self.rows: dict[AttentionKind, list[Floats]] = {
            AttentionKind.DECODER_SELF: [],
            AttentionKind.CROSS: [],
        }


class BeamRecorder:
    """The patterns of a beam search: one `StepRecord` a step, whatever becomes of the beams."""

    def __init__(self, altering: Altering | None = None) -> None:
        self.step = StepRecord()
        self._altering = altering
        self.carrying = None if altering is None else altering.carrying

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """Record a pattern of the decoder [b, H, 1, k]; see `model.network.attention.Tap`."""
        taken, replaced = _taken(self._altering, site, pattern)
        self.step.rows[site.kind].append(taken[:, :, 0])
        return replaced

    def begin_step(self) -> StepRecord:
        """A new record, which the following patterns go to."""
        self.step = StepRecord()
        return self.step


class PathPatterns:
    """The patterns along one hypothesis, put together from the steps' records when they are asked for.

    Args:
        begun: what was read before the first step: the encoder's patterns, and the decoder's of a prompt.
        path: record and beam of every step of the hypothesis.
    """

    def __init__(self, begun: Patterns, path: Sequence[tuple[StepRecord, int]]) -> None:
        self._begun = begun
        self._path = path
        self._ready: dict[tuple[AttentionKind, int], Floats] = {}

    def shape(self, kind: AttentionKind) -> tuple[int, int, int, int] | None:
        """See `model.trace.trace.Patterns`."""
        begun = self._begun.shape(kind)
        if begun is None or kind is AttentionKind.ENCODER_SELF:
            return begun
        layers, heads, queries, keys = begun
        steps = len(self._path)
        return layers, heads, queries + steps, keys + (steps if kind is AttentionKind.DECODER_SELF else 0)

    def pattern(self, kind: AttentionKind, layer: int, head: int) -> Floats:
        """See `model.trace.trace.Patterns`."""
        weights: Floats = self.layer(kind, layer)[head]
        return weights

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        """See `model.trace.trace.Patterns`."""
        ready = self._ready.get((kind, layer))
        if ready is None:
            ready = self._assemble(kind, layer)
            ready.flags.writeable = False
            self._ready[kind, layer] = ready
        return ready

    def _assemble(self, kind: AttentionKind, layer: int) -> Floats:
        begun = self._begun.layer(kind, layer)
        if kind is AttentionKind.ENCODER_SELF:
            return begun.copy()
        shape = self.shape(kind)
        assert shape is not None
        weights = np.zeros(shape[1:], np.float32)
        first, keys = begun.shape[1:]
        weights[:, :first, :keys] = begun
        for step, (record, beam) in enumerate(self._path, first):
            row = record.rows[kind][layer][beam]
            weights[:, step, : row.shape[1]] = row
        return weights

    def gathered(self) -> ArrayPatterns:
        """The same as arrays that no longer hold on to the other hypotheses' rows."""
        arrays = {}
        for kind in AttentionKind:
            shape = self.shape(kind)
            if shape is not None:
                arrays[kind] = np.stack([self._assemble(kind, layer) for layer in range(shape[0])])
        return ArrayPatterns(arrays)
