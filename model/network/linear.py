"""Linear map, x W^T + b, at the speed of memory where a step of decoding multiplies one row.

With one sentence a decoding step reads every weight once, so it takes as long as the reading, and what BLAS
makes of it depends on the processor. Matrices that are read so are prepared
(`Transformer.lay_out_for_decoding`): each then has the way that is quickest on this machine, see
`model.network.products`.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model.network.products.large import large_product
from model.network.products.prepared import prepared_of


def linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """[..., out] of x [..., in], weight [out, in] and bias [out]; as `torch.nn.functional.linear`.

    A matrix that is prepared, float32 and no gradients wanted: that is the fast case. Results of the ways
    differ in rounding only.
    """
    prepared = prepared_of(weight)
    if prepared is not None and x.dtype is torch.float32 and not torch.is_grad_enabled():
        rows = x.numel() // prepared.inputs
        if rows >= 1:
            return prepared.multiply(x, weight, bias, rows)
    return large_product(x, weight, bias)
