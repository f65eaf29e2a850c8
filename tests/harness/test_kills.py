"""The short tier of the kills and of the disks: a few of each scene."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.disks import can_mount

ROOT = Path(__file__).resolve().parents[2]
COUNT = 9


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="what is killed are forks")
def test_a_kill_leaves_the_old_or_the_new() -> None:
    """In a process of its own: a fork of one with threads would not do."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.harness.kills", "--count", str(COUNT)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=550)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    assert result.stdout.count("kills") == 3


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_full_disk_costs_one_sentence() -> None:
    if os.name != "posix" or not can_mount():
        pytest.skip("this process may not mount a file system")
    command = [sys.executable, "-W", "ignore", "-m", "tests.harness.disks", "--count", "20"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=550)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    assert "training, full" in result.stdout
