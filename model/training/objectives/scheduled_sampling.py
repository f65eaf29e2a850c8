"""scheduled_sampling: some of the prefix is the model's own, so that it meets its mistakes in training.

Bengio et al. 2015 (arXiv 1506.03099) draw token by token; for Transformers Mihaylova and Martins 2019
(arXiv 1906.07651) take two passes: the first predicts every token from the right prefix, the second reads a
prefix in which some tokens are those predictions. Here the predictions are the most probable tokens, and
gradients go through the second pass alone.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from model.config import TrainConfig
from model.network.precision import autocast
from model.training.objectives.objective import Pass
from model.training.objectives.teacher_forcing import row_loss, teacher_forcing


def sampling_rate(config: TrainConfig, step: int) -> float:
    """The share of the prefix that is the model's own, `step` steps done: rising evenly, then constant."""
    return config.sampling_rate * min(1.0, step / max(1, config.sampling_steps))


def scheduled_sampling(a_pass: Pass) -> tuple[Tensor, Tensor]:
    """The loss of the right tokens, read behind a prefix that is in part the model's own."""
    rate = sampling_rate(a_pass.config, a_pass.step)
    if rate == 0:
        return teacher_forcing(a_pass)
    return row_loss(a_pass, a_pass.hidden(mixed_prefix(a_pass, rate)))


@torch.no_grad()
def mixed_prefix(a_pass: Pass, rate: float) -> Tensor:
    """[b, T] the batch's target inputs, each but the first replaced by the model's own with chance `rate`."""
    given = a_pass.inputs.target_in
    first = replace(a_pass, call=a_pass.transformer, patterns=None)
    own = given.roll(-1, 1).flatten()
    hidden = first.hidden()
    with autocast(hidden.device, a_pass.dtype):
        own[a_pass.inputs.real] = a_pass.transformer.project(hidden).argmax(-1)
    drawn = torch.rand(given.shape, generator=a_pass.generator, device=given.device) < rate
    mixed = torch.where(drawn, own.view_as(given).roll(1, 1), given)
    mixed[:, 0] = given[:, 0]
    return mixed
