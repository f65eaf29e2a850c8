"""`Readings`: those that recent questions were about, kept so that the next question is instant.

Shapes: n tokens of a stack, d d_model.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable

import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.errors import HeadscopeError
from model.inspection.reading import Reader, Sublayer
from model.lru_cache import LruCache
from model.questions.questions import Reading
from model.trace.trace import Side

KEPT_BYTES, LARGEST_BYTES = 128 << 20, 256 << 20
"""Most that readings may take together, and one that is kept by itself."""


class StackPass:
    """A stack on its way through a reading, layer by layer; `advance` it until it is `done`.

    Args:
        memory: what the decoder reads of the encoder, [S, width]; None for the encoder.

    Attributes:
        sublayers: all so far, in the order of computation.
    """

    def __init__(self, reader: Reader, side: Side, memory: Tensor | None = None) -> None:
        self.side = side
        self.sublayers: list[Sublayer] = []
        self._reader = reader
        self._memory = memory
        self._output: Tensor | None = None
        a = reader.architecture
        self._layers = a.encoder_layers if side == "source" else a.decoder_layers

    @property
    def done(self) -> bool:
        """Whether all layers are computed."""
        return self._output is not None

    @property
    def output(self) -> Tensor:
        """[n, d] after the closing norm, where there is one."""
        assert self._output is not None
        return self._output

    @property
    def rows(self) -> Tensor:
        """[T, ·] of the decoder: what the model projects to the vocabulary."""
        return self._reader.rows(self.sublayers[-3], self.output, self.memory)

    @property
    def memory(self) -> Tensor:
        """[S, width] what cross-attention reads, see `model.network.wiring`; of an encoder that is done."""
        assert self._memory is not None
        return self._memory

    @property
    def ends(self) -> list[Tensor]:
        """What enters the first layer and what leaves each, [n, d]."""
        leaving = [one.after for one in self.sublayers if one.name == "feed_forward"]
        return [self.sublayers[0].before, *leaving]

    @property
    def size(self) -> int:
        """Bytes that it takes when it is done."""
        a, n = self._reader.architecture, len(self._reader.source_ids)
        sublayers = 2
        if self.side == "target":
            n, sublayers = len(self._reader.target_ids), 3
        # Of each sub-layer what enters and what comes out; the stack's output and the memory.
        memory = 0 if self.side == "source" or self._memory is None else self._memory.numel()
        element = self._reader.transformer.source_embedding.weight.element_size()
        return element * (n * a.d_model * (2 * sublayers * self._layers + 1) + memory)

    # Entered for each layer and left before the caller goes on: see `Decoding.advance`.
    @torch.inference_mode()
    def advance(self) -> None:
        """Compute the next layer.

        Raises:
            HeadscopeError: `model_overflow`, after the last one.
        """
        reader, index = self._reader, len(self.sublayers) // (2 if self.side == "source" else 3)
        x = self.sublayers[-1].after if self.sublayers else reader.embed(self.side).total
        tap = reader.altering.tap if reader.altering else None
        if self.side == "source":
            self.sublayers.extend(reader.encoder_layer(index, x, tap))
        else:
            self.sublayers.extend(reader.decoder_layer(index, x, self.memory, tap))
        if index + 1 == self._layers:
            output = reader.close(self.side, self.sublayers[-1].after)
            if not bool(output.isfinite().all()):
                self.sublayers.clear()
                raise HeadscopeError("model_overflow")
            if self.side == "source":
                self._memory = reader.memory(self.ends)
            self._output = output


class Readings:
    """Answers' memory of one model: what its stacks computed for recent readings.

    It belongs to whoever answers for the bundle, and to one thread. Source and target are kept apart, so that
    all translations of a sentence share what the encoder computed; questions that wait for the same reading
    share the work.

    Args:
        most, alone: bytes that are kept at most, and of one reading by itself.
    """

    def __init__(self, bundle: Bundle, most: int = KEPT_BYTES, alone: int = LARGEST_BYTES) -> None:
        self.bundle = bundle
        self._kept: LruCache[StackPass] = LruCache(most, alone)

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self._kept.size

    def reader(self, reading: Reading) -> Reader:
        """What reads it; raises `HeadscopeError` when that cannot be read."""
        return Reader(self.bundle, reading)

    def source(self, reader: Reader) -> Generator[None, None, StackPass]:
        """What the encoder computes; yields after each layer that is not known yet."""
        reading = reader.reading
        key = ("source", reading.src_ids, reading.alterations)
        kept = self._kept.get(key)
        if kept is None:
            kept = self._begun(key, StackPass(reader, "source"))
        return (yield from _completed(kept))

    def target(self, reader: Reader) -> Generator[None, None, StackPass]:
        """What the decoder computes, the encoder before it if need be.

        Raises:
            HeadscopeError: there is no translation to read, or numbers overflow.
        """
        reader.require_steps()
        reading = reader.reading
        key = ("target", reading.src_ids, reading.out_ids, reading.in_ids, reading.alterations)
        kept = self._kept.get(key)
        if kept is None:
            memory = (yield from self.source(reader)).memory
            # Another question may have begun it meanwhile.
            kept = self._kept.get(key) or self._begun(key, StackPass(reader, "target", memory))
        return (yield from _completed(kept))

    def _begun(self, key: Hashable, begun: StackPass) -> StackPass:
        self._kept.put(key, begun, begun.size)
        return begun


def _completed(begun: StackPass) -> Generator[None, None, StackPass]:
    while not begun.done:
        begun.advance()
        yield None
    return begun
