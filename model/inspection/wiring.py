"""mix_of: how much of each encoder layer the decoder's layers read (arXiv 1808.07561)."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from model.inspection.asked import Asked
from model.inspection.plain import plain
from model.questions.wiring import Mix, MixOf


def mix_of(question: MixOf, asked: Asked) -> Iterator[Mix]:
    """The weights of the model's wiring; one layer has all where it is not a mix.

    Raises:
        HeadscopeError: it is no model of ours.
    """
    with torch.inference_mode():
        yield Mix(plain(asked.bundle.transformer.memory_mix.shares()))
