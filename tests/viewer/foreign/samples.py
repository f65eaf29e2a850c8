"""Models of others and their traces, made by hand: a decoder alone with a prompt, an encoder alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from model.abilities import Ability
from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import trace_of
from viewer.document.messages.messages import ModelInfo

PROMPT, PROMPT_TOKENS = "red app", ("▁red", "▁app")
CONTINUATION = ("les", "▁grow", "</s>")
RANKS = (7, 1, 2, 1)


def prompt_trace(**changes: Any) -> Trace:
    """Two tokens of a prompt, three produced: 4 rows, of which the first predicts a given token."""
    tokens = (*PROMPT_TOKENS, *CONTINUATION)
    steps = len(tokens) - 1
    even = np.tril(np.ones((steps, steps), np.float32))
    weights = np.broadcast_to(even / even.sum(axis=1, keepdims=True), (2, 3, steps, steps))
    fields: dict[str, Any] = {
        "src_text": "",
        "tgt_text": "les grow",
        "src_tokens": (),
        "src_ids": np.zeros(0, np.int64),
        "tgt_in_tokens": tokens[:-1],
        "tgt_out_tokens": tokens[1:],
        "tgt_in_ids": np.arange(10, 10 + steps),
        "tgt_out_ids": np.arange(11, 11 + steps),
        "step_logprob": np.log(np.array([0.02, 0.5, 0.25, 0.125], np.float32)),
        "step_rank": np.array(RANKS),
        "candidate_ids": np.arange(11, 11 + steps)[:, None],
        "candidate_logprobs": np.log(np.array([[0.5], [0.5], [0.5], [0.5]], np.float32)),
        "candidate_tokens": tuple((token,) for token in tokens[1:]),
        "model_name": "tiny-gpt",
        "extra": {"prompt_length": "2", "prompt_text": PROMPT},
    }
    return trace_of({AttentionKind.DECODER_SELF: weights}, (), tokens[1:], **(fields | changes))


def reading_trace(**changes: Any) -> Trace:
    """Four tokens that an encoder alone has read."""
    tokens = ("[CLS]", "red", "apples", "[SEP]")
    weights = np.full((2, 3, 4, 4), 0.25, np.float32)
    empty = np.zeros(0, np.int64)
    fields: dict[str, Any] = {
        "src_text": "red apples",
        "tgt_text": "",
        "tgt_in_tokens": (),
        "candidate_ids": np.zeros((0, 0), np.int64),
        "candidate_logprobs": np.zeros((0, 0), np.float32),
        "candidate_tokens": (),
        "tgt_in_ids": empty,
        "tgt_out_ids": empty,
        "step_logprob": np.zeros(0, np.float32),
        "decoding": {"mode": "read"},
        "model_name": "tiny-bert",
        "extra": {"token_style": "wordpiece"},
    }
    return trace_of({AttentionKind.ENCODER_SELF: weights}, tokens, (), **(fields | changes))


def info_of(family: str = "encoder_decoder", **changes: Any) -> ModelInfo:
    """A model that `transformers` runs."""
    reads = family == "encoder_only"
    layers = {"encoder_layers": 0 if family == "decoder_only" else 2, "decoder_layers": 0 if reads else 2}
    fields: dict[str, Any] = {
        "path": "/models/tiny",
        "name": "tiny",
        "languages": ("und", "und"),
        "architecture": {"model_type": "other", "n_heads": 3, **layers},
        "parameters": 1234,
        "sha256": "0123456789abcdef" * 4,
        "showcase": None,
        "positions": None,
        "family": family,
        "model_type": "other",
        "can": frozenset((Ability.FILL if reads else Ability.WRITE,)),
    }
    if reads:
        fields["architecture"] |= {"mask_token": "[MASK]", "separator_token": "[SEP]"}
    return ModelInfo(**(fields | changes))
