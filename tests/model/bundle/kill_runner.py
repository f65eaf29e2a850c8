"""Kills a writer again and again and judges what it left; run by test_kill.py in a process of its own.

Usage: python -m tests.model.bundle.kill_runner FOLDER KILLS SEED. Prints one line of JSON.
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

from model.bundle.bundle import (
    load_bundle,
    replace_weights,
    weights_of,
    write_bundle,
)
from model.files.files import folder_lock
from model.trace.trace import ArrayPatterns, AttentionKind, Trace
from model.trace.trace_file import open_trace, save_trace
from model.training.state import load_training_state, save_training_state
from tests.model import tiny_bundle
from tests.model.tiny_trace import make_trace

# Large enough that a write takes as long as the flush after it.
WIDE = tiny_bundle.architecture(d_model=64, d_ff=1024)
KEYS = 160


def weights(value: float) -> dict[str, torch.Tensor]:
    return {name: torch.full_like(tensor, value) for name, tensor in weights_of(MODEL).items()}


def trace(value: float) -> Trace:
    pattern = np.full((2, 2, KEYS, KEYS), value, np.float32)
    return make_trace(
        KEYS,
        KEYS,
        1,
        kinds=(),
        patterns=ArrayPatterns({AttentionKind.CROSS: pattern}),
        seed=int(value * 1024),
    )


def bundle(folder: Path, value: float) -> None:
    spm = tiny_bundle.spm()
    files = {"README.md": repr(value).encode()}
    config = tiny_bundle.config(WIDE, name=repr(value))
    write_bundle(folder, config, weights(value), spm, spm, half=False, extra_files=files)


def write_for_ever(folder: Path, start: int) -> None:
    number = start
    while True:
        number += 1
        value = (number % 1024) / 1024
        with folder_lock(folder / "b"):
            replace_weights(folder / "b", weights(value), half=False)
            save_training_state(folder / "b", {"a": torch.full((50_000,), value)}, {"value": repr(value)})
            save_trace(trace(value), folder / "a.trace")
            bundle(folder / f"new{number}", value)


def only(array: np.ndarray) -> float:
    values = np.unique(array)
    assert len(values) == 1, f"torn: {values}"
    return float(values[0])


def judge(folder: Path) -> tuple[float, ...]:
    """The values found in all files; AssertionError or HeadscopeError when one is torn."""
    found = []
    bundles = [folder / "b", *(path for path in folder.iterdir() if path.name.startswith("new"))]
    for path in bundles:
        tensors = safetensors.numpy.load_file(path / "model.safetensors")
        values = {only(tensor) for tensor in tensors.values()}
        assert len(values) == 1, f"torn: {values}"
        loaded = load_bundle(path)
        if path != folder / "b":
            assert repr(*values) == loaded.config.name == (path / "README.md").read_text()
        found.append(*values)
    state, notes = load_training_state(folder / "b")
    assert repr(only(state["a"].numpy())) == notes["value"]
    opened = open_trace(folder / "a.trace")
    value = only(np.stack([opened.patterns.layer(AttentionKind.CROSS, layer) for layer in range(2)]))
    assert np.array_equal(opened.step_logprob, trace(value).step_logprob)
    with folder_lock(folder / "b"):
        assert not [path for path in (folder / "b").iterdir() if path.name.startswith(".")]
    return (found[0], float(notes["value"]), value)


def main(folder: Path, kills: int, seed: int) -> None:
    draw = random.Random(seed)
    bundle(folder / "b", 0.0)
    save_training_state(folder / "b", {"a": torch.zeros(50_000)}, {"value": "0.0"})
    save_trace(trace(0.0), folder / "a.trace")
    unfinished, states = set(), set()
    for turn in range(kills):
        child = os.fork()
        if child == 0:
            write_for_ever(folder, turn * 40)
            os._exit(1)
        time.sleep(draw.uniform(0.005, 0.12))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        unfinished.update(folder.rglob(".*.tmp"))
        states.add(judge(folder))
    print(json.dumps({"kills": kills, "unfinished": len(unfinished), "states": len(states)}))


if __name__ == "__main__":
    torch.set_num_threads(1)
    MODEL = tiny_bundle.transformer(WIDE)
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
