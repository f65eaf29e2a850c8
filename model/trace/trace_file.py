"""Trace files: a safetensors file that opens in no time and gives out one head at a time. No torch."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.files.files import StrPath, replacing, shown
from model.files.npz_file import NpzFile, is_npz
from model.files.tensor_file import NUMPY_TYPES, TensorFile, TensorInfo, TensorSource, bytes_of, write_tensors
from model.trace.npz_trace import as_trace_file
from model.trace.trace import AttentionKind, Floats, FrameKind, Trace, Unsound, heads_in_order, row_blocks
from model.trace.trace_check import (
    PROBABILITIES,
    SIDE_IDS,
    SOURCE_PARTS,
    TARGET_PARTS,
    Part,
    bounds_of,
    check_arrays,
    in_range,
    invalid,
    not_recorded,
    unknown_ids,
)
from model.trace.trace_header import absent_of, check_format, fields_of, header_of
from model.trace.weights_check import check_causal, check_rows, tolerance, unsound

# With no more weights than this, all are checked when a trace is opened; else each head when it is read.
_CHECKED_AT_OPEN = 1 << 22

_MOST_HEADS = 1 << 16

# Of what is copied into memory when a trace is opened; patterns are not.
_MOST_NUMBERS = 1 << 26

_DECODER = (AttentionKind.DECODER_SELF, AttentionKind.CROSS)
_TARGET_IDS = ("tgt_in_ids", "tgt_out_ids")
_TARGET_FLOATS = ("step_logprob", "candidate_logprobs")


class ArrayFile(Protocol):
    """A file of named arrays, whatever its format, as a trace is read from it."""

    @property
    def path(self) -> str:
        """As it is called in errors."""

    @property
    def metadata(self) -> Mapping[str, str]:
        """The header's strings."""

    @property
    def tensors(self) -> Mapping[str, TensorInfo]:
        """Every array by name."""

    @property
    def foreign(self) -> bool:
        """Whether no program of ours wrote it, so that weights are checked row by row."""

    def array(self, name: str, first: int = 0, count: int | None = None) -> npt.NDArray[Any]:
        """See `TensorFile.array`."""


