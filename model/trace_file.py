"""Trace files: a safetensors file that opens in no time and gives out one head at a time. No torch."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.files import StrPath, replacing, shown
from model.tensor_file import NUMPY_TYPES, TensorFile, TensorSource, write_tensors
from model.trace import AttentionKind, Floats, FrameKind, Trace
from model.trace_header import check_format, fields_of, header_of

# Softmax in float32 ends within 1e-6 of 1, in bfloat16 within 4e-3.
_HIGHEST_WEIGHT = 1.005
_HIGHEST_LOGPROB = 1e-2
# With no more weights than this, all are checked when a trace is opened; else each head when it is read.
_CHECKED_AT_OPEN = 1 << 22

_MOST_HEADS = 1 << 16

_DECODER = (AttentionKind.DECODER_SELF, AttentionKind.CROSS)
_TARGET_IDS = ("tgt_in_ids", "tgt_out_ids")
_TARGET_FLOATS = ("step_logprob", "candidate_logprobs")
# What not every decoding records, by name: dimensions and types.
_OPTIONAL: dict[str, tuple[int, tuple[str, ...]]] = {
    "step_rank": (1, ("I64",)),
    "candidate_drawn": (2, ("F32", "F16")),
    "drawn_count": (1, ("I64",)),
}


class FilePatterns:
    """Patterns in a trace file, read when asked for and checked then."""

    def __init__(
        self, file: TensorFile, shapes: dict[AttentionKind, tuple[int, int, int, int]], numbers: str
    ) -> None:
        self._file = file
        self._shapes = shapes
        self._range = _bounds(numbers)

    def shape(self, kind: AttentionKind) -> tuple[int, int, int, int] | None:
        """See `model.trace.Patterns`."""
        return self._shapes.get(kind)

    def pattern(self, kind: AttentionKind, layer: int, head: int) -> Floats:
        """See `model.trace.Patterns`.

        Raises:
            HeadscopeError: `trace_values`: the file's numbers are no attention weights.
            IndexError: there is no such layer or head.
        """
        layers, heads, queries, keys = self._shapes[kind]
        _check_index(layer, layers)
        _check_index(head, heads)
        size = queries * keys
        return self._read(kind, layer, (layer * heads + head) * size, (queries, keys))

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        """See `model.trace.Patterns`; raises as `pattern` does."""
        layers, heads, queries, keys = self._shapes[kind]
        _check_index(layer, layers)
        size = heads * queries * keys
        return self._read(kind, layer, layer * size, (heads, queries, keys))

    def check(self) -> None:
        """Read everything; `HeadscopeError` as in `pattern`."""
        for kind, shape in self._shapes.items():
            for layer in range(shape[0]):
                self.layer(kind, layer)

    def _read(self, kind: AttentionKind, layer: int, first: int, shape: tuple[int, ...]) -> Floats:
        stored = self._file.array(kind, first, math.prod(shape))
        weights: Floats = stored.astype(np.float32, copy=False).reshape(shape)
        if not in_range(weights, *self._range):
            raise HeadscopeError("trace_values", path=self._file.path, kind=str(kind), layer=layer + 1)
        weights.flags.writeable = False
        return weights


def in_range(values: npt.NDArray[Any], lowest: float, highest: float) -> bool:
    """Whether all values are finite and from `lowest` to `highest`."""
    if values.size == 0:
        return True
    # NaN comes out of min and max, and fails every comparison.
    least, most = float(values.min()), float(values.max())
    return least >= lowest and most <= highest and bool(np.isfinite(least)) and bool(np.isfinite(most))


def save_trace(
    trace: Trace,
    path: StrPath,
    *,
    float16: bool = False,
    frame: int | None = None,
    frame_kind: FrameKind | None = None,
) -> None:
    """Write a trace file in one step.

    Args:
        float16: store the patterns (not the probabilities) in half precision.
        frame, frame_kind: the trace's place in a sequence, such as 1200 and `training_step`; None leaves
            what the trace says itself.

    Raises:
        HeadscopeError: the trace contradicts itself, or the file cannot be written; an old file stays.
    """
    if frame is not None and frame_kind is not None:
        trace = replace(trace, extra={**trace.extra, "frame": str(frame), "frame_kind": frame_kind})
    source = (
        AttentionKind.ENCODER_SELF in trace.kinds
        or AttentionKind.CROSS in trace.kinds
        or len(trace.src_ids) > 0
    )
    target = any(kind in trace.kinds for kind in _DECODER) or trace.steps > 0
    name = shown(path)
    _check_arrays(trace, name)
    tensors: dict[str, TensorSource] = {}
    for kind in trace.kinds:
        tensors[str(kind)] = _pattern_source(trace, kind, "F16" if float16 else "F32", name)
    if source:
        tensors["src_ids"] = TensorSource.of(trace.src_ids, "I64")
    if target:
        for key in (*_TARGET_IDS, "candidate_ids"):
            tensors[key] = TensorSource.of(getattr(trace, key), "I64")
        for key in _TARGET_FLOATS:
            tensors[key] = TensorSource.of(getattr(trace, key), "F32")
        for key, (_, types) in _OPTIONAL.items():
            array = getattr(trace, key)
            if array is not None:
                tensors[key] = TensorSource.of(array, types[0])
    header = header_of(trace, source=source, target=target)
    with replacing(path) as temporary:
        write_tensors(temporary, tensors, header)


def open_trace(path: StrPath) -> Trace:
    """A trace whose patterns stay in the file until they are asked for.

    Raises:
        HeadscopeError: there is no such file, or it is no complete trace. In a file with more than 4 million
            weights the weights are checked when they are read, and raise `trace_values` then.
    """
    file = TensorFile(path)
    check_format(file.metadata, file.path)
    shapes = _family_shapes(file)
    source = (
        "src_ids" in file.tensors or AttentionKind.ENCODER_SELF in shapes or AttentionKind.CROSS in shapes
    )
    target = "tgt_out_ids" in file.tensors or any(kind in shapes for kind in _DECODER)
    fields = fields_of(file.metadata, file.path, source=source, target=target)
    for key in ("src_ids", *_TARGET_IDS):
        fields[key] = _array(file, key, 1, ("I64",), wanted=source if key == "src_ids" else target)
    fields["candidate_ids"] = _array(file, "candidate_ids", 2, ("I64",), wanted=target)
    fields["step_logprob"] = _array(file, "step_logprob", 1, ("F32", "F16"), wanted=target)
    fields["candidate_logprobs"] = _array(file, "candidate_logprobs", 2, ("F32", "F16"), wanted=target)
    for key, (dims, types) in _OPTIONAL.items():
        if target and key in file.tensors:
            fields[key] = _array(file, key, dims, types, wanted=True)
    patterns = FilePatterns(file, shapes, fields["numbers"])
    trace = Trace(patterns=patterns, **fields)
    _check_arrays(trace, file.path)
    if sum(math.prod(shape) for shape in shapes.values()) <= _CHECKED_AT_OPEN:
        patterns.check()
    return trace


def _family_shapes(file: TensorFile) -> dict[AttentionKind, tuple[int, int, int, int]]:
    shapes = {}
    for kind in AttentionKind:
        info = file.tensors.get(kind)
        if info is None:
            continue
        if len(info.shape) != 4 or info.dtype not in ("F32", "F16"):
            raise _invalid(file.path, f"{kind} has the shape {list(info.shape)} and the type {info.dtype}")
        layers, heads, queries, keys = info.shape
        if not 0 < layers * heads <= _MOST_HEADS:
            raise _invalid(file.path, f"{kind} has {layers} layers of {heads} heads")
        shapes[kind] = (layers, heads, queries, keys)
    return shapes


def _array(
    file: TensorFile, name: str, dims: int, types: tuple[str, ...], *, wanted: bool
) -> npt.NDArray[Any]:
    """A small tensor, copied: numbers that are looked at all the time should not hang on the file."""
    dtype: type[Any] = np.int64 if types == ("I64",) else np.float32
    info = file.tensors.get(name)
    if info is None:
        if wanted:
            raise _invalid(file.path, f"it lacks {name}")
        array = np.zeros((0,) * dims, dtype)
    elif len(info.shape) != dims or info.dtype not in types:
        raise _invalid(file.path, f"{name} has the shape {list(info.shape)} and the type {info.dtype}")
    else:
        array = file.array(name).astype(dtype).reshape(info.shape)
    array.flags.writeable = False
    return array


def _check_arrays(trace: Trace, path: str) -> None:
    """Raise `HeadscopeError` where the lengths or ranges of a trace's parts contradict each other."""
    s, t = len(trace.src_tokens), len(trace.tgt_out_tokens)
    k = trace.candidate_ids.shape[1] if trace.candidate_ids.ndim == 2 else -1
    row_lengths = sorted({len(row) for row in trace.candidate_tokens})
    wanted: dict[str, tuple[Any, Any]] = {
        "src_ids": (trace.src_ids.shape, (s,)),
        "tgt_in_tokens": (len(trace.tgt_in_tokens), t),
        "tgt_in_ids": (trace.tgt_in_ids.shape, (t,)),
        "tgt_out_ids": (trace.tgt_out_ids.shape, (t,)),
        "step_logprob": (trace.step_logprob.shape, (t,)),
        "candidate_ids": (trace.candidate_ids.shape, (t, k)),
        "candidate_logprobs": (trace.candidate_logprobs.shape, (t, k)),
        "candidate_tokens": ((len(trace.candidate_tokens), *row_lengths), (t, k) if t else (0,)),
    }
    for name, (dims, _) in _OPTIONAL.items():
        if (array := getattr(trace, name)) is not None:
            wanted[name] = (array.shape, (t, k)[:dims])
    sides = {
        AttentionKind.ENCODER_SELF: (s, s),
        AttentionKind.DECODER_SELF: (t, t),
        AttentionKind.CROSS: (t, s),
    }
    for kind in trace.kinds:
        shape = trace.patterns.shape(kind)
        wanted[kind] = (shape and shape[2:], sides[kind])
    if not trace.kinds:
        raise _invalid(path, "it holds no attention")
    for name, (found, right) in wanted.items():
        if found != right:
            raise _invalid(path, f"{name} has the size {found} where {right} is needed")
    if not all(in_range(getattr(trace, n), -np.inf, _HIGHEST_LOGPROB) for n in _TARGET_FLOATS):
        raise _invalid(path, "its log probabilities are no log probabilities")
    if (np.diff(trace.candidate_logprobs, axis=1) > _HIGHEST_LOGPROB).any():
        raise _invalid(path, "its candidates are not in order")
    if not all(in_range(getattr(trace, n), 0, np.inf) for n in ("src_ids", *_TARGET_IDS, "candidate_ids")):
        raise _invalid(path, "a token id is negative")
    _check_optional(trace, path)


