"""What a model thinks of a given translation, all tokens in one pass (teacher forcing)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from model.alterations import Alteration
from model.bundle import Bundle
from model.decoding import source_ids
from model.errors import HeadscopeError
from model.trace import Floats


@torch.inference_mode()
def forced_logprobs(
    bundle: Bundle, text: str, out_ids: Sequence[int], alterations: tuple[Alteration, ...] = ()
) -> Floats:
    """Natural log probability of each of `out_ids` after those before it, float32 [T].

    Args:
        text: the source, already checked.
        alterations: what is changed in the model's computation.

    Raises:
        HeadscopeError: `token_id`, `too_long`, `model_overflow`, or the model or the sentence has no place
            for an alteration.
    """
    target, transformer = bundle.target_tokenizer, bundle.transformer
    for token_id in out_ids:
        if not 0 <= token_id < target.vocab_size:
            raise HeadscopeError("token_id", id=token_id, vocab=target.vocab_size)
    source, altering = source_ids(bundle, text, alterations)
    if not out_ids:
        return np.empty(0, np.float32)
    device = transformer.source_embedding.weight.device
    mask = None if altering is None else altering.source_mask
    tap = None if altering is None else altering.tap
    memory = transformer.encode(
        torch.tensor([source], device=device),
        key_mask=mask,
        position_ids=None if altering is None else altering.source_positions,
        tap=tap,
    )
    target_in = torch.tensor([[target.start_id, *out_ids[:-1]]], device=device)
    hidden = transformer.decode(
        target_in,
        memory,
        memory_mask=mask,
        position_ids=None if altering is None else altering.target_positions(0, len(out_ids)),
        tap=tap,
    )
    chosen = torch.tensor(out_ids, device=device)[:, None]
    logprobs = transformer.project(hidden[0]).log_softmax(-1).gather(-1, chosen)[:, 0]
    if bool(logprobs.isnan().any()):
        raise HeadscopeError("model_overflow")
    result: Floats = logprobs.float().numpy(force=True)
    return result
