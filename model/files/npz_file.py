"""NPZ files (NumPy archives, a zip of `.npy`) read in place: nothing is trusted, no object is ever made.

Read here without `numpy.load`, which copies every array that it is asked for, takes each size in the
archive at its word, and knows no limit.
"""

from __future__ import annotations

import math
import os
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.files.file_bytes import FileBytes
from model.files.files import StrPath, amount, reading, shown
from model.files.tensor_file import well_formed
from model.read_only import read_only

MOST_UNPACKED = 1 << 30
"""Bytes that one compressed array may take; what is not compressed stays in the file, and has no limit."""

_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
_MOST_MEMBERS = 4096
_LONGEST_DIRECTORY = 1 << 22
_LONGEST_NPY_HEADER = 10_000
# As numpy writes it, and most others do: numpy itself would evaluate whatever stands there as Python.
_NPY = b"\x93NUMPY"
_NPY_HEADER = re.compile(
    r"\{\s*'descr':\s*'(?P<descr>[<>|=]?[A-Za-z]\d{0,9})',\s*'fortran_order':\s*(?P<fortran>True|False),"
    r"\s*'shape':\s*\((?P<shape>[0-9, ]{0,999})\),?\s*\}\s*"
)
_MOST_AXES = 32
_MOST_NUMBERS = 1 << 56
_CHUNK = 1 << 20
_STORED, _DEFLATED = 0, 8
_SENTINEL = 0xFFFFFFFF

# The zip format's records (PKWARE's APPNOTE, sections 4.3.7 to 4.3.16), little-endian.
_END = struct.Struct("<4s4H2LH")
_END64_LOCATOR = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")


