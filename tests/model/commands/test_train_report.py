from __future__ import annotations

import contextlib
import os
import sys
import threading
from pathlib import Path

import pytest

import main
from model.commands.train_report import BarReport, LineReport, report_for
from model.config import TrainConfig
from model.training.progress.events import DoneEvent, EvalEvent, StartEvent, StepEvent, WorkEvent

START = StartEvent(
    step=0, epoch=0.0, resumed=False, train_pairs=1200, dev_pairs=0, left_out={"empty": 2, "long": 0},
    parameters=85504, steps_per_epoch=40, device="cpu", precision="float32", probe="a b", probe_target="",
    probe_bytes=12_300_000,
)  # fmt: skip


def step(number: int, minutes_left: float | None = None) -> StepEvent:
    return StepEvent(
        step=number, epoch=number / 40, loss=2.5, lr=1e-3, grad_norm=1.0, tokens_per_second=4321.0,
        minutes_left=minutes_left,
    )  # fmt: skip


def test_lines(capsys: pytest.CaptureFixture[str]) -> None:
    report = LineReport(TrainConfig(probe_every=10, steps=100))
    report(WorkEvent(step=0, epoch=0.0, stage="vocabulary", done=1, total=2))
    report(WorkEvent(step=0, epoch=0.0, stage="vocabulary", done=2, total=2))
    report(START)
    for number in range(1, 30):
        report(step(number, 2.2))
    report(EvalEvent(step=30, epoch=0.75, heldout_loss=1.25, bleu=12.345, averaged=True, best=True,
                     samples=(("a", "b"),)))  # fmt: skip
    report(DoneEvent(step=30, epoch=0.75, minutes=1.5, heldout_loss=1.25, bleu=12.3, reason="patience"))
    assert capsys.readouterr().err.splitlines() == [
        "learning the vocabulary",
        "1,200 pairs to train on, none held out, there are too few; 85,504 parameters on cpu in float32, "
        "40 steps per epoch",
        "left out: 2 empty",
        "watching: a b (its traces take at most 12.3 MB on disk)",
        "step 1  epoch 0.03  loss 2.5000  lr 1.00e-03  4,321 tokens/s  2 min left",
        "step 30  epoch 0.75  held-out loss 1.2500  BLEU 12.35  (average of recent weights)  best",
        "    a → b",
        "step 30  epoch 0.75  done in 1.5 minutes: no more improvement",
    ]


@pytest.mark.parametrize(
    ("minutes", "text"), [(0.5, "30 s left"), (12.4, "12 min left"), (150.0, "2.5 h left")]
)
def test_time_left(minutes: float, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    LineReport(TrainConfig(steps=9))(step(1, minutes))
    assert capsys.readouterr().err.endswith(f"tokens/s  {text}\n")


@pytest.mark.parametrize(
    ("config", "share"),
    [
        (TrainConfig(steps=80), " 25%"),
        (TrainConfig(epochs=2.0, steps=800), " 25%"),
        (TrainConfig(minutes=4.0), " 75%"),
        (TrainConfig(), "  0%"),
    ],
)
def test_bar(config: TrainConfig, share: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = BarReport(config)
    report(step(20, 1.0))
    drawn = capsys.readouterr().err
    report.note("a line")
    report.close()
    assert f"{share}|" in drawn
    assert "step 20  loss 2.5000  lr 1.00e-03  4,321 tokens/s" in drawn.replace("\r", "\n")
    assert "a line\n" in capsys.readouterr().err


def test_a_bar_tells_the_last_bleu(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("model.commands.train_report._columns", lambda: 160)
    report = BarReport(TrainConfig(steps=80))
    report(EvalEvent(step=10, epoch=0.25, heldout_loss=1.0, bleu=33.3, averaged=False, best=True))
    report(step(20, 1.0))
    report.close()
    assert "BLEU 33.3  1 min left" in capsys.readouterr().err


def test_no_bar_in_a_log() -> None:
    assert type(report_for(TrainConfig(), as_json=False)) is LineReport


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
def test_bar_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = os.openpty()
    seen: list[bytes] = []
    reader = threading.Thread(target=_read_all, args=(master, seen))
    reader.start()
    with open(slave, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        argv = ["--task", "copy", "--task-size", "60", "--steps", "2", "--threads", "1"]
        assert main.main(["train", *argv, "--out", str(tmp_path / "m")]) == 0
    reader.join()
    os.close(master)
    text = b"".join(seen).decode()
    assert "%|" in text
    assert "\r" in text
    assert "done in" in text
    # The bar is gone in the end: its line is blank.
    assert text.rsplit("\r", 2)[-2].strip() == text.rsplit("\r", 2)[-1].strip() == ""


def _read_all(descriptor: int, seen: list[bytes]) -> None:
    """Until the other end is closed, which Linux tells as an error."""
    with contextlib.suppress(OSError):
        while part := os.read(descriptor, 4096):
            seen.append(part)
