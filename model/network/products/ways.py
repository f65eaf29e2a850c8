"""Ways: kernels that multiply one row, or a few, by a matrix, x W^T + b; one registry.

With one sentence a step of decoding reads every weight once, so it takes as long as the reading. Which kernel
comes closest to what the memory gives differs from processor to processor by a factor of three, and so does
the layout it wants; therefore they are measured (`model.network.products.measuring`). Their results differ in
rounding only.

Shapes: W [out, in], x [..., in], b [out].
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from model.network.products import streamed

Layout = Literal["rows", "columns"]
"""How a matrix is stored: row by row as usual, or column by column."""

# Up to so many rows (beams, sentences) a copy of the matrix is worth its memory; others take any number.
MOST_ROWS = 64
_ANY = 1 << 62

# From so many rows on a product is many rows' (a batch of sentences), where that has a way of its own.
MANY_ROWS = 16


@dataclass(frozen=True)
class Way:
    """One kernel.

    Attributes:
        name: what it is called in `WAYS`, in what is remembered, and by whoever forces it.
        layouts: those in which it reads the matrix itself; none if it reads a copy of its own.
        most: rows that it multiplies at once.
        prepared: what it reads, made of the matrix; None where that cannot be.
        multiply: [..., out] of x, what it reads, and b or None; b is not written to.
        present: whether this torch has it.
        halves: whether it is for matrices whose numbers are all float16's.
        shares: whether it differs from another way only in what each of several threads does.
        passing: of what it reads, the same to be read past the caches; None where it cannot be.
    """

    name: str
    layouts: tuple[Layout, ...]
    most: int
    prepared: Callable[[Tensor], Any]
    multiply: Callable[[Tensor, Any, Tensor | None], Tensor]
    present: Callable[[], bool] = lambda: True
    halves: bool = False
    shares: bool = False
    passing: Callable[[Any], Any] | None = None

    @property
    def copies(self) -> bool:
        """Whether it reads a copy of its own."""
        return not self.layouts


def laid_out(weight: Tensor, layout: Layout) -> Tensor:
    """The same numbers and shape, stored in that layout; the same tensor if it is so already."""
    return weight.contiguous() if layout == "rows" else weight.t().contiguous().t()


def layout_of(weight: Tensor) -> Layout | None:
    """How a matrix is stored; None for a part of one, which has gaps."""
    if weight.is_contiguous():
        return "rows"
    return "columns" if weight.t().is_contiguous() else None


# one matrix, as it is


def _linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    return F.linear(x, weight, bias)


def _vector(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    row = x.reshape(-1)
    product = torch.mv(weight, row) if bias is None else torch.addmv(bias, weight, row)
    return product.view(*x.shape[:-1], -1)


# `embedding_bag` streams rows of a table. A product with one row is such a bag: W^T holds a row for each
# input, and the inputs are the rows' weights. Its kernel gives each thread whole bags: a bag a thread, added
# up, lets all of them read.

_Bags = tuple[Tensor, Tensor, Tensor, int]


def _bags(x: Tensor, bags: _Bags, bias: Tensor | None) -> Tensor:
    table, indices, starts, count = bags
    row = torch.embedding_bag(table, indices, starts, False, 0, False, x.reshape(-1))[0]
    if count > 1:
        row = row.sum(0)
    if bias is not None:
        row += bias
    return row.view(*x.shape[:-1], -1)


def _one_bag(weight: Tensor) -> _Bags:
    return (weight.t(), *_bag_places(weight.shape[1], 1), 1)


def _a_bag_a_thread(weight: Tensor) -> _Bags:
    # As many as there are threads now: the sums stay the same with fewer.
    count = torch.get_num_threads()
    return (weight.t(), *_bag_places(weight.shape[1], count), count)


@lru_cache
def _bag_places(inputs: int, count: int) -> tuple[Tensor, Tensor]:
    """Indices of all rows, and where each of `count` bags of like size starts."""
    with torch.inference_mode(False):
        return torch.arange(inputs), torch.arange(count) * inputs // count


def _has_fast_bags() -> bool:
    # Without this library embedding_bag has a plain kernel, which reads slowly.
    return "fbgemm" in torch.backends.quantized.supported_engines


# A library's product of one row may use one thread only, however many there are. A batch of products it
# spreads over them: each takes some inputs with their part of the matrix, and what they find is added up.


def _parts(weight: Tensor) -> Tensor:
    # As many as there are threads now: the sums stay the same with fewer.
    inputs = weight.shape[1]
    count = math.gcd(inputs, torch.get_num_threads())
    return weight.t().view(count, inputs // count, -1)


def _multiply_parts(x: Tensor, parts: Tensor, bias: Tensor | None) -> Tensor:
    sums = torch.bmm(x.reshape(parts.shape[0], 1, -1), parts)
    row = sums.sum(0)
    if bias is not None:
        row += bias
    return row.view(*x.shape[:-1], -1)


# numpy has a library of its own, on some processors quicker than torch's. Its threads know nothing of
# torch's: it takes part where it has one, which `model` sees to before it is loaded.


def _as_numpy(weight: Tensor) -> Any:
    return weight.numpy()


def _multiply_numpy(x: Tensor, weight: Any, bias: Tensor | None) -> Tensor:
    row = torch.from_numpy(np.dot(weight, x.detach().reshape(-1).numpy()))
    if bias is not None:
        row += bias
    return row.view(*x.shape[:-1], -1)


def _has_one_thread() -> bool:
    return os.environ.get("OPENBLAS_NUM_THREADS") == "1"


# a copy of the matrix


def _packed(weight: Tensor) -> Any:
    """As oneDNN reads it fastest."""
    with contextlib.suppress(RuntimeError):
        return torch.ops.mkldnn._reorder_linear_weight(weight)
    return None


def _multiply_packed(x: Tensor, packed: Tensor, bias: Tensor | None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise.default(x, packed, bias, "none", [], "")
    return product


def _has_packed() -> bool:
    available: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    return available and hasattr(torch.ops.mkldnn, "_linear_pointwise")


def _halved(weight: Tensor) -> Any:
    """In float16, where that loses nothing: half the bytes to read, multiplied and added up in float32."""
    if not are_halves(weight):
        return None
    with contextlib.suppress(RuntimeError):
        return torch.ops.quantized.linear_prepack_fp16(weight, None)
    return None


def _multiply_halved(x: Tensor, halved: Any, bias: Tensor | None) -> Tensor:
    rows = x if x.dim() > 1 else x[None]
    product: Tensor = torch.ops.quantized.linear_dynamic_fp16.default(rows, halved)
    product = product if x.dim() > 1 else product[0]
    if bias is not None:
        product += bias
    return product


def are_halves(weight: Tensor) -> bool:
    """Whether every number of a matrix is one that float16 has."""
    return all(torch.equal(block.half().float(), block) for block in torch.split(_flat(weight), 1 << 18))


def seem_halves(weight: Tensor) -> bool:
    """Whether the first numbers are: those of a matrix of float32 show at once that they are not."""
    return are_halves(_flat(weight)[: 1 << 12])


def _flat(weight: Tensor) -> Tensor:
    return (weight if weight.is_contiguous() else weight.t()).reshape(-1)


_BOTH: tuple[Layout, ...] = ("rows", "columns")

WAYS: dict[str, Way] = {
    way.name: way
    for way in (
        Way("linear", _BOTH, _ANY, lambda weight: weight, _linear),
        Way("vector", _BOTH, 1, lambda weight: weight, _vector),
        Way("bag", ("columns",), 1, _one_bag, _bags, _has_fast_bags),
        Way("bags", ("columns",), 1, _a_bag_a_thread, _bags, _has_fast_bags, shares=True),
        Way("parts", ("columns",), 1, _parts, _multiply_parts, shares=True),
        Way("numpy", _BOTH, 1, _as_numpy, _multiply_numpy, _has_one_thread),
        Way(
            "streamed",
            ("rows",),
            streamed.MOST_ROWS,
            streamed.as_matrix,
            streamed.multiply_streamed,
            streamed.has_threads,
            shares=True,
            passing=streamed.past_caches,
        ),
        Way(
            "streamed_alone",
            ("rows",),
            streamed.MOST_ROWS,
            streamed.as_matrix,
            streamed.multiply_alone,
            streamed.has_streamed,
            passing=streamed.past_caches,
        ),
        Way("onednn", ("rows",), _ANY, lambda weight: weight, _multiply_packed, _has_packed),
        Way("packed", (), MOST_ROWS, _packed, _multiply_packed, _has_packed),
        Way("half", (), MOST_ROWS, _halved, _multiply_halved, _has_fast_bags, halves=True),
    )
}
"""By name. The first one is what is always there."""

PLAIN = WAYS["linear"]

STREAMED = {"streamed": True, "streamed_alone": False}
"""The ways of the streamed kernel, and whether all threads take part."""
