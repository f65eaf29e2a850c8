"""NPZ traces: NumPy archives that `render --out FILE.npz` writes, or attention arrays from anywhere.

An archive with an entry `format` is a trace of ours. Any other needs one of the arrays `encoder_self`,
`decoder_self` and `cross` [layer, head, query, key]; what else it lacks is filled in here and said.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from model import limits
from model.errors import HeadscopeError
from model.files.files import amount
from model.files.npz_file import NpyInfo, NpzFile
from model.files.tensor_file import TensorInfo, well_formed
from model.tokens.token_style import style_of_pieces
from model.trace.trace import AttentionKind
from model.trace.trace_check import PROBABILITIES, SIDE_IDS
from model.trace.trace_header import COMMON_KEYS, FORMAT, FORMAT_VERSION
from model.version import VERSION

_LAST_CHARACTER = 0x10FFFF  # of Unicode; Python takes more from numpy, and breaks later
_LISTS = ("src_tokens", "tgt_in_tokens", "tgt_out_tokens", "tokens", "class_names")
_TABLES = ("candidate_tokens", "src_candidate_tokens")
_ENCODER, _DECODER, _CROSS = AttentionKind


class NpzTrace:
    """An archive as `model.trace.trace_file.ArrayFile`: floats are float32, whole numbers int64."""

    def __init__(self, file: NpzFile, tensors: Mapping[str, TensorInfo], metadata: Mapping[str, str]) -> None:
        self.path = file.path
        self.tensors = tensors
        self.metadata = metadata
        self.foreign = False
        self._file = file

    def array(self, name: str, first: int = 0, count: int | None = None) -> npt.NDArray[Any]:
        """See `model.files.tensor_file.TensorFile.array`; numbers of other types are converted."""
        info = self.tensors[name]
        if count is None:
            count = math.prod(info.shape) - first
        with np.errstate(over="ignore"):  # too large for float32: infinite, and refused as such
            found = self._file.flat(name, first, count)
            return found.astype("<f4" if info.dtype == "F32" else "<i8", copy=False)


def as_trace_file(file: NpzFile) -> NpzTrace:
    """See an archive as a trace's file.

    Raises:
        HeadscopeError: it holds no attention, or an array of another kind than its name says.
    """
    if not file.arrays:  # a zip archive of something else, such as torch's own
        raise HeadscopeError("tensors_pickle", path=file.path)
    kinds = [kind for kind in AttentionKind if kind in file.arrays]
    if not kinds:
        raise HeadscopeError("npz_no_attention", path=file.path)
    for kind in kinds:
        _check_numbers(file, kind)
    tensors = {name: _info(name, info) for name, info in file.arrays.items() if info.dtype.kind in "fiub"}
    metadata = _texts(file)
    trace = NpzTrace(file, tensors, metadata)
    if "format" not in metadata:
        trace.foreign = True
        trace.metadata = _filled(trace, file, kinds)
    return trace


def _check_numbers(file: NpzFile, kind: AttentionKind) -> None:
    info = file.arrays[kind]
    shape = _shape(kind, info)
    if info.dtype.kind not in "fiub" or len(shape) != 4:
        problem = f"has the shape {list(info.shape)} and the type {info.dtype.name}, and attention has four "
        raise file.wrong(kind, problem + "axes of numbers, layer, head, query and key")


def _info(name: str, info: NpyInfo) -> TensorInfo:
    floats = info.dtype.kind == "f" or name in list(AttentionKind)
    return TensorInfo("F32" if floats else "I64", _shape(name, info), info.start, info.start + info.packed)


def _shape(name: str, info: NpyInfo) -> tuple[int, ...]:
    """Of a kind [layer, batch, head, query, key] with a single sequence: without the batch."""
    shape = info.shape
    is_kind = name in list(AttentionKind)
    return (shape[0], *shape[2:]) if is_kind and len(shape) == 5 and shape[1] == 1 else shape


# Strings.


def _texts(file: NpzFile) -> dict[str, str]:
    """Every entry of the header, as in a trace file: single strings, lists and tables as JSON."""
    total = sum(info.bytes for info in file.arrays.values() if info.dtype.kind in "US")
    if total > limits.HEADER:
        name = max(
            (name for name, info in file.arrays.items() if info.dtype.kind in "US"),
            key=lambda name: file.arrays[name].bytes,
        )
        most = amount(limits.HEADER)
        raise HeadscopeError("npz_large", path=file.path, name=name, size=amount(total), most=most)
    texts = {}
    for name, info in file.arrays.items():
        axes = len(info.shape)
        if name in (*_LISTS, *_TABLES):
            if info.dtype.kind not in "US" or axes != (2 if name in _TABLES else 1):
                raise file.wrong(name, "holds no list of strings")
            texts[name] = json.dumps(_strings(file, name), ensure_ascii=False)
        elif axes == 0 and info.dtype.kind in "USiub":
            texts[name] = _word(_strings(file, name) if info.dtype.kind in "US" else file.view(name).item())
    return texts


def _strings(file: NpzFile, name: str) -> Any:
    """A string, or nested lists of them."""
    array = file.view(name)
    if array.dtype.kind == "S":
        return _mended(np.char.decode(array, "utf-8", "replace").tolist())
    codes = np.frombuffer(array.tobytes(), array.dtype.str[0].replace("|", "<") + "u4")
    if codes.size and codes.max() > _LAST_CHARACTER:
        raise file.wrong(name, "holds no text")
    return _mended(array.tolist())


def _mended(value: Any) -> Any:
    return [_mended(each) for each in value] if isinstance(value, list) else well_formed(str(value))


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# Archives from elsewhere.


def _filled(trace: NpzTrace, file: NpzFile, kinds: list[AttentionKind]) -> dict[str, str]:
    """The header of an archive that is no trace of ours: its own entries, and what the rest must be."""
    own = dict(trace.metadata)
    source, target = _length(trace, _ENCODER, _CROSS), _length(trace, _DECODER, _CROSS)
    tokens = own.pop("tokens", None)
    if tokens is not None:
        if source is not None and target is not None:
            raise HeadscopeError("npz_both_sides", path=file.path)
        own.setdefault("src_tokens" if target is None else "tgt_in_tokens", tokens)
    said = _target_tokens(own, target or 0) | {"src_tokens": _named(own, "src_tokens", source or 0)}
    dtype = file.arrays[kinds[0]].dtype
    pieces = [piece for text in said.values() for piece in json.loads(text)]
    defaults = {
        **dict.fromkeys((*COMMON_KEYS, "src_text", "tgt_text"), ""),
        "decoding": json.dumps({"mode": "recorded"}),
        "alterations": "[]",
        "numbers": "pattern",
        "compute_dtype": dtype.name,
        "created_by": f"NumPy archive {os.path.basename(file.path)}, headscope {VERSION}",
        "candidate_tokens": json.dumps([[]] * (target or 0)),
        "token_style": str(style_of_pieces(pieces)),
        "format": FORMAT,
        "version": str(FORMAT_VERSION),
    }
    absent = [name for name in (*SIDE_IDS, *PROBABILITIES) if name not in trace.tensors]
    return {**defaults, **own, **said, "not_recorded": json.dumps(absent)}


def _length(trace: NpzTrace, own: AttentionKind, cross: AttentionKind) -> int | None:
    """How many tokens a side has; None for one that is not there."""
    if own in trace.tensors:
        return trace.tensors[own].shape[2]
    if cross in trace.tensors:
        return trace.tensors[cross].shape[3 if own is _ENCODER else 2]
    return None


def _named(own: Mapping[str, str], name: str, length: int) -> str:
    """Tokens as JSON, numbered from 1 if nobody names them."""
    return own.get(name) or json.dumps([str(number + 1) for number in range(length)])


def _target_tokens(own: Mapping[str, str], length: int) -> dict[str, str]:
    """What is read and predicted at each step: one follows from the other, but for one token."""
    read, predicted = own.get("tgt_in_tokens"), own.get("tgt_out_tokens")
    if read is None and predicted is not None:
        read = json.dumps(["", *json.loads(predicted)][:-1])
    read = _named({} if read is None else {"tgt_in_tokens": read}, "tgt_in_tokens", length)
    if predicted is None:
        predicted = json.dumps([*json.loads(read)[1:], ""] if length else [])
    return {"tgt_in_tokens": read, "tgt_out_tokens": predicted}
