"""Many rows: whether a packed copy multiplies a batch of sentences quicker here than BLAS does.

On one processor by a factor of two and a half, on another not at all: it is measured once a process.
"""

from __future__ import annotations

import time
from functools import cache

import torch

from model.network.products.choices import forced_way
from model.network.products.ways import PLAIN, WAYS, Way

_ROWS, _OUT, _IN = 256, 1536, 512
_TURNS = 4

# What the copy must take of the time of the product that needs none: it doubles the memory.
_WORTH_A_COPY = 0.85


def many_way() -> Way:
    """The way for many rows, with the threads that torch has now; plain where another is forced."""
    packed = WAYS["packed"]
    forced = forced_way()
    if forced or not packed.present():
        return packed if forced == packed.name and packed.present() else PLAIN
    return packed if _share_of_packed(torch.get_num_threads()) <= _WORTH_A_COPY else PLAIN


@cache
def _share_of_packed(threads: int) -> float:
    """The time of a product with a packed copy, of that of the plain one: the best of some turns each."""
    packed = WAYS["packed"]
    with torch.inference_mode(False), torch.no_grad():
        weight, x = torch.full((_OUT, _IN), 0.5), torch.full((_ROWS, _IN), 0.5)
        copy = packed.prepared(weight)
        if copy is None:
            return float("inf")
        seconds = {True: float("inf"), False: float("inf")}
        for _ in range(_TURNS):
            for plain in (True, False):
                began = time.perf_counter()
                (PLAIN.multiply(x, weight, None) if plain else packed.multiply(x, copy, None))
                seconds[plain] = min(seconds[plain], time.perf_counter() - began)
    return seconds[False] / seconds[True]
