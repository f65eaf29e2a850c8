"""Puts the most probable words in the place of masked ones."""

from __future__ import annotations

from model.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.masked_text import fill_mask
from model.trace import Trace
from model.translation import Step, Translation


def fill(trace: Trace, text: str) -> Translation:
    """The text with each masked word replaced by what its model finds most probable there.

    Every mask is filled for itself: two of them next to each other need not make sense together.

    Args:
        trace: of `text`, read by a model of masked words.

    Returns:
        One step a mask, in order.

    Raises:
        HeadscopeError: `no_mask`: the text hides no word; `model_only_reads`: the model fills in none.
    """
    if trace.src_candidate_ids is None or trace.src_candidate_logprobs is None:
        raise HeadscopeError("model_only_reads", name=trace.model_name)
    mask, places = trace.mask_token, trace.masked
    if not places:
        raise HeadscopeError("no_mask", mask=mask or "[MASK]")
    steps = []
    for place in places:
        names, values = trace.src_candidate_tokens[place], trace.src_candidate_logprobs[place].tolist()
        steps.append(Step(names[0], values[0], 1, tuple(zip(names, values))))
    left = 0  # a mask may itself be what is most probable
    for step in steps:
        text = fill_mask(text, mask, left, step.token, trace.token_style)
        left += step.token == mask
    return Translation.of_steps(trace.src_tokens, text, True, steps, DecodeConfig())
