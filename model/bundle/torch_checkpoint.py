"""PyTorch checkpoints (`pytorch_model.bin`): weights in a zip archive of a pickle and raw numbers.

A pickle is a program, which is never run: `bundle.checkpoint_pickle` finds out what it says. What it and the
archive claim is checked against the file's size before memory is taken. torch has no part in it: its own
reader, though it runs no foreign code either, can be made to hang or to end the process.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping
from dataclasses import replace

from model.bundle.checkpoint_pickle import NotWeights, PickledTensor, pickled_tensors
from model.bundle.stored_tensors import StoredFile, StoredTensor
from model.errors import HeadscopeError
from model.files.file_bytes import FileBytes
from model.files.files import StrPath, reading, shown
from model.files.tensor_file import ITEM_SIZES, TensorInfo, well_formed

_MOST_RECORDS = 50_000
_LARGEST_DIRECTORY = 1 << 24  # bytes: of these Python makes objects before anything can be checked
_LARGEST_PICKLE = 1 << 22
_MOST_NAMES = 4  # of one tensor: Marian's embedding is called shared, encoder's, decoder's and output's
_LOCAL_SIZE = 30
_END, _END_SIZE, _LONGEST_COMMENT = b"PK\x05\x06", 22, 1 << 16
_END_64, _LOCATOR_SIZE = b"PK\x06\x06", 20
_ZIP, _PICKLES = b"PK\x03\x04", (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
_ZIP_ERRORS = (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, KeyError, RuntimeError)


class CheckpointFile:
    """A checkpoint, held open and checked; the tensors are read when asked for.

    Attributes:
        path: as errors show it.
        buffer: the whole file's bytes.
        tensors: every tensor by name.
    """

    def __init__(self, path: StrPath) -> None:
        self.path = shown(path)
        self.buffer = FileBytes(path, lambda reason: _invalid(path, reason))
        places, pickled = _check_archive(path, self.buffer)
        try:
            found = pickled_tensors(pickled)
        except NotWeights as error:
            raise _invalid(path, str(error)) from None
        self.tensors = {name: _info(path, name, tensor, places) for name, tensor in found.items()}


def open_checkpoint(path: StrPath) -> dict[str, StoredTensor]:
    """The tensors of a `.bin` file by name; their numbers stay in the file until they are read.

    Names of the same numbers have the same object.

    Raises:
        HeadscopeError: `checkpoint_legacy`; `checkpoint_invalid`: damaged, hostile, or more than weights;
            or the file cannot be read.
    """
    file = CheckpointFile(path)
    stored = StoredFile(file).tensors
    names: dict[TensorInfo, list[str]] = {}
    for name, info in file.tensors.items():
        # Two that are empty have no numbers to share.
        key = info if info.end > info.start else replace(info, start=-len(names), end=-len(names))
        names.setdefault(key, []).append(name)
    # A small file must not stand for a large model by calling the same numbers many things.
    held = sum(info.end - info.start for info in names)
    if held > len(file.buffer) or any(len(equal) > _MOST_NAMES for equal in names.values()):
        raise _invalid(path, "its tensors are more than the file holds")
    first = {name: equal[0] for equal in names.values() for name in equal}
    return {name: stored[first[name]] for name in file.tensors}


def _info(
    path: StrPath, name: str, tensor: PickledTensor, places: Mapping[str, tuple[int, int]]
) -> TensorInfo:
    """Where a tensor's numbers are; `places` are first byte and length of every record of numbers."""
    item = ITEM_SIZES[tensor.storage.dtype]
    place = places.get(tensor.storage.key)
    if place is None or tensor.storage.count * item > place[1]:
        raise _invalid(path, f"the numbers of tensor {well_formed(name)!r} are not all there")
    start = place[0] + tensor.first * item
    return TensorInfo(tensor.storage.dtype, tensor.shape, start, start + math.prod(tensor.shape) * item)


def _check_archive(path: StrPath, buffer: FileBytes) -> tuple[dict[str, tuple[int, int]], bytes]:
    """Refuse what is no plain archive of weights.

    Returns:
        First byte and length of every record of numbers, by its name; and the pickle.
    """
    beginning = buffer[:8]
    if beginning.startswith(_PICKLES):
        raise HeadscopeError("checkpoint_legacy", path=shown(path))
    if not beginning.startswith(_ZIP):
        raise _invalid(path, "it is no PyTorch file")
    _check_directory(path, buffer)
    try:
        with reading(path), zipfile.ZipFile(path) as archive:
            _check_records(path, archive.infolist(), len(buffer))
            root, pickled = _check_contents(path, archive)
            records = [record for record in archive.infolist() if record.filename.startswith(f"{root}data/")]
    except _ZIP_ERRORS as error:
        raise _invalid(path, " ".join(str(error).split())[:80] or "it is cut short") from None
    places = {}
    for record in records:
        start = _first_byte(path, buffer, record)
        places[record.filename.removeprefix(f"{root}data/")] = start, record.file_size
    return places, pickled


def _first_byte(path: StrPath, buffer: FileBytes, record: zipfile.ZipInfo) -> int:
    """Where a record's bytes begin, behind a header of their own."""
    head = buffer[record.header_offset : record.header_offset + _LOCAL_SIZE]
    lengths = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    start = record.header_offset + _LOCAL_SIZE + lengths
    if not head.startswith(_ZIP) or start + record.file_size > len(buffer):
        raise _invalid(path, "it is cut short")
    return start


def _check_contents(path: StrPath, archive: zipfile.ZipFile) -> tuple[str, bytes]:
    """The folder in the archive that everything is in, and the pickle."""
    names = archive.namelist()
    pickles = [name for name in names if name.count("/") == 1 and name.endswith("/data.pkl")]
    if len(pickles) != 1:
        raise _invalid(path, "it holds no weights")
    if archive.getinfo(pickles[0]).file_size > _LARGEST_PICKLE:
        raise _invalid(path, "its list of tensors is absurdly long")
    root = pickles[0].removesuffix("data.pkl")
    order = f"{root}byteorder"
    if order in names and (archive.getinfo(order).file_size > 16 or archive.read(order) != b"little"):
        raise _invalid(path, "its numbers are not in the order of bytes that processors use today")
    return root, archive.read(pickles[0])


def _check_directory(path: StrPath, buffer: FileBytes) -> None:
    """The list of an archive's records, which stands at its end, is capped before it is read."""
    size = len(buffer)
    tail = buffer[max(0, size - _END_SIZE - _LONGEST_COMMENT - _LOCATOR_SIZE) :]
    place = tail.rfind(_END)
    if place < 0 or len(tail) - place < _END_SIZE:
        raise _invalid(path, "it is cut short")
    entries = int.from_bytes(tail[place + 10 : place + 12], "little")
    length = int.from_bytes(tail[place + 12 : place + 16], "little")
    locator = tail[place - _LOCATOR_SIZE : place] if place >= _LOCATOR_SIZE else b""
    if locator.startswith(b"PK\x06\x07"):  # the long form of the same, which Python's reader prefers
        first = int.from_bytes(locator[8:16], "little")
        longer = buffer[first : first + 56]
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


def _invalid(path: StrPath, reason: str) -> HeadscopeError:
    return HeadscopeError("checkpoint_invalid", path=shown(path), reason=reason)
