"""A small time-lapse on disk, made by hand, and what its files say to a reader that is not ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open

from model.trace.trace_file import save_trace
from tests.viewer.export_samples import FRENCH, sample_trace

STEPS = (0, 100, 200, 1200)


def keep(folder: Path, step: int, target: tuple[str, ...] = FRENCH, **changes: Any) -> Path:
    """Write the frame of a training step."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{step:08d}.trace"
    trace = sample_trace(seed=step, target=target, **changes)
    save_trace(trace, path, float16=True, frame=step, frame_kind="training_step")
    return path


def make_sequence(folder: Path) -> Path:
    """Frames of all `STEPS`."""
    for step in STEPS:
        keep(folder, step)
    return folder


def weights_on_disk(folder: Path, step: int, layer: int, head: int, kind: str = "cross") -> np.ndarray:
    """A head's weights as the safetensors library reads them."""
    with safe_open(str(folder / f"{step:08d}.trace"), "numpy") as file:
        weights: np.ndarray = file.get_tensor(kind)[layer, head].astype(np.float32)
    return weights
