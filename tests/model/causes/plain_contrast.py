"""An oracle for contributions of tokens: plain torch in float64, differentiated by autograd, tokens left out.

Imports nothing of ours.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from torch import Tensor

from tests.model.inspection.watched import WatchedPlain


class ContrastPlain(WatchedPlain):
    """Attributes:
    words, places: of source and target what enters: scaled word vectors, which are differentiated by, and
        positions.
    silent: target places whose word vector is 0, and that nobody attends to.
    """

    def __init__(self, folder: Path, silent: tuple[int, ...] = (), **changes: Any) -> None:
        super().__init__(folder, **changes)
        self.silent = list(silent)
        self.words: list[Tensor] = []
        self.places: list[Tensor] = []

    def embed(self, table: Tensor, ids: list[int]) -> Tensor:
        entered = super().embed(table, ids)
        word = table[ids] * (math.sqrt(self.a["d_model"]) if self.a["scale_embedding"] else 1.0)
        self.places.append((entered - word).detach())
        word = word.detach().clone()
        if len(self.words) == 1:  # the target's
            word[self.silent] = 0.0
        self.words.append(word.requires_grad_())
        self.embedded[-1] = self.words[-1] + self.places[-1]
        return self.embedded[-1]

    def changed(self, pattern: Tensor, place: tuple[str, int, int]) -> Tensor:
        """A key that is left out of a softmax leaves the others in the same proportions; rows set by hand
        lose it without others gaining."""
        taken = self.silent if place[0] == "decoder_self" else self.blocked
        pattern = pattern.clone()
        if place[0] == "decoder_self" and taken:
            pattern[:, taken] = 0.0
            pattern = (pattern / pattern.sum(1, keepdim=True)).nan_to_num(0.0)
        pattern = super().changed(pattern, place)
        if taken:
            pattern = pattern.clone()
            pattern[:, taken] = 0.0
        return pattern

    def difference(
        self, source: tuple[int, ...], out: tuple[int, ...], step: int, a: int, b: int | None
    ) -> Tensor:
        """log p(a) - log p(b) at a step."""
        logprobs = self.read(source, out)[step]
        return logprobs[a] if b is None else logprobs[a] - logprobs[b]
