"""Many rows: what multiplies a batch of sentences quickest here, by the shape of the matrix.

BLAS, oneDNN, or oneDNN on a packed copy: on one processor they differ by a factor of two and a half, on
another not at all, and on a third most for the large matrix that makes words. It is tried once, and
remembered.
"""

from __future__ import annotations

from functools import cache

import torch
from torch import Tensor

from model.network.products.choices import forced_way
from model.network.products.trial import is_quicker
from model.network.products.ways import PLAIN, WAYS, Way

_ROWS = 64
_MOST_OUTPUTS = 8192  # of the trial's matrix: more only takes longer

# What each may take of the time of the best so far: less than the first is chance, and a copy takes memory.
_SHARES = {"onednn": 0.95, "packed": 0.85}


def many_way(weight: Tensor) -> Way:
    """The way for many rows by a matrix [out, in], with as many threads as torch has now.

    Plain where another is forced.
    """
    packed = WAYS["packed"]
    forced = forced_way()
    if forced or not packed.present():
        return packed if forced == packed.name and packed.present() else PLAIN
    return _quickest(min(weight.shape[0], _MOST_OUTPUTS), weight.shape[1], torch.get_num_threads())


@cache
def _quickest(outputs: int, inputs: int, threads: int) -> Way:
    with torch.inference_mode(False), torch.no_grad():
        weight, x = torch.full((outputs, inputs), 0.5), torch.full((_ROWS, inputs), 0.5)
        best, read = PLAIN, PLAIN.prepared(weight)
        for name, share in _SHARES.items():
            way = WAYS[name]
            other = way.prepared(weight)
            if other is not None and is_quicker(
                f"many {outputs}x{inputs} {name} {best.name} {threads}",
                lambda way=way, other=other: way.multiply(x, other, None),  # type: ignore[misc]
                lambda way=best, read=read: way.multiply(x, read, None),  # type: ignore[misc]
                share,
            ):
                best, read = way, other
    return best
