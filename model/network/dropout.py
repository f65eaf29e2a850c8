"""Dropout whose mask is drawn eight elements at a time.

`bernoulli_` draws one random number an element and on a CPU costs more than the matrix products of a
small model. A 64-bit draw holds eight independent bytes, so an element is dropped when its byte is below
round(256 p): the probability is p to the nearest 1/256, and survivors are scaled by exactly its
complement, so the expectation is unchanged. A GPU draws cheaply, but the result must not depend on where it
runs more than it has to: CUDA does the same, and Apple's, which draws no 64-bit integers, one float32 each.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

DRAWS_INT64 = ("cpu", "cuda")


class Dropout(nn.Module):
    """Zeroes elements with probability `p` (to the nearest 1/256) in training; the identity otherwise.

    Attributes:
        generator: where the draws come from; torch's global generator when None.
    """

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p
        self.generator: torch.Generator | None = None

    def forward(self, x: Tensor) -> Tensor:
        """Same shape and dtype as `x`."""
        threshold = min(255, round(256 * self.p))
        if not self.training or threshold == 0:
            return x
        draw = _draw_bytes if x.device.type in DRAWS_INT64 else _draw_floats
        keep = draw(x, threshold, self.generator)
        return x * keep.to(x.dtype).mul_(256 / (256 - threshold))


def _draw_bytes(x: Tensor, threshold: int, generator: torch.Generator | None) -> Tensor:
    """Bool of x's shape, True with probability 1 - threshold / 256, from eight bytes a draw."""
    # random_() without bounds leaves the sign bit 0, which would bias every eighth byte.
    draws = torch.empty((x.numel() + 7) // 8, dtype=torch.int64, device=x.device)
    draws.random_(-(2**63), None, generator=generator)
    return draws.view(torch.uint8)[: x.numel()].view(x.shape) >= threshold


def _draw_floats(x: Tensor, threshold: int, generator: torch.Generator | None) -> Tensor:
    """The same from a draw an element."""
    draws = torch.rand(x.shape, dtype=torch.float32, device=x.device, generator=generator)
    return draws >= threshold / 256