class FilePatterns:
    """Patterns in a trace file, read when asked for and checked then."""

    def __init__(
        self,
        file: ArrayFile,
        shapes: dict[AttentionKind, tuple[int, int, int, int]],
        numbers: str,
        *,
        causal: bool = True,
        dtype: str = "",
    ) -> None:
        """Takes what is in the file.

        Args:
            causal: no row of decoder_self attends to a later token.
            dtype: what the weights were computed in.
        """
        self._file = file
        self._shapes = shapes
        self._range = bounds_of(numbers)
        self._weights = numbers == "pattern"
        self._causal = causal
        self._dtype = "bfloat16" if "bfloat16" in dtype else "float16"  # files hold either float
        # Of each head that was read; and rows that are zeros in every head of a layer.
        self._unsound: dict[tuple[AttentionKind, int, int], Unsound | None] = {}
        self._masked: dict[tuple[AttentionKind, int], npt.NDArray[np.bool_]] = {}
        # Sums of the rows read so far of heads that are read by rows; NaN of those that are not yet.
        self._sums: dict[tuple[AttentionKind, int, int], Floats] = {}
        self._whole: tuple[tuple[AttentionKind, int, int], Floats] | None = None

    def shape(self, kind: AttentionKind) -> tuple[int, int, int, int] | None:
        """See `model.trace.trace.Patterns`."""
        return self._shapes.get(kind)

    def pattern(self, kind: AttentionKind, layer: int, head: int) -> Floats:
        """See `model.trace.trace.Patterns`.

        Raises:
            HeadscopeError: `trace_values`: the file's numbers are no attention weights.
            IndexError: there is no such layer or head.
        """
        layers, heads, queries, keys = self._shapes[kind]
        _check_index(layer, layers)
        _check_index(head, heads)
        size = queries * keys
        weights = self._read(kind, layer, (layer * heads + head) * size, (queries, keys))
        self._note(kind, layer, head, weights[None])
        return weights

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        """See `model.trace.trace.Patterns`; raises as `pattern` does."""
        layers, heads, queries, keys = self._shapes[kind]
        _check_index(layer, layers)
        size = heads * queries * keys
        weights = self._read(kind, layer, layer * size, (heads, queries, keys))
        self._note(kind, layer, 0, weights)
        return weights

    def rows(self, kind: AttentionKind, layer: int, head: int, first: int, last: int) -> Floats:
        """See `model.trace.trace.ByRows`; raises as `pattern` does.

        An archive of another program is checked, and may have to be unpacked, as a whole: of that the head
        read last is kept.
        """
        place = (kind, layer, head)
        if self._file.foreign:
            whole = self._whole
            if whole is None or whole[0] != place:
                whole = self._whole = (place, self.pattern(*place))
            return whole[1][first:last]
        layers, heads, queries, keys = self._shapes[kind]
        _check_index(layer, layers)
        _check_index(head, heads)
        if not 0 <= first <= last <= queries:
            raise IndexError(f"rows {first} to {last} are outside 0 to {queries}")
        start = ((layer * heads + head) * queries + first) * keys
        weights = self._read(kind, layer, start, (last - first, keys))
        if self._weights and place not in self._unsound:
            self._note_rows(place, first, weights)
        return weights

    def unsound(self, kind: AttentionKind, layer: int, head: int) -> Unsound | None:
        """See `model.trace.trace.Doubtful`; raises as `pattern` does."""
        place = (kind, layer, head)
        if self._weights and place not in self._unsound:
            for first, last in row_blocks(*self._shapes[kind][2:]):
                self.rows(*place, first, last)
        return self._unsound.get(place)

    def found_unsound(self) -> dict[tuple[AttentionKind, int, int], Unsound]:
        """See `model.trace.trace.Doubtful`."""
        order = list(AttentionKind)
        found = {place: wrong for place, wrong in self._unsound.copy().items() if wrong is not None}
        return dict(sorted(found.items(), key=lambda item: (order.index(item[0][0]), *item[0][1:])))

    def check(self) -> None:
        """Read everything; `HeadscopeError` as in `pattern`."""
        for kind, shape in self._shapes.items():
            for layer in range(shape[0]):
                self.layer(kind, layer)

    def _note(self, kind: AttentionKind, layer: int, first: int, weights: Floats) -> None:
        """Look at the rows of heads [head, query, key], of each once."""
        heads = [
            head
            for head in range(first, first + len(weights))
            if self._weights and (kind, layer, head) not in self._unsound
        ]
        if not heads:
            return
        sums = weights.sum(axis=-1)
        allowed = tolerance(self._dtype, weights.shape[-1])
        empty = bool((sums == 0).any())  # no weight is negative: all of such a row is 0
        masked = self._masked_rows(kind, layer) if empty else None
        for head in heads:
            self._unsound[kind, layer, head] = unsound(sums[head - first], allowed, masked)

    def _note_rows(self, place: tuple[AttentionKind, int, int], first: int, weights: Floats) -> None:
        """Look at some rows [query, key] of a head; once all were seen, say whether they are sound."""
        kind, layer, _ = place
        queries = self._shapes[kind][2]
        sums = self._sums.setdefault(place, np.full(queries, np.nan, np.float32))
        sums[first : first + len(weights)] = weights.sum(axis=-1)
        if np.isnan(sums).any():
            return
        masked = self._masked_rows(kind, layer) if bool((sums == 0).any()) else None
        self._unsound[place] = unsound(sums, tolerance(self._dtype, weights.shape[-1]), masked)
        self._sums.pop(place, None)

    def _masked_rows(self, kind: AttentionKind, layer: int) -> npt.NDArray[np.bool_]:
        """[query] which rows every head of a layer leaves empty: nothing was to be read there."""
        if (kind, layer) not in self._masked:
            _, heads, queries, keys = self._shapes[kind]
            masked = np.ones(queries, np.bool_)
            for head in range(heads):
                start = (layer * heads + head) * queries * keys
                for first, last in row_blocks(queries, keys):
                    weights = self._file.array(kind, start + first * keys, (last - first) * keys)
                    masked[first:last] &= ~weights.reshape(last - first, keys).any(axis=1)
            self._masked[kind, layer] = masked
        return self._masked[kind, layer]

    def _read(self, kind: AttentionKind, layer: int, first: int, shape: tuple[int, ...]) -> Floats:
        stored = self._file.array(kind, first, math.prod(shape))
        weights: Floats = stored.astype(np.float32, copy=False).reshape(shape)
        place = {"path": self._file.path, "kind": str(kind), "layer": layer + 1}
        if self._file.foreign and self._weights:
            check_rows(weights.reshape(-1, *shape[-2:]), tolerance("bfloat16", shape[-1]), "npz_rows", place)
        if not in_range(weights, *self._range):
            raise HeadscopeError("trace_values", **place)
        if self._file.foreign and self._causal and kind is AttentionKind.DECODER_SELF:
            check_causal(weights.reshape(-1, *shape[-2:]), "npz_future", place)
        weights.flags.writeable = False
        return weights


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
    check_arrays(trace, name)
    tensors: dict[str, TensorSource] = {}
    for kind in trace.kinds:
        tensors[str(kind)] = _pattern_source(trace, kind, "F16" if float16 else "F32", name)
    if source:
        tensors["src_ids"] = TensorSource.of(trace.src_ids, "I64")
        tensors |= _optional_sources(trace, SOURCE_PARTS)
    if target:
        for key in (*_TARGET_IDS, "candidate_ids"):
            tensors[key] = TensorSource.of(getattr(trace, key), "I64")
        for key in _TARGET_FLOATS:
            tensors[key] = TensorSource.of(getattr(trace, key), "F32")
        tensors |= _optional_sources(trace, TARGET_PARTS)
    for key in not_recorded(trace):
        tensors.pop(key, None)
    header = header_of(trace, source=source, target=target)
    with replacing(path) as temporary:
        write_tensors(temporary, tensors, header)


