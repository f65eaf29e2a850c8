"""Evaluation of a run: which of its two sets of weights is better, and how good that one is."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass

from torch import Tensor

from model.bundle.bundle import weights_of
from model.errors import HeadscopeError
from model.training.heldout import Heldout, heldout_bleu, heldout_loss
from model.training.trainer import Trainer
from model.work import retold

Signs = Generator[tuple[int, int], None, "Measured"]


@dataclass(frozen=True, eq=False)
class Measured:
    """What an evaluation found.

    Attributes:
        loss: nats per target token.
        bleu: None when it is not measured.
        averaged: whether the running average of the weights did better than the weights themselves.
        samples: (source, translation) of a few held-out sentences.
        weights: a copy of the better ones if they are the best so far, else None.
    """

    loss: float
    bleu: float | None
    averaged: bool
    samples: tuple[tuple[str, str], ...]
    weights: dict[str, Tensor] | None


def evaluate(trainer: Trainer, heldout: Heldout, is_best: Callable[[float, float | None], bool]) -> Signs:
    """Measure the weights and their running average on held-out pairs, and BLEU of the better.

    Yields (done, total) as a sign of life, (0, 0) where the end is not known; left at any of them, the
    trainer has its own weights again.

    Raises:
        HeadscopeError: `training_diverged`: the loss is not a number.
    """
    trainer.transformer.eval()
    own = yield from _loss(trainer, heldout)
    with trainer.averaged_weights():
        mean = yield from _loss(trainer, heldout)
        if mean < own:
            return (yield from _score(trainer, heldout, mean, True, is_best))
    return (yield from _score(trainer, heldout, own, False, is_best))


def _loss(trainer: Trainer, heldout: Heldout) -> Generator[tuple[int, int], None, float]:
    work = heldout_loss(trainer.transformer, heldout, trainer.source, trainer.target, trainer.dtype)
    loss = yield from retold(work, lambda _: (0, 0))
    if not math.isfinite(loss):
        raise HeadscopeError("training_diverged", step=trainer.step)
    return loss


def _score(
    trainer: Trainer,
    heldout: Heldout,
    loss: float,
    averaged: bool,
    is_best: Callable[[float, float | None], bool],
) -> Signs:
    """Measure the weights that the model holds now."""
    bleu: float | None = None
    samples: tuple[tuple[str, str], ...] = ()
    if heldout.texts:
        work = heldout_bleu(trainer.transformer, heldout, trainer.source, trainer.target, trainer.dtype)
        bleu, samples = yield from retold(work, lambda done: (done, len(heldout.texts)))
    weights = None
    if is_best(loss, bleu):
        live = weights_of(trainer.transformer)
        weights = {name: tensor.to("cpu", copy=True) for name, tensor in live.items()}
    return Measured(loss, bleu, averaged, samples, weights)
