"""Kinds of attention in a value: an output of `transformers`, named arrays, or one kind alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from typing import Any

import numpy as np

from model.errors import HeadscopeError
from model.recording.arrays import is_array, kept_places, shape_of, take, to_ids
from model.recording.inputs import RecordingInputs
from model.recording.layers import GivenLayers, Layers, SteppedLayers, cut
from model.trace.trace import AttentionKind, Ids

_ENCODER, _DECODER, _CROSS = AttentionKind

# How the outputs of `transformers` name them.
_OUTPUT_NAMES = {
    "encoder_attentions": _ENCODER,
    "decoder_attentions": _DECODER,
    "cross_attentions": _CROSS,
}
_OUTPUT_KEYS = {"attentions", "logits", "last_hidden_state", "sequences", *_OUTPUT_NAMES}


@dataclass(frozen=True)
class Produced:
    """One sequence of a `generate`.

    Attributes:
        ids: the tokens that were given to the decoder and those that it produced, without padding behind.
        given: how many of them were given (padding before them included).
        items: at each step, which of the batch (of the beams) it came from.
        source_item: which source of the batch it is of.
    """

    ids: Ids
    given: int
    items: tuple[int, ...]
    source_item: int


@dataclass(frozen=True)
class FoundKinds:
    """The kinds of attention, and of a `generate` the sequence."""

    layers: Mapping[AttentionKind, Layers]
    produced: Produced | None = None


def find_kinds(given: RecordingInputs) -> FoundKinds:
    """Look for attention in what was given.

    Raises:
        HeadscopeError: there is none, or it has a form that no pattern can be told from.
    """
    value = given.attentions
    if _part(value, "sequences") is not None:
        return _generated(given)
    named = _named(value)
    if not named:
        if _is_output(value) and not _holds(_part(value, "attentions")):
            raise HeadscopeError("record_no_attention")
        named = {_kind_of(given): _part(value, "attentions") if _is_output(value) else value}
    if given.kind is not None and given.kind not in [str(kind) for kind in named]:
        raise HeadscopeError("record_kind", kind=given.kind, kinds=", ".join(named))
    return FoundKinds({kind: GivenLayers.of(layers, str(kind), given.item) for kind, layers in named.items()})


def _named(value: Any) -> dict[AttentionKind, Any]:
    """The kinds that go by their own names."""
    named = {}
    if isinstance(value, Mapping):
        unknown = set(value) - {str(kind) for kind in AttentionKind} - _OUTPUT_KEYS
        if unknown and not _is_output(value):
            raise HeadscopeError("record_kind", kind=sorted(map(str, unknown))[0], kinds=_all_kinds())
        named = {kind: value[kind] for kind in AttentionKind if value.get(kind) is not None}
    for name, kind in _OUTPUT_NAMES.items():
        if _holds(_part(value, name)):
            named[kind] = _part(value, name)
    if named and _DECODER not in named and _CROSS in named and _part(value, "attentions"):
        named[_DECODER] = _part(value, "attentions")  # a decoder alone that looks at somebody's encoder
    return named


def _is_output(value: Any) -> bool:
    """Whether it is what a model of `transformers` returns, of any class."""
    if isinstance(value, Mapping):
        return bool(_OUTPUT_KEYS & set(value)) and not {str(kind) for kind in AttentionKind} & set(value)
    return not is_array(value) and any(hasattr(value, name) for name in _OUTPUT_KEYS)


def _holds(layers: Any) -> bool:
    """Whether there are layers: without eager attention an output has none, or None in place of each."""
    return layers is not None and len(layers) > 0 and any(layer is not None for layer in layers)


def _part(value: Any, name: str) -> Any:
    if isinstance(value, Mapping) and not is_dataclass(value):
        return value.get(name)
    return None if is_array(value) else getattr(value, name, None)


def _kind_of(given: RecordingInputs) -> AttentionKind:
    """Whose attention one kind without a name is: said, or of a decoder if no row looks ahead."""
    if given.kind is not None:
        if given.kind not in list(AttentionKind):
            raise HeadscopeError("record_kind", kind=given.kind, kinds=_all_kinds())
        return AttentionKind(given.kind)
    value = given.attentions
    # Speech models without any decoder answer with a plain `CausalLMOutput`, too.
    if "CausalLMOutputWith" in type(value).__name__:
        return _DECODER
    found = _part(value, "attentions") if _is_output(value) else value
    first = GivenLayers.of(found, "the", given.item).layer(0)
    if first.shape[1] != first.shape[2]:
        return _CROSS
    if given.src_tokens is not None:
        return _ENCODER
    if given.tgt_in_tokens is not None or given.tgt_out_tokens is not None:
        return _DECODER
    # What stands in rows of padding says nothing.
    places = kept_places(given.attention_mask, given.item, first.shape[1], "attention_mask")
    first = cut(first, places, places)
    return _DECODER if first.shape[1] > 1 and not np.triu(first, 1).any() else _ENCODER


def _generated(given: RecordingInputs) -> FoundKinds:
    """The kinds of one sequence of `generate`, step by step."""
    value = given.attentions
    steps = {_DECODER: _part(value, "decoder_attentions"), _CROSS: _part(value, "cross_attentions")}
    if steps[_DECODER] is None:
        steps[_DECODER] = _part(value, "attentions")
    if not steps[_DECODER]:
        raise HeadscopeError("record_no_attention")
    produced = _produced(given, steps[_DECODER])
    found: dict[AttentionKind, Layers] = {}
    if _part(value, "encoder_attentions"):
        layers = _part(value, "encoder_attentions")
        found[_ENCODER] = GivenLayers.of(layers, str(_ENCODER), produced.source_item)
    for kind, each in steps.items():
        if each:
            found[kind] = SteppedLayers.of(each, str(kind), produced.items)
    return FoundKinds(found, produced)


def _produced(given: RecordingInputs, steps: Sequence[Sequence[Any]]) -> Produced:
    value = given.attentions
    sequences = _part(value, "sequences")
    ids = to_ids(take(sequences, given.item))
    first = steps[0][0] if steps[0] else None
    if first is None or len(shape_of(first)) != 4:
        raise HeadscopeError("record_steps", kind=str(_DECODER))
    batch, _, read, _ = shape_of(first)
    beams = _part(value, "beam_indices")
    if beams is None:
        if "Beam" in type(value).__name__ or batch != len(sequences):
            raise HeadscopeError("record_beams")
        if len(ids) == len(steps):
            raise HeadscopeError("record_embeds")
        if len(ids) != read + len(steps):
            raise HeadscopeError("record_steps", kind=str(_DECODER))
        count = _length(ids[read:], given)
        items = (given.item,) * count
    else:
        path = to_ids(take(beams, given.item))
        items = tuple(path[path >= 0].tolist())
        count = len(items)
    if count and len(ids) == count:
        raise HeadscopeError("record_embeds")
    if count == 0 or len(ids) < read + count:
        raise HeadscopeError("record_steps", kind=str(_DECODER))
    sources = _sources(given)
    return Produced(ids[: read + count], read, items, given.item // max(1, len(sequences) // sources))


def _sources(given: RecordingInputs) -> int:
    """How many texts were given; several sequences may be made of each."""
    encoder = _part(given.attentions, "encoder_attentions")
    if encoder:
        return max(1, shape_of(encoder[0])[0])
    mask = given.attention_mask
    if mask is not None and len(shape_of(mask)) == 2:
        return max(1, shape_of(mask)[0])
    return len(_part(given.attentions, "sequences"))


def _length(produced: Ids, given: RecordingInputs) -> int:
    """How many tokens were produced before the padding that evens out a batch."""
    pad, ends = pad_and_end_ids(given)
    if pad is None:
        return len(produced)
    length = len(produced)
    while length and produced[length - 1] == pad:
        length -= 1
    if length < len(produced) and pad in ends:
        return length + 1  # the first of them ended the sequence
    ended = bool(length) and (not ends or int(produced[length - 1]) in ends)
    return length if ended else len(produced)


def pad_and_end_ids(given: RecordingInputs) -> tuple[int | None, frozenset[int]]:
    """What pads a sequence and what ends it; an end pads where there is nothing else."""
    pad, ends = given.pad_id, given.end_ids
    if not ends and getattr(given.tokenizer, "eos_token_id", None) is not None:
        ends = frozenset([int(given.tokenizer.eos_token_id)])
    if pad is None:
        pad = getattr(given.tokenizer, "pad_token_id", None)
    if pad is None and ends:
        pad = min(ends)
    return pad, ends


def _all_kinds() -> str:
    return ", ".join(AttentionKind)
