"""Same model: whether it is the one a reading was recorded with, where the recording does not name it."""

from __future__ import annotations

from collections.abc import Generator

import torch
from torch import Tensor

from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.reading import Reader
from model.inspection.readings import StackPass
from model.questions.questions import Reading

TOLERANCE = 0.05
"""How far log probabilities of one model may lie apart (plus a hundredth of them): it may have computed in
half precision."""


def check_same_model(asked: Asked) -> Generator[None, None, None]:
    """Compare recorded log probabilities with the model's own; yields while a stack is to be computed.

    Raises:
        HeadscopeError: `run_other_model`, or the reading cannot be read.
    """
    reading = asked.reading
    if asked.hooked is None:
        reader = asked.readings.reader(reading)
        target = yield from asked.readings.target(reader)
        agrees = _agrees(reader, target)
    else:
        own = (yield from asked.hooked.reader(reading).passed()).logprobs
        agrees = bool(_near(own.cpu(), reading)[reading.given :].all())
    if not agrees:
        raise HeadscopeError("run_other_model", name=reading.model_name or "?")


@torch.inference_mode()
def _agrees(reader: Reader, target: StackPass) -> bool:
    logprobs = reader.transformer.project(target.rows).double().log_softmax(-1)
    produced = torch.tensor(reader.out_ids, device=logprobs.device)[:, None]
    agrees = _near(logprobs.gather(-1, produced)[:, 0].cpu(), reader.reading)
    if reader.architecture.in_rounds:  # what a round did not write has its probability from an earlier one
        agrees |= (reader.target_ids != reader.bundle.target_tokenizer.start_id).cpu()
    return bool(agrees.all())


def _near(own: Tensor, reading: Reading) -> Tensor:
    recorded = torch.tensor(reading.logprobs, dtype=torch.float64)
    return (own - recorded).abs() <= TOLERANCE + 0.01 * recorded.abs()
