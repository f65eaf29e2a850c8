"""Held-out loss: one measure for every side of the training benchmark.

JoeyNMT prints the Kullback-Leibler divergence of smoothed targets, we the cross-entropy without smoothing;
here torch's own cross-entropy is taken of either's logits. Imports nothing that needs more than torch.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from tests.benchmarks.tools.parallel_text import HELD_SOURCE, HELD_TARGET

AT_ONCE = 50

Logits = Callable[[Tensor, Tensor, Tensor], Tensor]
"""From source ids [b, S], target inputs [b, T] and which source tokens are real [b, S] to [b, T, V]."""


@torch.no_grad()
def held_out_nll(
    folder: Path, id_of: Callable[[str], int], *, pad: int, start: int, end: int, logits_of: Logits
) -> float:
    """Nats a target token, the end token included, over the folder's held-out pairs; without smoothing.

    Args:
        id_of: the id of a piece.
    """
    sides = [_rows(folder / name, id_of) for name in (HELD_SOURCE, HELD_TARGET)]
    total, tokens = 0.0, 0
    for begin in range(0, len(sides[0]), AT_ONCE):
        sources, targets = (side[begin : begin + AT_ONCE] for side in sides)
        source = _padded([[*row, end] for row in sources], pad)
        target_in = _padded([[start, *row] for row in targets], pad)
        gold = _padded([[*row, end] for row in targets], pad).flatten()
        logits = logits_of(source, target_in, source != pad).flatten(0, 1).double()
        total += float(F.cross_entropy(logits, gold, ignore_index=pad, reduction="sum"))
        tokens += int((gold != pad).sum())
    return total / tokens


def _rows(path: Path, id_of: Callable[[str], int]) -> list[list[int]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [[id_of(piece) for piece in line.split()] for line in lines]


def _padded(rows: list[list[int]], pad: int) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows])
