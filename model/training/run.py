"""Training run: steps, evaluations, saves, and answers to what is asked of it meanwhile."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from model.bundle.bundle import weights_of
from model.bundle.weights import check_finite
from model.errors import HeadscopeError
from model.train_options import TrainOptions
from model.training.control import Control
from model.training.evaluation import Measured, evaluate
from model.training.heldout import Heldout
from model.training.probe import Probe
from model.training.progress.clock import Clock, Pace
from model.training.progress.events import (
    ContinuedEvent,
    DoneEvent,
    EvalEvent,
    PausedEvent,
    ProbeEvent,
    SavedEvent,
    SnapshotEvent,
    StepEvent,
    StopReason,
    TrainEvent,
    WorkEvent,
)
from model.training.progress.frames import Frames
from model.training.progress.history import STEPS, StepHistory, curve_entry
from model.training.progress.progress import EvaluationState, StateHeader
from model.training.run_folder import MENDABLE, RunFolder
from model.training.state import save_training_state
from model.training.trainer import StepResult, Trainer

LEAST_APART = 50  # steps between two evaluations that are made once an epoch
SAVE_MINUTES = 5.0  # of work that may be lost at most

Events = Generator[TrainEvent, None, None]


@dataclass(eq=False)
class TrainingRun:
    """Drives `trainer` to the limits of `options`, keeping the bundle in `folder` up to date.

    A generator of events works between two of them and waits at each. All that is written is written at a
    moment when the trainer holds its own weights, so that the state may be saved at any of them.

    Attributes:
        heldout: what the best weights are chosen on.
        probe: the sentence that is watched, if any; `frames` says which of its traces are kept, None: none.
        hashes: SHA-256 of the data by name.
        clock: runs while the run works, stands still while its generator waits.
    """

    options: TrainOptions
    trainer: Trainer
    heldout: Heldout
    folder: RunFolder
    probe: Probe | None
    frames: Frames | None
    progress: EvaluationState
    history: StepHistory
    hashes: dict[str, str]
    control: Control

    def __post_init__(self) -> None:
        self.clock = Clock(self.progress.minutes)
        self._pace = Pace()
        self._saved = (self.trainer.step, self.progress.last_eval)
        self._saved_minutes = self.progress.minutes
        self._probed = -1

    def events(self) -> Generator[TrainEvent, None, StopReason | None]:
        """Train to the first limit and return which; None when told to stop before it (state saved)."""
        while True:
            # Asked again after each event: a run that waited answers before it makes another step.
            if self.control.stop.is_set():
                yield from self.save()
                return None
            yield from self._answer()
            reason = self.reason()
            if self._evaluation_due(reason is not None):
                yield from self._evaluated()
                if self.progress.last_eval == self.trainer.step:
                    yield from self._watch()
                    yield from self.save()
            elif self._probe_due():
                yield from self._watch()
            elif reason is not None:
                return reason
            elif self._save_due():
                yield from self.save()
            else:
                yield self._step()

    def done(self, reason: StopReason) -> DoneEvent:
        """The run's last event, which also goes into the log, after some of the steps."""
        best = self.progress
        done = DoneEvent(
            **self.where(),
            minutes=round(self.clock.minutes, 3),
            heldout_loss=best.best_loss if math.isfinite(best.best_loss) else None,
            bleu=best.best_bleu if best.best_bleu >= 0 else None,
            reason=reason,
        )
        self.folder.log.add(curve_entry(self.history, self.trainer.step))
        self.folder.log.add(done.to_json())
        return done

    def where(self) -> dict[str, Any]:
        """The fields that every event has."""
        return {"step": self.trainer.step, "epoch": round(self.trainer.epoch, 4)}

    # limits

    def reason(self) -> StopReason | None:
        """Why the run ends here; None while it goes on."""
        config, trainer = self.options.train, self.trainer
        if config.steps and trainer.step >= config.steps:
            return "steps"
        if config.epochs and trainer.epoch >= config.epochs:
            return "epochs"
        if config.minutes and self.clock.minutes >= config.minutes:
            return "minutes"
        if config.patience and self.progress.stale >= config.patience:
            return "patience"
        return "asked" if self.control.stop_after_evaluation.is_set() else None

    def last_step(self) -> float:
        """The step at which the limits of steps and epochs end the run; infinite where there is none."""
        config, trainer = self.options.train, self.trainer
        by_steps = float(config.steps or math.inf)
        rest = max(0.0, config.epochs - trainer.epoch) * trainer.steps_per_epoch
        return min(by_steps, trainer.step + math.ceil(rest - 1e-6) if config.epochs else math.inf)

    def _minutes_left(self) -> float | None:
        config, last = self.options.train, self.last_step()
        left = math.inf
        if math.isfinite(last):
            step = self.trainer.step
            between = config.eval_every or max(LEAST_APART, self.trainer.steps_per_epoch)
            # One may be due right now, and there is one at the end.
            evaluations = last // between - (step - 1) // between + (last % between > 0)
            left = self._pace.minutes_for(last - step, evaluations)
        if config.minutes:
            left = min(left, max(0.0, config.minutes - self.clock.minutes))
        return left if math.isfinite(left) else None

    # a step

    def _step(self) -> TrainEvent:
        began = self.clock.minutes
        result = self.trainer.run_step()
        self._pace.add_step(self.clock.minutes - began)
        speed = result.target_tokens / result.seconds
        self.history.add(self.trainer.step, result.loss, result.lr, result.grad_norm, speed)
        if self.trainer.step % self.options.train.log_every:
            return WorkEvent(**self.where(), stage="training")
        return self._step_event(result, speed)

    def _step_event(self, result: StepResult, speed: float) -> StepEvent:
        return StepEvent(
            **self.where(),
            loss=result.loss,
            lr=result.lr,
            grad_norm=result.grad_norm,
            tokens_per_second=speed,
            minutes_left=self._minutes_left(),
        )

    # evaluation

    def _evaluation_due(self, ending: bool) -> bool:
        """Asked before each step, so that an evaluation that was interrupted is made up for on resuming."""
        step, last, every = self.trainer.step, self.progress.last_eval, self.options.train.eval_every
        if step == last:
            return False
        if every:
            return ending or (step > 0 and step % every == 0)
        whole = self.trainer.epoch == int(self.trainer.epoch)
        return ending or (whole and step - max(last, 0) >= LEAST_APART)

    def _evaluated(self) -> Events:
        """Evaluate and keep the weights if they are the best; told to stop in its midst, change nothing."""
        began = self.clock.minutes
        with contextlib.closing(evaluate(self.trainer, self.heldout, self.progress.is_best)) as work:
            while True:
                try:
                    done, total = next(work)
                except StopIteration as end:
                    measured: Measured = end.value
                    break
                yield WorkEvent(**self.where(), stage="evaluating", done=done, total=total)
                if self.control.stop.is_set():
                    return
        self._pace.evaluation = self.clock.minutes - began
        yield from self._judged(measured)

    def _judged(self, measured: Measured) -> Events:
        progress, weights = self.progress, measured.weights
        if weights is not None:
            yield from self.written(lambda: self.folder.keep_best(weights))
            progress.best_loss = measured.loss
            progress.best_bleu = -1.0 if measured.bleu is None else measured.bleu
        progress.note(measured.loss, measured.bleu, self.options.train.stop_on)
        progress.last_eval = self.trainer.step
        event = EvalEvent(
            **self.where(),
            heldout_loss=measured.loss,
            bleu=measured.bleu,
            averaged=measured.averaged,
            best=weights is not None,
            samples=measured.samples,
        )
        self.folder.log.add({**event.to_json(), "minutes": round(self.clock.minutes, 2)})
        yield from self.written(self.folder.write_log)
        yield event

    # the probe

    def _probe_due(self) -> bool:
        step, every = self.trainer.step, self.options.train.probe_every
        return step != self._probed and (self._probed < 0 or (every > 0 and step % every == 0))

    def _watch(self) -> Events:
        """Decode the probe with the weights of the moment, and keep the trace if its step is one to keep."""
        step = self._probed = self.trainer.step
        if self.probe is None:
            return
        work = self.probe.trace()
        while True:
            try:
                next(work)
            except StopIteration as end:
                trace = end.value
                break
            except HeadscopeError as error:
                if error.code != "model_overflow":
                    raise
                return  # weights that overflow show nothing; the next step's loss will tell
            yield WorkEvent(**self.where(), stage="probe")
        path = ""
        frames = self.frames
        if frames is not None:
            self.folder.keep_frames(lambda kept: frames.keeps(kept, step))
            if frames.keeps(step, step) or self.reason() is not None:
                found: list[Path] = []
                yield from self.written(lambda: found.append(self.folder.write_frame(trace, step)))
                path = str(found[-1])
        yield ProbeEvent(**self.where(), trace=trace, path=path)

    # saving

    def save(self) -> Events:
        """Write the training state."""
        yield from self.written(self._write_state)
        yield SavedEvent(**self.where(), path=str(self.folder.path))

    @property
    def is_saved(self) -> bool:
        """Whether the state on disk is that of this moment."""
        return self._saved == (self.trainer.step, self.progress.last_eval)

    def save_on_leaving(self) -> None:
        """Write the training state unless it is on disk already, if the disk lets it."""
        if self.is_saved:
            return
        try:
            self._write_state()
        except HeadscopeError:
            with contextlib.suppress(HeadscopeError):
                self.folder.mend(self.fill, anew=True)

    def fill(self, folder: Path) -> None:
        """Write the training state into `folder`."""
        save_training_state(folder, self._tensors(), self._header().to_metadata())

    def _write_state(self) -> None:
        self.folder.save_state(self._tensors(), self._header().to_metadata())
        self._saved = (self.trainer.step, self.progress.last_eval)
        self._saved_minutes = self.clock.minutes

    def _tensors(self) -> dict[str, torch.Tensor]:
        tensors = self.trainer.state()
        try:
            check_finite(tensors, "")
        except HeadscopeError:
            # The last update went wrong although its loss was a number. The state on disk is still good.
            raise HeadscopeError("training_diverged", step=self.trainer.step) from None
        return {**tensors, STEPS: torch.from_numpy(self.history.rows.copy())}

    def _header(self) -> StateHeader:
        self.progress.minutes = self.clock.minutes
        return StateHeader(self.trainer.step, self.options, self.progress, self.hashes)

    def _save_due(self) -> bool:
        step, every = self.trainer.step, self.options.train.save_every
        if step == self._saved[0]:
            return False
        return (every > 0 and step % every == 0) or self.clock.minutes - self._saved_minutes >= SAVE_MINUTES

    # what is asked, and what goes wrong

    def _answer(self) -> Events:
        """Do what is asked of the run and does not end it."""
        control = self.control
        if control.snapshot.is_set():
            control.snapshot.clear()
            weights = weights_of(self.trainer.transformer)
            found: list[Path] = []
            yield from self.written(
                lambda: found.append(self.folder.write_snapshot(self.trainer.step, weights))
            )
            yield SnapshotEvent(**self.where(), path=str(found[-1]))
        if control.save.is_set():
            control.save.clear()
            yield from self.save()

    def written(self, write: Callable[[], object]) -> Events:
        """Write; while something is in the way that a person can mend, say so and try again when advanced.

        Raises:
            HeadscopeError: what is in the way, once the run is told to stop; or something of another kind.
        """
        waiting = False
        while True:
            try:
                if waiting:
                    self.folder.mend(self.fill, anew=self.control.stop.is_set())
                write()
                break
            except HeadscopeError as error:
                if error.code not in MENDABLE or self.control.stop.is_set():
                    raise
                waiting = True
                paused = PausedEvent(**self.where(), error=error)
            yield paused
        if waiting:
            yield ContinuedEvent(**self.where())
