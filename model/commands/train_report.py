"""Reports of `train`: a progress bar on a terminal, plain lines in a log, or JSON events."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from tqdm import tqdm

from model.commands.console import emit, one_line, say
from model.config import TrainConfig
from model.training.fields.derive import Derived, shown
from model.training.fields.fields import FIELDS
from model.training.progress.events import (
    ContinuedEvent,
    DoneEvent,
    EvalEvent,
    PausedEvent,
    SavedEvent,
    SnapshotEvent,
    StartEvent,
    StepEvent,
    TrainEvent,
    WorkEvent,
)

STAGES = {
    "reading": "reading",
    "vocabulary": "learning the vocabulary",
    "encoding": "encoding",
    "measuring": "measuring the speed of this machine",
    "evaluating": "evaluating",
    "finishing": "finishing",
}
ENDS = {
    "steps": "all steps done",
    "epochs": "all epochs done",
    "minutes": "the time is up",
    "patience": "no more improvement",
    "asked": "as requested",
}
EVERY = 15.0  # seconds between two lines about steps
_REDRAW = 0.2  # seconds between two pictures of the bar


class Report(Protocol):
    """Takes the events of a run one after another."""

    def __call__(self, event: TrainEvent) -> None:
        """Tell of an event."""

    def note(self, text: str) -> None:
        """Tell the person something else."""

    def close(self) -> None:
        """Nothing more will come."""


def report_for(config: TrainConfig, *, as_json: bool) -> Report:
    """What suits where stderr goes."""
    if as_json:
        return JsonReport()
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    return BarReport(config) if on_terminal else LineReport(config)


class JsonReport:
    """Every event as a JSON object on stdout, signs of life left out."""

    def __call__(self, event: TrainEvent) -> None:
        """Print the event."""
        if not isinstance(event, WorkEvent):
            emit(event.to_json())

    def note(self, text: str) -> None:
        """A line on stderr."""
        say(text)

    def close(self) -> None:
        """Nothing to do."""


class LineReport:
    """Plain lines on stderr: steps a few times a minute, everything else at once."""

    def __init__(self, config: TrainConfig) -> None:
        self._config = config
        self._next = 0.0
        self._stage = ""
        self._problem = ""

    def __call__(self, event: TrainEvent) -> None:
        """Tell of the event, unless it is one of many alike."""
        if isinstance(event, WorkEvent):
            self.work(event)
        elif isinstance(event, StepEvent):
            self.step(event)
        else:
            for line in self._lines(event):
                self.note(line)

    def note(self, text: str) -> None:
        """A line."""
        say(text)

    def close(self) -> None:
        """Nothing to do."""

    def work(self, event: WorkEvent) -> None:
        """Say what has begun."""
        if event.stage in STAGES and event.stage not in (self._stage, "evaluating"):
            self.note(STAGES[event.stage])
        self._stage = event.stage

    def step(self, event: StepEvent) -> None:
        """Say where the run is, now and then."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            self.note(f"{_place(event)}  {_measures(event)}{_left(event)}")

    def _lines(self, event: TrainEvent) -> list[str]:
        if isinstance(event, StartEvent):
            found = {one.name: one.value for one in event.derived if hasattr(self._config, one.name)}
            self._config = replace(self._config, **found)
            return _start_lines(event, self._config)
        if isinstance(event, EvalEvent):
            return _evaluation_lines(event)
        if isinstance(event, PausedEvent):
            return self._paused(event)
        self._problem = ""
        if isinstance(event, ContinuedEvent):
            return [f"{_place(event)}  going on"]
        if isinstance(event, SavedEvent):
            return [f"{_place(event)}  saved"]
        if isinstance(event, SnapshotEvent):
            return [f"{_place(event)}  wrote {event.path}"]
        if isinstance(event, DoneEvent):
            return [f"{_place(event)}  done in {event.minutes:.1f} minutes: {ENDS[event.reason]}"]
        return []

    def _paused(self, event: PausedEvent) -> list[str]:
        """The problem, but not again at every try."""
        if str(event.error) == self._problem:
            return []
        self._problem = str(event.error)
        return [f"{_place(event)}  waiting: {event.error}"]


