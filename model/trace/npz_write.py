"""NPZ files written from traces: arrays under a trace's own names, readable with `allow_pickle=False`."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.files.files import StrPath, replacing, shown
from model.files.suffixes import check_suffix, suffix_of
from model.files.tensor_file import bytes_of
from model.files.watched import wrote
from model.trace.exploration import Importance
from model.trace.trace import AttentionKind, Trace, heads_in_order
from model.trace.trace_check import SOURCE_PARTS, TARGET_PARTS, not_recorded
from model.trace.trace_damage import damage_note
from model.trace.trace_file import save_trace
from model.trace.trace_header import CLASS_KEYS, READING_KEYS, SOURCE_KEYS, TARGET_KEYS, header_of

TRACE_SUFFIXES = ("trace", "npz")
"""Of files that hold a whole trace, the usual one first."""

_SOURCE_ARRAYS = ("src_ids",)
_TARGET_ARRAYS = ("tgt_in_ids", "tgt_out_ids", "step_logprob", "candidate_ids", "candidate_logprobs")
_OPTIONAL_ARRAYS = (*SOURCE_PARTS, *TARGET_PARTS)
# A zip member needs a date; the earliest there is, so that equal contents make equal files.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_PIECE = 1 << 20


def write_npz(
    trace: Trace,
    path: StrPath,
    *,
    positions: npt.NDArray[np.float32] | None = None,
    importance: Importance | None = None,
) -> None:
    """Write all of a trace as one uncompressed `.npz` file.

    Patterns are float32 [layer, head, query, key] under `encoder_self`, `decoder_self`, `cross`. Token
    lists are string arrays ([S], [T], `candidate_tokens` [T, K], `src_candidate_tokens` [S, K], `class_names`
    [C]); every other entry of the trace's header is a 0-d string, and so is `damaged`, which is there only if
    rows of a damaged file do not sum to 1.

    Args:
        positions: the model's positional encoding [position, dimension], added as `positions`.
        importance: what each head is worth to the translation, added as `importance_cross` and so on
            (float32 [layer, head]) and `importance_logprob` (0-d, the log probability that they change).

    Raises:
        HeadscopeError: the file cannot be written; an old file stays.
    """
    arrays = _arrays(trace)
    if positions is not None:
        arrays["positions"] = positions
    if importance is not None:
        arrays |= {f"importance_{kind}": change for kind, change in importance.change.items()}
        arrays["importance_logprob"] = np.array(importance.logprob, np.float64)
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "x", zipfile.ZIP_STORED) as archive:
        for kind in trace.kinds:
            _write_patterns(archive, trace, kind)
        damaged = damage_note(trace)  # all heads are read by now
        if damaged:
            arrays["damaged"] = np.array(damaged, dtype=np.str_)
        for name, array in arrays.items():
            _write_array(archive, name, array)


def save_named(trace: Trace, path: StrPath, *, float16: bool = False) -> None:
    """Write a trace as its file's name says: `.npz` as `write_npz`, anything else as `save_trace`.

    Args:
        float16: see `save_trace`.

    Raises:
        HeadscopeError: `out_ending`: the name is that of another format; `float16_npz`; or the file cannot be
            written; an old file stays.
    """
    check_trace_name(path, float16=float16)
    if suffix_of(path) == "npz":
        write_npz(trace, path)
    else:
        save_trace(trace, path, float16=float16)


def check_trace_name(path: StrPath, *, float16: bool = False) -> None:
    """Raise as `save_named` would for this name, before there is a trace."""
    check_suffix(path, TRACE_SUFFIXES)
    if float16 and suffix_of(path) == "npz":
        raise HeadscopeError("float16_npz", path=shown(path))


def write_arrays_npz(arrays: Mapping[str, npt.NDArray[Any]], path: StrPath) -> None:
    """Write named arrays as one `.npz` file; raises as `write_npz`."""
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "x", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            _write_array(archive, name, array)


def _arrays(trace: Trace) -> dict[str, npt.NDArray[Any]]:
    """Everything but the patterns."""
    source = bool(len(trace.src_ids)) or AttentionKind.ENCODER_SELF in trace.kinds
    target = trace.steps > 0 or AttentionKind.DECODER_SELF in trace.kinds
    names = (_SOURCE_ARRAYS if source else ()) + (_TARGET_ARRAYS if target else ())
    names += tuple(name for name in _OPTIONAL_ARRAYS if getattr(trace, name) is not None)
    absent = not_recorded(trace)
    names = tuple(name for name in names if name not in absent)
    arrays: dict[str, npt.NDArray[Any]] = {name: np.asarray(getattr(trace, name)) for name in names}
    lists = ((*SOURCE_KEYS, *READING_KEYS, *CLASS_KEYS) if source else ()) + (TARGET_KEYS if target else ())
    for name, text in header_of(trace, source=source, target=target).items():
        value = getattr(trace, name) if name in lists else text
        arrays[name] = np.array(value, dtype=np.str_)
    if target:
        arrays["candidate_tokens"] = arrays["candidate_tokens"].reshape(trace.candidate_ids.shape)
    if trace.src_candidate_ids is not None:
        shape = trace.src_candidate_ids.shape
        arrays["src_candidate_tokens"] = arrays["src_candidate_tokens"].reshape(shape)
    return arrays


def _write_patterns(archive: zipfile.ZipFile, trace: Trace, kind: AttentionKind) -> None:
    """A kind head by head, so that a long one is never in memory as a whole."""
    shape = trace.patterns.shape(kind)
    assert shape is not None
    header = {"descr": "<f4", "fortran_order": False, "shape": shape}
    with archive.open(_member(str(kind)), "w", force_zip64=True) as file:
        np.lib.format.write_array_header_1_0(file, header)
        for _, weights in heads_in_order(trace.patterns, kind):
            data = bytes_of(np.ascontiguousarray(weights, "<f4"))
            for start in range(0, len(data), _PIECE):
                piece = data[start : start + _PIECE]
                file.write(piece)
                wrote(len(piece))


def _write_array(archive: zipfile.ZipFile, name: str, array: npt.NDArray[Any]) -> None:
    with archive.open(_member(name), "w", force_zip64=True) as file:
        np.lib.format.write_array(file, array, allow_pickle=False)


def _member(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(f"{name}.npy", _EPOCH)
