from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import main
from model.bundle.bundle import load_bundle
from model.commands import train
from model.commands.console import HANG_UP
from model.training.progress.progress import TRAINING_STATE
from tests.model.tiny_training import state_metadata, write_pairs

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
# The program, which hears that its terminal has gone even where the tests were begun by `nohup`.
CHILD = [
    sys.executable,
    "-c",
    "import signal, sys, main\n"
    "if hasattr(signal, 'SIGHUP'):\n"
    "    signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
    "sys.exit(main.main(sys.argv[1:]))",
]
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
    command = [*CHILD, "train", *argv, "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=environment
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        late = threading.Timer(100, child.kill)
        late.start()
        lines = []
        for line in child.stdout:
            lines.append(line)
            if json.loads(line).get("step") == step:
                end(child.pid)
                break
        lines += child.stdout.read().splitlines(keepends=True)
        errors = child.stderr.read().decode()
        late.cancel()
    complete = [line for line in lines if line.endswith(b"\n")]
    return child.returncode, [json.loads(line) for line in complete], errors


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGHUP", 143), ("SIGINT", 130)])
def test_signals_save_first(
    pairs: str, tmp_path: Path, name: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    number = getattr(signal, name)
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


# Closes a terminal when a loss is on it. In it runs the command, or a shell that is given that.
_CLOSED_TERMINAL = """
import os, pty, shlex, sys
shell, *command = sys.argv[1:]
child, terminal = pty.fork()
if not child:
    words = [shell, "--norc", "-i"] if shell else command
    os.execvp(words[0], words)
if shell:
    os.write(terminal, (shlex.join(command) + "\\n").encode())
told = b""
while b"lr" not in told.partition(b"loss")[2]:
    told += os.read(terminal, 65536)
os.close(terminal)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such terminals")
@pytest.mark.parametrize("form", ["bar", "json", "bash"])
def test_a_terminal_that_is_closed_saves_first(pairs: str, tmp_path: Path, form: str) -> None:
    """As when a connection breaks. What the run says from then on is written nowhere, and no error.

    A shell that ends with its terminal says so to its jobs, and then the system says it to them again.
    """
    shell = shutil.which("bash") or "" if form == "bash" else ""
    out = tmp_path / "out"
    argv = [*CHILD, "train", "--pairs", pairs, *SIZES, "--out", str(out), "--steps", "99999"]
    argv += ["--save-every", "99999", "--eval-every", "99999", *(["--json"] if form == "json" else [])]
    done = subprocess.run(
        [sys.executable, "-c", _CLOSED_TERMINAL, shell, *argv], cwd=ROOT, timeout=100, check=False
    )
    assert shell or done.returncode == 143
    end = time.monotonic() + 60  # the shell does not wait for it, and the run's first state is of step 0

    def saved() -> int:
        return int(state_metadata(out)["step"]) if (out / TRAINING_STATE).is_file() else 0

    while not saved() and time.monotonic() < end:
        time.sleep(0.1)
    assert saved() >= 1


@pytest.mark.skipif(not HANG_UP, reason="Windows has no such signal")
def test_only_who_asks_twice_is_obeyed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.setattr(train, "let_terminal_go", lambda: None)
    for asked, status in (
        ((signal.SIGINT,), 130),
        ((HANG_UP, HANG_UP), 143),  # by a shell, and by the system
        ((signal.SIGTERM, HANG_UP), 143),  # as systemd ends a session
        ((HANG_UP, signal.SIGTERM), 143),
    ):
        stop = train._Stop()
        stop.quiet = True
        for number in asked:
            stop._note(number, None)
        assert stop.control.stop.is_set()
        assert (stop.status(), ended) == (status, [])
        stop._note(signal.SIGTERM, None)
        if asked == (HANG_UP, HANG_UP):  # nobody has asked before
            assert not ended
            stop._note(signal.SIGTERM, None)
        assert ended == [143]
        ended.clear()


def test_json_events(pairs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--pairs", pairs, *SIZES, "--steps", "6", "--eval-every", "4", "--log-every", "2", "--json"]
    status, events, errors = run(capsys, "--out", str(tmp_path / "m"), *argv)
    assert (status, errors) == (0, "")
    assert [(event["event"], event["step"]) for event in events] == [
        ("start", 0), ("probe", 0), ("step", 2), ("step", 4), ("eval", 4), ("probe", 4), ("saved", 4),
        ("step", 6), ("eval", 6), ("probe", 6), ("saved", 6), ("done", 6),
    ]  # fmt: skip
    wanted = {
        "start": {
            "resumed", "train_pairs", "dev_pairs", "left_out", "parameters", "steps_per_epoch", "device",
            "precision", "probe", "probe_target", "probe_bytes",
        },
        "probe": {"path"},
        "step": {"loss", "lr", "grad_norm", "tokens_per_second", "minutes_left"},
        "eval": {"heldout_loss", "bleu", "averaged", "best", "samples"},
        "saved": {"path"},
        "done": {"heldout_loss", "bleu", "minutes", "reason"},
    }  # fmt: skip
    for event in events:
        assert set(event) == {"event", "step", "epoch"} | wanted[event["event"]]
    assert all(event["loss"] > 0 and event["tokens_per_second"] > 0 for event in events if "loss" in event)
    assert events[2]["lr"] == pytest.approx(32**-0.5 * 2 * 20**-1.5)
    entry = json.loads((tmp_path / "m/training_log.jsonl").read_text("utf-8").splitlines()[0])
    assert entry["command"].startswith(f"headscope train --out {tmp_path / 'm'} --pairs ")


def test_plain_report(pairs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, events, errors = run(
        capsys, "--pairs", pairs, *SIZES, "--steps", "2", "--out", str(tmp_path / "m")
    )
    assert (status, events) == (0, [])
    for wanted in (
        "learning the vocabulary", " pairs to train on, 1 held out", "step 1 ", "held-out loss", "BLEU",
        " → ", "saved", "done in", "all steps done",
    ):  # fmt: skip
        assert wanted in errors
    assert "\r" not in errors


def test_what_follows_from_the_run_is_said(
    pairs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "m")
    sizes = [flag for flag in SIZES if flag not in ("--warmup", "20")]
    status, events, errors = run(capsys, "--pairs", pairs, *sizes, "--steps", "8", "--json", "--out", out)
    assert (status, errors) == (0, "")
    told = {one["name"]: (one["usual"], one["value"]) for one in events[0]["derived"]}
    assert told["warmup"] == (4000, 2)
    rates = [event["lr"] for event in events if event["event"] == "step"]
    assert rates.index(max(rates)) == 1  # the warm-up ends within the run, and the rate falls
    assert max(rates) <= 0.53 / 32
    status, _, errors = run(capsys, "--pairs", pairs, *sizes, "--steps", "8", "--out", out + "2")
    assert status == 0
    assert "--warmup: 4,000 → 2 steps, as the run makes about 8 steps" in errors
    assert "--learning-rate: 1 → " in errors


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


def test_everything_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Parallel files, filters, an existing vocabulary, another schedule, a probe with kept traces."""
    lines = [f"the {word} is {state}\tle {word} est {state}" for word in WORDS for state in WORDS]
    halves = [[line.split("\t")[side] for line in lines] for side in (0, 1)]
    for name, half in zip(("a.en", "a.fr"), halves):
        (tmp_path / name).write_text("\n".join([*half, half[0], ""]), "utf-8")
    sides = [str(tmp_path / "a.en"), str(tmp_path / "a.fr")]
    first = ["--parallel", *sides, *SIZES, "--steps", "2", "--eval-every", "2", "--json"]
    assert run(capsys, *first, "--out", str(tmp_path / "one"))[0] == 0
    vocabulary = str(tmp_path / "one" / "source.spm")
    argv = [
        "--parallel", *sides, *SIZES, "--drop-duplicates", "--max-characters", "100", "--max-ratio", "3",
        "--vocab-files", vocabulary, "--schedule", "cosine", "--learning-rate", "0.002", "--warmup", "2",
        "--accumulate", "2", "--patience", "9", "--stop-on", "bleu", "--probe", "the ant is bee",
        "--probe-target", "le ant est bee", "--probe-every", "2", "--probe-megabytes", "1", "--steps", "4",
        "--device", "cpu", "--norm", "pre_norm", "--no-attention-bias", "--output-bias", "--json",
    ]  # fmt: skip
    out = tmp_path / "two"
    status, events, errors = run(capsys, *argv, "--out", str(out))
    assert (status, errors) == (0, "")
    start = events[0]
    assert start["left_out"]["duplicate"] == 1
    assert (start["probe"], start["probe_target"]) == ("the ant is bee", "le ant est bee")
    assert start["probe_bytes"] > 0
    kept = [Path(event["path"]).name for event in events if event["event"] == "probe" and event["path"]]
    assert kept == ["00000000.trace", "00000002.trace", "00000004.trace"]
    assert sorted(path.name for path in (out / "probe").iterdir()) == kept
    assert (out / "source.spm").read_bytes() == Path(vocabulary).read_bytes()
    rates = [event["lr"] for event in events if event["event"] == "step"]
    assert rates[1] == pytest.approx(0.002)
    assert rates == [rates[0], max(rates), rates[2], min(rates)]
    architecture = load_bundle(out).config.architecture
    assert (architecture.norm, architecture.attention_bias, architecture.output_bias) == (
        "pre_norm",
        False,
        True,
    )
    status, events, errors = run(capsys, "--out", str(out), "--resume", "--steps", "9", "--json")
    assert (status, events) == (1, [])
    assert "cosine" in errors


WORDS = ["ant", "bee", "cat", "dog", "egg", "fox"]


def test_waits_while_something_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from model.errors import HeadscopeError
    from model.training import train as module
    from model.training.progress.events import ContinuedEvent, DoneEvent, PausedEvent, TrainEvent

    full = HeadscopeError("disk_full", path="m")

    def train(*given: object, **named: object) -> Iterator[TrainEvent]:
        yield PausedEvent(step=3, epoch=0.5, error=full)
        yield PausedEvent(step=3, epoch=0.5, error=full)
        yield ContinuedEvent(step=3, epoch=0.5)
        yield DoneEvent(step=3, epoch=0.5, minutes=0.0, heldout_loss=None, bleu=None)

    waits: list[float] = []
    monkeypatch.setattr(module, "train", train)
    monkeypatch.setattr("model.commands.train.TRY_AGAIN", 0.125)
    monkeypatch.setattr("threading.Event.wait", lambda event, timeout: waits.append(timeout))
    argv = ["--task", "reverse", "--out", str(tmp_path / "m")]
    status, _, errors = run(capsys, *argv)
    assert status == 0
    assert waits == [0.125, 0.125]
    assert errors.count("waiting: the disk is full, m was not written; free some space") == 1
    assert "going on" in errors
    _, events, _ = run(capsys, *argv, "--json")
    assert [event["event"] for event in events] == ["paused", "paused", "continued", "done"]
    assert (events[0]["code"], events[0]["step"]) == ("disk_full", 3)


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
        (["--out", str(tmp_path / "n"), "--pairs", pairs, "--max-ratio", "0.5"], "max_ratio"),
        (["--out", str(tmp_path / "n"), "--pairs", pairs, "--columns", "1", "1"], "columns"),
        (["--out", str(tmp_path / "n"), "--pairs", pairs, "--probe-target", "Oui."], "probe_target"),
        (["--out", str(tmp_path / "n"), "--pairs", pairs, "--vocab-files", "no.spm"], "no.spm"),
        (["--out", str(tmp_path / "n"), "--parallel", "no.en", "no.fr"], "no.en"),
        (
            ["--out", str(tmp_path / "n"), "--pairs", pairs, "--schedule", "cosine", "--minutes", "1"],
            "cosine_steps",
        ),
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
        ["--out", "m", "--pairs", "p", "--preset", "huge"],
        ["--out", "m", "--pairs", "p", "--parallel", "a", "b"],
        ["--out", "m", "--parallel", "a"],
        ["--out", "m", "--pairs", "p", "--vocab-files", "a", "b", "c"],
        ["--out", "m", "--pairs", "p", "--device", "tpu"],
        ["--preview"],
        ["--show-batch"],
        ["--pairs", "p", "--show-batch", "0"],
        ["--pairs", "p", "--preview", "--estimate"],
        ["--out", "m", "--resume", "--preview"],
        ["--out", "m", "--pairs", "p", "--pad", "2"],
        ["--pairs", "p", "--show-batch", "--pad", "-1"],
    ],
)
def test_wrong_usage(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main.main(["train", *argv])
    assert end.value.code == 2
    assert "usage: headscope train" in capsys.readouterr().err
