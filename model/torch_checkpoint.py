"""Weights in PyTorch's own files (`pytorch_model.bin`): a zip archive of a pickle and raw numbers.

A pickle is a program. It is read here as a list of opcodes first, and refused unless it can do nothing but
put tensors into a dictionary; torch then loads it with `weights_only=True` and maps the numbers into memory.
What the archive claims is checked against the file's size before torch sees it.
"""

from __future__ import annotations

import math
import pickletools
import zipfile
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from model.errors import HeadscopeError
from model.files import StrPath, read_bytes, reading, shown
from model.stored import Stored
from model.weights import TORCH_TYPES

_MOST_RECORDS = 50_000
_LARGEST_DIRECTORY = 1 << 24  # bytes: of these Python makes objects before anything can be checked
_LARGEST_PICKLE = 1 << 22
_MOST_NAMES = 4  # of one tensor: Marian's embedding is called shared, encoder's, decoder's and output's
_MOST_AXES = 8
_END, _END_SIZE, _LONGEST_COMMENT = b"PK\x05\x06", 22, 1 << 16
_END_64, _LOCATOR_SIZE = b"PK\x06\x06", 20
_ZIP, _PICKLES = b"PK\x03\x04", (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
_ZIP_ERRORS = (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, KeyError, RuntimeError)
_TYPES = {dtype: name for name, dtype in TORCH_TYPES.items()}

_STORAGES = ("Float", "Half", "BFloat16", "Double", "Long", "Int", "Bool", "Byte")
# All that a pickle of weights asks for by name.
_CALLED = {
    "collections OrderedDict",
    "torch._utils _rebuild_tensor_v2",
    "torch._utils _rebuild_parameter",
    *(f"torch {kind}Storage" for kind in _STORAGES),
}
_OPCODES = {
    *("PROTO", "STOP", "MARK", "NONE", "NEWTRUE", "NEWFALSE", "BININT", "BININT1", "BININT2", "LONG1"),
    *("BINUNICODE", "EMPTY_DICT", "EMPTY_LIST", "EMPTY_TUPLE", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3"),
    *("SETITEM", "SETITEMS", "APPEND", "APPENDS", "BINPUT", "LONG_BINPUT", "BINGET", "LONG_BINGET"),
    *("GLOBAL", "REDUCE", "BUILD", "BINPERSID"),
}


class StoredTensor:
    """A tensor of a checkpoint, mapped into memory; see `model.stored.Stored`."""

    def __init__(self, name: str, path: str, tensor: Tensor) -> None:
        self.name = name
        self.path = path
        self.tensor = tensor

    @property
    def shape(self) -> tuple[int, ...]:
        """Its lengths."""
        return tuple(self.tensor.shape)

    @property
    def dtype(self) -> str:
        """Its type as safetensors names it."""
        return _TYPES[self.tensor.dtype]

    def rows(self, first: int, last: int) -> Tensor:
        """Rows `first` to `last`; a page of the file is read when its numbers are."""
        return (self.tensor if self.shape else self.tensor.view(1))[first:last]


def open_checkpoint(path: StrPath) -> dict[str, Stored]:
    """The tensors of a `.bin` file by name; their numbers stay in the file until they are read.

    Names of the same numbers have the same object.

    Raises:
        HeadscopeError: `checkpoint_legacy`; `checkpoint_invalid`: damaged, hostile, or more than weights;
            or the file cannot be read.
    """
    size = _check_archive(path)
    try:
        loaded = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
    except Exception as error:  # whatever a crafted file makes of torch
        raise _invalid(path, f"torch refuses it: {' '.join(str(error).split())[:80]}") from None
    if not isinstance(loaded, dict):
        raise _invalid(path, "it is no dictionary of tensors")
    tensors: dict[str, Stored] = {}
    known: dict[tuple[int, tuple[int, ...], torch.dtype], tuple[StoredTensor, list[str]]] = {}
    for name, tensor in loaded.items():
        if not isinstance(name, str) or not isinstance(tensor, Tensor):
            raise _invalid(path, "it holds something else than tensors")
        checked = _checked(path, name, tensor.detach())
        place = checked.data_ptr() if checked.nbytes else -len(known), tuple(checked.shape), checked.dtype
        tensors[name], names = known.setdefault(place, (StoredTensor(name, shown(path), checked), []))
        names.append(name)
    # A small file must not stand for a large model by calling the same numbers many things.
    held = sum(one.tensor.nbytes for one, _ in known.values())
    if held > size or any(len(names) > _MOST_NAMES for _, names in known.values()):
        raise _invalid(path, "its tensors are more than the file holds")
    return tensors


def _checked(path: StrPath, name: str, tensor: Tensor) -> Tensor:
    plain = tensor.layout is torch.strided and tensor.device.type == "cpu" and tensor.dtype in _TYPES
    if not plain or tensor.dim() > _MOST_AXES or not tensor.is_contiguous():
        raise _invalid(path, f"tensor {name!r} is of an unusual kind")
    held = tensor.untyped_storage().nbytes() - tensor.storage_offset() * tensor.itemsize
    if math.prod(tensor.shape) * tensor.itemsize > held:
        raise _invalid(path, f"tensor {name!r} is larger than what is stored of it")
    return tensor


def _check_archive(path: StrPath) -> int:
    """Refuse what is no plain archive of weights; the file's size."""
    beginning = read_bytes(path, limit=7)[:8]
    if beginning.startswith(_PICKLES):
        raise HeadscopeError("checkpoint_legacy", path=shown(path))
    if not beginning.startswith(_ZIP):
        raise _invalid(path, "it is no PyTorch file")
    size = Path(path).stat().st_size
    with reading(path):
        _check_directory(path, size)
        try:
            with zipfile.ZipFile(path) as archive:
                _check_records(path, archive.infolist(), size)
                _check_contents(path, archive)
        except _ZIP_ERRORS as error:
            raise _invalid(path, " ".join(str(error).split())[:80] or "it is cut short") from None
    return size


def _check_contents(path: StrPath, archive: zipfile.ZipFile) -> None:
    names = archive.namelist()
    pickles = [name for name in names if name.count("/") == 1 and name.endswith("/data.pkl")]
    if len(pickles) != 1:
        raise _invalid(path, "it holds no weights")
    if archive.getinfo(pickles[0]).file_size > _LARGEST_PICKLE:
        raise _invalid(path, "its list of tensors is absurdly long")
    order = pickles[0].removesuffix("data.pkl") + "byteorder"
    if order in names and (archive.getinfo(order).file_size > 16 or archive.read(order) != b"little"):
        raise _invalid(path, "its numbers are not in the order of bytes that processors use today")
    _check_pickle(path, archive.read(pickles[0]))


def _check_directory(path: StrPath, size: int) -> None:
    """The list of an archive's records, which stands at its end, is capped before it is read."""
    with open(path, "rb") as file:
        file.seek(max(0, size - _END_SIZE - _LONGEST_COMMENT - _LOCATOR_SIZE))
        tail = file.read()
        place = tail.rfind(_END)
        if place < 0 or len(tail) - place < _END_SIZE:
            raise _invalid(path, "it is cut short")
        entries = int.from_bytes(tail[place + 10 : place + 12], "little")
        length = int.from_bytes(tail[place + 12 : place + 16], "little")
        locator = tail[place - _LOCATOR_SIZE : place] if place >= _LOCATOR_SIZE else b""
        if locator.startswith(b"PK\x06\x07"):  # the long form of the same, which Python's reader prefers
            file.seek(min(size, int.from_bytes(locator[8:16], "little")))
            longer = file.read(56)
            if not longer.startswith(_END_64):
                raise _invalid(path, "the list of its records is not where it should be")
            entries = max(entries % 0xFFFF, int.from_bytes(longer[32:40], "little"))
            length = max(length % 0xFFFFFFFF, int.from_bytes(longer[40:48], "little"))
    if entries > _MOST_RECORDS or length > min(size, _LARGEST_DIRECTORY):
        raise _invalid(path, "the list of its records is absurdly long")


def _check_records(path: StrPath, records: list[zipfile.ZipInfo], size: int) -> None:
    if len({record.filename for record in records}) != len(records):
        raise _invalid(path, "two of its records have one name")
    for record in records:
        stored = record.compress_type == zipfile.ZIP_STORED and record.file_size == record.compress_size
        if not stored or record.flag_bits & 0x1:
            raise _invalid(path, "a record is compressed or encrypted, which weights never are")
    if sum(record.file_size for record in records) > size:
        raise _invalid(path, "its records are more than the file holds")


def _check_pickle(path: StrPath, data: bytes) -> None:
    """Refuse a pickle that does anything but build tensors."""
    for opcode, argument in _opcodes(path, data):
        if opcode not in _OPCODES:
            raise _invalid(path, f"its pickle uses {opcode}, which weights never need")
        if opcode == "GLOBAL" and argument not in _CALLED:
            raise _invalid(path, f"its pickle asks for {str(argument)[:80]!r}")


def _opcodes(path: StrPath, data: bytes) -> Iterator[tuple[str, object]]:
    try:
        for opcode, argument, _ in pickletools.genops(data):
            yield opcode.name, argument
    except Exception:  # pickletools raises whatever its parsing of garbage meets
        raise _invalid(path, "its pickle cannot be read") from None


def _invalid(path: StrPath, reason: str) -> HeadscopeError:
    return HeadscopeError("checkpoint_invalid", path=shown(path), reason=reason)
