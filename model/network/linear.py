"""Linear map, x W^T + b, at the speed of memory where a step of decoding multiplies one row.

With one sentence a decoding step reads every weight once, so it takes as long as the reading. BLAS reads far
below what a processor's memory gives, even in the better of the two layouts; the kernel of `embedding_bag`,
made to stream rows of a table, comes close. A product with one row is such a bag: W^T holds a row for each
input, and the inputs are the rows' weights. Several rows at once (beams) take little longer with a copy of
the matrix that oneDNN has packed.
"""

from __future__ import annotations

import contextlib
from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import Tensor

from model.network.products import many_rows

# Without this library embedding_bag has a plain kernel, which no measurement speaks for.
_HAS_FAST_BAGS = "fbgemm" in torch.backends.quantized.supported_engines

# Numbers in a matrix from which waking a second thread costs less than it saves.
SHARED_FROM = 2**19

# From two rows up to this many (beams, sentences) a packed copy beats BLAS, which would copy the whole matrix
# before each product.
MOST_ROWS = 64
_PACKED = "packed_for_rows"


def linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """[..., out] of x [..., in], weight [out, in] and bias [out]; as `torch.nn.functional.linear`.

    Few rows, a matrix that `column_major` has laid out, float32 on a CPU and no gradients wanted: that is the
    fast case. Results of the ways differ in rounding only.
    """
    out, width = weight.shape
    size = x.numel()
    if not 0 < size <= MOST_ROWS * width or not _can_stream(weight) or x.dtype != weight.dtype:
        return many_rows(x, weight, bias)
    if size > width:
        packed = _packed(weight)
        if packed is None:
            return F.linear(x, weight, bias)
        result: Tensor = torch.ops.mkldnn._linear_pointwise(x, packed, bias, "none", [], "")
        return result
    # The kernel gives each thread whole bags: a bag a thread, added up, lets all of them read.
    threads = torch.get_num_threads() if out * width >= SHARED_FROM else 1
    parts = torch.embedding_bag(weight.t(), *_bags(width, threads), False, 0, False, x.reshape(-1))[0]
    row = parts if threads == 1 else parts.sum(0)
    if bias is not None:
        row += bias
    return row.view(*x.shape[:-1], out)


class _PackedCopy:
    """What stands beside a matrix: its packed copy, and which of its versions that is a copy of."""

    def __init__(self, version: int = -1, packed: Tensor | None = None) -> None:
        self.version = version
        self.packed = packed

    def __reduce__(self) -> tuple[type[_PackedCopy], tuple[()]]:
        """oneDNN's tensors cannot be copied: the copy of a matrix gets its own when it needs one."""
        return _PackedCopy, ()


def _packed(weight: Tensor) -> Tensor | None:
    """The matrix as oneDNN's product of few rows reads it fastest, made when it is first asked for and kept.

    It takes as much memory as the matrix, and is made anew once the matrix was written to. None where this
    torch cannot make one.
    """
    if weight.is_inference():  # it does not tell when it was written to
        return None
    kept: _PackedCopy | None = getattr(weight, _PACKED, None)
    if kept is None or kept.version != weight._version:
        packed = None
        if _has_packing():
            with torch.inference_mode(False), torch.no_grad(), contextlib.suppress(RuntimeError):
                packed = torch.ops.mkldnn._reorder_linear_weight(weight.detach())
        kept = _PackedCopy(weight._version, packed)
        setattr(weight, _PACKED, kept)
    return kept.packed


def _has_packing() -> bool:
    available: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    return available and hasattr(torch.ops.mkldnn, "_linear_pointwise")


def clear_packed(weight: Tensor) -> None:
    """To be called when the matrix got other memory (`weight.data = ...`), which no version counts."""
    if hasattr(weight, _PACKED):
        delattr(weight, _PACKED)


def column_major(weight: Tensor) -> Tensor:
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