def open_trace(path: StrPath) -> Trace:
    """A trace whose patterns stay in the file until they are asked for.

    The file may also be a NumPy archive (`.npz`) with arrays of the same names, or with `encoder_self`,
    `decoder_self` or `cross` alone; which of both it is, its first bytes say.

    Raises:
        HeadscopeError: there is no such file, or it is no complete trace. In a file with more than 4 million
            weights the weights are checked when they are read, and raise `trace_values` then.
    """
    file: ArrayFile = as_trace_file(NpzFile(path)) if is_npz(path) else TensorFile(path)
    check_format(file.metadata, file.path)
    shapes = _shapes_by_kind(file)
    source = (
        "src_ids" in file.tensors or AttentionKind.ENCODER_SELF in shapes or AttentionKind.CROSS in shapes
    )
    target = "tgt_out_ids" in file.tensors or any(kind in shapes for kind in _DECODER)
    fields = fields_of(file.metadata, file.path, source=source, target=target)
    absent = absent_of(file.metadata, file.path)
    for key, tokens in SIDE_IDS.items():
        wanted = source if key == "src_ids" else target
        if key in absent and key not in file.tensors:
            fields[key] = unknown_ids(fields[tokens])
        else:
            fields[key] = _array(file, key, 1, ("I64",), wanted=wanted)
    fields |= _probabilities(file, len(fields["tgt_out_tokens"]), wanted=target, absent=absent)
    parts = (SOURCE_PARTS if source else {}) | (TARGET_PARTS if target else {})
    for key, (dims, types) in parts.items():
        if key in file.tensors:
            fields[key] = _array(file, key, dims, types, wanted=True)
    patterns = FilePatterns(
        file,
        shapes,
        fields["numbers"],
        causal=fields["extra"].get("bidirectional") != "true",
        dtype=fields["compute_dtype"],
    )
    trace = Trace(patterns=patterns, **fields)
    check_arrays(trace, file.path)
    if sum(math.prod(shape) for shape in shapes.values()) <= _CHECKED_AT_OPEN:
        patterns.check()
    return trace


