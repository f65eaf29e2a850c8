"""x W^T + b, at the speed of memory where a step of decoding multiplies one row.

With one sentence a decoding step reads every weight once, so it takes as long as the reading. BLAS reads far
below what a processor's memory gives, even in the better of the two layouts; the kernel of `embedding_bag`,
made to stream rows of a table, comes close. A product with one row is such a bag: W^T holds a row for each
input, and the inputs are the rows' weights.
"""

from __future__ import annotations

from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import Tensor

# Without this library embedding_bag has a plain kernel, which no measurement speaks for.
_HAS_FAST_BAGS = "fbgemm" in torch.backends.quantized.supported_engines

# Numbers in a matrix from which waking a second thread costs less than it saves.
SHARED_FROM = 2**19


def linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """[..., out] of x [..., in], weight [out, in] and bias [out]; as `torch.nn.functional.linear`.

    One row, a matrix that `by_columns` has laid out, float32 on a CPU and no gradients wanted: that is the
    fast case. Results of the two ways differ in rounding only.
    """
    if x.numel() != weight.shape[1] or not _can_stream(weight) or x.dtype != weight.dtype:
        return F.linear(x, weight, bias)
    # The kernel gives each thread whole bags: a bag a thread, added up, lets all of them read.
    inputs, starts = _bags(weight.shape[1], torch.get_num_threads() if weight.numel() >= SHARED_FROM else 1)
    parts = torch.embedding_bag(weight.t(), inputs, starts, False, 0, False, x.reshape(-1))[0]
    row = parts[0] if len(parts) == 1 else parts.sum(0)
    if bias is not None:
        row = row + bias
    return row.view(*x.shape[:-1], weight.shape[0])


def by_columns(weight: Tensor) -> Tensor:
    """The same numbers and shape [out, in], stored column by column."""
    return weight.t().contiguous().t()


def _can_stream(weight: Tensor) -> bool:
    return (
        _HAS_FAST_BAGS
        and weight.stride() == (1, weight.shape[0])
        and weight.dtype == torch.float32
        and weight.device.type == "cpu"
        and not torch.is_grad_enabled()
    )


@lru_cache
def _bags(inputs: int, count: int) -> tuple[Tensor, Tensor]:
    """Indices of all rows, and where each of `count` bags of like size starts."""
    with torch.inference_mode(False):
        return torch.arange(inputs), torch.arange(count) * inputs // count
