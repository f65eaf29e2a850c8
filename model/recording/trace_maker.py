"""Trace of what was given: kinds of attention, tokens and probabilities put together."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from model.errors import HeadscopeError
from model.recording.checked_patterns import CheckedPatterns, Recorded
from model.recording.inputs import RecordingInputs
from model.recording.kinds import find_kinds
from model.recording.layers import Layers
from model.recording.sides import Side, namer, names_of, style_of, text_of
from model.recording.source import Source, source_of
from model.recording.target import Target, generated_target, read_target
from model.trace.trace import AttentionKind, Ids, Trace
from model.trace.trace_check import unknown_ids
from model.version import VERSION

_ENCODER, _DECODER, _CROSS = AttentionKind


def trace_of(given: RecordingInputs) -> Trace:
    """The trace; its patterns are looked at when they are written.

    Raises:
        HeadscopeError: the parts do not belong together, or there is no attention.
    """
    if not isinstance(given.numbers, str) or not given.numbers.strip():
        raise HeadscopeError("record_numbers")
    given = replace(given, tokenizer=namer(given.tokenizer))
    found = find_kinds(given)
    source_length, target_length = _lengths(found.layers)
    _check_sides(given, source_length is not None, target_length is not None)
    source = Source() if source_length is None else source_of(given, found, source_length)
    if target_length is None:
        target = Target()
    elif found.produced is not None:
        target = generated_target(given, found.produced, alone=source_length is None)
    else:
        target = read_target(given, target_length, alone=source_length is None)
    return _trace(given, found.layers, source, target)


def _check_sides(given: RecordingInputs, source: bool, target: bool) -> None:
    """Refuse tokens of a side that the attention does not have, rather than lose them."""
    sides = {"src_tokens": source, "tgt_in_tokens": target, "tgt_out_tokens": target}
    for name, there in sides.items():
        if not there and getattr(given, name) is not None:
            side = "source" if name == "src_tokens" else "target"
            raise HeadscopeError("record_side", name=name, side=side)


def _lengths(layers: Mapping[AttentionKind, Layers]) -> tuple[int | None, int | None]:
    """How many source and target tokens the kinds have; None for a side that is not there."""
    axes: dict[str, dict[str, int]] = {"source": {}, "target": {}}
    sides = {_ENCODER: ("source", "source"), _DECODER: ("target", "target"), _CROSS: ("target", "source")}
    for kind, found_layers in layers.items():
        for side, length, axis in zip(sides[kind], found_layers.shape[2:], ("queries", "keys")):
            axes[side][f"{kind} {axis}"] = length
    for side, lengths in axes.items():
        if len(set(lengths.values())) > 1:
            said = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise HeadscopeError("record_lengths", side=side, lengths=said)
    source, target = (next(iter(axes[side].values()), None) for side in ("source", "target"))
    return source, target


def _trace(
    given: RecordingInputs, layers: Mapping[AttentionKind, Layers], source: Source, target: Target
) -> Trace:
    places = {
        _ENCODER: (source.places, source.places),
        _DECODER: (target.places, target.places),
        _CROSS: (target.places, source.places),
    }
    dtype = given.compute_dtype or next(iter(layers.values())).dtype
    patterns = CheckedPatterns(
        {kind: Recorded(found_layers, *places[kind]) for kind, found_layers in layers.items()},
        numbers=given.numbers,
        causal=not given.bidirectional,
        dtype=dtype,
    )
    read, predicted, prompt = target.read, target.predicted, target.prompt_length
    src_text, given_text = given.text or "", {}
    if prompt:
        said = given.text if given.text is not None else text_of(_part(read, 0, prompt), given.tokenizer)
        src_text, given_text = "", {"prompt_length": str(prompt), "prompt_text": said}
    elif given.text is None:
        src_text = text_of(source.side, given.tokenizer)
    tgt_text = given.target_text
    if tgt_text is None:
        tgt_text = text_of(_part(predicted, max(0, prompt - 1), None), given.tokenizer)
    return Trace(
        patterns=patterns,
        src_text=src_text,
        tgt_text=tgt_text,
        src_tokens=source.side.tokens,
        tgt_in_tokens=read.tokens,
        tgt_out_tokens=predicted.tokens,
        src_ids=_ids(source.side),
        tgt_in_ids=_ids(read),
        tgt_out_ids=_ids(predicted),
        model_name=given.model_name,
        decoding=given.decoding or _decoding(layers),
        numbers=given.numbers,
        compute_dtype=dtype,
        created_by=_created_by(),
        finished=target.finished,
        extra={**_extra(given, source, target), **given_text, **given.extra},
        **source.fields,
        **_thought(given, target),
    )


def _thought(given: RecordingInputs, target: Target) -> dict[str, Any]:
    """The fields about probabilities; nothing known where nothing was recorded."""
    steps = len(target.predicted.tokens)
    thought = target.thought
    if thought is None or not thought.known.any():
        return {
            "step_logprob": np.full(steps, np.nan, np.float32),
            "candidate_ids": np.zeros((steps, 0), np.int64),
            "candidate_logprobs": np.zeros((steps, 0), np.float32),
            "candidate_tokens": ((),) * steps,
        }
    rows = zip(thought.ids.tolist(), thought.known.tolist())
    nothing = ("",) * thought.ids.shape[1]
    tokens = tuple(names_of(row, given.tokenizer) if known else nothing for row, known in rows)
    return {
        "step_logprob": thought.chosen,
        "step_rank": thought.rank if thought.known.all() else None,
        "candidate_ids": thought.ids,
        "candidate_logprobs": thought.logprobs,
        "candidate_tokens": tokens,
    }


def _extra(given: RecordingInputs, source: Source, target: Target) -> dict[str, str]:
    extra = {"token_style": str(style_of(given.tokenizer, (source.side, target.read, target.predicted)))}
    mask = getattr(given.tokenizer, "mask_token", None)
    if mask and "src_candidate_ids" in source.fields:
        extra["mask_token"] = str(mask)
    if given.bidirectional and target.read.tokens:
        extra["bidirectional"] = "true"
    return extra


def _decoding(layers: Mapping[AttentionKind, Layers]) -> dict[str, Any]:
    """How the target came about, as far as the numbers themselves say."""
    return {"mode": "read"} if set(layers) == {_ENCODER} else {"mode": "recorded"}


def _created_by() -> str:
    """This program and, where they are at work, those that computed the numbers."""
    names = [f"headscope {VERSION}"]
    for name in ("transformers", "torch"):
        version = getattr(sys.modules.get(name), "__version__", None)
        if version:
            names.append(f"{name} {version}")
    return ", ".join(names)


def _ids(side: Side) -> Ids:
    return unknown_ids(side.tokens) if side.ids is None else side.ids


def _part(side: Side, first: int, end: int | None) -> Side:
    return Side(side.tokens[first:end], None if side.ids is None else side.ids[first:end])
