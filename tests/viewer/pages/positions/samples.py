"""Models with positions of each kind; tables by plain loops of the paper's formula."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from viewer.document.messages.messages import ModelInfo
from viewer.document.positions.positions_table import PositionTable
from viewer.document.session import Session


def sinusoids(
    count: int = 96, dimensions: int = 16, base: float = 10000.0, *, halves: bool = False
) -> np.ndarray:
    rows = np.zeros((count, dimensions), np.float32)
    for position in range(count):
        for pair in range(dimensions // 2):
            angle = position / base ** (2 * pair / dimensions)
            sine, cosine = (pair, dimensions // 2 + pair) if halves else (2 * pair, 2 * pair + 1)
            rows[position, sine], rows[position, cosine] = math.sin(angle), math.cos(angle)
    return rows


def learned(count: int = 40, dimensions: int = 12) -> np.ndarray:
    return np.random.default_rng(5).normal(0, 0.3, (count, dimensions)).astype(np.float32)


def table(**numbers: Any) -> PositionTable:
    base = float(numbers.get("base", 10000.0))
    layout = "halves" if numbers.get("halves") else "interleaved"
    return PositionTable(sinusoids(**numbers), base, layout, "tiny", "ab" * 32)  # type: ignore[arg-type]


def info(rows: np.ndarray | None, **architecture: Any) -> ModelInfo:
    return ModelInfo(
        path="m", name="tiny", languages=("en", "fr"), architecture=architecture, parameters=1,
        sha256="ab" * 32, showcase=None, positions=rows,
    )  # fmt: skip


def session(rows: np.ndarray | None = None, **architecture: Any) -> Session:
    """With a model of sinusoids, unless `rows` says otherwise."""
    made = Session()
    made.set_model(info(sinusoids() if rows is None else rows, **architecture))
    return made
