"""The tokens of a text that was read as a row of chips."""

from __future__ import annotations

import math

from model.trace import Trace
from viewer.state.segments import segment_name, segments_of
from viewer.state.token_text import TokenText, token_texts
from viewer.views.token_strip import Chip


def text_tokens(trace: Trace) -> tuple[int, ...]:
    """The tokens that stand for text."""
    texts = token_texts(trace.src_tokens, style=trace.token_style)
    return tuple(place for place, text in enumerate(texts) if not text.special)


def text_chips(trace: Trace, texts: tuple[TokenText, ...]) -> tuple[Chip, ...]:
    """The tokens, each as deep as the model finds it likely where it stands; a mask is no word."""
    shares = [0.0] * len(texts)
    if trace.src_logprob is not None:
        shares = [math.exp(min(0.0, logprob)) for logprob in trace.src_logprob.tolist()]
    segments = segments_of(trace)
    return tuple(
        Chip(
            text.text,
            shade=0.0 if place in trace.masked or text.special else shares[place],
            tip=": ".join(
                part for part in (segment_name(segments[place]) if segments else "", text.raw) if part
            ),
            joined=text.continues,
            dim=text.dim,
        )
        for place, text in enumerate(texts)
    )
