"""Filling in masked words, and classes of a text: what a model that only reads answers."""

from __future__ import annotations

import math

from model.bundle.bundle import Bundle
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.foreign.foreign_model import ForeignModel
from model.tokens.masked_text import fill_mask
from model.trace.trace import Trace
from model.translator.translation import Step, Translation

_HALF = 0.5
_LEAST = 1e-45  # the smallest probability in float32: a logarithm is a number


def answer(trace: Trace, text: str, model: Bundle | ForeignModel) -> Translation:
    """The text with its masked words filled in, or what it is sorted into.

    Args:
        trace: of `text`, read by `model`.

    Raises:
        HeadscopeError: as `fill`; `head_unshown`: the model's head is of another kind.
    """
    if trace.class_logits is not None:
        return classify(trace)
    head = model.architecture.get("unshown_head") if isinstance(model, ForeignModel) else None
    if head:
        raise HeadscopeError("head_unshown", name=trace.model_name, head=head)
    return fill(trace, text)


def classify(trace: Trace) -> Translation:
    """What a model that sorts texts says of one: no steps, and every class.

    The text is the name of the most probable class; with classes that do not exclude each other those of at
    least one half; of a model that gives a single number the number. The score is the natural logarithm of
    the most probable class's probability (of a number itself: 0).
    """
    assert trace.class_logits is not None
    shares = trace.class_shares
    numbers = (trace.class_logits if shares is None else shares).tolist()
    classes = sorted(zip(trace.class_names, numbers), key=lambda one: -one[1])
    score = 0.0 if shares is None else math.log(max(classes[0][1], _LEAST))
    text = classes[0][0]
    if shares is None:
        text = ", ".join(f"{number:.6g}" for number in numbers)
    elif trace.class_rule == "sigmoid":
        text = ", ".join(name for name, share in classes if share >= _HALF)
    return Translation(
        trace.src_tokens, text, True, (), score, score, classes=tuple(classes), class_rule=trace.class_rule
    )


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
