"""Tensor files: safetensors (8 bytes of header length, JSON, raw data) for numpy and torch alike.

Read here without the safetensors package because a file is checked before a byte of it is used, one head
is read without the others, and a writer streams: no second copy of the weights in memory. Knows no torch.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from model import limits
from model.errors import HeadscopeError
from model.files.file_bytes import FileBytes
from model.files.files import StrPath, shown, write_chunks

# Bytes an element takes. A type that is not here may stand in a file; it is skipped, not read.
ITEM_SIZES = {
    **dict.fromkeys(("BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3"), 1),
    **dict.fromkeys(("I16", "U16", "F16", "BF16"), 2),
    **dict.fromkeys(("I32", "U32", "F32"), 4),
    **dict.fromkeys(("I64", "U64", "F64"), 8),
}
NUMPY_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8"}

_LENGTH_BYTES = 8
_MOST_AXES = 32
_MOST_TENSORS = 100_000
_MOST_NUMBERS = 1 << 56  # an empty tensor too must have a shape that numpy and torch can take
_PICKLES = (b"PK\x03\x04", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")


@dataclass(frozen=True)
class TensorInfo:
    """One tensor in a file: `dtype` as safetensors names it, and its bytes' place in the file."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


class TensorFile:
    """A safetensors file, held open and checked; the tensors are read when asked for.

    Attributes:
        tensors: every tensor by name.
        metadata: the header's strings.
        buffer: the whole file's bytes.
        foreign: see `model.trace.trace_file.ArrayFile`.
    """

    foreign = False

    def __init__(self, path: StrPath) -> None:
        """Open and check; `HeadscopeError` when the file is missing, damaged or of another format."""
        self.path = shown(path)
        self.buffer = FileBytes(path, self.damaged)
        if not len(self.buffer):
            raise self.damaged("it is empty")
        self.tensors, self.metadata = self._parse(len(self.buffer))

    def damaged(self, reason: str) -> HeadscopeError:
        """The error to raise about this file."""
        return HeadscopeError("tensors_invalid", path=self.path, reason=reason)

    def array(self, name: str, first: int = 0, count: int | None = None) -> npt.NDArray[Any]:
        """Elements `first` to `first + count` of a tensor of `NUMPY_TYPES`, flat and read-only.

        Raises:
            HeadscopeError: the file cannot be read any more.
        """
        info = self.tensors[name]
        dtype = np.dtype(NUMPY_TYPES[info.dtype])
        if count is None:
            count = math.prod(info.shape) - first
        found: npt.NDArray[Any] = np.empty(count, dtype)
        self.buffer.fill(info.start + first * dtype.itemsize, found)
        found.flags.writeable = False
        return found

    def _parse(self, size: int) -> tuple[dict[str, TensorInfo], dict[str, str]]:
        length = int.from_bytes(self.buffer[:_LENGTH_BYTES], "little")
        data_start = _LENGTH_BYTES + length
        if size < _LENGTH_BYTES or length > limits.HEADER or data_start > size:
            # Only now: a good file may begin like a pickle, by the length of its header.
            if self.buffer[:4].startswith(_PICKLES):
                raise HeadscopeError("tensors_pickle", path=self.path)
            raise self.damaged("it is cut short, or of another format")
        text = self.buffer[_LENGTH_BYTES:data_start]
        header = parse_json(text, unique=True)
        if not isinstance(header, dict):
            raise self.damaged("its header cannot be read")
        if len(header) > _MOST_TENSORS:
            raise self.damaged(f"it lists {len(header)} tensors")
        metadata = header.pop("__metadata__", {})
        if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
            raise self.damaged("its header's notes are not text")
        tensors = {name: self._info(name, entry, data_start) for name, entry in header.items()}
        end = data_start
        for name, info in sorted(tensors.items(), key=lambda item: (item[1].start, item[1].end)):
            if info.start != end:
                raise self.damaged(f"tensor {well_formed(name)!r} is not where it should be")
            end = info.end
        if end != size:
            raise self.damaged("it is cut short" if end > size else "it is longer than its header says")
        return tensors, {well_formed(key): well_formed(value) for key, value in metadata.items()}

    def _info(self, name: str, entry: Any, data_start: int) -> TensorInfo:
        entry = entry if isinstance(entry, dict) else {}
        dtype, shape, offsets = entry.get("dtype"), entry.get("shape"), entry.get("data_offsets")
        if not (isinstance(dtype, str) and is_counts(shape) and is_counts(offsets) and len(offsets) == 2):
            raise self.damaged(f"tensor {well_formed(name)!r} is described wrongly")
        start, end = offsets
        if math.prod(max(1, length) for length in shape[:_MOST_AXES]) >= _MOST_NUMBERS or shape[_MOST_AXES:]:
            raise self.damaged(f"tensor {well_formed(name)!r} has an impossible shape")
        size = ITEM_SIZES.get(dtype)
        if start > end or (size is not None and math.prod(shape) * size != end - start):
            raise self.damaged(f"tensor {well_formed(name)!r} has another size than its shape says")
        return TensorInfo(dtype, tuple(shape), data_start + start, data_start + end)


