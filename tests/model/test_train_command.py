from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import main
from model.bundle import load_bundle
from tests.model.tiny_training import write_pairs

ROOT = Path(main.__file__).parent
TINY = {
    "--d-model": 32,
    "--n-heads": 2,
    "--encoder-layers": 1,
    "--decoder-layers": 1,
    "--d-ff": 64,
    "--vocab-size": 320,
    "--batch-tokens": 96,
    "--warmup": 20,
    "--bleu-sentences": 4,
    "--threads": 1,
    "--precision": "float32",
}
SIZES = [str(part) for pair in TINY.items() for part in pair]


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    return str(write_pairs(tmp_path / "pairs.tsv"))


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, list[dict[str, Any]], str]:
    """Exit status, JSON events and stderr of `train` in this process."""
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    try:
        status = main.main(["train", *argv])
        assert signal.getsignal(signal.SIGINT) is before[1]
    finally:
        signal.signal(signal.SIGTERM, before[0])
    captured = capsys.readouterr()
    return status, [json.loads(line) for line in captured.out.splitlines()], captured.err


def losses(found: list[dict[str, Any]]) -> dict[int, float]:
    return {event["step"]: event["loss"] for event in found if event["event"] == "step"}


def child_until(
    argv: list[str], step: int, end: Callable[[int], None]
) -> tuple[int, list[dict[str, Any]], str]:
    """`train` in a process of its own, which `end(pid)` ends when it has reported `step`."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(ROOT / "main.py"), "train", *argv, "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=environment
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        lines = []
        for line in child.stdout:
            lines.append(line)
            if json.loads(line).get("step") == step:
                end(child.pid)
                break
        lines += child.stdout.read().splitlines(keepends=True)
        errors = child.stderr.read().decode()
    complete = [line for line in lines if line.endswith(b"\n")]
    return child.returncode, [json.loads(line) for line in complete], errors


def test_killed_and_resumed_equals_unbroken(
    pairs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["--pairs", pairs, *SIZES, "--steps", "60", "--save-every", "5", "--eval-every", "25"]
    status, whole, _ = run(capsys, "--out", str(tmp_path / "whole"), "--json", *argv)
    assert status == 0
    out = tmp_path / "out"
    status, first, _ = child_until([*argv, "--out", str(out)], 33, lambda pid: os.kill(pid, signal.SIGKILL))
    assert status == -signal.SIGKILL
    load_bundle(out)
    status, second, _ = run(capsys, "--out", str(out), "--resume", "--json")
    assert status == 0
    assert second[-1]["event"] == "done"
    resumed_at = min(losses(second))
    assert resumed_at in (31, 36, 41, 46, 51, 56)
    assert resumed_at <= max(losses(first)) + 1
    assert losses(whole).keys() == (losses(first) | losses(second)).keys()
    for found in (losses(first), losses(second)):
        for step, loss in found.items():
            assert loss == pytest.approx(losses(whole)[step], rel=1e-6)
    assert list(losses(second)) == list(range(resumed_at, 61))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signals_save_first(
    pairs: str, tmp_path: Path, number: int, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    argv = ["--pairs", pairs, *SIZES, "--out", str(out), "--steps", "100000"]
    found, events, errors = child_until(argv, 7, lambda pid: os.kill(pid, number))
    assert found == status, errors
    assert events[-1]["event"] == "saved"
    assert events[-1]["step"] == max(losses(events)) >= 7
    assert "Traceback" not in errors
    assert "saving the run first" in errors
    last = events[-1]["step"] + 2
    resumed, more, _ = run(capsys, "--out", str(out), "--resume", "--json", "--steps", str(last))
    assert resumed == 0
    assert list(losses(more)) == [last - 1, last]


def test_json_events(pairs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--pairs", pairs, *SIZES, "--steps", "6", "--eval-every", "4", "--log-every", "2", "--json"]
    status, events, errors = run(capsys, "--out", str(tmp_path / "m"), *argv)
    assert (status, errors) == (0, "")
    assert [(event["event"], event["step"]) for event in events] == [
        ("step", 2), ("step", 4), ("eval", 4), ("saved", 4),
        ("step", 6), ("eval", 6), ("saved", 6), ("saved", 6), ("done", 6),
    ]  # fmt: skip
    wanted = {
        "step": {"loss", "lr", "grad_norm", "tokens_per_second"},
        "eval": {"heldout_loss", "bleu", "averaged", "best", "samples"},
        "saved": {"path"},
        "done": {"heldout_loss", "bleu", "minutes"},
    }
    for event in events:
        assert set(event) == {"event", "step", "epoch"} | wanted[event["event"]]
    assert all(event["loss"] > 0 and event["tokens_per_second"] > 0 for event in events if "loss" in event)
    assert events[0]["lr"] == pytest.approx(32**-0.5 * 2 * 20**-1.5)
    first = json.loads((tmp_path / "m/training_log.jsonl").read_text("utf-8").splitlines()[0])
    assert first["command"].startswith(f"headscope train --out {tmp_path / 'm'} --pairs ")


def test_plain_report(pairs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, events, errors = run(
        capsys, "--pairs", pairs, *SIZES, "--steps", "2", "--out", str(tmp_path / "m")
    )
    assert (status, events) == (0, [])
    for wanted in ("learning the vocabulary", "step 1 ", "held-out loss", "BLEU", " → ", "saved", "done in"):
        assert wanted in errors


def test_task(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rev"
    argv = ["--task", "reverse", "--task-size", "200", "--steps", "2", "--threads", "1", "--json"]
    status, events, _ = run(capsys, "--out", str(out), *argv)
    assert status == 0
    assert events[-1]["event"] == "done"
    bundle = load_bundle(out)
    assert bundle.source_tokenizer is bundle.target_tokenizer
    assert bundle.config.architecture.source_vocab == 28
    assert (bundle.config.architecture.encoder_layers, bundle.config.architecture.n_heads) == (1, 2)
    assert "the same words in reverse order" in (out / "README.md").read_text("utf-8")
    status, events, _ = run(capsys, "--out", str(out), "--resume", "--steps", "3", "--json")
    assert (status, list(losses(events))) == (0, [3])


def test_refusals(pairs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "m")
    argv = ["--pairs", pairs, *SIZES, "--steps", "2", "--out", out]
    assert run(capsys, *argv)[0] == 0
    one_column = tmp_path / "one.tsv"
    one_column.write_text("alone\n")
    cases = [
        (argv, "--resume"),
        ([*argv, "--resume", "--d-ff", "32"], "d_ff was 64"),
        (["--out", out, "--resume", "--preset", "tiny"], "d_model was 32"),
        (["--out", str(tmp_path / "none"), "--resume"], "no training state"),
        (["--out", str(tmp_path / "a" / "b"), "--pairs", pairs], "there is no folder"),
        (["--out", str(tmp_path / "n"), "--pairs", str(one_column)], "has no tab"),
        (["--out", str(tmp_path / "n"), "--pairs", pairs, "--n-heads", "7"], "divide"),
        (["--out", str(tmp_path / "n"), "--pairs", pairs, "--seed", "-1"], "seed"),
        (["--out", str(tmp_path / "n"), "--pairs", pairs, "--name", " "], "name"),
        (["--out", str(tmp_path / "n"), "--pairs", pairs, "--dropout", "nan"], "dropout"),
    ]
    for case, words in cases:
        status, events, errors = run(capsys, *case)
        assert (status, events) == (1, [])
        line = errors.splitlines()[-1]
        assert line.startswith("headscope: error: ")
        assert words in line
        assert "Traceback" not in errors
    assert not (tmp_path / "n").exists()


@pytest.mark.parametrize(
    "argv",
    [
        ["--out", "m"],
        ["--pairs", "p"],
        ["--out", "m", "--pairs", "p", "--task", "reverse"],
        ["--out", "m", "--task", "unheard"],
        ["--out", "m", "--pairs", "p", "--steps", "many"],
        ["--out", "m", "--pairs", "p", "--norm", "none"],
    ],
)
def test_wrong_usage(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main.main(["train", *argv])
    assert end.value.code == 2
    assert "usage: headscope train" in capsys.readouterr().err
