"""Inputs of a recording: what a caller gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class RecordingInputs:
    """The arguments of `model.record.save_attention`, and what only a recorder knows.

    Attributes:
        prompt_logits: [batch, prompt, V] of a `generate` by a model without an encoder: the rows of its
            first pass, which `generate` does not return.
        pad_id, end_ids: of the model; else the tokenizer's.
        decoding: how the target came about, for the trace's header.
        extra: further entries of the header.
    """

    attentions: Any
    tokens: Any = None
    src_tokens: Any = None
    tgt_in_tokens: Any = None
    tgt_out_tokens: Any = None
    tokenizer: Any = None
    attention_mask: Any = None
    target_mask: Any = None
    token_type_ids: Any = None
    kind: str | None = None
    item: int = 0
    text: str | None = None
    target_text: str | None = None
    logits: Any = None
    prompt_logits: Any = None
    candidates: int = 10
    prompt_length: int | None = None
    numbers: str = "pattern"
    bidirectional: bool = False
    model_name: str = ""
    compute_dtype: str | None = None
    pad_id: int | None = None
    end_ids: frozenset[int] = frozenset()
    decoding: Mapping[str, Any] | None = None
    extra: Mapping[str, str] = field(default_factory=dict)
