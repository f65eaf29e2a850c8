"""`CausalNetwork`: a model of `transformers` that is a decoder alone (GPT-2, Llama and their kin)."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from model.foreign.networks.hf_cache import Memory
from model.foreign.networks.networks import ForeignNetwork, StepOutput


class CausalNetwork(ForeignNetwork):
    """See `ForeignNetwork`; it reads several tokens at once (a prompt) or one after the other.

    With grouped queries (Ainslie et al. 2023) a pattern still has one matrix for each head of queries.
    """

    crosses = False

    def _read(self, source: Tensor, key_mask: Tensor | None) -> tuple[Tensor, list[Tensor]]:
        raise AssertionError("a model without an encoder encodes nothing")

    def _step(
        self, ids: Tensor, cache: Any, memory: Memory | None, past: int, prompt_mask: Tensor | None
    ) -> StepOutput:
        keys = past + ids.shape[1]
        seen = ids.new_ones((ids.shape[0], keys))
        if prompt_mask is not None:
            prompt = min(keys, prompt_mask.shape[1])
            seen[:, :prompt] = prompt_mask[:, :prompt].long()
        asked: dict[str, Any] = {"attention_mask": seen}
        if self._cache_argument is not None:
            asked |= {self._cache_argument: cache, "use_cache": cache is not None}
        out = self._network(input_ids=ids, output_attentions=True, return_dict=True, **asked)
        return self._checked_step(getattr(out, "attentions", None), None, out.logits, keys, 0)
