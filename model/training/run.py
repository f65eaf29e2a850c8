"""One training run between its folder and its trainer: the loop, what is measured, what is kept on disk."""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Callable, Generator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from model.bundle import replace_weights, save_training_state, weights_of
from model.errors import HeadscopeError
from model.training.events import DoneEvent, EvalEvent, SavedEvent, StepEvent, TrainEvent, WorkEvent
from model.training.heldout import Heldout, heldout_bleu, heldout_loss
from model.training.log import TrainingLog
from model.training.options import TrainOptions
from model.training.trainer import Trainer

T = TypeVar("T")

LEAST_APART = 50  # steps between two evaluations that are made once an epoch

_REPORT_EVERY = 16  # translations between two signs of life


@dataclass
class Progress:
    """What a run remembers besides weights; stored in the training state's header.

    Attributes:
        best_loss, best_bleu: of the weights that the bundle holds; -1 where BLEU was not measured.
        last_eval: step of the last complete evaluation, -1 when there was none.
    """

    minutes: float = 0.0
    best_loss: float = math.inf
    best_bleu: float = -1.0
    last_eval: int = -1


class Clock:
    """Counts minutes while it runs."""

    def __init__(self, minutes: float = 0.0) -> None:
        self._minutes = minutes
        self._since: float | None = None

    def start(self) -> None:
        """Go on counting."""
        self._since = time.monotonic()

    def stop(self) -> None:
        """Stand still until the next `start`."""
        self._minutes, self._since = self.minutes, None

    @property
    def minutes(self) -> float:
        """Counted so far."""
        return self._minutes + (0.0 if self._since is None else (time.monotonic() - self._since) / 60)


