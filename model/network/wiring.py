"""Wiring: what each decoder layer's cross-attention reads of the encoder.

`last`: the encoder's output, as published. `same_depth`: the encoder layer at the same depth. `mix`: a
learned weighted mean of the embedding sum and all encoder layers, one for each decoder layer (transparent
attention, Bapna et al. 2018, arXiv 1808.07561).

A memory is one tensor [b, S, width]: with `last` what all decoder layers read, else what each of them reads,
one after another. In pre-norm the norm that closes the encoder comes after the choice or the mean, once for
each decoder layer, so that a mix of the last layer alone is the plain model.

Shapes: b batch, S source length, d d_model, E encoder layers, D decoder layers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.config import Architecture, same_depths

Close = Callable[[Tensor], Tensor]
"""From an encoder layer's output to the stack's, on [..., d]."""


class LastLayer(nn.Module):
    """Every decoder layer reads the encoder's output."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self._depths = (architecture.encoder_layers, architecture.decoder_layers)

    def memory(self, outputs: Sequence[Tensor], close: Close) -> Tensor:
        """What the decoder reads, [b, S, width].

        Args:
            outputs: the embedding sum and each encoder layer's output, [b, S, d] each, not closed.
        """
        return close(outputs[-1])

    def of_layer(self, memory: Tensor, layer: int) -> Tensor:
        """What a decoder layer reads of a memory, [..., d]."""
        return memory

    def spread(self, output: Tensor) -> Tensor:
        """The memory by which all decoder layers read one `output` [..., d], closed."""
        return output

    def memory_from(self, outputs: Sequence[Tensor], close: Close, layer: int | None) -> Tensor:
        """`memory`, or that by which all decoder layers read one encoder layer's output instead.

        Args:
            layer: which of `outputs`; None for what the wiring says. See
                `model.alterations.read_layer.ReadLayer`.
        """
        return self.memory(outputs, close) if layer is None else self.spread(close(outputs[layer]))

    def shares(self) -> Tensor:
        """[D, E + 1] how much of each of `outputs` every decoder layer reads; rows sum to 1."""
        return self._one_each([self._depths[0]] * self._depths[1])

    def _one_each(self, read: Sequence[int]) -> Tensor:
        return F.one_hot(torch.tensor(read), self._depths[0] + 1).float()


class _Apart(LastLayer):
    """Each decoder layer has what it reads for itself."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__(architecture)
        self._width = architecture.d_model

    def of_layer(self, memory: Tensor, layer: int) -> Tensor:
        """See `LastLayer`."""
        return memory[..., layer * self._width : (layer + 1) * self._width]

    def spread(self, output: Tensor) -> Tensor:
        """See `LastLayer`."""
        return torch.cat([output] * self._depths[1], -1)


class SameDepth(_Apart):
    """Each decoder layer reads the encoder layer that `same_depths` says."""

    def memory(self, outputs: Sequence[Tensor], close: Close) -> Tensor:
        """See `LastLayer`."""
        return close(torch.stack([outputs[at] for at in same_depths(*self._depths)], -2)).flatten(-2)

    def shares(self) -> Tensor:
        """See `LastLayer`."""
        return self._one_each(same_depths(*self._depths))


class LayerMix(_Apart):
    """Each decoder layer reads a mean of everything, weighted by the softmax of its row of `weight`."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__(architecture)
        encoder, decoder = self._depths
        self.weight = nn.Parameter(torch.zeros(decoder, encoder + 1))

    def memory(self, outputs: Sequence[Tensor], close: Close) -> Tensor:
        """See `LastLayer`."""
        mixed = torch.einsum("kl,lbsd->bskd", self.shares().to(outputs[0].dtype), torch.stack(list(outputs)))
        return close(mixed).flatten(-2)

    def shares(self) -> Tensor:
        """See `LastLayer`."""
        return self.weight.softmax(-1)


WIRINGS: dict[str, type[LastLayer]] = {"last": LastLayer, "same_depth": SameDepth, "mix": LayerMix}
"""By `Architecture.wiring`."""
