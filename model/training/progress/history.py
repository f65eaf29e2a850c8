"""History of a run: what it measured at every step, and what its folder tells afterwards. No torch."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.files.files import StrPath, shown
from model.files.tensor_file import TensorFile
from model.folder.training_log import read_entries
from model.trace.trace_sequence import PROBE, SUFFIX
from model.train_options import TrainOptions
from model.training.progress.events import DoneEvent, EvalEvent, StartEvent, StopReason
from model.training.progress.progress import TRAINING_STATE, StateHeader

Rows = npt.NDArray[np.float64]

COLUMNS = ("step", "loss", "lr", "grad_norm", "tokens_per_second")
STEPS = "history.steps"
"""The tensor's name in the training state."""

MOST_ROWS = 1 << 16
LOGGED_ROWS = 500

_FIRST_ROOM = 1024


class StepHistory:
    """`COLUMNS` of every step; beyond `MOST_ROWS` of every second one, and so on.

    Which steps it holds depends on nothing but the number of the last one: the multiples of the smallest
    power of two that leaves at most `MOST_ROWS`. So a resumed run holds what an unbroken one does.
    """

    def __init__(self, rows: Rows | None = None) -> None:
        kept = np.empty((0, len(COLUMNS))) if rows is None else rows
        self._rows: Rows = np.empty((max(_FIRST_ROOM, len(kept)), len(COLUMNS)))
        self._rows[: len(kept)] = kept
        self._count = len(kept)
        self._stride = 1

    @property
    def rows(self) -> Rows:
        """float64 [n, 5], ascending by step; read-only."""
        view = self._rows[: self._count]
        view.flags.writeable = False
        return view

    def add(self, step: int, *measures: float) -> None:
        """Append a step's measures, in the order of `COLUMNS`."""
        stride = 1 << (step // (MOST_ROWS + 1)).bit_length()
        if stride != self._stride:
            kept = self.rows[self.rows[:, 0] % stride == 0].copy()
            self._count, self._stride = len(kept), stride
            self._rows[: self._count] = kept
        if step % stride:
            return
        if self._count == len(self._rows):
            room = np.empty((2 * self._count, len(COLUMNS)))
            room[: self._count] = self._rows
            self._rows = room
        self._rows[self._count] = (step, *measures)
        self._count += 1

    def thinned(self, most: int = LOGGED_ROWS) -> Rows:
        """At most `most` of the rows, evenly spread, the first and the last among them."""
        if self._count <= most:
            return self.rows
        return self.rows[np.linspace(0, self._count - 1, most).round().astype(np.int64)]


def curve_entry(history: StepHistory, step: int) -> dict[str, Any]:
    """The thinned curve as an entry of the training log."""
    rows = [[int(row[0]), *(float(f"{value:.6g}") for value in row[1:])] for row in history.thinned()]
    return {"event": "curve", "step": step, "columns": list(COLUMNS), "rows": rows}


@dataclass(frozen=True, eq=False)
class StoredRun:
    """A run as its folder tells it.

    Attributes:
        out: the bundle's folder.
        options: as the run was last continued with.
        step: steps done when it was last saved; the bundle's own count where no training state is left.
        minutes: time spent in training.
        resumable: whether a training state is there to go on from.
        start: what was known before the first step, None for a run of an earlier version.
        history: float64 [n, 5], `COLUMNS` of every step; a thinned curve where no training state is left.
        evals: the evaluations up to `step`.
        done: how it ended, None while it has not.
        frames: steps whose probe traces are kept.
    """

    out: Path
    options: TrainOptions
    step: int
    minutes: float
    resumable: bool
    start: StartEvent | None
    history: Rows
    evals: tuple[EvalEvent, ...]
    done: DoneEvent | None
    frames: tuple[int, ...]


def stored_run(out: StrPath) -> StoredRun:
    """What is known of the run in a folder, under way, interrupted, finished, or without its state.

    Raises:
        HeadscopeError: `training_nothing`: no run has written here; the training state is damaged.
    """
    folder = Path(out)
    entries = read_entries(folder)
    state = stored_header(folder) if os.path.exists(folder / TRAINING_STATE) else None
    if state is None:
        options = _logged_options(entries, folder)
        step, minutes, rows = _last_step(entries), _last_minutes(entries), _logged_rows(entries)
    else:
        file, header = state
        options, step, minutes = header.options, header.step, header.progress.minutes
        rows = _stored_rows(file)
    entries = [entry for entry in entries if _place(entry) <= step]
    done = _done(entries[-1] if entries else {})
    return StoredRun(
        out=folder,
        options=options,
        step=step,
        minutes=minutes if done is None else done.minutes,
        resumable=state is not None,
        start=_start(entries),
        history=rows,
        evals=tuple(event for entry in entries if (event := _evaluation(entry)) is not None),
        done=done,
        frames=frame_steps(folder / PROBE),
    )


def stored_header(folder: Path) -> tuple[TensorFile, StateHeader]:
    """The training state of a folder and what its header says; `HeadscopeError` when there is none."""
    path = folder / TRAINING_STATE
    if not os.path.exists(path):
        raise HeadscopeError("training_nothing", path=shown(folder))
    file = TensorFile(path)
    return file, StateHeader.from_metadata(file.metadata, file.path)


def frame_steps(folder: Path) -> tuple[int, ...]:
    """The steps of the frames in a folder of probe traces, by their names, ascending."""
    try:
        names = [name.removesuffix(SUFFIX) for name in os.listdir(folder) if name.endswith(SUFFIX)]
    except OSError:
        return ()
    return tuple(sorted(int(name) for name in names if name.isascii() and name.isdigit()))


def _stored_rows(file: TensorFile) -> Rows:
    info = file.tensors.get(STEPS)
    if info is None:  # a state of an earlier version
        return np.empty((0, len(COLUMNS)))
    if info.dtype != "F64" or len(info.shape) != 2 or info.shape[1] != len(COLUMNS):
        raise HeadscopeError("training_state_invalid", path=file.path, reason=f"{STEPS} has another shape")
    rows: Rows = file.array(STEPS).reshape(info.shape).copy()
    return rows


def _logged_options(entries: list[dict[str, Any]], folder: Path) -> TrainOptions:
    start = next((entry for entry in entries if entry.get("event") == "start"), {})
    if not isinstance(start.get("options"), dict):
        raise HeadscopeError("training_nothing", path=shown(folder))
    try:
        return TrainOptions.from_json(start["options"])
    except (KeyError, ValueError, TypeError, AttributeError):
        raise HeadscopeError("training_nothing", path=shown(folder)) from None


def _logged_rows(entries: list[dict[str, Any]]) -> Rows:
    curves = [entry for entry in entries if entry.get("event") == "curve"]
    if curves and curves[-1].get("columns") == list(COLUMNS):
        try:
            return np.array(curves[-1]["rows"], np.float64).reshape(-1, len(COLUMNS))
        except (KeyError, ValueError, TypeError):
            pass
    return np.empty((0, len(COLUMNS)))


def _place(entry: Mapping[str, Any]) -> float:
    """The step of an entry; 0 where it says none."""
    step = entry.get("step", 0)
    return step if isinstance(step, int) else math.inf


def _last_step(entries: list[dict[str, Any]]) -> int:
    places = [_place(entry) for entry in entries]
    return int(max((place for place in places if math.isfinite(place)), default=0))


def _last_minutes(entries: list[dict[str, Any]]) -> float:
    minutes = [entry["minutes"] for entry in entries if isinstance(entry.get("minutes"), (int, float))]
    return float(minutes[-1]) if minutes else 0.0


def _start(entries: list[dict[str, Any]]) -> StartEvent | None:
    """What the first line says of the run."""
    entry = next((entry.get("run") for entry in entries if entry.get("event") == "start"), None)
    try:
        return None if entry is None else StartEvent(**entry)
    except TypeError:
        return None


def _evaluation(entry: Mapping[str, Any]) -> EvalEvent | None:
    if entry.get("event") != "eval":
        return None
    names = ("step", "epoch", "heldout_loss", "bleu", "averaged", "best")
    try:
        samples = tuple((str(source), str(text)) for source, text in entry.get("samples", ()))
        return EvalEvent(**{name: entry[name] for name in names}, samples=samples)
    except (KeyError, ValueError, TypeError):
        return None


def _done(entry: Mapping[str, Any]) -> DoneEvent | None:
    if entry.get("event") != "done":
        return None
    names = ("step", "epoch", "minutes", "heldout_loss", "bleu")
    reason = entry.get("reason", "steps")
    try:
        return DoneEvent(
            **{name: entry[name] for name in names},
            reason=reason if reason in get_args(StopReason) else "steps",
        )
    except (KeyError, TypeError):
        return None
