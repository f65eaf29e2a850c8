"""A writer killed at any moment leaves every file old or new, and its lock free."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

KILLS = 24


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and kill -9")
def test_kills_at_random_moments(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.model.bundle.kill_runner", str(tmp_path), str(KILLS), "20170612"]
    root = Path(__file__).parents[3]
    result = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, cwd=root)
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["kills"] == KILLS
    # Otherwise nothing was killed while it wrote, and nothing was tested.
    assert report["unfinished"] >= 3
    assert report["states"] >= 3