def text_in(path: StrPath) -> str:
    """The sentence that a trace is of, read from its header alone; empty if it cannot be read."""
    try:
        header = TensorFile(path).metadata
    except HeadscopeError:
        return ""
    return header.get("src_text") or header.get("tgt_text", "")


def _probabilities(
    file: ArrayFile, steps: int, *, wanted: bool, absent: Collection[str]
) -> dict[str, npt.NDArray[Any]]:
    """What the model thought of each next token; NaN and no candidates where nobody recorded it."""
    if wanted and set(PROBABILITIES) <= set(absent) and not set(PROBABILITIES) & set(file.tensors):
        return {
            "step_logprob": np.full(steps, np.nan, np.float32),
            "candidate_ids": np.zeros((steps, 0), np.int64),
            "candidate_logprobs": np.zeros((steps, 0), np.float32),
        }
    return {
        "candidate_ids": _array(file, "candidate_ids", 2, ("I64",), wanted=wanted),
        "step_logprob": _array(file, "step_logprob", 1, ("F32", "F16"), wanted=wanted),
        "candidate_logprobs": _array(file, "candidate_logprobs", 2, ("F32", "F16"), wanted=wanted),
    }


def _shapes_by_kind(file: ArrayFile) -> dict[AttentionKind, tuple[int, int, int, int]]:
    shapes = {}
    for kind in AttentionKind:
        info = file.tensors.get(kind)
        if info is None:
            continue
        if len(info.shape) != 4 or info.dtype not in ("F32", "F16"):
            raise invalid(file.path, f"{kind} has the shape {list(info.shape)} and the type {info.dtype}")
        layers, heads, queries, keys = info.shape
        if not 0 < layers * heads <= _MOST_HEADS:
            raise invalid(file.path, f"{kind} has {layers} layers of {heads} heads")
        shapes[kind] = (layers, heads, queries, keys)
    return shapes


def _array(
    file: ArrayFile, name: str, dims: int, types: tuple[str, ...], *, wanted: bool
) -> npt.NDArray[Any]:
    """A small tensor, copied: numbers that are looked at all the time should not hang on the file."""
    dtype: type[Any] = np.int64 if types == ("I64",) else np.float32
    info = file.tensors.get(name)
    if info is None:
        if wanted:
            raise invalid(file.path, f"it lacks {name}")
        array = np.zeros((0,) * dims, dtype)
    elif len(info.shape) != dims or info.dtype not in types:
        raise invalid(file.path, f"{name} has the shape {list(info.shape)} and the type {info.dtype}")
    elif math.prod(info.shape) > _MOST_NUMBERS:
        raise invalid(file.path, f"{name} is absurdly large")
    else:
        array = file.array(name).astype(dtype).reshape(info.shape)
    array.flags.writeable = False
    return array


def _optional_sources(trace: Trace, parts: Mapping[str, Part]) -> dict[str, TensorSource]:
    arrays = {name: getattr(trace, name) for name in parts}
    return {
        name: TensorSource.of(array, parts[name][1][0]) for name, array in arrays.items() if array is not None
    }


def _pattern_source(trace: Trace, kind: AttentionKind, dtype: str, path: str) -> TensorSource:
    """A kind to be written head by head, so that a long one is never in memory as a whole."""
    shape = trace.patterns.shape(kind)
    assert shape is not None
    bounds = bounds_of(trace.numbers)

    def chunks() -> Iterator[bytes | memoryview]:
        for layer, weights in heads_in_order(trace.patterns, kind):
            with np.errstate(over="ignore"):  # an aggregate beyond float16's range is found right below
                stored = np.ascontiguousarray(weights, NUMPY_TYPES[dtype])
            if not in_range(stored, *bounds):
                code = "trace_float16" if in_range(weights, *bounds) else "trace_values"
                raise HeadscopeError(code, path=path, kind=str(kind), layer=layer + 1)
            yield bytes_of(stored)

    return TensorSource(dtype, shape, chunks)


def _check_index(index: int, count: int) -> None:
    if not 0 <= index < count:
        raise IndexError(f"index {index} is outside 0 to {count - 1}")
