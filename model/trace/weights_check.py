"""Weights checks: rows that sum to 1, none of a decoder looking ahead."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.trace.trace import Floats, Unsound

_TINIEST_HALF = 6e-8  # what a weight may lose in float16, where nothing smaller exists


def tolerance(dtype: str, keys: int) -> float:
    """How far from 1 the sum of a row of weights may be that were rounded to `dtype`."""
    if "bfloat16" in dtype:
        return 8e-3
    if "float16" in dtype or dtype == "half":
        return 2e-3 + keys * _TINIEST_HALF
    return 1e-4


def unsound(
    sums: npt.NDArray[np.floating], allowed: float, masked: npt.NDArray[np.bool_] | None
) -> Unsound | None:
    """What is wrong with a head's rows, by their sums [query]; None if nothing is.

    Args:
        masked: rows that may be all zeros, as nothing was allowed to be read there.
    """
    away = np.abs(sums - 1)
    wrong = ~(away <= allowed)  # this way round NaN is wrong
    if masked is not None:
        wrong &= ~((sums == 0) & masked)
    if not wrong.any():
        return None
    row = int(np.where(wrong, away, -1).argmax())
    return Unsound(int(wrong.sum()), row, float(sums[row]))


def check_rows(weights: Floats, allowed: float, code: str, place: Mapping[str, object]) -> None:
    """Refuse rows that are no weights: all of a row sum to 1, or are 0 (masked), and none is negative.

    Args:
        weights: [head, query, key].
        allowed: how far from 1 a sum may be.
        code: of the error; gets `place`, `head` and `row` (from 1), and `problem`, what is wrong with it.

    Raises:
        HeadscopeError: `code`.
    """
    if not weights.size:
        return
    sums, least = weights.sum(axis=-1, dtype=np.float64), weights.min(axis=-1)
    wrong = ~(np.abs(sums - 1) <= allowed) & (sums != 0) | (least < 0)
    if wrong.any():
        head, row = np.argwhere(wrong)[0]
        problem = f"sums to {sums[head, row]:.4g} and not to 1"
        if least[head, row] < 0:
            problem = f"holds the negative number {least[head, row]:.4g}"
        raise HeadscopeError(code, head=int(head) + 1, row=int(row) + 1, problem=problem, **place)


def check_causal(weights: Floats, code: str, place: Mapping[str, object]) -> None:
    """Refuse rows that attend to a later key; arguments as of `check_rows`, the error also gets `key`."""
    for head, rows in enumerate(weights):
        ahead = np.triu(rows, 1)
        if ahead.any():
            row, key = np.argwhere(ahead)[0]
            raise HeadscopeError(code, head=head + 1, row=int(row) + 1, key=int(key) + 1, **place)
