"""The short tier: some deeds of the monkey, of a seed that broke the window once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not say what is open")
def test_the_window_lives_through_the_monkey() -> None:
    command = [sys.executable, "-m", "tests.harness.monkey", "--seed", "6", "--actions", "150"]
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=280)
    assert result.returncode == 0, result.stdout
    assert "seed 6: nothing broke" in result.stdout