@dataclass(frozen=True)
class NpyInfo:
    """One array: its type and shape, and where its member's bytes are.

    Attributes:
        start, packed, size: place in the file, bytes there, bytes when unpacked.
        offset: of the numbers in the member, behind its header.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    fortran: bool
    deflated: bool
    start: int
    packed: int
    size: int
    crc: int
    offset: int

    @property
    def bytes(self) -> int:
        """What its numbers take in memory."""
        return self.size - self.offset


def is_npz(path: StrPath) -> bool:
    """Whether a file begins as a zip archive; raises `HeadscopeError` if it cannot be read."""
    with reading(path) as descriptor:
        start = os.read(descriptor, 9)
    # A trace file may begin so too, by the length of its header, which then follows.
    return start[:4] in _MAGICS and start[8:] != b"{"


class NpzFile:
    """The arrays of an archive.

    Attributes:
        arrays: every array by name.
    """

    def __init__(self, path: StrPath) -> None:
        """Look through the archive's directory and every array's header; nothing else is read.

        Raises:
            HeadscopeError: it is damaged, or an array is of a kind or a size that is not read.
        """
        self.path = shown(path)
        self._buffer = FileBytes(path, self._damaged)
        if not len(self._buffer):
            raise self._damaged("it is empty")
        self._unpacked: dict[str, npt.NDArray[np.uint8]] = {}
        self.arrays: dict[str, NpyInfo] = {}
        try:
            for name, info in self._members():
                if name in self.arrays:
                    raise self._damaged("a name stands in it twice")
                self.arrays[name] = info
        except (struct.error, OverflowError):
            raise self._damaged("it is cut short") from None

    def wrong(self, name: str, problem: str) -> HeadscopeError:
        """The error to raise about an array; `problem` follows its name."""
        return HeadscopeError("npz_array", path=self.path, name=name, problem=problem)

    def view(self, name: str) -> npt.NDArray[Any]:
        """A whole array, read-only.

        Raises:
            HeadscopeError: it is compressed, and damaged; or the file cannot be read any more.
        """
        info = self.arrays[name]
        count = math.prod(info.shape)
        if count == 0 or info.dtype.itemsize == 0:
            return read_only(np.zeros(info.shape, info.dtype))
        if info.deflated:
            flat: npt.NDArray[Any] = np.frombuffer(self._unpack(name), info.dtype, count, info.offset)
        else:
            flat = self._stored(info, 0, count)
        return read_only(flat.reshape(info.shape, order="F" if info.fortran else "C"))

    def flat(self, name: str, first: int, count: int) -> npt.NDArray[Any]:
        """Elements `first` to `first + count` in C order; the others are not read if they need not be.

        Raises:
            HeadscopeError: as `view`.
        """
        info = self.arrays[name]
        if not info.deflated and count and info.dtype.itemsize:
            if not info.fortran or len(info.shape) < 2:
                return read_only(self._stored(info, first, count))
            lead = _leading(info.shape, first, count)
            if lead:
                return read_only(self._strided(info, lead))
        array = self.view(name)
        if array.flags.c_contiguous:
            return array.reshape(-1)[first : first + count]
        found: npt.NDArray[Any] = array.flat[first : first + count]
        return found

    def _stored(self, info: NpyInfo, first: int, count: int) -> npt.NDArray[Any]:
        """Numbers as they stand in the file, without those before `first`."""
        found: npt.NDArray[Any] = np.empty(count, info.dtype)
        self._buffer.fill(info.start + info.offset + first * info.dtype.itemsize, found)
        return found

    def _strided(self, info: NpyInfo, lead: tuple[int, ...]) -> npt.NDArray[Any]:
        """What the first indices `lead` choose, in C order, of an array in Fortran order.

        There its numbers stand `step` apart: they are picked out while the whole array goes by.
        """
        rest = info.shape[len(lead) :]
        step = math.prod(info.shape[: len(lead)])
        place = int(np.ravel_multi_index(lead, info.shape[: len(lead)], order="F"))
        found: npt.NDArray[Any] = np.empty(math.prod(rest), info.dtype)
        at = max(1, _CHUNK // (step * info.dtype.itemsize))
        for first in range(0, len(found), at):
            count = min(at, len(found) - first)
            found[first : first + count] = self._stored(info, first * step, count * step)[place::step]
        return np.ascontiguousarray(found.reshape(rest, order="F")).reshape(-1)

    # The zip archive.

    def _damaged(self, reason: str) -> HeadscopeError:
        return HeadscopeError("npz_damaged", path=self.path, reason=reason)

    def _members(self) -> Iterator[tuple[str, NpyInfo]]:
        place, length, count = self._directory()
        if count > _MOST_MEMBERS or length > _LONGEST_DIRECTORY:
            raise self._damaged(f"it has {count} members")
        directory = self._buffer[place : place + length]
        at = 0
        for _ in range(count):
            entry = _ENTRY.unpack_from(directory, at)
            if entry[0] != b"PK\x01\x02":
                raise self._damaged("its directory cannot be read")
            name_length, extra_length, comment_length = entry[10:13]
            name_at = at + _ENTRY.size
            name = directory[name_at : name_at + name_length].decode("utf-8", "replace")
            extra = directory[name_at + name_length : name_at + name_length + extra_length]
            at = name_at + name_length + extra_length + comment_length
            if name.endswith(".npy"):
                yield well_formed(name.removesuffix(".npy")), self._member(name, entry, extra)

    def _directory(self) -> tuple[int, int, int]:
        """Place, length and number of entries of the archive's directory."""
        total = len(self._buffer)
        tail_at = max(0, total - (1 << 16) - _END.size)
        found = self._buffer[tail_at:].rfind(b"PK\x05\x06")
        if found < 0:
            raise self._damaged("it is cut short")
        at = tail_at + found
        _, _, _, _, count, length, place, _ = _END.unpack(self._bytes(at, _END.size))
        locator = at - _END64_LOCATOR.size
        if locator >= 0 and self._bytes(locator, 4) == b"PK\x06\x07":
            _, _, end64, _ = _END64_LOCATOR.unpack(self._bytes(locator, _END64_LOCATOR.size))
            *_, count, length, place = _END64.unpack(self._bytes(end64, _END64.size))
        if place + length > total:
            raise self._damaged("its directory cannot be read")
        return place, length, count

    def _bytes(self, start: int, count: int) -> bytes:
        return self._buffer[start : start + count]

    def _member(self, name: str, entry: tuple[Any, ...], extra: bytes) -> NpyInfo:
        flags, method, crc = entry[3], entry[4], entry[7]
        packed, size, local = _sizes(entry, extra)
        if flags & 1 or method not in (_STORED, _DEFLATED):
            raise self.wrong(name, "is encrypted, or compressed in a way that NumPy does not use")
        signature, *_, name_length, extra_length = _LOCAL.unpack(self._bytes(local, _LOCAL.size))
        start = local + _LOCAL.size + name_length + extra_length
        if signature != b"PK\x03\x04" or start + packed > len(self._buffer):
            raise self._damaged("it is cut short")
        if method == _STORED and packed != size:
            raise self.wrong(name, "has two different sizes")
        if method == _DEFLATED and size > MOST_UNPACKED:
            most = amount(MOST_UNPACKED)
            raise HeadscopeError("npz_large", path=self.path, name=name, size=amount(size), most=most)
        dtype, shape, fortran, offset = self._header(name, method == _DEFLATED, start, packed)
        if math.prod(shape) * dtype.itemsize != size - offset:
            raise self.wrong(name, "has another size than its shape says")
        return NpyInfo(dtype, shape, fortran, method == _DEFLATED, start, packed, size, crc, offset)

    def _unpack(self, name: str) -> npt.NDArray[np.uint8]:
        """A compressed member's bytes: as many as it claims, and not one more."""
        if name in self._unpacked:
            return self._unpacked[name]
        info = self.arrays[name]
        try:
            found = np.empty(info.size, np.uint8)
        except MemoryError:
            raise HeadscopeError("out_of_memory") from None
        filled = crc = 0
        try:
            for chunk in _inflated(self._buffer.pieces(info.start, info.start + info.packed, _CHUNK)):
                crc = zlib.crc32(chunk, crc)
                if filled + len(chunk) > info.size:
                    raise self.wrong(name, "is longer than the archive says")
                found[filled : filled + len(chunk)] = np.frombuffer(chunk, np.uint8)
                filled += len(chunk)
        except zlib.error:
            raise self.wrong(name, "cannot be unpacked") from None
        if filled != info.size or crc != info.crc:
            raise self.wrong(name, "is not what was saved")
        self._unpacked[name] = found
        return found

    # The .npy format (NumPy enhancement proposal 1).

    def _header(
        self, name: str, deflated: bool, start: int, packed: int
    ) -> tuple[np.dtype[Any], tuple[int, ...], bool, int]:
        """Type, shape, whether in Fortran order, and length of the header."""
        head = self._bytes(start, min(packed, _LONGEST_NPY_HEADER))
        try:
            head = _beginning(head, _LONGEST_NPY_HEADER) if deflated else head
            wide = head[6:7] > b"\x01"  # from version 2 on, the header's length takes four bytes
            (length,) = struct.unpack_from("<L" if wide else "<H", head, len(_NPY) + 2)
            offset = len(_NPY) + 2 + (4 if wide else 2) + length
            match = _NPY_HEADER.fullmatch(head[offset - length : offset].decode("latin-1"))
            if not head.startswith(_NPY) or offset > len(head) or match is None:
                raise ValueError
            dtype = np.dtype(match["descr"])
            shape = tuple(int(axis) for axis in match["shape"].replace(" ", "").split(",") if axis)
        except (ValueError, TypeError, OverflowError, struct.error, zlib.error):
            raise self.wrong(name, "cannot be read") from None
        if dtype.hasobject:
            raise HeadscopeError("npz_objects", path=self.path, name=name)
        if dtype.kind not in "fiubUSc" or dtype.names or dtype.subdtype:
            raise self.wrong(name, f"holds {dtype.name}, which are neither numbers nor strings")
        if len(shape) > _MOST_AXES or math.prod(max(1, n) for n in shape) >= _MOST_NUMBERS:
            raise self.wrong(name, "has an impossible shape")
        return dtype, shape, match["fortran"] == "True", offset


