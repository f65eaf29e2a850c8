"""Source side of a recording: its tokens, and what a model of masked words says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from model.errors import HeadscopeError
from model.recording.arrays import item_rows, kept_places, of_batch
from model.recording.inputs import RecordingInputs
from model.recording.kinds import FoundKinds
from model.recording.layers import Places
from model.recording.probabilities import probabilities
from model.recording.sides import Side, names_of, side_of
from model.trace.trace import AttentionKind, Ids

NOBODY = Side((), np.zeros(0, np.int64))
"""The tokens of a side that is not there."""


@dataclass(frozen=True)
class Source:
    """Tokens without padding, their places among all, further fields of `Trace`."""

    side: Side = NOBODY
    places: Places = None
    fields: Mapping[str, Any] = field(default_factory=dict)


def source_of(given: RecordingInputs, found: FoundKinds, length: int) -> Source:
    """The source of one sequence.

    Args:
        length: of the attention, padding included.

    Raises:
        HeadscopeError: tokens, mask or logits do not fit it.
    """
    item = given.item if found.produced is None else found.produced.source_item
    places = kept_places(given.attention_mask, item, length, "attention_mask")
    tokens, name = (given.tokens, "tokens") if given.src_tokens is None else (given.src_tokens, "src_tokens")
    side = side_of(tokens, item, length, given.tokenizer, name).kept(places)
    fields: dict[str, Any] = {}
    if given.token_type_ids is not None:
        segments = of_batch(given.token_type_ids, item)
        fields["src_segments"] = side_of(segments, 0, length, None, "token_type_ids").kept(places).ids
    logits = _masked_logits(given, found)
    if logits is not None and side.ids is not None:
        fields |= _said(given, item_rows(logits, given.item, places), side.ids)
    return Source(side, places, fields)


def _masked_logits(given: RecordingInputs, found: FoundKinds) -> Any:
    """What an encoder alone says of each token of the text; None when it says nothing."""
    if set(found.layers) != {AttentionKind.ENCODER_SELF}:
        return None
    if given.logits is not None:
        return given.logits
    value = given.attentions
    if type(value).__name__ == "MaskedLMOutput":
        return value.logits
    return getattr(value, "prediction_logits", None)


def _said(given: RecordingInputs, logits: Any, ids: Ids) -> dict[str, Any]:
    """The fields of a model of masked words."""
    thought = probabilities([(0, logits)], ids.copy(), max(1, given.candidates))
    if not thought.known.all():
        raise HeadscopeError("record_logits", found=len(logits), wanted=len(ids))
    return {
        "src_candidate_ids": thought.ids,
        "src_candidate_logprobs": thought.logprobs,
        "src_candidate_tokens": tuple(names_of(row, given.tokenizer) for row in thought.ids.tolist()),
        "src_logprob": thought.chosen,
        "src_rank": thought.rank,
    }
