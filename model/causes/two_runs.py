"""`TwoRuns`: a reading A and a reading B of one model, and all that can be carried from A into B.

Shapes: b batch, S source tokens and T rows of the decoder, d d_model.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.causes.paired import Paired
from model.decoding.carrying import Kept
from model.inspection.asked import Asked
from model.inspection.reading import Reader
from model.network.attention import AttentionSite, Tap
from model.network.copying import PointerTap
from model.questions.causes.patching import Doubles, Measured
from model.trace.trace import AttentionKind, Side


class Onward:
    """A reading from any layer on, for a batch of rows.

    Attributes:
        entered: [1, S, d] and [1, T, d] what enters the two stacks.
        kept: all that was computed on the way, for a batch of 1. memory: [1, S, ·].
    """

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._network = reader.transformer
        self.kept = Kept(reader.altering if reader.altering else None)
        self.entered = {
            AttentionKind.ENCODER_SELF: reader.embed("source").total[None],
            AttentionKind.DECODER_SELF: reader.embed("target").total[None],
        }
        self.memory = self.encode(self.entering(AttentionKind.ENCODER_SELF, 0), 0, self.kept)
        self.rows = self.decode(self.entering(AttentionKind.DECODER_SELF, 0), 0, self.memory, self.kept)

    def entering(self, kind: AttentionKind, layer: int) -> Tensor:
        """What enters a layer of the stack that a kind of attention is in, [1, n, d]."""
        side, first = _stack(kind)
        return self.entered[first] if layer == 0 else self.kept.streams[side, layer - 1]

    def encode(self, x: Tensor, first: int, tap: Tap | None) -> Tensor:
        """Memory [b, S, ·] of what enters the layer `first`, x [b, S, d]; those before are kept."""
        reader, kind = self.reader, AttentionKind.ENCODER_SELF
        outputs = [self.entering(kind, layer) for layer in range(first)]
        outputs.append(x)
        for layer in self._network.encoder.layers[first:]:
            x = layer(x, reader.mask(kind), tap, reader.spots(kind))
            outputs.append(x)
        return self.memory_of(outputs)

    def memory_of(self, outputs: Sequence[Tensor]) -> Tensor:
        """Memory [b, S, ·] of what enters the encoder's first layer and what leaves each, [b or 1, S, d]."""
        batch = range(len(outputs[-1]))
        return torch.stack([self.reader.memory([each[row % len(each)] for each in outputs]) for row in batch])

    def decode(self, x: Tensor, first: int, memory: Tensor, tap: Tap | None) -> Tensor:
        """[b, T, ·] what the model projects, of what enters the layer `first`, x [b or 1, T, d]."""
        reader, network = self.reader, self._network
        own, cross = AttentionKind.DECODER_SELF, AttentionKind.CROSS
        pointer = PointerTap(tap)
        seen = pointer if network.copy_gate is not None else tap
        keys = network.memory_keys(memory)
        batch = max(len(x), len(memory))
        x = x.expand(batch, -1, -1)
        for layer, read in list(zip(network.decoder.layers, keys))[first:]:
            x = layer(x, read, reader.mask(own), reader.mask(cross), seen, None, reader.spots(own))
        return self.closed(x, memory, pointer.pattern if network.copy_gate is not None else None)

    def closed(self, x: Tensor, memory: Tensor, pattern: Tensor | None) -> Tensor:
        """[b, T, ·] what the model projects, of what leaves the last layer, x [b, T, d].

        Args:
            pattern: of the last cross-attention as it is used; only a copy mechanism looks at it.
        """
        batch = len(x)
        entered = self.entered[AttentionKind.DECODER_SELF].expand(batch, -1, -1)
        whole = memory.expand(batch, -1, -1)
        return self._network.rows_of(self._network.decoder.close(x), entered, whole, pattern)


class TwoRuns(Paired):
    """A and B of a model of ours, up to the step that is measured.

    Raises:
        HeadscopeError: as `Paired`; the model does not write from left to right.

    Attributes:
        a, b: the two.
    """

    a: Onward
    b: Onward

    @torch.inference_mode()
    def __init__(self, measured: Measured, asked: Asked) -> None:
        bundle = asked.bundle
        bundle.transformer.require_left_to_right()
        self.bundle, self._network = bundle, bundle.transformer
        super().__init__(measured, asked.reading, bundle.target_tokenizer, self._network.device)
        a = bundle.config.architecture
        self.shape, self.key_heads = bundle.outline.shape, a.key_heads
        readers = [Reader(bundle, one) for one in self.readings]
        self.check_size((len(one.source_ids), len(one.target_ids)) for one in readers)
        self.check_words(self._network.target_vocab)
        longest = max(len(readers[1].source_ids), len(readers[1].target_ids))
        self.row_size = longest * (4 * a.d_model + a.d_ff) + a.n_heads * longest**2 + a.target_vocab
        self.a, self.b = map(Onward, readers)
        (self.m_a,), (self.m_b,) = (self.m(run.rows[:, -1]).tolist() for run in (self.a, self.b))

    def m(self, rows: Tensor) -> Doubles:
        """m of the rows of the measured step, [b, ·]: float64 [b]."""
        return self.m_of(self._network.project(rows))

    @torch.inference_mode()
    def tapped(self, tap: Tap, site: AttentionSite, batch: int) -> Doubles:
        """See `Paired`; layers before the site are not computed again."""
        b, (kind, layer) = self.b, site
        x = b.entering(kind, layer).expand(batch, -1, -1)
        if kind is AttentionKind.ENCODER_SELF:
            memory = b.encode(x, layer, tap)
            rows = b.decode(b.entering(AttentionKind.DECODER_SELF, 0), 0, memory, tap)
        else:
            rows = b.decode(x, layer, b.memory, tap)
        return self.m(rows[:, -1])


def _stack(kind: AttentionKind) -> tuple[Side, AttentionKind]:
    """The stack that a kind of attention is in, and the kind that stands for it."""
    if kind is AttentionKind.ENCODER_SELF:
        return "source", kind
    return "target", AttentionKind.DECODER_SELF
