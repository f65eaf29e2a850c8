"""Live words: where a run stands."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.config import TrainConfig
from model.training.progress.events import DoneEvent, WorkEvent
from viewer.document.training.training import Training

translate = QCoreApplication.translate
_SPEED_OVER = 50  # steps


def state_sentence(training: Training) -> str:
    """The phase, how far the run is and how fast, what it is doing besides steps."""
    phase = training.phase
    if phase == "idle":
        return translate("Training", "No run yet")
    if phase == "preparing":
        return _joined(translate("Training", "Preparing"), work_text(training.work))
    if phase == "ended":
        return _ended(training)
    heads = {
        "running": translate("Training", "Training"),
        "pausing": translate("Training", "Pausing"),
        "paused": translate("Training", "Paused"),
        "waiting": translate("Training", "Waiting"),
        "stopping": translate("Training", "Stopping"),
        "failed": translate("Training", "Stopped by an error"),
    }
    parts = [heads[phase], *_place(training)]
    if phase == "running" and training.work is None:
        parts += _pace(training)
    elif phase in ("running", "stopping", "pausing"):
        parts.append(work_text(training.work))
    return _joined(*parts)


def advice(training: Training) -> str:
    """What the person should know or do now; empty while all goes its way."""
    phase = training.phase
    if phase == "waiting" and training.problem is not None:
        wait = translate("Training", "The run is waiting; nothing is lost.")
        return f"{training.problem.sentence()} {wait}"
    if phase == "failed":
        sentence = training.problem.sentence() if training.problem is not None else ""
        kept = (
            translate("Training", "What was saved last is kept: Resume goes on from there.")
            if training.resumable
            else ""
        )
        return f"{sentence} {kept}".strip()
    if phase == "ended":
        if training.done is not None:
            return translate(
                "Training",
                "The best weights are in {folder}. Look at their attention, or translate with them.",
            ).format(folder=_folder(training))
        if training.resumable:
            return translate(
                "Training", "Everything is saved in {folder}. Resume goes on as if it had never stopped."
            ).format(folder=_folder(training))
    if phase == "paused":
        return translate(
            "Training", "Everything is saved. The program may be closed; Resume goes on from here."
        )
    return ""


def work_text(work: WorkEvent | None) -> str:
    """What goes on besides steps, and how far it is; empty when nothing does."""
    if work is None or work.stage in ("training", "probe"):
        return ""
    stages = {
        "reading": translate("Training", "reading the pairs"),
        "vocabulary": translate("Training", "learning the vocabulary"),
        "encoding": translate("Training", "splitting the pairs into tokens"),
        "measuring": translate("Training", "measuring how fast this machine is"),
        "evaluating": translate("Training", "evaluating on held-out pairs"),
        "finishing": translate("Training", "finishing the model's folder"),
    }
    text = stages[work.stage]
    share = _share_of(work)
    if work.stage == "reading" and share is not None:  # it counts bytes
        text = translate("Training", "{work}, {share} %").format(work=text, share=int(100 * share))
    elif share is not None:
        text = translate("Training", "{work}, {done} of {total}").format(
            work=text, done=f"{work.done:,}", total=f"{work.total:,}"
        )
    return text


def share_done(training: Training) -> float | None:
    """How much of the run is done, by the limit that is nearest; None when that is not known.

    While the run is prepared, and while it evaluates, how much of that is done.
    """
    work = training.work
    if training.phase == "preparing" or (work is not None and work.stage == "finishing"):
        return None if work is None else _share_of(work)
    if training.done is not None:
        return 1.0
    if training.order is None or training.last_step is None:
        return None
    return _share(training, training.order.options.train)


def _share_of(work: WorkEvent) -> float | None:
    """How much of the work is done; None when that is not known.

    A vocabulary is given its sentences one by one, and is then learned without a word of how far it is.
    """
    if not work.total or (work.stage == "vocabulary" and work.done >= work.total):
        return None
    return work.done / work.total


def _share(training: Training, config: TrainConfig) -> float | None:
    step = training.last_step
    assert step is not None
    shares = []
    if config.steps:
        shares.append(step.step / config.steps)
    if config.epochs:
        shares.append(step.epoch / config.epochs)
    if config.minutes and step.minutes_left is not None and not shares:
        shares.append(1.0 - step.minutes_left / config.minutes)
    return min(1.0, max(0.0, *shares)) if shares else None


def duration(minutes: float) -> str:
    """A time to wait, no more exactly than it is known."""
    if minutes < 1:
        return translate("Training", "less than a minute")
    if minutes < 100:
        return translate("Training", "{count} min").format(count=round(minutes))
    hours = minutes / 60
    if hours < 48:
        return translate("Training", "{count} h").format(
            count=f"{hours:.1f}" if hours < 10 else f"{hours:.0f}"
        )
    return translate("Training", "{count} days").format(count=f"{hours / 24:.1f}")


def _place(training: Training) -> list[str]:
    step = training.last_step
    if step is None:
        return []
    return [
        translate("Training", "step {number}").format(number=f"{step.step:,}"),
        translate("Training", "epoch {number}").format(number=f"{step.epoch:.1f}"),
    ]


def _pace(training: Training) -> list[str]:
    step = training.last_step
    if step is None:
        return []
    # Single steps' speeds differ too much to be read while they change.
    speed = float(np.mean(training.curves.series("tokens_per_second")[1][-_SPEED_OVER:]))
    parts = [translate("Training", "{count} tokens/s").format(count=f"{speed:,.0f}")]
    if step.minutes_left is not None:
        parts.append(
            translate("Training", "less than a minute left")
            if step.minutes_left < 1
            else translate("Training", "about {time} left").format(time=duration(step.minutes_left))
        )
    return parts


def _ended(training: Training) -> str:
    done = training.done
    if done is None:
        return _joined(
            translate("Training", "Ended before its limit")
            if training.resumable
            else translate("Training", "Ended"),
            *_place(training),
        )
    parts = [
        _reason(done),
        translate("Training", "{count} steps").format(count=f"{done.step:,}"),
        duration(done.minutes),
    ]
    if done.heldout_loss is not None:
        parts.append(translate("Training", "held-out loss {loss}").format(loss=f"{done.heldout_loss:.4g}"))
    if done.bleu is not None:
        parts.append(translate("Training", "BLEU {score}").format(score=f"{done.bleu:.1f}"))
    return _joined(*parts)


def _reason(done: DoneEvent) -> str:
    if done.reason == "patience":
        return translate("Training", "Finished: no more improvement")
    return (
        translate("Training", "Finished after an evaluation, as requested")
        if done.reason == "asked"
        else translate("Training", "Finished")
    )


def _folder(training: Training) -> str:
    return training.order.out if training.order is not None else ""


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)
