"""Random twin: the same architecture with random weights, what a model's heads are compared with."""

from __future__ import annotations

import copy
from typing import Any

import torch

from model.foreign.inside.quiet import quiet


def randomised(network: Any, seed: int) -> Any:
    """A model of `transformers` of the same configuration, its weights drawn as for a new training.

    The generator of the rest of the program is left as it was.
    """
    with torch.random.fork_rng(devices=[]), quiet():
        torch.manual_seed(seed)
        twin = type(network)(copy.deepcopy(network.config))
    return twin.to(network.device).requires_grad_(False).eval()
