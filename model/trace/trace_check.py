"""Trace checks: whether the parts fit each other and are what they are called, when written or read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Ids, Trace

# Softmax in float32 ends within 1e-6 of 1, in bfloat16 within 4e-3.
_HIGHEST_WEIGHT = 1.005
_HIGHEST_LOGPROB = 1e-2

Part = tuple[int, tuple[str, ...]]
"""Dimensions of an array, and the types that it may have in a file; the first is the one written."""

TARGET_PARTS: dict[str, Part] = {
    "step_rank": (1, ("I64",)),
    "candidate_drawn": (2, ("F32", "F16")),
    "drawn_count": (1, ("I64",)),
    "copy_share": (1, ("F32", "F16")),
}
"""What not every decoding records: [T] or [T, K]."""

SOURCE_PARTS: dict[str, Part] = {
    "src_candidate_ids": (2, ("I64",)),
    "src_candidate_logprobs": (2, ("F32", "F16")),
    "src_logprob": (1, ("F32", "F16")),
    "src_rank": (1, ("I64",)),
    "src_segments": (1, ("I64",)),
    "class_logits": (1, ("F32", "F16")),
}
"""What only models that read all at once tell of a text: [S] or [S, K]; of its classes [C]."""

SIDE_IDS = {"src_ids": "src_tokens", "tgt_in_ids": "tgt_in_tokens", "tgt_out_ids": "tgt_out_tokens"}
"""Ids of the tokens along the axes, and the names of those."""

PROBABILITIES = ("step_logprob", "candidate_ids", "candidate_logprobs")
"""What a model thought of each next token."""

_IDS = ("candidate_ids", "src_candidate_ids", "src_segments")
_LOGPROBS = ("step_logprob", "candidate_logprobs", "src_candidate_logprobs", "src_logprob")
_COUNTS = ("step_rank", "drawn_count", "src_rank")
_TOGETHER = (
    ("candidate_drawn", "drawn_count"),
    ("src_candidate_ids", "src_candidate_logprobs"),
    ("src_candidate_ids", "src_logprob"),
    ("src_candidate_ids", "src_rank"),
)


def in_range(values: npt.NDArray[Any], lowest: float, highest: float) -> bool:
    """Whether all values are finite and from `lowest` to `highest`."""
    if values.size == 0:
        return True
    # NaN comes out of min and max, and fails every comparison.
    least, most = float(values.min()), float(values.max())
    return least >= lowest and most <= highest and bool(np.isfinite(least)) and bool(np.isfinite(most))


def bounds_of(numbers: str) -> tuple[float, float]:
    """The range of a trace's numbers; an aggregate, such as attention times a norm, may have any."""
    return (0.0, _HIGHEST_WEIGHT) if numbers == "pattern" else (-np.inf, np.inf)


def check_arrays(trace: Trace, path: str) -> None:
    """Refuse a trace whose parts contradict each other; its patterns' weights are not looked at.

    Args:
        path: what the trace is called in the error.

    Raises:
        HeadscopeError: `trace_invalid`: a length or a range is wrong.
    """
    if not trace.kinds:
        raise invalid(path, "it holds no attention")
    for name, (found, right) in _sizes(trace).items():
        if found != right:
            raise invalid(path, f"{name} has the size {found} where {right} is needed")
    there = _recorded_parts(trace)
    _check_logprobs(there, path)
    _check_whole_numbers(trace, there, path)
    if trace.copy_share is not None and not in_range(trace.copy_share, 0.0, _HIGHEST_WEIGHT):
        raise invalid(path, "its shares of what is copied are no shares")
    if trace.class_logits is not None and not in_range(trace.class_logits, -np.inf, np.inf):
        raise invalid(path, "what it says of classes is no number")
    for one, other in _TOGETHER:
        if (getattr(trace, one) is None) != (getattr(trace, other) is None):
            raise invalid(path, f"of {one} and {other} it holds only one")


def _check_logprobs(there: Mapping[str, npt.NDArray[Any]], path: str) -> None:
    drawn = there.get("candidate_drawn")
    logprobs = [there[name] for name in _LOGPROBS if name in there]
    logprobs += [] if drawn is None else [drawn[~np.isneginf(drawn)]]
    if not all(in_range(array, -np.inf, _HIGHEST_LOGPROB) for array in logprobs):
        raise invalid(path, "its log probabilities are no log probabilities")
    for name in ("candidate_logprobs", "src_candidate_logprobs"):
        if name in there and (np.diff(there[name], axis=1) > _HIGHEST_LOGPROB).any():
            raise invalid(path, "its candidates are not in order")


