"""`LengthPredictor`: how many tokens a translation has, for a model that writes all of them at once.

Of the mean of the encoder's output, as a distribution over lengths (Gu et al. 2018, arXiv 1711.02281, predict
fertilities; Ghazvininejad et al. 2019, arXiv 1904.09324, section 3.3, predict the length from a token of its
own).
"""

from __future__ import annotations

from torch import Tensor, nn

from model.config import Architecture


class LengthPredictor(nn.Linear):
    """A linear map from the mean of the memory to one logit a length: class i is i + 1 tokens.

    The state holds `weight` [max_positions, d_model] and `bias` [max_positions].
    """

    def __init__(self, architecture: Architecture) -> None:
        super().__init__(architecture.d_model, architecture.max_positions)

    def logits(self, memory: Tensor, mask: Tensor | None) -> Tensor:
        """[b, max_positions] of memory [b, S, d].

        Args:
            mask: bool [b, S], True for the tokens that count; None for all.
        """
        if mask is None:
            mean = memory.mean(1)
        else:
            there = mask[..., None].to(memory.dtype)
            mean = (memory * there).sum(1) / there.sum(1).clamp_min(1)
        logits: Tensor = self(mean)
        return logits