def _leading(shape: tuple[int, ...], first: int, count: int) -> tuple[int, ...]:
    """The first indices that elements `first` to `first + count` are all of; empty if there are none such."""
    for axes in range(1, len(shape)):
        if math.prod(shape[axes:]) == count and first % count == 0:
            return tuple(int(index) for index in np.unravel_index(first // count, shape[:axes]))
    return ()


def _sizes(entry: tuple[Any, ...], extra: bytes) -> tuple[int, int, int]:
    """Packed and unpacked bytes and the place of a member; in its extra field where they are large."""
    packed, size, local = entry[8], entry[9], entry[16]
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            large = iter(struct.unpack_from(f"<{length // 8}Q", extra, at + 4))
            size = next(large, size) if size == _SENTINEL else size
            packed = next(large, packed) if packed == _SENTINEL else packed
            local = next(large, local) if local == _SENTINEL else local
        at += 4 + length
    return packed, size, local


def _beginning(data: bytes, most: int) -> bytes:
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, most)


def _inflated(packed: Iterator[bytes]) -> Iterator[bytes]:
    """The unpacked bytes, a megabyte at a time."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    for rest in packed:
        while rest and not unpacker.eof:
            yield unpacker.decompress(rest, _CHUNK)
            rest = unpacker.unconsumed_tail
    yield unpacker.flush()