def _check_whole_numbers(trace: Trace, there: Mapping[str, npt.NDArray[Any]], path: str) -> None:
    sound = [_sound_ids(getattr(trace, name), getattr(trace, tokens)) for name, tokens in SIDE_IDS.items()]
    if not all(sound) or not all(in_range(there[name], 0, np.inf) for name in _IDS if name in there):
        raise invalid(path, "a token id is negative")
    for name in _COUNTS:
        if name in there and not in_range(there[name], 1, np.inf):
            raise invalid(path, f"{name} counts from 1")


def not_recorded(trace: Trace) -> tuple[str, ...]:
    """Which arrays that belong into every trace this one lacks: see `Trace.tgt_out_ids`, `step_logprob`."""
    absent = [name for name in SIDE_IDS if len(getattr(trace, name)) and getattr(trace, name).max() < 0]
    if trace.steps and not trace.known_steps.any() and not trace.candidate_ids.size:
        absent += PROBABILITIES
    return tuple(absent)


def unknown_ids(tokens: Sequence[str]) -> Ids:
    """In place of ids that nobody recorded: negative, and equal where the tokens are; -1 for no token."""
    return np.array([_stand_in(token) if token else -1 for token in tokens], np.int64)


def _stand_in(token: str) -> int:
    digest = hashlib.blake2b(token.encode("utf-8", "replace"), digest_size=6).digest()
    return -2 - int.from_bytes(digest, "big")


def _sound_ids(ids: Ids, tokens: Sequence[str]) -> bool:
    """Whether they are ids, but for tokens that are not known; or none at all are recorded."""
    negative = ids < 0
    if negative.all():
        return True
    return all(ids[place] == -1 and not tokens[place] for place in np.flatnonzero(negative).tolist())


def _recorded_parts(trace: Trace) -> dict[str, npt.NDArray[Any]]:
    """The arrays to be looked at, by name: of the probabilities only the steps that were recorded."""
    parts = {name: getattr(trace, name) for name in (*_IDS, *_LOGPROBS, *_COUNTS, "candidate_drawn")}
    there = {name: array for name, array in parts.items() if array is not None}
    known = trace.known_steps
    if not known.all():
        unknown = there["candidate_logprobs"][~known]
        if np.isnan(unknown).all():
            there |= {name: there[name][known] for name in PROBABILITIES}
    return there


def _sizes(trace: Trace) -> dict[str, tuple[Any, Any]]:
    """The size of each part, and the one that it should have."""
    s, t = len(trace.src_tokens), len(trace.tgt_out_tokens)
    k = trace.candidate_ids.shape[1] if trace.candidate_ids.ndim == 2 else -1
    sizes: dict[str, tuple[Any, Any]] = {
        "src_ids": (trace.src_ids.shape, (s,)),
        "tgt_in_tokens": (len(trace.tgt_in_tokens), t),
        "tgt_in_ids": (trace.tgt_in_ids.shape, (t,)),
        "tgt_out_ids": (trace.tgt_out_ids.shape, (t,)),
        "step_logprob": (trace.step_logprob.shape, (t,)),
        "candidate_ids": (trace.candidate_ids.shape, (t, k)),
        "candidate_logprobs": (trace.candidate_logprobs.shape, (t, k)),
        "candidate_tokens": _rows(trace.candidate_tokens, t, k),
    }
    for name, (dims, _) in TARGET_PARTS.items():
        if (array := getattr(trace, name)) is not None:
            sizes[name] = (array.shape, (t, k)[:dims])
    known = trace.src_candidate_ids
    places = known.shape[1] if known is not None and known.ndim == 2 else -1
    for name, (dims, _) in SOURCE_PARTS.items():
        if (array := getattr(trace, name)) is not None:
            sizes[name] = (array.shape, (s, places)[:dims])
    if trace.class_logits is not None or trace.class_names:
        found = () if trace.class_logits is None else trace.class_logits.shape
        sizes["class_logits"] = (found, (len(trace.class_names),))
    if known is not None:
        sizes["src_candidate_tokens"] = _rows(trace.src_candidate_tokens, s, places)
    sides = {
        AttentionKind.ENCODER_SELF: (s, s),
        AttentionKind.DECODER_SELF: (t, t),
        AttentionKind.CROSS: (t, s),
    }
    for kind in trace.kinds:
        shape = trace.patterns.shape(kind)
        sizes[kind] = (shape and shape[2:], sides[kind])
    return sizes


def _rows(table: tuple[tuple[str, ...], ...], rows: int, columns: int) -> tuple[Any, Any]:
    lengths = sorted({len(row) for row in table})
    return (len(table), *lengths), (rows, columns) if rows else (0,)


def invalid(path: str, reason: str) -> HeadscopeError:
    """The error of a trace file that is not what it should be, for that reason."""
    return HeadscopeError("trace_invalid", path=path, reason=reason)