def _check_optional(trace: Trace, path: str) -> None:
    for name in ("step_rank", "drawn_count"):
        counts = getattr(trace, name)
        if counts is not None and not in_range(counts, 1, np.inf):
            raise _invalid(path, f"{name} counts from 1")
    drawn = trace.candidate_drawn
    if (drawn is None) != (trace.drawn_count is None):
        raise _invalid(path, "of candidate_drawn and drawn_count it holds only one")
    if drawn is not None and not in_range(drawn[~np.isneginf(drawn)], -np.inf, _HIGHEST_LOGPROB):
        raise _invalid(path, "its log probabilities are no log probabilities")


def _pattern_source(trace: Trace, kind: AttentionKind, dtype: str, path: str) -> TensorSource:
    """A family to be written layer by layer, so that a long one is never in memory as a whole."""
    shape = trace.patterns.shape(kind)
    assert shape is not None
    layer_of: Callable[[AttentionKind, int], Floats] = trace.patterns.layer
    bounds = _bounds(trace.numbers)

    def chunks() -> Iterator[bytes | memoryview]:
        for layer in range(shape[0]):
            weights = layer_of(kind, layer)
            with np.errstate(over="ignore"):  # an aggregate beyond float16's range is found right below
                stored = np.ascontiguousarray(weights, NUMPY_TYPES[dtype])
            if not in_range(stored, *bounds):
                raise HeadscopeError("trace_values", path=path, kind=str(kind), layer=layer + 1)
            yield stored.tobytes()

    return TensorSource(dtype, shape, chunks)


def _bounds(numbers: str) -> tuple[float, float]:
    """The range of a trace's numbers; an aggregate, such as attention times a norm, may have any."""
    return (0.0, _HIGHEST_WEIGHT) if numbers == "pattern" else (-np.inf, np.inf)


def _check_index(index: int, count: int) -> None:
    if not 0 <= index < count:
        raise IndexError(f"index {index} is outside 0 to {count - 1}")


def _invalid(path: str, reason: str) -> HeadscopeError:
    return HeadscopeError("trace_invalid", path=path, reason=reason)
