"""`Seq2SeqNetwork`: an encoder-decoder of `transformers` (T5, BART and their kin)."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from model.foreign.networks.hf_cache import Memory
from model.foreign.networks.networks import ForeignNetwork, StepOutput

_HIDES_PADDING = frozenset(("t5gemma", "t5gemma2"))
"""Types that without a cache overlook padding tokens in the target, though their start token may be one."""


class Seq2SeqNetwork(ForeignNetwork):
    """See `ForeignNetwork`; `sample` is a source and a target of it."""

    crosses = True

    def _read(self, source: Tensor, key_mask: Tensor | None) -> tuple[Tensor, list[Tensor]]:
        batch, length = source.shape
        mask = source.new_ones(source.shape) if key_mask is None else key_mask.long().expand(batch, -1)
        out = self._network.get_encoder()(
            input_ids=source, attention_mask=mask, output_attentions=True, return_dict=True
        )
        patterns = self._check.patterns(
            getattr(out, "attentions", None),
            batch=batch,
            queries=length,
            keys=length,
            layers=self._layers[0],
            heads=None if self._shape is None else self._shape.encoder_heads,
        )
        return out.last_hidden_state, patterns

    def _step(
        self, ids: Tensor, cache: Any, memory: Memory | None, past: int, prompt_mask: Tensor | None
    ) -> StepOutput:
        from transformers.modeling_outputs import BaseModelOutput

        assert memory is not None
        states, mask = memory.rows(ids.shape[0])
        encoder = BaseModelOutput(last_hidden_state=states)
        encoder.router_logits = None  # asked for by mixtures of experts
        kept: dict[str, Any] = {}
        if cache is not None and self._cache_argument is not None:
            kept[self._cache_argument] = cache
        if cache is None and self._network.config.model_type == "fsmt":
            # It hides later tokens only where it is given the source's ids, which it does not look at.
            kept["input_ids"] = ids.new_zeros(states.shape[:2])
        keys = past + ids.shape[1]
        if self._network.config.model_type in _HIDES_PADDING:
            kept["decoder_attention_mask"] = ids.new_ones((ids.shape[0], keys))
        out = self._network(
            encoder_outputs=encoder,
            attention_mask=mask.long(),
            decoder_input_ids=ids,
            use_cache=cache is not None,
            output_attentions=True,
            return_dict=True,
            **kept,
        )
        return self._checked_step(
            getattr(out, "decoder_attentions", None),
            getattr(out, "cross_attentions", None),
            out.logits,
            keys,
            states.shape[1],
        )
