"""The short tier of the mutants: some of every format, and the judge itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from model.errors import MESSAGES
from tests.harness import mutants
from tests.harness.mutants import judge

ROOT = Path(__file__).resolve().parents[2]
COUNT, SEED = 160, 7


@pytest.mark.parametrize(
    ("status", "out", "err", "wrong"),
    [
        (0, '{"score": -1.5}\n', "", ""),
        (1, "", "headscope: error: there is no such file\n", ""),
        (1, '{"error": "no text"}\n', "", ""),
        (0, '{"score": NaN}\n', "", "a number that is none"),
        (0, '{"score": \n', "", "no JSON"),
        (1, "", "", "failed without a sentence"),
        (97, "", "Traceback (most recent call last):\n", "traceback"),
        (1, "", f"headscope: error: {MESSAGES['out_of_memory']}\n", "too little memory"),
        (3, "", "", "exit 3"),
    ],
)
def test_a_judge_that_sees(status: int, out: str, err: str, wrong: str) -> None:
    assert judge(status, out, err) == wrong


@pytest.mark.parametrize(("seconds", "sound", "wrong"), [(4.9, 0.1, ""), (5.1, 0.1, "5.1 s"), (5.1, 4.9, "")])
def test_a_slow_processor_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, seconds: float, sound: float, wrong: str
) -> None:
    read: list[list[str]] = []

    def read_apart(words: list[str], home: Path) -> tuple[str, float]:
        read.append(words)
        return "", sound

    monkeypatch.setattr(mutants, "read_apart", read_apart)
    words = ["info", "/broken/t5", "--json"]
    assert mutants.too_slow(seconds, words, Path("/broken/t5"), Path("/sound/t5"), Path("/")) == wrong
    assert read == ([["info", "/sound/t5", "--json"]] if seconds > 5 else [])


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants are read in forks")
def test_every_mutant_ends_well(tmp_path: Path) -> None:
    """In a process of its own: a fork of one with threads would not do."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.harness.mutants", "--keep", str(tmp_path)]
    command += ["--count", str(COUNT), "--seed", str(SEED)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=800)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    assert result.stdout.count("mutants") == 16