class TrainingRun:
    """Drives `trainer` to the limits of `options`, keeping the bundle in `out` up to date.

    Attributes:
        heldout: what the best weights are chosen on.
        clock: runs while the run works, stands still while its generator waits.
    """

    def __init__(
        self,
        options: TrainOptions,
        out: Path,
        trainer: Trainer,
        heldout: Heldout,
        log: TrainingLog,
        progress: Progress,
        hashes: dict[str, str],
    ) -> None:
        self.options = options
        self.out = out
        self.trainer = trainer
        self.heldout = heldout
        self.log = log
        self.progress = progress
        self.hashes = hashes
        self.clock = Clock(progress.minutes)

    def events(self, should_stop: Callable[[], bool]) -> Generator[TrainEvent, None, bool]:
        """Train to the first limit; returns False when asked to stop before it (the state is saved then)."""
        config, trainer = self.options.train, self.trainer
        while True:
            limit = self.at_limit()
            if self._evaluation_due(limit):
                finished = yield from self._evaluated(should_stop)
                yield self.save()
                if not finished:
                    return False
            if limit:
                return True
            step = trainer.run_step()
            if trainer.step % config.log_every == 0:
                yield StepEvent(
                    **self.where(),
                    loss=step.loss,
                    lr=step.lr,
                    grad_norm=step.grad_norm,
                    tokens_per_second=step.target_tokens / step.seconds,
                )
            if should_stop():
                yield self.save()
                return False
            if config.save_every and trainer.step % config.save_every == 0:
                yield self.save()

    def done_event(self) -> DoneEvent:
        """The run's last event, which is also logged."""
        best = self.progress
        done = DoneEvent(
            **self.where(),
            minutes=round(self.clock.minutes, 3),
            heldout_loss=best.best_loss if math.isfinite(best.best_loss) else None,
            bleu=best.best_bleu if best.best_bleu >= 0 else None,
        )
        self.log.append(done.to_json())
        return done

    def save(self) -> SavedEvent:
        """Write the training state; the event says where."""
        self.progress.minutes = self.clock.minutes
        metadata = {
            "step": str(self.trainer.step),
            "seed": str(self.options.train.seed),
            "config_hash": self.options.config_hash(),
            "options": json.dumps(self.options.to_json()),
            "progress": json.dumps(asdict(self.progress)),
            "data": json.dumps(self.hashes),
        }
        save_training_state(self.out, self.trainer.state(), metadata)
        return SavedEvent(**self.where(), path=str(self.out))

    def at_limit(self) -> bool:
        """Whether one of the limits (steps, epochs, minutes) is reached."""
        config, trainer = self.options.train, self.trainer
        limits = (
            (config.steps, trainer.step),
            (config.epochs, trainer.epoch),
            (config.minutes, self.clock.minutes),
        )
        return any(limit and done >= limit for limit, done in limits)

    def where(self) -> dict[str, Any]:
        """The fields that every event has."""
        return {"step": self.trainer.step, "epoch": round(self.trainer.epoch, 4)}

    def _evaluation_due(self, limit: bool) -> bool:
        """Asked before each step, so that an evaluation that was interrupted is made up for on resuming."""
        step, last, every = self.trainer.step, self.progress.last_eval, self.options.train.eval_every
        if step == last:
            return False
        if every:
            return limit or (step > 0 and step % every == 0)
        whole = self.trainer.epoch == int(self.trainer.epoch)
        return limit or (whole and step - max(last, 0) >= LEAST_APART)

    # evaluation

    def _evaluated(self, should_stop: Callable[[], bool]) -> Generator[TrainEvent, None, bool]:
        """Evaluate; returns False when asked to stop before the end, which leaves nothing changed."""
        with contextlib.closing(self._evaluate()) as evaluation:
            for event in evaluation:
                yield event
                if should_stop() and not isinstance(event, EvalEvent):
                    return False
        return True

    def _evaluate(self) -> Generator[TrainEvent, None, None]:
        """Measure the weights and their average on held-out pairs; keep the better if it is the best."""
        trainer = self.trainer
        trainer.transformer.eval()
        own = yield from self._loss()
        with trainer.averaged_weights():
            mean = yield from self._loss()
            if mean < own:
                yield from self._judge(mean, averaged=True)
        if not mean < own:
            yield from self._judge(own, averaged=False)

    def _loss(self) -> Generator[TrainEvent, None, float]:
        trainer = self.trainer
        loss = yield from self._working(
            heldout_loss(trainer.transformer, self.heldout, trainer.source, trainer.target, trainer.dtype), 0
        )
        if not math.isfinite(loss):
            raise HeadscopeError("training_diverged", step=trainer.step)
        return loss

    def _judge(self, loss: float, *, averaged: bool) -> Generator[TrainEvent, None, None]:
        """Score the weights the model holds now, and keep them if they are the best so far."""
        trainer, progress, heldout = self.trainer, self.progress, self.heldout
        bleu: float | None = None
        samples: tuple[tuple[str, str], ...] = ()
        if heldout.texts:
            bleu, samples = yield from self._working(
                heldout_bleu(trainer.transformer, heldout, trainer.source, trainer.target, trainer.dtype),
                len(heldout.texts),
            )
        if bleu is None or progress.best_bleu < 0:
            best = loss < progress.best_loss
        else:
            best = (bleu, -loss) > (progress.best_bleu, -progress.best_loss)
        if best:
            replace_weights(self.out, weights_of(trainer.transformer), half=self.options.half)
            progress.best_loss, progress.best_bleu = loss, -1.0 if bleu is None else bleu
        progress.last_eval = trainer.step
        event = EvalEvent(
            **self.where(), heldout_loss=loss, bleu=bleu, averaged=averaged, best=best, samples=samples
        )
        self.log.append({**event.to_json(), "minutes": round(self.clock.minutes, 2)})
        yield event

    def _working(self, work: Generator[None, None, T], total: int) -> Generator[TrainEvent, None, T]:
        """What `work` returns; a sign of life for some of its yields."""
        done = 0
        while True:
            try:
                next(work)
            except StopIteration as end:
                result: T = end.value
                return result
            done += 1
            if done % _REPORT_EVERY == 0 or not total:
                yield WorkEvent(**self.where(), stage="evaluating", done=done if total else 0, total=total)
