"""Sharing: heads of queries that read the same keys and values, in groups or all of them.

All heads share one in multi-query attention (Shazeer 2019, arXiv 1911.02150), each group of neighbours one in
grouped-query attention (Ainslie et al. 2023, arXiv 2305.13245, section 2.2): head i reads keys i // (h / g).

Shapes: b batch, h heads of queries, g heads of keys and values, n rows.
"""

from __future__ import annotations

from torch import Tensor


def spread(shared: Tensor, heads: int) -> Tensor:
    """[..., h, n, m] of keys or values [..., g, n, m]: once for each head that reads them."""
    groups = shared.shape[-3]
    return shared if groups == heads else shared.repeat_interleave(heads // groups, dim=-3)


def shared_product(own: Tensor, shared: Tensor) -> Tensor:
    """[b, h, n, k] of own [b, h, n, m] @ shared [b, g, m, k], without a copy of what is shared.

    The rows of all heads of a group lie below one another, as if they were more queries of one head. A batch
    of 1 on the right serves every row on the left.
    """
    b, h, n, m = own.shape
    groups = shared.shape[1]
    product = own.reshape(b, groups, h // groups * n, m) @ shared
    return product.reshape(b, h, n, shared.shape[-1])
