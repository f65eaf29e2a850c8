"""Teacher forcing: what a model thinks of a given translation, all tokens in one pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from model.alterations.alteration import Alteration
from model.alterations.registry import among_steps
from model.decoding.decodable import Decodable, DecoderState, DecodingModel
from model.decoding.decoding import TextIds, text_ids
from model.errors import HeadscopeError
from model.trace.trace import Floats


@torch.inference_mode()
def forced_logprobs(
    model: DecodingModel, text: str, out_ids: Sequence[int], alterations: tuple[Alteration, ...] = ()
) -> Floats:
    """Natural log probability of each of `out_ids` after those before it, float32 [T].

    Args:
        text: the source or the prompt, already checked.
        alterations: what is changed in the computation of a model of ours.

    Raises:
        HeadscopeError: `token_id`, `too_long`, `model_overflow`, or the model or the sentence has no place
            for an alteration.
    """
    target, network = model.target_tokenizer, model.transformer
    for token_id in out_ids:
        if not 0 <= token_id < target.vocab_size:
            raise HeadscopeError("token_id", id=token_id, vocab=target.vocab_size)
    read = text_ids(model, text, among_steps(alterations, len(out_ids)))
    if not out_ids:
        return np.empty(0, np.float32)
    target_in = (*read.given, *out_ids[:-1])
    if len(target_in) > model.target_limit:
        raise HeadscopeError("too_long", tokens=len(target_in), limit=model.target_limit)
    state = _state(network, read)
    altering, device = read.altering, network.device
    hidden = network.decode_step(
        torch.tensor([target_in], device=device),
        state,
        position_ids=None if altering is None else altering.target_positions(0, len(target_in)),
        tap=altering,
    )
    chosen = torch.tensor(out_ids, device=device)[:, None]
    logits = network.project(hidden[0, len(read.given) - 1 :])
    logprobs = logits.float().log_softmax(-1).gather(-1, chosen)[:, 0]
    if bool(logprobs.isnan().any()):
        raise HeadscopeError("model_overflow")
    result: Floats = logprobs.numpy(force=True)
    return result


def _state(network: Decodable, read: TextIds) -> DecoderState:
    """What the decoder starts from: the source read by the encoder, or nothing."""
    altering = read.altering
    mask = None if altering is None else altering.source_mask
    if not read.source:
        return network.start_cache(None)
    memory = network.encode(
        torch.tensor([read.source], device=network.device),
        key_mask=mask,
        position_ids=None if altering is None else altering.source_positions,
        tap=altering,
        **({} if altering is None else {"read_layer": altering.read_layer}),
    )
    return network.start_cache(memory, memory_mask=mask)
