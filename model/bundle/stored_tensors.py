"""Stored tensors: those in files, copied block by block into a model's own memory.

A model is as large as memory allows: nothing here holds more than a block of it besides the model itself.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Generator, Iterable, Mapping
from typing import Protocol

import torch
from torch import Tensor

from model.bundle.weights import TORCH_TYPES, check_finite
from model.errors import HeadscopeError
from model.files.file_bytes import FileBytes
from model.files.tensor_file import ITEM_SIZES, TensorInfo

BLOCK = 1 << 20  # bytes converted at once: they stay in the processor's cache
SLICE = 1 << 22  # bytes between two yields, some milliseconds

Loaded = tuple[int, int]
"""Bytes of weights that are loaded, of how many; (0, 0) while that is not known."""


class StoredTensor(Protocol):
    """A tensor in a file."""

    @property
    def name(self) -> str:
        """What the file calls it."""

    @property
    def path(self) -> str:
        """The file, as an error shows it."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its lengths."""

    @property
    def dtype(self) -> str:
        """Its type as safetensors names it."""

    def rows(self, first: int, last: int) -> Tensor:
        """Rows (of a vector: numbers) `first` to `last`; valid until the file's next rows are read."""


class FileOfTensors(Protocol):
    """A file that is open and checked, whatever its format."""

    @property
    def path(self) -> str:
        """As an error shows it."""

    @property
    def buffer(self) -> FileBytes:
        """All of its bytes."""

    @property
    def tensors(self) -> Mapping[str, TensorInfo]:
        """Every tensor by name."""


class StoredFile:
    """The tensors of a file. They share the memory that their blocks are read into."""

    def __init__(self, file: FileOfTensors) -> None:
        self.file = file
        self._block = torch.empty(BLOCK, dtype=torch.uint8)
        self.tensors: dict[str, StoredTensor] = {name: _FileTensor(self, name) for name in file.tensors}

    def read(self, name: str, first: int, last: int) -> Tensor:
        """See `StoredTensor.rows`."""
        info = self.file.tensors[name]
        row = math.prod(info.shape[1:]) * ITEM_SIZES[info.dtype]
        length = (last - first) * row
        if length > len(self._block):
            self._block = torch.empty(length, dtype=torch.uint8)
        block = self._block[:length]
        self.file.buffer.fill(info.start + first * row, block.numpy())
        return block.view(TORCH_TYPES[info.dtype]).view(last - first, *info.shape[1:])


class _FileTensor:
    def __init__(self, owner: StoredFile, name: str) -> None:
        self._owner = owner
        self._info = owner.file.tensors[name]
        self.name = name
        self.path = owner.file.path

    @property
    def shape(self) -> tuple[int, ...]:
        return self._info.shape

    @property
    def dtype(self) -> str:
        return self._info.dtype

    def rows(self, first: int, last: int) -> Tensor:
        return self._owner.read(self.name, first, last)


class LoadProgress:
    """Counts bytes; a model is half loaded when all is copied, and loaded when its hash is known too."""

    def __init__(self, copied: int, hashed: int) -> None:
        self.total = hashed
        self._work = copied + hashed
        self._done = 0

    def add(self, count: int) -> Loaded:
        """After so many bytes more."""
        self._done += count
        return min(self.total, self.total * self._done // max(1, self._work)), self.total


def size_of(tensor: StoredTensor) -> int:
    """Bytes that it takes in its file."""
    return math.prod(tensor.shape) * ITEM_SIZES[tensor.dtype]


def check_types(tensors: Iterable[StoredTensor], wanted: tuple[str, ...]) -> None:
    """Raise `HeadscopeError` for a tensor that is not of a type in `wanted`."""
    for tensor in tensors:
        if tensor.dtype not in wanted:
            listed = " and ".join([", ".join(wanted[:-1]), wanted[-1]])
            raise HeadscopeError(
                "weights_dtype", name=tensor.name, path=tensor.path, found=tensor.dtype, wanted=listed
            )


def copy_steps(
    pairs: Iterable[tuple[StoredTensor, Tensor]], progress: LoadProgress
) -> Generator[Loaded, None, None]:
    """Copy each tensor into memory of the same shape and any layout and floating type.

    Raises:
        HeadscopeError: `weights_not_finite`.
    """
    waiting = 0
    for stored, target in pairs:
        for first, last in blocks(stored):
            block = stored.rows(first, last)
            check_finite({stored.name: block}, stored.path)
            target[first:last].copy_(block)
            waiting += block.nbytes
            if waiting >= SLICE:
                yield progress.add(waiting)
                waiting = 0
    yield progress.add(waiting)


def same_steps(first: StoredTensor, second: StoredTensor) -> Generator[None, None, bool]:
    """Whether two tensors of one shape hold the same numbers."""
    compared = 0
    for start, end in blocks(first):
        # One file's tensors share a block: the first is copied out of it.
        held = first.rows(start, end).to(torch.float32, copy=True)
        if not torch.equal(held, second.rows(start, end).float()):
            return False
        compared += 2 * BLOCK
        if compared >= SLICE:
            yield
            compared = 0
    return True


def blocks(tensor: StoredTensor) -> Iterable[tuple[int, int]]:
    """First and last row of pieces of about `BLOCK` bytes."""
    count = tensor.shape[0] if tensor.shape else 0
    row = max(1, math.prod(tensor.shape[1:]) * ITEM_SIZES[tensor.dtype])
    step = max(1, BLOCK // row)
    return ((first, min(count, first + step)) for first in range(0, count, step))


def hash_steps(pieces: Iterable[bytes], progress: LoadProgress) -> Generator[Loaded, None, str]:
    """SHA-256 of bytes, in hexadecimal."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
        yield progress.add(len(piece))
    return digest.hexdigest()


def shapes_of(tensors: Mapping[str, StoredTensor]) -> dict[str, tuple[int, ...]]:
    """Their shapes, by name."""
    return {name: tensor.shape for name, tensor in tensors.items()}
