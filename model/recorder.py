"""From taps to patterns: what attention modules report while a sentence is decoded, kept as numpy.

A recorder is passed as `tap` for one call at a time; nothing stays attached to the model.
Shapes: L layers, H heads, S source tokens, T target tokens so far, b beams.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from torch import Tensor

from model.altering import Altering
from model.attention import AttentionSite
from model.config import Architecture
from model.trace import ArrayPatterns, AttentionKind, Floats


def _taken(altering: Altering | None, site: AttentionSite, pattern: Tensor) -> tuple[Floats, Tensor | None]:
    """The weights to record [b, H, q, k], and what the tap has to return."""
    if altering is None:
        return pattern.numpy(force=True), None
    # A scaled head's weights are recorded as they were computed: it is the head's output that is scaled.
    shown: Floats = altering.shown(site, pattern).numpy(force=True)
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
        architecture: Architecture,
        source_length: int,
        *,
        altering: Altering | None = None,
        capacity: int = 64,
    ) -> None:
        a = architecture
        self._architecture = architecture
        self._altering = altering
        self._rows = 0
        self._encoder = np.zeros((a.encoder_layers, a.n_heads, source_length, source_length), np.float32)
        self._own = np.zeros((a.decoder_layers, a.n_heads, capacity, capacity), np.float32)
        self._cross = np.zeros((a.decoder_layers, a.n_heads, capacity, source_length), np.float32)

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """Record a pattern [1, H, q, k]; see `model.attention.Tap`."""
        taken, replaced = _taken(self._altering, site, pattern)
        new = taken[0]
        if site.kind is AttentionKind.ENCODER_SELF:
            self._encoder[site.layer] = new
            return replaced
        queries, keys = new.shape[1:]
        if site.kind is AttentionKind.DECODER_SELF:
            # Self-attention sees every target token so far, and comes before its layer's cross-attention.
            self._rows = keys
            if keys > self._own.shape[2]:
                self._grow(max(keys, 2 * self._own.shape[2]))
            self._own[site.layer, :, keys - queries : keys, :keys] = new
        else:
            self._cross[site.layer, :, self._rows - queries : self._rows] = new
        return replaced

    def snapshot(self, steps: int) -> ArrayPatterns:
        """Read-only views of the first `steps` rows; no copy."""
        return ArrayPatterns(
            {
                AttentionKind.ENCODER_SELF: self._encoder,
                AttentionKind.DECODER_SELF: self._own[:, :, :steps, :steps],
                AttentionKind.CROSS: self._cross[:, :, :steps],
            }
        )

    def fork(self, steps: int) -> Recorder:
        """An independent recorder that holds the first `steps` rows."""
        other = Recorder(
            self._architecture, self._cross.shape[3], altering=self._altering, capacity=self._own.shape[2]
        )
        other._encoder = self._encoder
        other._own[:, :, :steps, :steps] = self._own[:, :, :steps, :steps]
        other._cross[:, :, :steps] = self._cross[:, :, :steps]
        other._rows = steps
        return other

    def _grow(self, capacity: int) -> None:
        old = self._own.shape[2]
        layers, heads, _, source = self._cross.shape
        own = np.zeros((layers, heads, capacity, capacity), np.float32)
        own[:, :, :old, :old] = self._own
        cross = np.zeros((layers, heads, capacity, source), np.float32)
        cross[:, :, :old] = self._cross
        self._own, self._cross = own, cross


class StepRecord:
    """The rows that one decoding step added to every beam.

    Attributes:
        rows: for each decoder family, one array a layer: [b, H, keys].
    """

    def __init__(self) -> None:
        self.rows: dict[AttentionKind, list[Floats]] = {
            AttentionKind.DECODER_SELF: [],
            AttentionKind.CROSS: [],
        }


class BeamRecorder:
    """The patterns of a beam search: one `StepRecord` a step, whatever becomes of the beams."""

    def __init__(self, altering: Altering | None = None) -> None:
        self.encoder: list[Floats] = []
        self.step = StepRecord()
        self._altering = altering

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """Record a pattern [b, H, 1, k] (of the encoder: [1, H, S, S]); see `model.attention.Tap`."""
        taken, replaced = _taken(self._altering, site, pattern)
        if site.kind is AttentionKind.ENCODER_SELF:
            self.encoder.append(taken[0])
        else:
            self.step.rows[site.kind].append(taken[:, :, 0])
        return replaced

    def begin_step(self) -> StepRecord:
        """A new record, which the following patterns go to."""
        self.step = StepRecord()
        return self.step


class PathPatterns:
    """The patterns along one hypothesis, put together from the steps' records when they are asked for.

    Args:
        encoder: one array [H, S, S] a layer.
        path: record and beam of every step of the hypothesis.
        decoder_shape: layers and heads of the decoder.
    """

    def __init__(
        self,
        encoder: Sequence[Floats],
        path: Sequence[tuple[StepRecord, int]],
        decoder_shape: tuple[int, int],
    ) -> None:
        self._encoder = encoder
        self._path = path
        self._decoder_shape = decoder_shape
        self._ready: dict[tuple[AttentionKind, int], Floats] = {}

    def shape(self, kind: AttentionKind) -> tuple[int, int, int, int] | None:
        """See `model.trace.Patterns`."""
        heads, source = self._encoder[0].shape[:2]
        if kind is AttentionKind.ENCODER_SELF:
            return len(self._encoder), heads, source, source
        steps = len(self._path)
        return *self._decoder_shape, steps, steps if kind is AttentionKind.DECODER_SELF else source

    def pattern(self, kind: AttentionKind, layer: int, head: int) -> Floats:
        """See `model.trace.Patterns`."""
        weights: Floats = self.layer(kind, layer)[head]
        return weights

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        """See `model.trace.Patterns`."""
        ready = self._ready.get((kind, layer))
        if ready is None:
            ready = self._assemble(kind, layer)
            ready.flags.writeable = False
            self._ready[kind, layer] = ready
        return ready

    def _assemble(self, kind: AttentionKind, layer: int) -> Floats:
        if kind is AttentionKind.ENCODER_SELF:
            return self._encoder[layer].copy()
        shape = self.shape(kind)
        assert shape is not None
        weights = np.zeros(shape[1:], np.float32)
        for step, (record, beam) in enumerate(self._path):
            row = record.rows[kind][layer][beam]
            weights[:, step, : row.shape[1]] = row
        return weights

    def gathered(self) -> ArrayPatterns:
        """The same as arrays that no longer hold on to the other hypotheses' rows."""
        arrays = {}
        for kind in AttentionKind:
            shape = self.shape(kind)
            assert shape is not None
            arrays[kind] = np.stack([self._assemble(kind, layer) for layer in range(shape[0])])
        return ArrayPatterns(arrays)
