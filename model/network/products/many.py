"""Many rows: whether a packed copy multiplies a batch of sentences quicker here than BLAS does.

On one processor by a factor of two and a half, on another not at all: it is measured once, and remembered.
"""

from __future__ import annotations

from functools import cache

import torch

from model.network.products.choices import forced_way
from model.network.products.trial import is_quicker
from model.network.products.ways import PLAIN, WAYS, Way

_ROWS, _OUT, _IN = 256, 1536, 512

# What the copy must take of the time of the product that needs none: it doubles the memory.
_WORTH_A_COPY = 0.85


def many_way() -> Way:
    """The way for many rows, with the threads that torch has now; plain where another is forced."""
    packed = WAYS["packed"]
    forced = forced_way()
    if forced or not packed.present():
        return packed if forced == packed.name and packed.present() else PLAIN
    return packed if _is_worth_it(torch.get_num_threads()) else PLAIN


@cache
def _is_worth_it(threads: int) -> bool:
    packed = WAYS["packed"]
    with torch.inference_mode(False), torch.no_grad():
        weight, x = torch.full((_OUT, _IN), 0.5), torch.full((_ROWS, _IN), 0.5)
        copy = packed.prepared(weight)
        return copy is not None and is_quicker(
            f"many {threads}",
            lambda: packed.multiply(x, copy, None),
            lambda: PLAIN.multiply(x, weight, None),
            _WORTH_A_COPY,
        )
