"""Kills a training run again and again, resumes it, and judges what each kill left; run by test_kill.py.

Usage: python -m tests.model.training.kill_runner FOLDER KILLS SEED. Prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np
import safetensors.numpy
import torch

from model.bundle.bundle import load_bundle
from model.folder.training_log import read_entries
from model.trace.trace_file import open_trace
from model.train_options import TrainOptions
from model.training import prepare
from model.training.control import Control
from model.training.progress.events import StepEvent
from model.training.progress.history import stored_run
from model.training.train import stored_options, train
from tests.model.tiny_training import options, write_pairs

STEPS = 120
MORE = {"eval_every": 12, "save_every": 2, "probe_every": 3, "probe_megabytes": 1, "bleu_sentences": 2}


def go_on(chosen: TrainOptions, out: Path, report: Path, leave: int | None = None) -> tuple[float, float]:
    """Train, writing each step's loss down at once, as whoever looks on sees it.

    Args:
        leave: a pipe that gives a byte for each step that may follow; None: all may.

    Returns:
        seconds before the first step, and of one step.
    """
    control = Control()
    begun = first = time.monotonic()
    descriptor = os.open(report, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    resume = out.exists()
    for event in train(stored_options(out) if resume else chosen, out, resume=resume, control=control):
        if isinstance(event, StepEvent):
            first = time.monotonic() if event.step == 1 else first
            line = json.dumps([event.step, event.loss, event.lr, event.grad_norm])
            os.write(descriptor, line.encode() + b"\n")
            if event.step % 20 == 0:
                control.snapshot.set()
            if leave is not None:
                os.read(leave, 1)
    return first - begun, (time.monotonic() - first) / STEPS


def wait(report: Path, steps: int) -> None:
    """Until so many further steps are reported; for 0 of them not at all."""
    lines = report.read_bytes().count(b"\n") if report.exists() else 0
    until = time.monotonic() + 20
    while steps and time.monotonic() < until:
        if report.exists() and report.read_bytes().count(b"\n") >= lines + steps:
            return
        time.sleep(0.001)


def judge(out: Path) -> int:
    """The step of the state; an exception when any file cannot be read."""
    if not out.exists():
        return -1
    load_bundle(out)
    safetensors.numpy.load_file(out / "training_state.safetensors")
    run = stored_run(out)
    assert run.resumable
    assert [int(step) for step in run.history[:, 0]] == list(range(1, run.step + 1))
    lines = (out / "training_log.jsonl").read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert json.loads(lines[0])["event"] == "start"
    assert len(read_entries(out)) == len(lines)
    for step in run.frames:
        trace = open_trace(out / "probe" / f"{step:08d}.trace")
        assert trace.frame == step
    for folder in (out / "snapshots").glob("step-*"):
        load_bundle(folder)
    return run.step


def seen(report: Path) -> dict[int, set[tuple[float, ...]]]:
    """Everything that was ever reported of each step."""
    found: dict[int, set[tuple[float, ...]]] = {}
    for line in report.read_bytes().splitlines():
        step, *measures = json.loads(line)
        found.setdefault(step, set()).add(tuple(measures))
    return found


def main(folder: Path, kills: int, seed: int) -> None:
    chosen = options(write_pairs(folder / "pairs.tsv"), steps=STEPS, **MORE)
    preparing, step = go_on(chosen, folder / "whole", folder / "whole.jsonl")
    draw = random.Random(seed)
    out, report = folder / "out", folder / "out.jsonl"
    places, unfinished, done, deaths = [], 0, False, 0
    most = STEPS // (kills + 1) - 1  # and one more before the first byte is asked for
    while not done:
        leave, give = os.pipe()
        child = os.fork()
        if child == 0:
            go_on(chosen, out, report, leave)
            os._exit(0)
        # So few steps at a time that the last kill finds the run under way, however fast the machine is.
        os.write(give, bytes(most if deaths < kills else STEPS))
        if deaths < kills:
            # The first ones while the run prepares itself and writes its bundle.
            wait(report, draw.randint(1, most) if deaths > 2 else 0)
            time.sleep(draw.uniform(0.0, 2 * step if deaths > 2 else preparing))
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(leave)
        os.close(give)
        done = os.WIFEXITED(status)
        assert not done or os.WEXITSTATUS(status) == 0
        deaths += not done
        unfinished += len(list(folder.rglob(".*.tmp")))
        places.append(judge(out))
    compare(folder)
    print(json.dumps({"kills": deaths, "places": places, "unfinished": unfinished, "steps": STEPS}))


def compare(folder: Path) -> None:
    """The run that was killed is the same as the one that was not, to the last bit."""
    whole, broken = seen(folder / "whole.jsonl"), seen(folder / "out.jsonl")
    assert whole.keys() == broken.keys() == set(range(1, STEPS + 1))
    assert whole == broken
    a, b = (stored_run(folder / name) for name in ("whole", "out"))
    assert np.array_equal(a.history[:, :4], b.history[:, :4])
    assert [event.to_json() for event in a.evals] == [event.to_json() for event in b.evals]
    assert a.frames == b.frames
    names = ["model.safetensors", "config.json", "source.spm"]
    names += [f"probe/{step:08d}.trace" for step in a.frames]
    for name in names:
        assert (folder / "whole" / name).read_bytes() == (folder / "out" / name).read_bytes(), name
    left = {path.name for path in (folder / "out").rglob("*.tmp")}
    assert not left, left


if __name__ == "__main__":
    torch.set_num_threads(1)
    prepare.EXAMPLES = 2
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
