"""Large products: of many rows in float32, as training makes them, by the quicker of two libraries.

torch multiplies float32 matrices by the library it was built with. On processors that this library was not
written for, oneDNN, which torch carries as well, takes half the time (AMD with AVX-512: MKL 190 GFLOP/s with
two threads, oneDNN 400); on others it takes longer. So both are tried before the first large product, and
what was found is remembered: a run that is resumed computes as it began. Results differ in rounding only. A
product in another dtype, on another device or of few numbers is torch's own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from model.network.products.choices import forced_way
from model.network.products.trial import is_quicker
from model.network.products.ways import WAYS

LARGE = 2**24
"""Multiplications from which a product is worth a second way; those of a toy model are not."""
FEWEST_ROWS = 128

# What oneDNN may take of the time: where both are as good, the choice must not hang on who else was working.
_SHARE = 0.8
_TRIED = 768, 384, 768  # rows, inputs and outputs of the trial


def large_product(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """[..., out] of x [..., in], weight [out, in] and bias [out]; as `torch.nn.functional.linear`."""
    few = x.numel() < FEWEST_ROWS * x.shape[-1]
    if few or torch.is_autocast_enabled("cpu") or not _for_onednn(x, weight):
        return F.linear(x, weight, bias)
    apply: Callable[..., Tensor] = _ManyRows.apply
    rows = apply(x.reshape(-1, x.shape[-1]), weight, bias)
    return rows.view(*x.shape[:-1], -1)


def turned_product(left: Tensor, right: Tensor) -> Tensor:
    """[n, m] = left [n, k] right^T [k, m]; no gradients. By oneDNN a `left` that lies turned is copied."""
    return _by_onednn(left, right) if _for_onednn(left, right) else left @ right.t()


def _for_onednn(left: Tensor, right: Tensor) -> bool:
    return (
        left.dtype == right.dtype == torch.float32
        and left.device.type == "cpu"
        and left.numel() * right.shape[0] >= LARGE
        and takes_onednn()
    )


class _ManyRows(torch.autograd.Function):
    """x W^T + b of x [n, in], W [out, in] and b [out], forward and backward by oneDNN."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(x, weight)
        return _by_onednn(x, weight, bias)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        x, weight = ctx.saved_tensors
        for_x, for_weight, for_bias = ctx.needs_input_grad
        return (
            _by_onednn(grad, weight.t()) if for_x else None,
            _gradient_of_weight(grad, x) if for_weight else None,
            grad.sum(0) if for_bias else None,
        )


def _gradient_of_weight(grad: Tensor, x: Tensor) -> Tensor:
    """[out, in] = grad^T x of grad [n, out] and x [n, in]."""
    # What stands on the left is copied, so it is the narrower one.
    if grad.shape[1] <= x.shape[1]:
        return _by_onednn(grad.t(), x.t())
    return _by_onednn(x.t(), grad.t()).t()


def _by_onednn(left: Tensor, right: Tensor, bias: Tensor | None = None) -> Tensor:
    """[n, m] = left [n, k] right^T [k, m] + bias [m]."""
    result: Tensor = torch.ops.mkldnn._linear_pointwise(left, right, bias, "none", [], "")
    return result


def takes_onednn() -> bool:
    """Whether oneDNN multiplies float32 matrices clearly faster than torch's own library, by 20 ms of trial.

    Where a way is forced, torch's own it is.
    """
    return not forced_way() and WAYS["packed"].present() and _is_faster(torch.get_num_threads())


@cache
def _is_faster(threads: int) -> bool:
    rows, inputs, outputs = _TRIED
    draw = torch.Generator().manual_seed(0)
    x, weight, grad = (
        torch.randn(shape, generator=draw) for shape in ((rows, inputs), (outputs, inputs), (rows, outputs))
    )

    def own() -> None:
        F.linear(x, weight)
        grad @ weight
        grad.t() @ x

    def other() -> None:
        _by_onednn(x, weight)
        _by_onednn(grad, weight.t())
        _gradient_of_weight(grad, x)

    with torch.no_grad(), torch.autocast("cpu", enabled=False):
        return is_quicker(f"large float32 {threads}", other, own, _SHARE)
