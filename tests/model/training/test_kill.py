"""A run killed at any moment and resumed is the run that was not killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

KILLS = 22


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and kill -9")
def test_kills_at_random_moments(tmp_path: Path) -> None:
    command = [
        sys.executable, "-m", "tests.model.training.kill_runner", str(tmp_path), str(KILLS), "20170612"
    ]  # fmt: skip
    root = Path(__file__).parents[3]
    result = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False, cwd=root)
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["kills"] == KILLS
    places = report["places"]
    assert places[-1] == report["steps"]
    assert places == sorted(places)  # nothing saved is ever lost again
    # Otherwise all was killed at one moment, and little was tested.
    assert len(set(places)) >= 6
