"""Weight files of a model of Hugging Face: which they are, and the tensors in them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from model import limits
from model.bundle.stored_tensors import SLICE, StoredFile, StoredTensor, size_of
from model.bundle.torch_checkpoint import open_checkpoint
from model.errors import HeadscopeError
from model.files.files import reading, shown
from model.files.safe_folder import clean, has_file, invalid, is_plain, json_object, safe_file
from model.files.tensor_file import TensorFile
from model.folder.model_folder import WEIGHT_FILES

FLOATS = ("F32", "F16", "BF16", "F64")
WHOLE = ("BOOL", "U8", "I8", "I16", "I32", "I64")
"""Types of tensors that can be read, as safetensors names them."""

_MOST_PARTS = 1000
_INDEX = ".index.json"


@dataclass(frozen=True, eq=False)
class WeightFiles:
    """A model's weights, checked and still in their files.

    Attributes:
        files: in the order of their names.
        tensors: of all of them, by name.
    """

    files: tuple[Path, ...]
    tensors: dict[str, StoredTensor]

    @property
    def bytes(self) -> int:
        """Of all tensors together."""
        return sum(size_of(tensor) for tensor in self.tensors.values())

    @property
    def file_bytes(self) -> int:
        """Of all files together."""
        return sum(path.stat().st_size for path in self.files)


def open_weights(folder: Path) -> WeightFiles:
    """The weights in a folder: safetensors if there are any, else PyTorch's files.

    Raises:
        HeadscopeError: a file is missing, damaged, hostile, or a link to another place.
    """
    name = next((name for name in WEIGHT_FILES if has_file(folder, name)), None)
    if name is None:
        raise HeadscopeError("folder_no_weights", path=shown(folder))
    names = _parts(folder, name) if name.endswith(_INDEX) else [name]
    files = tuple(safe_file(folder, part) for part in names)
    tensors: dict[str, StoredTensor] = {}
    for path in files:
        safe = path.name.endswith(".safetensors")
        own = StoredFile(TensorFile(path)).tensors if safe else open_checkpoint(path)
        twice = next((tensor for tensor in own if tensor in tensors), None)
        if twice is not None:
            raise invalid(path, f"the tensor {clean(twice)!r} stands in two files")
        tensors |= own
    return WeightFiles(files, tensors)


def slices(files: tuple[Path, ...]) -> Iterator[bytes]:
    """The bytes of files one after the other, some MiB at a time.

    Raises:
        HeadscopeError: a file cannot be read.
    """
    for path in files:
        with reading(path) as descriptor:
            while piece := os.read(descriptor, SLICE):
                yield piece


def _parts(folder: Path, index: str) -> list[str]:
    """The files that an index lists, in order."""
    placed = json_object(folder, index, limit=limits.WEIGHT_INDEX).get("weight_map")
    path = folder / index
    if not isinstance(placed, dict) or not all(isinstance(name, str) for name in placed.values()):
        raise invalid(path, "it lists no files of weights")
    names = sorted(set(placed.values()))
    if not 0 < len(names) <= _MOST_PARTS:
        raise invalid(path, f"it lists {len(names)} files")
    ending = ".safetensors" if index.startswith("model.") else ".bin"
    for name in names:
        if not is_plain(name) or not name.endswith(ending):
            raise HeadscopeError("folder_name", path=shown(path), name=clean(name))
        if not has_file(folder, name):
            raise HeadscopeError("folder_part", path=shown(folder), name=name)
    return names
