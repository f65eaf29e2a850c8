"""One optimizer step after another: the part of training that touches weights.

Everything a step depends on is a function of the configuration, the step number and the stored state, so a
run resumed from `state()` repeats an unbroken one.
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
from torch import Tensor

from model.config import TrainConfig
from model.data.batches import Batch, make_batch, plan_batches
from model.data.corpus import EncodedCorpus
from model.dropout import Dropout
from model.errors import HeadscopeError
from model.precision import autocast, bound_kernel_cache, compute_dtype
from model.tokenizer import Tokenizer
from model.training.loss import smoothed_loss
from model.training.schedule import noam
from model.transformer import Transformer


@dataclass(frozen=True)
class StepResult:
    """What one step measured; loss in nats per target token, without smoothing."""

    loss: float
    lr: float
    grad_norm: float
    target_tokens: int
    seconds: float


class Trainer:
    """Trains `transformer` in place on `corpus` (AdamW 0.9, 0.98, 1e-9 and Noam: paper, section 5.3).

    Attributes:
        step: optimizer steps done.
        average: running average of the weights over about the last `config.average_steps` steps. Early on
            it spans a tenth of the steps done, so that the random start is soon forgotten.
    """

    def __init__(
        self,
        transformer: Transformer,
        corpus: EncodedCorpus,
        config: TrainConfig,
        source: Tokenizer,
        target: Tokenizer,
    ) -> None:
        self.transformer = transformer
        self.corpus = corpus
        self.config = config
        self.source, self.target = source, target
        self.step = 0
        self.device = transformer.output.weight.device
        self.dtype = compute_dtype(config.precision, self.device)
        bound_kernel_cache()
        self.names = [name for name, _ in transformer.named_parameters()]
        self.parameters = list(transformer.parameters())
        self.average = [p.detach().clone() for p in self.parameters]
        self.optimizer = torch.optim.AdamW(
            self.parameters,
            lr=0.0,
            betas=(0.9, 0.98),
            eps=1e-9,
            weight_decay=config.weight_decay,
            fused=self.device.type in ("cpu", "cuda"),
        )
        self.generator = torch.Generator(device=self.device)
        for module in transformer.modules():
            if isinstance(module, Dropout):
                module.generator = self.generator
        self._plan_epoch = -1
        self._plan: list[NDArray[np.int64]] = []
        self._epoch_ends: list[int] = [0]

    @property
    def epoch(self) -> float:
        """Passes over the data done, in fractions."""
        number = self._epoch_of(self.step)
        start = self._epoch_ends[number]
        return number + (self.step - start) / max(1, self._steps_in(number))

    def run_step(self) -> StepResult:
        """One forward and backward pass and an update; `HeadscopeError` when the loss is not a number."""
        began = time.perf_counter()
        self.transformer.train()
        batch = self._batch(self.step)
        # Seeded by the step, not by what was drawn before, so that a resumed run draws the same masks.
        self.generator.manual_seed(self.config.seed * 1_000_003 + self.step)
        objective, nll = self._loss(batch)
        torch.autograd.backward(objective)
        norm = torch.nn.utils.clip_grad_norm_(self.parameters, self.config.clip)
        loss, grad_norm = float(nll), float(norm)
        if not (math.isfinite(loss) and math.isfinite(grad_norm)):
            self.optimizer.zero_grad()
            raise HeadscopeError("training_diverged", step=self.step + 1)
        self.step += 1
        lr = noam(
            self.step,
            d_model=self.transformer.architecture.d_model,
            warmup=self.config.warmup,
            factor=self.config.learning_rate,
        )
        self.optimizer.param_groups[0]["lr"] = lr
        self.optimizer.step()
        self.optimizer.zero_grad()
        self._update_average()
        return StepResult(loss, lr, grad_norm, batch.target_tokens, time.perf_counter() - began)

    def _loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        source = torch.from_numpy(batch.source).to(self.device)
        target_in = torch.from_numpy(batch.target_in).to(self.device)
        real = torch.from_numpy(batch.target_mask).to(self.device)
        gold = torch.from_numpy(batch.target_out).to(self.device)[real]
        # Batches are cut by length: where nothing is padded, no mask is needed.
        mask = None if batch.source_mask.all() else torch.from_numpy(batch.source_mask).to(self.device)
        with autocast(self.device, self.dtype):
            hidden = self.transformer(source, target_in, source_mask=mask)
        output = self.transformer.output
        return smoothed_loss(
            hidden[real].to(self.dtype), output.weight, output.bias, gold, self.config.label_smoothing
        )

    @torch.no_grad()
    def _update_average(self) -> None:
        span = min(float(max(1, self.config.average_steps)), max(1.0, self.step / 10))
        torch._foreach_lerp_(self.average, [p.detach() for p in self.parameters], 1.0 / span)

    # the batch plan

    def _plan_for(self, epoch: int) -> list[NDArray[np.int64]]:
        if epoch != self._plan_epoch:
            corpus, config = self.corpus, self.config
            self._plan = plan_batches(
                corpus.source_lengths, corpus.target_lengths, config.batch_tokens, config.seed, epoch
            )
            self._plan_epoch = epoch
        return self._plan

    def _steps_in(self, epoch: int) -> int:
        return len(self._plan_for(epoch))

    def _epoch_of(self, step: int) -> int:
        """The epoch that step number `step` (from 0) belongs to."""
        while self._epoch_ends[-1] <= step:
            self._epoch_ends.append(self._epoch_ends[-1] + self._steps_in(len(self._epoch_ends) - 1))
        number = len(self._epoch_ends) - 2
        while self._epoch_ends[number] > step:
            number -= 1
        return number

    def _batch(self, step: int) -> Batch:
        number = self._epoch_of(step)
        indices = self._plan_for(number)[step - self._epoch_ends[number]]
        return make_batch(
            self.corpus,
            indices,
            pad_id=self.target.pad_id,
            start_id=self.target.start_id,
            end_id=self.target.end_id,
            source_pad_id=self.source.pad_id,
        )

    # state

    def state(self) -> dict[str, Tensor]:
        """Weights, optimizer moments and the running average, by name; the tensors are the live ones."""
        tensors: dict[str, Tensor] = {}
        for name, parameter, average in zip(self.names, self.parameters, self.average):
            tensors[f"weights.{name}"] = parameter.detach()
            tensors[f"average.{name}"] = average
            moments = self.optimizer.state.get(parameter)
            if moments:
                tensors[f"exp_avg.{name}"] = moments["exp_avg"]
                tensors[f"exp_avg_sq.{name}"] = moments["exp_avg_sq"]
        return tensors

    @torch.no_grad()
    def load_state(self, tensors: dict[str, Tensor], step: int) -> None:
        """Continue after `step` from `state()`; `HeadscopeError` when it belongs to another model."""
        parts = ("weights", "average", "exp_avg", "exp_avg_sq") if step else ("weights", "average")
        for name, parameter in zip(self.names, self.parameters):
            found = [tensors.get(f"{part}.{name}") for part in parts]
            if any(tensor is None or tensor.shape != parameter.shape for tensor in found):
                raise HeadscopeError("training_state_mismatch")
        for name, parameter, average in zip(self.names, self.parameters, self.average):
            parameter.copy_(tensors[f"weights.{name}"])
            average.copy_(tensors[f"average.{name}"])
            if step:
                self.optimizer.state[parameter] = {
                    "step": torch.tensor(float(step), device=self.device),
                    "exp_avg": tensors[f"exp_avg.{name}"].to(self.device),
                    "exp_avg_sq": tensors[f"exp_avg_sq.{name}"].to(self.device),
                }
        self.step = step

    @contextlib.contextmanager
    def averaged_weights(self) -> Iterator[None]:
        """While inside, the model holds the running average."""
        own = [p.detach().clone() for p in self.parameters]
        self._put(self.average)
        try:
            yield
        finally:
            self._put(own)

    @torch.no_grad()
    def _put(self, values: list[Tensor]) -> None:
        for parameter, value in zip(self.parameters, values):
            parameter.copy_(value)
