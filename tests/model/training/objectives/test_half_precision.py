"""Every objective in bfloat16."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from model.training.train import train
from tests.model.tiny_training import losses, options, write_pairs

KINDS: dict[str, dict[str, Any]] = {
    "teacher forcing": {},
    "scheduled sampling": {"sampling_rate": 0.5, "sampling_steps": 1},
    "copying": {"copying": True},
    "copying, sampled": {"copying": True, "sampling_rate": 0.5, "sampling_steps": 1},
    "guided": {"guide": "diagonal", "guide_weight": 0.1},
    "in rounds": {"generation": "all_at_once"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_objective_trains_in_half_precision(kind: str, tmp_path: Path) -> None:
    """To the losses of float32 but for the rounding of bfloat16, which has 8 bits."""
    pairs, found = write_pairs(tmp_path / "pairs.tsv"), {}
    for precision in ("float32", "bfloat16"):
        given = options(pairs, steps=3, threads=1, log_every=1, precision=precision, **KINDS[kind])
        found[precision] = losses(list(train(given, tmp_path / precision)))
    assert found["bfloat16"] == pytest.approx(found["float32"], rel=0.03)
    assert len(found["bfloat16"]) == 3