class BarReport(LineReport):
    """A progress bar on stderr, with the lines of everything but steps above it."""

    def __init__(self, config: TrainConfig) -> None:
        super().__init__(config)
        # tqdm's own lock would reach over processes, and its monitor is a thread that nobody needs here.
        tqdm.set_lock(threading.RLock())
        tqdm.monitor_interval = 0
        self._bleu = ""
        form = "{percentage:3.0f}%|{bar}| {desc}"
        # One bar needs no more than a row, also where the terminal does not say how many it has.
        size = {"ncols": _columns(), "nrows": 20}
        self._bar = tqdm(total=1.0, file=sys.stderr, leave=False, bar_format=form, **size)

    def note(self, text: str) -> None:
        """A line above the bar."""
        with contextlib.suppress(OSError):
            self._bar.write(one_line(text), file=sys.stderr)

    def close(self) -> None:
        """Take the bar away."""
        with contextlib.suppress(OSError):
            self._bar.close()

    def work(self, event: WorkEvent) -> None:
        """What is going on, and how far it is, beside the bar."""
        if event.stage in STAGES:
            amount = f" {event.done:,} of {event.total:,}" if event.total else ""
            self._draw(None, f"{STAGES[event.stage]}{amount}")

    def step(self, event: StepEvent) -> None:
        """Move the bar."""
        share = max(_shares(event, self._config), default=0.0)
        self._draw(share, f"step {event.step}  {_measures(event)}{self._bleu}{_left(event)}")

    def _lines(self, event: TrainEvent) -> list[str]:
        if isinstance(event, EvalEvent) and event.bleu is not None:
            self._bleu = f"  BLEU {event.bleu:.1f}"
        # A bar shows that the run goes on; that it was saved once more is no news.
        return [] if isinstance(event, SavedEvent) else super()._lines(event)

    def _draw(self, share: float | None, text: str) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _REDRAW
        if share is not None:
            self._bar.n = min(1.0, share)
        self._bar.ncols = _columns()
        with contextlib.suppress(OSError):
            self._bar.set_description_str(text)


def _columns() -> int:
    """Of the terminal that stderr is; 80 where it does not say."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _place(event: TrainEvent) -> str:
    return f"step {event.step}  epoch {event.epoch:.2f}"


def _measures(event: StepEvent) -> str:
    return f"loss {event.loss:.4f}  lr {event.lr:.2e}  {event.tokens_per_second:,.0f} tokens/s"


def _left(event: StepEvent) -> str:
    if event.minutes_left is None:
        return ""
    minutes = event.minutes_left
    if minutes < 1:
        return f"  {minutes * 60:.0f} s left"
    return f"  {minutes:.0f} min left" if minutes < 100 else f"  {minutes / 60:.1f} h left"


def _shares(event: StepEvent, config: TrainConfig) -> list[float]:
    """How much of each limit is used up."""
    shares = []
    if config.steps:
        shares.append(event.step / config.steps)
    if config.epochs:
        shares.append(event.epoch / config.epochs)
    if config.minutes and event.minutes_left is not None:
        shares.append(1 - event.minutes_left / config.minutes)
    return shares


def _start_lines(event: StartEvent, config: TrainConfig) -> list[str]:
    held_out = f"{event.dev_pairs:,} held out" if event.dev_pairs else "none held out, there are too few"
    lines = [
        f"{event.train_pairs:,} pairs to train on, {held_out}; {event.parameters:,} parameters on "
        f"{event.device} in {event.precision}, {event.steps_per_epoch:,} steps per epoch"
    ]
    left_out = [f"{count:,} {reason}" for reason, count in event.left_out.items() if count]
    if left_out:
        lines.append(f"left out: {', '.join(left_out)}")
    lines += derived_lines(event.derived, event.advice)
    if event.probe and config.probe_every:
        lines.append(
            f"watching: {event.probe} (its traces take at most {event.probe_bytes / 1e6:,.1f} MB on disk)"
        )
    return lines


def derived_lines(derived: Iterable[Derived], advice: Derived | None = None) -> list[str]:
    """What was worked out because nobody gave it, by its flag, and what might be given."""
    lines = []
    for one in derived:
        field = FIELDS[one.name]
        usual = field.zero if field.zero and not one.usual else shown(one.usual)
        value = f"{shown(one.value)} {field.unit}".strip()
        flag = one.name.replace("_", "-")
        lines.append(f"--{flag}: {usual} → {value}, {one.reason.format(**one.said())}")
    if advice is not None:
        lines.append(advice.reason.format(**advice.said()))
    return lines


def _evaluation_lines(event: EvalEvent) -> list[str]:
    bleu = "" if event.bleu is None else f"  BLEU {event.bleu:.2f}"
    average = "  (average of recent weights)" if event.averaged else ""
    best = "  best" if event.best else ""
    first = f"{_place(event)}  held-out loss {event.heldout_loss:.4f}{bleu}{average}{best}"
    return [first, *(f"    {source} → {translation}" for source, translation in event.samples)]
