"""Calls of a model of `transformers`: what was given, by name, and what of it belongs in a trace."""

from __future__ import annotations

import copy
import inspect
import os
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from model.recording.arrays import to_ids

_BEAM = ("num_beams", "length_penalty")
_SAMPLING = ("temperature", "top_k", "top_p")
_OURS = {"num_beams": "beam_size"}
ASKED = {"output_attentions": True, "return_dict_in_generate": True, "output_logits": True}


def arguments_of(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """Arguments of a call by name."""
    try:
        found = inspect.signature(function).bind_partial(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return dict(kwargs)
    named: dict[str, Any] = {}
    for name, value in found.items():
        named |= value if name == "kwargs" and isinstance(value, dict) else {name: value}
    return named


def takes(function: Callable[..., Any], name: str) -> bool:
    """Whether a function has a parameter of this name, or takes any."""
    parameters = inspect.signature(function).parameters
    return name in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def model_name(model: Any) -> str:
    """What the model is called: its name on the hub, or its folder's; never where the folder is."""
    path = str(getattr(getattr(model, "config", None), "_name_or_path", "") or "")
    if os.path.isabs(path) or os.path.isdir(path) or "\\" in path or path.startswith("."):
        path = os.path.basename(os.path.normpath(path.replace("\\", "/")))
    return path or type(model).__name__


def ending(
    model: Any, arguments: Mapping[str, Any] = MappingProxyType({})
) -> tuple[int | None, frozenset[int]]:
    """The ids that pad and that end a sequence, as a call or else the model says."""
    pad, end = (
        _first(setting(model, arguments, name), getattr(getattr(model, "config", None), name, None))
        for name in ("pad_token_id", "eos_token_id")
    )
    ends = frozenset() if end is None else frozenset(np.ravel(to_ids(end)).tolist())
    return None if pad is None else int(pad), ends


def _first(value: Any, other: Any) -> Any:
    return other if value is None else value


def generation_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments for `generate` with which it gives out all that a trace holds."""
    config = arguments.get("generation_config")
    if config is None:
        return {**arguments, **ASKED}
    config = copy.deepcopy(config)  # the caller's own is left alone
    for name, value in ASKED.items():
        setattr(config, name, value)
    rest = {name: value for name, value in arguments.items() if name not in ASKED}
    return {**rest, "generation_config": config}


def setting(model: Any, arguments: Mapping[str, Any], name: str) -> Any:
    """A setting of a `generate`: as it was called, else as its or the model's configuration says."""
    if arguments.get(name) is not None:
        return arguments[name]
    for config in (arguments.get("generation_config"), getattr(model, "generation_config", None)):
        if getattr(config, name, None) is not None:
            return getattr(config, name)
    return None


def decoding_of(model: Any, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """How a `generate` chooses, as a trace's header says it."""
    beams, draws = setting(model, arguments, "num_beams") or 1, setting(model, arguments, "do_sample")
    names: tuple[str, ...] = ()
    if beams > 1:
        names += _BEAM
    if draws:
        names += _SAMPLING
    found = {_OURS.get(name, name): setting(model, arguments, name) for name in names}
    mode = "beam" if beams > 1 else "sample" if draws else "greedy"
    drawn = {"do_sample": True} if beams > 1 and draws else {}
    kept = {name: value for name, value in found.items() if isinstance(value, int | float)}
    return {"mode": mode, **kept, **drawn}


def prompt_mask(ids: Any, mask: Any, pad: int | None, ends: frozenset[int]) -> Any:
    """The attention mask, or the one that `generate` makes of padding when none is given."""
    if mask is not None or ids is None or pad is None or pad in ends:
        return mask
    found = to_ids(ids)
    return (found != pad).astype(np.int64) if (found == pad).any() else None


def target_mask(arguments: Mapping[str, Any], read: Any, pad: int | None) -> Any:
    """Which decoder inputs are no padding; None when all are."""
    if arguments.get("decoder_attention_mask") is not None:
        return arguments["decoder_attention_mask"]
    if arguments.get("labels") is not None:
        return (to_ids(arguments["labels"]) >= 0).astype(np.int64)
    if read is None or pad is None:
        return None
    ids = to_ids(read)
    # Only what is behind the last other token: the start token may well be the one that pads.
    behind = np.logical_and.accumulate((ids == pad)[:, ::-1], axis=1)[:, ::-1]
    behind[:, 0] = False
    return (~behind).astype(np.int64)


def labels_of(arguments: Mapping[str, Any]) -> Any:
    """What a decoder was to predict, [batch, tokens]; None where nobody said."""
    labels = arguments.get("labels")
    if labels is None:
        return None
    ids = to_ids(labels)
    return np.where(ids < 0, 0, ids)
