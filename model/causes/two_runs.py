"""`TwoRuns`: a reading A and a reading B of one model, and all that can be carried from A into B.

Shapes: b batch, S source tokens and T rows of the decoder, d d_model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from model.alterations.effects import Effects
from model.decoding.carrying import Kept, Rows, rows_of
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.reading import Reader
from model.network.attention import Tap
from model.network.copying import PointerTap
from model.questions.causes.patching import LEAST_DIFFERENCE, Doubles, Measured, matched
from model.questions.questions import Reading
from model.trace.attention_shape import layers_of
from model.trace.trace import AttentionKind, Side

_MOST_MEGABYTES = 512


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


class TwoRuns:
    """A and B up to the step that is measured.

    Raises:
        HeadscopeError: the model does not write from left to right; the two are of different models, or too
            long; there is no such step, or A has none for it; the two hardly differ.

    Attributes:
        a, b: the two. step, step_a: what is measured of B and of A. word, rival: see `Patched`.
        m_a, m_b: m of each as it is.
        source, steps: see `Patched`.
    """

    @torch.inference_mode()
    def __init__(self, measured: Measured, asked: Asked) -> None:
        bundle, first, second = asked.bundle, measured.source, asked.reading
        bundle.transformer.require_left_to_right()
        if first.model_sha256 and second.model_sha256 and first.model_sha256 != second.model_sha256:
            raise HeadscopeError("patch_models")
        if not first.out_ids or not second.out_ids:
            raise HeadscopeError("inspection_nothing")
        start = bundle.target_tokenizer.start_id
        pairs = matched(first, second, start)
        step = pairs.differs if measured.step is None else measured.step
        if step is None:
            raise HeadscopeError("patch_same")
        if not 0 <= step < len(second.out_ids):
            raise HeadscopeError("patch_step", step=step + 1, count=len(second.out_ids))
        self.step, self.step_a = step, pairs.read[step]
        if self.step_a < 0:
            raise HeadscopeError("patch_apart", step=step + 1)
        self.source, self.steps = pairs.source, pairs.read[: step + 1]
        self._take_words(measured, first, second)
        self.bundle, self._network = bundle, bundle.transformer
        readers = [
            Reader(bundle, replace(one, out_ids=one.out_ids[: at + 1]))
            for one, at in ((first, self.step_a), (second, step))
        ]
        _check_size(readers)
        vocab = self._network.target_vocab
        for token in (self.word, self.rival):
            if token is not None and not 0 <= token < vocab:
                raise HeadscopeError("token_id", id=token, vocab=vocab)
        self.a, self.b = map(Onward, readers)
        self.blocked = Effects.of(second.alterations).blocked
        (self.m_a,), (self.m_b,) = (self.m(run.rows[:, -1]).tolist() for run in (self.a, self.b))

    def _take_words(self, measured: Measured, first: Reading, second: Reading) -> None:
        self.word: int = first.out_ids[self.step_a] if measured.word is None else measured.word
        self.rival: int | None = measured.rival
        if measured.word is None and measured.rival is None:
            self.rival = second.out_ids[self.step]
        if self.rival == self.word:
            self.rival = None

    def require_difference(self) -> None:
        """Raise `HeadscopeError` (`patch_small`) where m of A and of B are too close to divide by."""
        if abs(self.m_a - self.m_b) < LEAST_DIFFERENCE:
            raise HeadscopeError(
                "patch_small",
                step=self.step + 1,
                measure=self.measure,
                first=f"{self.m_a:.4g}",
                second=f"{self.m_b:.4g}",
            )

    @property
    def measure(self) -> str:
        """What m is, in signs."""
        word = f"log p({self.piece(self.word)})"
        return word if self.rival is None else f"{word} − log p({self.piece(self.rival)})"

    def piece(self, token: int | None) -> str:
        """A piece of the target vocabulary; empty for none."""
        return "" if token is None else self.bundle.target_tokenizer.piece(token)

    def m(self, rows: Tensor) -> Doubles:
        """m of the rows of the measured step, [b, ·]: float64 [b]."""
        logprobs = self._network.project(rows).double().log_softmax(-1)
        said = logprobs[:, self.word]
        said = said if self.rival is None else said - logprobs[:, self.rival]
        if not bool(said.isfinite().all()):
            raise HeadscopeError("model_overflow")
        found: Doubles = said.numpy(force=True)
        return found

    def rows(self, kind: AttentionKind, only: int | None = None) -> Rows:
        """Rows of a kind's queries that A has too, or the one of them that is named, if A has it."""
        across = self.source if kind is AttentionKind.ENCODER_SELF else self.steps
        if only is not None:
            across = tuple(at if i == only else -1 for i, at in enumerate(across))
        return rows_of(across, device=self._network.device)

    def keys(self, kind: AttentionKind) -> Rows:
        """Columns of a kind that A has too; none that is blocked in B."""
        if kind is AttentionKind.DECODER_SELF:
            return self.rows(kind)
        across = [-1 if token in self.blocked else at for token, at in enumerate(self.source)]
        return rows_of(across, device=self._network.device)


def _stack(kind: AttentionKind) -> tuple[Side, AttentionKind]:
    """The stack that a kind of attention is in, and the kind that stands for it."""
    if kind is AttentionKind.ENCODER_SELF:
        return "source", kind
    return "target", AttentionKind.DECODER_SELF


def _check_size(readers: Sequence[Reader]) -> None:
    """Refuse texts whose patterns would take gigabytes: all heads of both are held at once."""
    numbers = 0
    for reader in readers:
        s, t, a = len(reader.source_ids), len(reader.target_ids), reader.architecture
        cells = {
            AttentionKind.ENCODER_SELF: s * s,
            AttentionKind.DECODER_SELF: t * t,
            AttentionKind.CROSS: t * s,
        }
        numbers += sum(layers_of(a, kind) * a.n_heads * count for kind, count in cells.items())
    megabytes = numbers * 4 // 2**20
    if megabytes > _MOST_MEGABYTES:
        raise HeadscopeError("patch_large", size=megabytes, limit=_MOST_MEGABYTES)
