"""`Trainer`: one optimizer step after another, the part of training that touches weights.

Everything a step depends on is a function of the configuration, the step number and the stored state, so a
run resumed from `state()` repeats an unbroken one; the number of processes it is shared by does not belong to
it.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from model.config import TrainConfig
from model.data.batches import make_batch, share_of
from model.data.corpus import EncodedCorpus
from model.data.subwords import resegmented
from model.errors import HeadscopeError
from model.network.dropout import Dropout
from model.network.precision import bound_kernel_cache, compute_dtype
from model.network.transformer import Transformer
from model.tokens.tokenizer import SentencePieceTokenizer, Tokenizer
from model.training.adamw import AdamW
from model.training.distributed import Ranks
from model.training.objectives.objective import Inputs, Pass
from model.training.objectives.registry import objective_of
from model.training.plan import StepPlan
from model.training.schedule import learning_rate

# Far from what steps add to a seed, and odd: CPU generators look at its lowest 32 bits alone.
RANK_SEED = 2_654_435_761


@dataclass(frozen=True)
class StepResult:
    """What one step measured; loss in nats per target token, without smoothing."""

    loss: float
    lr: float
    grad_norm: float
    target_tokens: int
    seconds: float


def _seed_of(config: TrainConfig, step: int) -> int:
    return config.seed * 1_000_003 + step


def pairs_of_step(
    corpus: EncodedCorpus,
    batches: list[NDArray[np.int64]],
    config: TrainConfig,
    step: int,
    tokenizers: tuple[Tokenizer, Tokenizer],
    positions: int,
) -> tuple[EncodedCorpus, list[NDArray[np.int64]]]:
    """The planned batches of a step as they are trained on: cut anew where `config` has merges left out.

    Args:
        positions: of the model, which bound how long a cut may be.
    """
    source, target = tokenizers
    if not config.bpe_dropout:
        return corpus, batches
    assert isinstance(source, SentencePieceTokenizer)
    assert isinstance(target, SentencePieceTokenizer)
    return resegmented(
        corpus,
        batches,
        source,
        target,
        dropout=config.bpe_dropout,
        seed=_seed_of(config, step),
        max_tokens=min(config.max_tokens, positions),
    )


class Trainer:
    """Trains `transformer` in place on `corpus` (AdamW 0.9, 0.98, 1e-9: paper, section 5.3).

    Attributes:
        step: optimizer steps done.
        average: running average of the weights over about the last `config.average_steps` steps. Early on
            it spans a tenth of the steps done, so that the random start is soon forgotten. The norms' running
            statistics are averaged alike: those of the averaged weights would take a pass over the data.
    """

    def __init__(
        self,
        transformer: Transformer,
        corpus: EncodedCorpus,
        config: TrainConfig,
        source: Tokenizer,
        target: Tokenizer,
        ranks: Ranks | None = None,
    ) -> None:
        self.transformer = transformer
        self.corpus = corpus
        self.config = config
        self.source, self.target = source, target
        self.ranks = Ranks() if ranks is None else ranks
        self.step = 0
        self.device = transformer.output.weight.device
        self.dtype = compute_dtype(config.precision, self.device)
        bound_kernel_cache()
        self.names = [name for name, _ in transformer.named_parameters()]
        self.parameters = list(transformer.parameters())
        self.statistics = dict(transformer.statistics())
        if self.statistics and self.ranks.world > 1:
            raise HeadscopeError("ranks_batch_norm")
        self.average = [tensor.clone() for tensor in self._live()]
        self.fused = self.device.type in ("cpu", "cuda")
        self.optimizer = AdamW(
            self.parameters,
            lr=0.0,
            betas=(0.9, 0.98),
            eps=1e-9,
            weight_decay=config.weight_decay,
            fused=self.fused,
        )
        self.generator = torch.Generator(device=self.device)
        for module in transformer.modules():
            if isinstance(module, Dropout):
                module.generator = self.generator
        self._plan = StepPlan(corpus, config)
        self._objective, self._penalties = objective_of(transformer.architecture, config)
        self._parallel: nn.Module = transformer

    @property
    def epoch(self) -> float:
        """Passes over the data done, in fractions."""
        return self._plan.epochs_done(self.step)

    @property
    def steps_per_epoch(self) -> int:
        """Steps of the present epoch."""
        return self._plan.steps_in(self._plan.epoch_of(self.step))

    def join(self) -> None:
        """Every rank at once, before the first step: take rank 0's state, and share steps from here on."""
        if self.ranks.world > 1:
            self.ranks.broadcast([*self.parameters, *self._moments()])
            self._parallel = self.ranks.data_parallel(self.transformer)

    def run_step(self) -> StepResult:
        """Forward and backward passes and an update.

        Raises:
            HeadscopeError: the loss or the gradient is not a number (weights, optimizer and average are as
                they were before), or another rank is gone.
        """
        began = time.perf_counter()
        self.transformer.train()
        corpus, batches = self.pairs_of(self.step)
        tokens = sum(int(corpus.lengths_at(batch)[1].sum()) + len(batch) for batch in batches)
        before = [statistic.clone() for statistic in self.statistics.values()]
        self._seed(self.ranks.rank)
        try:
            with self.ranks.step():
                nll = self.ranks.mean(self._add_gradients(corpus, batches, tokens))
                norm = torch.nn.utils.clip_grad_norm_(self.parameters, self.config.clip)
                # The one moment at which the processor waits for the device.
                loss, grad_norm = torch.stack((nll, norm)).tolist()
            if not (math.isfinite(loss) and math.isfinite(grad_norm)):
                for statistic, own in zip(self.statistics.values(), before):
                    statistic.copy_(own)
                raise HeadscopeError("training_diverged", step=self.step + 1)
            lr = self._learning_rate(self.step + 1)
            self.optimizer.lr = lr
            self.optimizer.step()
        finally:
            # A step that was broken off must leave nothing that the next would add to.
            self.optimizer.zero_grad()
        self.step += 1
        if self.ranks.is_writer:
            self._update_average()
        return StepResult(loss, lr, grad_norm, tokens, time.perf_counter() - began)

    def pairs_of(self, step: int) -> tuple[EncodedCorpus, list[NDArray[np.int64]]]:
        """What step `step`, from 0, is made on: a corpus, and the places of each batch's pairs in it."""
        return pairs_of_step(
            self.corpus,
            self._plan.batches(step),
            self.config,
            step,
            (self.source, self.target),
            self.transformer.architecture.max_positions,
        )

    def _seed(self, rank: int) -> None:
        """By the step, not by what was drawn before, so that a resumed run draws the same masks."""
        self.generator.manual_seed(_seed_of(self.config, self.step) + rank * RANK_SEED)

    def _learning_rate(self, step: int) -> float:
        width = self.transformer.architecture.d_model
        return learning_rate(step, self.config, width, self._plan.total_steps)

    def _add_gradients(self, corpus: EncodedCorpus, batches: list[NDArray[np.int64]], tokens: int) -> Tensor:
        """Add up the gradients of this rank's share and return its loss; the ranks' mean is the step's.

        Each token weighs the same wherever it is: sums are divided by all tokens of all ranks' batches.
        """
        total = torch.zeros((), device=self.device)
        for number, batch in enumerate(batches, 1):
            # Gradients of ranks meet in a step's last backward pass.
            with self.ranks.apart(self._parallel, number < len(batches)):
                objective, nll = self._loss(self._inputs(corpus, batch), tokens / self.ranks.world)
                torch.autograd.backward(objective)
            total = total + nll
        return total

    def _loss(self, inputs: Inputs, tokens: float | None = None) -> tuple[Tensor, Tensor]:
        a_pass = Pass(
            self._parallel,
            self.transformer,
            inputs,
            len(inputs.gold) if tokens is None else tokens,
            self.step,
            self.config,
            self.dtype,
            self.generator,
            {} if self._penalties else None,
        )
        objective, nll = self._objective(a_pass)
        for penalty in self._penalties:
            objective = objective + penalty(a_pass)
        return objective, nll

    def _inputs(self, corpus: EncodedCorpus, indices: NDArray[np.int64]) -> Inputs:
        """This rank's pairs of the batch; one pair without a token to predict where it has none."""
        own = indices
        if self.ranks.world > 1:
            sources, targets = corpus.lengths_at(indices)
            own = share_of(indices, sources + targets, self.ranks.rank, self.ranks.world)
        batch = make_batch(
            corpus,
            own if len(own) else indices[:1],
            pad_id=self.target.pad_id,
            start_id=self.target.start_id,
            end_id=self.target.end_id,
            source_pad_id=self.source.pad_id,
        )
        real = np.flatnonzero(batch.target_mask) if len(own) else np.zeros(0, dtype=np.int64)
        # Batches are cut by length: where nothing is padded, no mask is needed.
        mask = None if batch.source_mask.all() else self._put_on_device(batch.source_mask)
        return Inputs(
            self._put_on_device(batch.source),
            mask,
            self._put_on_device(batch.target_in),
            self._put_on_device(real),
            self._put_on_device(batch.target_out.reshape(-1)[real]),
            None if batch.target_mask.all() else self._put_on_device(batch.target_mask),
        )

    def _put_on_device(self, array: NDArray[np.int64] | NDArray[np.bool_]) -> Tensor:
        return torch.from_numpy(array).to(self.device)

    @torch.no_grad()
    def _update_average(self) -> None:
        span = min(float(max(1, self.config.average_steps)), max(1.0, self.step / 10))
        torch._foreach_lerp_(self.average, self._live(), 1.0 / span)

    def _live(self) -> list[Tensor]:
        """Weights and the norms' statistics, the very tensors, in the order of `average`."""
        return [*(parameter.detach() for parameter in self.parameters), *self.statistics.values()]

    # state

    def state(self) -> dict[str, Tensor]:
        """Weights, optimizer moments and the running average, by name; the tensors are the live ones.

        The norms' statistics count as weights that have no moments.
        """
        tensors: dict[str, Tensor] = {}
        for name, own, average in zip((*self.names, *self.statistics), self._live(), self.average):
            tensors[f"weights.{name}"] = own
            tensors[f"average.{name}"] = average
        for name, parameter in zip(self.names, self.parameters):
            moments = self.optimizer.state.get(parameter)
            if moments:
                tensors[f"exp_avg.{name}"] = moments["exp_avg"]
                tensors[f"exp_avg_sq.{name}"] = moments["exp_avg_sq"]
        return tensors

    @torch.no_grad()
    def load_state(self, tensors: dict[str, Tensor], step: int) -> None:
        """Continue after `step` from `state()`; `HeadscopeError` when it belongs to another model."""
        kept, moments = ("weights", "average"), ("exp_avg", "exp_avg_sq") if step else ()
        for name, own in zip((*self.names, *self.statistics), self._live()):
            parts = kept if name in self.statistics else (*kept, *moments)
            found = [tensors.get(f"{part}.{name}") for part in parts]
            if any(tensor is None or tensor.shape != own.shape for tensor in found):
                raise HeadscopeError("training_state_mismatch")
        # The fused optimizer counts its steps on the device, the other one on the processor.
        counter = self.device if self.fused else torch.device("cpu")
        for name, own, average in zip((*self.names, *self.statistics), self._live(), self.average):
            own.copy_(tensors[f"weights.{name}"])
            average.copy_(tensors[f"average.{name}"])
        for name, parameter in zip(self.names, self.parameters):
            if step:
                self.optimizer.state[parameter] = {
                    "step": torch.tensor(float(step), device=counter),
                    "exp_avg": tensors[f"exp_avg.{name}"].to(self.device),
                    "exp_avg_sq": tensors[f"exp_avg_sq.{name}"].to(self.device),
                }
        self.step = step

    def _moments(self) -> list[Tensor]:
        """What the optimizer remembers of every parameter; nothing before the first step."""
        states = [self.optimizer.state[p] for p in self.parameters if p in self.optimizer.state]
        return [state[name] for state in states for name in ("exp_avg", "exp_avg_sq")]

    @contextlib.contextmanager
    def averaged_weights(self) -> Iterator[None]:
        """While inside, the model holds the running average."""
        own = [tensor.clone() for tensor in self._live()]
        self._take(self.average)
        try:
            yield
        finally:
            self._take(own)

    @torch.no_grad()
    def _take(self, values: list[Tensor]) -> None:
        for tensor, value in zip(self._live(), values):
            tensor.copy_(value)
