"""`HookedNorm`: a norm of a model of `transformers`, as `model.network.norms.Norm` is asked."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn

from model.network.norms import FrozenNorm


class HookedNorm:
    """LayerNorm, or RMSNorm (Zhang and Sennrich 2019, arXiv 1910.07467), which takes no mean off.

    Args:
        kind: which of the two.
    """

    def __init__(self, module: nn.Module, kind: Literal["layer", "rms"]) -> None:
        self._module = module
        self.kind = kind

    @property
    def weight(self) -> nn.Parameter:
        """[d] what each number is multiplied by."""
        return self._module.get_parameter("weight")

    @property
    def bias(self) -> Tensor:
        """[d] what is added; zeros where there is nothing."""
        found: Tensor | None = getattr(self._module, "bias", None)
        return torch.zeros_like(self.weight) if found is None else found

    @property
    def eps(self) -> float:
        """What is added to the variance."""
        names = ("eps", "variance_epsilon")
        return next(float(getattr(self._module, name)) for name in names if hasattr(self._module, name))

    def of(self, x: Tensor, real: Tensor | None = None) -> Tensor:
        """x [..., d] as the module makes it."""
        result: Tensor = self._module(x)
        return result

    def frozen(self, row: Tensor) -> FrozenNorm:
        """See `model.network.norms.Norm`: at the deviation of a row [d], or at its root mean square."""
        numbers = row.double()
        centred = self.kind == "layer"
        variance = numbers.var(correction=0) if centred else numbers.square().mean()
        scale = self.weight.double() * (variance + self.eps).rsqrt()
        return FrozenNorm(scale, centred, self.bias.double())

    def statistics(self) -> dict[str, Tensor]:
        """None."""
        return {}
