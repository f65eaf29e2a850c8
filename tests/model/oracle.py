"""What a bundle computes, told by torch.nn from its files alone; imports nothing of ours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from tests.model.small import PlainTransformer


class Oracle:
    """A bundle rebuilt in torch.nn.

    Attributes:
        patterns: after `logprobs`, [1, head, query, key] by (family, layer).
    """

    def __init__(self, folder: Path) -> None:
        architecture = json.loads((folder / "config.json").read_text("utf-8"))["architecture"]
        tensors = {name: tensor.float() for name, tensor in load_file(folder / "model.safetensors").items()}
        self.plain = PlainTransformer(architecture, tensors)

    def logprobs(self, source: Sequence[int], target_in: Sequence[int]) -> Tensor:
        """Log softmax [T, vocab] after each target input, all at once."""
        memory = self.plain.encode(torch.tensor([list(source)]))
        hidden = self.plain.decode(torch.tensor([list(target_in)]), memory)
        return self.plain.project(hidden)[0].log_softmax(-1)

    @property
    def patterns(self) -> dict[tuple[str, int], Tensor]:
        return self.plain.patterns
