"""Direct path: from a word's embedding to a head, and from a head to the words, past all that is between.

Every norm on the way is kept as its linear part at deviation 1: gains and centring. The deviation that it
really has is a positive factor of each token, which alters neither an order of words nor the sign of an
eigenvalue. Vectors are rows: x becomes x A. Everything is float64.

Shapes: d d_model, e width of a head, V words.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable
from typing import NamedTuple

import torch
from torch import Tensor

from model.inspection.arithmetic import KEY, VALUE, head_projection, output_parts
from model.network.attention import MultiHeadAttention
from model.network.layers import DecoderLayer, EncoderLayer
from model.network.norms import BatchNorm, LayerNorm
from model.network.transformer import Transformer
from model.trace.trace import AttentionKind

_ROWS = 8192  # of a table at a time: it is float32, and worked with in float64
QUERY = 0


Norm = LayerNorm | BatchNorm


class Words(NamedTuple):
    """The words of one side as they enter, or leave, the model.

    Attributes:
        table: [V, d] embeddings or rows of the output matrix, as the model has them.
        path: [d, d] what becomes of them, the factor of embeddings included.
    """

    table: Tensor
    path: Tensor

    def chunks(self) -> Iterable[Tensor]:
        """The table in float64, some rows at a time."""
        for rows in torch.split(self.table, _ROWS):
            yield rows.double()

    def of(self, word: int) -> Tensor:
        """[d] a word where the path ends."""
        return self.table[word].double() @ self.path

    @torch.inference_mode()
    def times(self, vector: Tensor) -> Tensor:
        """[V] every word times a vector [d]."""
        direction = self.path @ vector
        return torch.cat([rows @ direction for rows in self.chunks()])

    def above(self, vector: Tensor) -> Tensor:
        """The same less the mean over all words."""
        products = self.times(vector)
        return products - products.mean()

    @torch.inference_mode()
    def mean(self) -> Tensor:
        """[d] of all words where the path ends."""
        return torch.stack([rows.sum(0) for rows in self.chunks()]).sum(0) / len(self.table) @ self.path


class HeadPath(NamedTuple):
    """A head between words and words.

    Attributes:
        read, asking, written: words that it reads, that ask, and that what it writes is told by.
        values, queries, keys: [d, e]. output: [e, d] its part of W_O.
    """

    read: Words
    asking: Words
    written: Words
    values: Tensor
    queries: Tensor
    keys: Tensor
    output: Tensor


class DirectPaths:
    """Of one model.

    Args:
        norms: keep gains and centring; else norms do nothing.
    """

    @torch.inference_mode()
    def __init__(self, transformer: Transformer, *, norms: bool = True) -> None:
        self._model = transformer
        a = self._a = transformer.architecture
        self._norms = norms
        self._pre = a.norm == "pre_norm"
        self._scale = math.sqrt(a.d_model) if a.scale_embedding else 1.0
        self._depths: list[Tensor] = []  # worked out once, as are the next ones
        self._entering: list[Tensor] = []
        self._start = torch.eye(a.d_model, dtype=torch.float64, device=transformer.device)

    @torch.inference_mode()
    def head(self, kind: AttentionKind, layer: int, head: int) -> HeadPath:
        """One head; all that depends on the layer is worked out anew."""
        return next(iter(self.heads(kind, layer, (head,))))

    @torch.inference_mode()
    def heads(self, kind: AttentionKind, layer: int, heads: Iterable[int]) -> list[HeadPath]:
        """Heads of one layer."""
        attention = self._attention(kind, layer)
        asking, read, written = self.words(kind, layer)
        found, outputs = [], output_parts(attention)
        for head in heads:
            values, queries, keys = (
                head_projection(attention, part, head)[0].T for part in (VALUE, QUERY, KEY)
            )
            output = outputs[head].T
            found.append(HeadPath(read, asking, written, values, queries, keys, output))
        return found

    @torch.inference_mode()
    def words(self, kind: AttentionKind, layer: int) -> tuple[Words, Words, Words]:
        """Words that ask, that are read, and that tell what is written."""
        source, target = self._model.source_embedding.weight, self._model.target_embedding.weight
        if kind is AttentionKind.ENCODER_SELF:
            stream = self._encoder_stream()[layer]
            own = Words(source, self._scale * self._into(self._encoder_layer(layer).norm1, stream))
            return own, own, Words(source, self._scale * stream)
        stream = self._decoder_stream(layer)
        block = self._decoder_layer(layer)
        if kind is AttentionKind.DECODER_SELF:
            own = Words(target, self._scale * self._into(block.norm1, stream))
            return own, own, self._output(layer, (block.norm1, block.norm2, block.norm3))
        if not self._pre:
            stream = self._through(block.norm1, stream)
        asking = Words(target, self._scale * self._into(block.norm2, stream))
        read = Words(source, self._scale * self._memory(layer))
        return asking, read, self._output(layer, (block.norm2, block.norm3))

    # Norms.

    def _through(self, norm: Norm, rows: Tensor) -> Tensor:
        """Rows behind a norm."""
        return norm.unscaled().of(rows) if self._norms else rows

    def _into(self, norm: Norm, stream: Tensor) -> Tensor:
        """What a sub-layer reads of the stream: in pre-norm through its norm."""
        return self._through(norm, stream) if self._pre else stream

    # Streams.

    def _encoder_stream(self) -> list[Tensor]:
        """An embedding as it enters and as it leaves each layer, not closed."""
        if not self._depths:
            self._depths.append(self._start)
            for layer in range(self._a.encoder_layers):
                block, x = self._encoder_layer(layer), self._depths[-1]
                x = x if self._pre else self._through(block.norm2, self._through(block.norm1, x))
                self._depths.append(x)
        return self._depths

    def _decoder_stream(self, layer: int) -> Tensor:
        """An embedding as it enters a layer."""
        if self._pre or not layer:
            return self._start
        while len(self._entering) < layer:
            x = self._entering[-1] if self._entering else self._start
            block = self._decoder_layer(len(self._entering))
            for norm in (block.norm1, block.norm2, block.norm3):
                x = self._through(norm, x)
            self._entering.append(x)
        return self._entering[layer - 1]

    def _memory(self, layer: int) -> Tensor:
        """An embedding as a decoder layer reads it of the encoder, however that is wired."""
        model, norm = self._model, self._model.encoder.norm
        outputs = [x[None] for x in self._encoder_stream()]
        read = model.memory_mix.memory(outputs, lambda x: x if norm is None else self._through(norm, x))
        return model.memory_mix.of_layer(read, layer)[0]

    def _output(self, layer: int, own: tuple[Norm, ...]) -> Words:
        """The output matrix, from where a sub-layer writes; `own`: the norms behind it in its layer."""
        x = self._start
        if not self._pre:
            later = [self._decoder_layer(n) for n in range(layer + 1, self._a.decoder_layers)]
            behind = (norm for block in later for norm in (block.norm1, block.norm2, block.norm3))
            for norm in (*own, *behind):
                x = self._through(norm, x)
        closing = self._model.decoder.norm
        if closing is not None:
            x = self._through(closing, x)
        return Words(self._model.output.weight, x.T)  # u · (w x) = (u xᵀ) · w

    def _attention(self, kind: AttentionKind, layer: int) -> MultiHeadAttention:
        if kind is AttentionKind.ENCODER_SELF:
            return self._encoder_layer(layer).self_attn
        block = self._decoder_layer(layer)
        return block.self_attn if kind is AttentionKind.DECODER_SELF else block.multihead_attn

    def _encoder_layer(self, layer: int) -> EncoderLayer:
        found = self._model.encoder.layers[layer]
        assert isinstance(found, EncoderLayer)
        return found

    def _decoder_layer(self, layer: int) -> DecoderLayer:
        found = self._model.decoder.layers[layer]
        assert isinstance(found, DecoderLayer)
        return found


def together(read: Tensor, written: Tensor) -> Generator[None, None, Tensor]:
    """[d, d] Σ_v (u_v − ū) ⊗ e_v over the words v of two tables [V, d]; yields None between chunks."""
    products = torch.zeros(written.shape[1], read.shape[1], dtype=torch.float64, device=read.device)
    sums = [products.new_zeros(table.shape[1]) for table in (written, read)]
    for ours, theirs in zip(torch.split(written, _ROWS), torch.split(read, _ROWS), strict=True):
        with torch.inference_mode():
            u, e = ours.double(), theirs.double()
            products = products + u.T @ e
            sums = [sums[0] + u.sum(0), sums[1] + e.sum(0)]
        yield None
    return products - torch.outer(sums[0], sums[1]) / len(read)


@torch.inference_mode()
def copying(path: HeadPath, products: Tensor) -> float:
    """Σ Re λ / Σ |λ| of the OV circuit; of `products` of the two tables, as `together` gives them.

    The circuit E W_V W_O Uᵀ is V × V and of rank e: its eigenvalues that are not 0 are those of
    W_O Uᵀ E W_V, which is e × e.
    """
    between = path.written.path.T @ products @ path.read.path
    values = torch.linalg.eigvals(path.output @ between @ path.values)
    total = float(values.abs().sum())
    return float(values.real.sum()) / total if total else math.nan
