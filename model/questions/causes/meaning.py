"""Meaning: what numbers of causes say, in the words that close a report for people. English, no torch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from model.questions.causes.parts import GROUPS, Part
from model.trace.trace import Floats

_MOST = 3

_GROUP_WORDS = {"feed_forward": "feed-forward networks", "constants": "biases and norms"}


def most(names: Sequence[str], shares: Floats) -> str:
    """The largest shares (of 1) with their names: `▁a 52 %, ▁apple 24 %, ▁gave 23 %`."""
    order = np.argsort(-np.asarray(shares), kind="stable")[:_MOST]
    return ", ".join(f"{names[place]} {100 * float(shares[place]):.0f} %" for place in order)


def signed_most(names: Sequence[str], values: npt.NDArray[np.floating]) -> str:
    """The largest values either way with their names: `▁woman +7.53, <s> +6.24, ▁young -0.43`."""
    sizes = np.nan_to_num(np.abs(values))
    order = [place for place in np.argsort(-sizes, kind="stable")[:_MOST] if np.isfinite(values[place])]
    return ", ".join(f"{names[place]} {float(values[place]):+.2f}" for place in order)


def by_group(parts: Iterable[tuple[Part, float]]) -> Mapping[str, float]:
    """What parts add up to by group, in the order of `GROUPS`; groups without a part are left out."""
    sums: dict[str, float] = {}
    for part, value in parts:
        sums[part.group] = sums.get(part.group, 0.0) + value
    return {group: sums[group] for group in GROUPS if group in sums}


def sum_said(sums: Mapping[str, float]) -> str:
    """`word −0.07, heads +5.10, …`: groups with what they add."""
    return ", ".join(f"{_GROUP_WORDS.get(group, group)} {value:+.2f}" for group, value in sums.items())