def bytes_of(array: npt.NDArray[Any]) -> memoryview | bytes:
    """The bytes of an array in C order, not copied: to copy 64 MB keeps the interpreter for as many ms."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(np.uint8).data if flat.size else b""


@dataclass(frozen=True)
class TensorSource:
    """A tensor to be written: `chunks()` yields its bytes (C order, little-endian) piece by piece."""

    dtype: str
    shape: tuple[int, ...]
    chunks: Callable[[], Iterable[bytes | memoryview]]

    @classmethod
    def of(cls, array: npt.NDArray[Any], dtype: str) -> TensorSource:
        """All of a numpy array, as the given type."""

        def chunks() -> Iterator[bytes | memoryview]:
            yield bytes_of(np.ascontiguousarray(array, NUMPY_TYPES[dtype]))

        return cls(dtype, array.shape, chunks)


def write_tensors(path: StrPath, tensors: Mapping[str, TensorSource], metadata: Mapping[str, str]) -> None:
    """Write a new safetensors file; raises `OSError`, for use inside `files.replacing`.

    Widest types come first, so that every tensor is aligned to its own size.
    """
    order = sorted(tensors, key=lambda name: (-ITEM_SIZES[tensors[name].dtype], name))
    header: dict[str, Any] = {"__metadata__": {k: well_formed(v) for k, v in metadata.items()}}
    end = 0
    for name in order:
        source = tensors[name]
        start, end = end, end + math.prod(source.shape) * ITEM_SIZES[source.dtype]
        header[name] = {"dtype": source.dtype, "shape": list(source.shape), "data_offsets": [start, end]}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _LENGTH_BYTES)

    def chunks() -> Iterator[bytes | memoryview]:
        yield len(text).to_bytes(_LENGTH_BYTES, "little") + text
        written = 0
        for name in order:
            for chunk in tensors[name].chunks():
                written += memoryview(chunk).nbytes
                yield chunk
        if written != end:
            raise ValueError(f"{written} bytes of tensor data were given, {end} announced")

    write_chunks(path, chunks())


def is_crowded(text: str | bytes, most: int = limits.VALUES) -> bool:
    """Whether JSON holds so many values that the objects made of them would take the memory."""
    return values_in(text) > most


def values_in(text: str | bytes) -> int:
    """At least how many values JSON holds, from its signs alone."""
    if isinstance(text, str):
        return sum(text.count(mark) for mark in ",[{")
    return sum(text.count(mark) for mark in (b",", b"[", b"{"))


def parse_json(
    text: str | bytes, *, most: int = limits.VALUES, unique: bool = False, nan: bool = False
) -> Any:
    """What JSON text says, or None when it is no strict JSON, or none that anybody has written in earnest.

    NaN is none, nor are numbers of hundreds of digits, dozens of lists in lists, or more values than `most`.

    Args:
        nan: take NaN and infinity after all, as Python writes them.
        unique: refuse an object that has a key twice, as safetensors does; elsewhere the last one counts.
    """
    if is_crowded(text, most):
        return None
    try:
        value = json.loads(
            text if isinstance(text, str) else text.decode("utf-8"),
            parse_constant=None if nan else _refuse,
            parse_int=_whole,
            object_pairs_hook=_unique if unique else None,
        )
    except (ValueError, RecursionError):
        return None
    return None if _is_deep(value) else value


def is_counts(value: Any) -> bool:
    """Whether a JSON value is a list of integers from 0 up."""
    return isinstance(value, list) and all(type(item) is int and item >= 0 for item in value)


def well_formed(text: str) -> str:
    """`text` with lone surrogates replaced: JSON can spell them, UTF-8 and other readers cannot."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _whole(digits: str) -> int:
    if len(digits) > limits.LONGEST_NUMBER:
        raise ValueError("it holds an endless number")
    return int(digits)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a key stands in it twice")
    return values


def _is_deep(value: Any) -> bool:
    """Whether lists and objects are nested deeper than what walks through them may go."""
    level = [value]
    for _ in range(limits.DEEPEST + 1):
        inside = (each.values() if isinstance(each, dict) else each for each in level if _has_items(each))
        level = [item for items in inside for item in items if _has_items(item)]
        if not level:
            return False
    return True


def _has_items(value: Any) -> bool:
    return isinstance(value, dict | list)
