"""Every objective in bfloat16, and what training imports."""

from __future__ import annotations

import subprocess
import sys
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


_COPYING = """
import sys
from pathlib import Path
from model.training.train import train
from tests.model.tiny_training import options, write_pairs

folder = Path(sys.argv[1])
given = options(write_pairs(folder / "pairs.tsv"), steps=2, threads=1, copying=True)
for event in train(given, folder / "out"):
    pass
print(sorted({"sympy", "torch._dynamo", "torch._inductor"} & set(sys.modules)))
"""


def test_training_does_not_import_torchs_compiler(tmp_path: Path) -> None:
    """70 MB and more than a second, which torch's own checkpoint of a part of a model takes."""
    command = [sys.executable, "-c", _COPYING, str(tmp_path)]
    root = Path(__file__).parents[4]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=100, check=False)
    assert done.stdout.strip() == "[]", done.stderr
