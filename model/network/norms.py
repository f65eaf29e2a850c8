"""Norms: LayerNorm of each token, or BatchNorm of each feature over the tokens of a batch.

LayerNorm (Ba et al. 2016, arXiv 1607.06450) is the paper's. BatchNorm (Ioffe and Szegedy 2015, arXiv
1502.03167; in a Transformer: Shen et al. 2020, arXiv 2003.07845) is taken over all real tokens of a batch,
padding left out. Once training is over it uses the running statistics, so that a token's numbers depend on no
other token and a cached decode equals a whole pass.

Shapes: d features, any others before them.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import torch
from torch import Tensor, nn

from model.config import Architecture

MOMENTUM = 0.1
"""How much of the running statistics each batch replaces, as in torch."""


class FrozenNorm(NamedTuple):
    """A norm held at the statistics that it had of one row: an affine map, so that a sum may be taken apart.

    Attributes:
        scale: [d], float64, what each number is multiplied by once the mean is taken off.
        centred: whether each summand's own mean is taken off it; the means add up to that of the sum.
        offset: [d], float64, what is added once, whatever comes in.
    """

    scale: Tensor
    centred: bool
    offset: Tensor

    def of(self, summands: Tensor) -> Tensor:
        """What becomes of summands [..., d], float64; with `offset` they add up to the norm of their sum."""
        centre = summands.mean(-1, keepdim=True) if self.centred else 0.0
        return (summands - centre) * self.scale


class Norm(Protocol):
    """What stands around a sub-layer."""

    @property
    def weight(self) -> Tensor:
        """[d] what each number is multiplied by."""

    @property
    def bias(self) -> Tensor:
        """[d] what is added."""

    def of(self, x: Tensor, real: Tensor | None = None) -> Tensor:
        """x [..., d] normalised, scaled and shifted.

        Args:
            real: bool of x's leading dimensions, False for padding; None where nothing is padded.
        """

    def frozen(self, row: Tensor) -> FrozenNorm:
        """The affine map that it is for what has the statistics of a row [d]; not in training mode."""

    def statistics(self) -> dict[str, Tensor]:
        """What it keeps that is not trained, by name."""


class LayerNorm(nn.LayerNorm):
    """Each token's numbers brought to mean 0 and deviation 1 by themselves."""

    # Modules and their functions take longer to call than one row of a decoding step.
    def of(self, x: Tensor, real: Tensor | None = None) -> Tensor:
        """See `Norm`."""
        return torch.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)

    def frozen(self, row: Tensor) -> FrozenNorm:
        """See `Norm`: at the row's deviation."""
        deviation = (row.double().var(correction=0) + self.eps).sqrt()
        return FrozenNorm(self.weight.double() / deviation, True, self.bias.double())

    def unscaled(self) -> FrozenNorm:
        """The affine map that it is for what has deviation 1: the order of words needs no more."""
        return FrozenNorm(self.weight.double(), True, self.bias.double())

    def statistics(self) -> dict[str, Tensor]:
        """None."""
        return {}


class BatchNorm(nn.Module):
    """Each feature brought to mean 0 and deviation 1 over the batch; later by the running statistics.

    The running variance is that with n - 1 in the denominator, the batch's own that with n, as in torch.
    """

    running_mean: Tensor
    running_var: Tensor

    def __init__(self, width: int, eps: float) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.register_buffer("running_mean", torch.zeros(width))
        self.register_buffer("running_var", torch.ones(width))

    def of(self, x: Tensor, real: Tensor | None = None) -> Tensor:
        """See `Norm`; in training mode the running statistics move towards the batch's."""
        mean, variance = self._of_batch(x, real) if self.training else (self.running_mean, self.running_var)
        scale = self.weight * (variance + self.eps).rsqrt()
        return ((x - mean) * scale + self.bias).to(x.dtype)

    def frozen(self, row: Tensor) -> FrozenNorm:
        """See `Norm`: once trained it is the same map for every row."""
        scale = self.weight.double() * (self.running_var.double() + self.eps).rsqrt()
        return FrozenNorm(scale, False, self.bias.double() - self.running_mean.double() * scale)

    def unscaled(self) -> FrozenNorm:
        """See `LayerNorm`: here at its own deviations, which are the same for every row."""
        return self.frozen(self.running_mean)

    def statistics(self) -> dict[str, Tensor]:
        """Running mean and variance, [d] each."""
        return {"running_mean": self.running_mean, "running_var": self.running_var}

    def _of_batch(self, x: Tensor, real: Tensor | None) -> tuple[Tensor, Tensor]:
        """Mean and variance [d] of the real tokens, in float32."""
        rows = (x if real is None else x[real]).flatten(0, -2).float()
        variance, mean = torch.var_mean(rows, 0, correction=0)
        with torch.no_grad():
            unbiased = variance * (len(rows) / max(1, len(rows) - 1))
            self.running_mean.lerp_(mean, MOMENTUM)
            self.running_var.lerp_(unbiased, MOMENTUM)
        return mean, variance


def norm_of(architecture: Architecture) -> LayerNorm | BatchNorm:
    """A new norm of an architecture."""
    a = architecture
    return NORMS[a.normalisation](a.d_model, a.norm_eps)


NORMS: dict[str, type[LayerNorm] | type[BatchNorm]] = {"layer": LayerNorm, "batch": BatchNorm}
"""By `Architecture.normalisation`."""
