"""Animated GIF and WebP, written frame by frame so that long ones need no memory.

Pillow compresses single frames; the containers around them are put together here from their specifications:
GIF89a (with the looping extension of Netscape) and the WebP container (RIFF, chunks ANIM and ANMF).
"""

from __future__ import annotations

import struct
from io import BytesIO
from typing import Any, BinaryIO, Protocol

import numpy as np
import numpy.typing as npt

from viewer.export.animation_palette import GlobalPalette, Pixels

GIF_MS = 10
"""GIF counts time in hundredths of a second."""

_TRAILER = b";"
_EXTENSION, _IMAGE = 0x21, 0x2C
_WEBP_ANIMATED = 0x02
_WEBP_NO_BLEND = 0x02
_WEBP_EFFORT = 3


class AnimationFile(Protocol):
    """An animation being written."""

    def add(self, pixels: Pixels, milliseconds: int) -> None:
        """Append a frame [row, column] of 0x..RRGGBB; raises `OSError`."""

    def finish(self) -> None:
        """Write what comes last; raises `OSError`."""


class GifFile:
    """An animated GIF with one global palette: colours are the nearest of it, never dithered."""

    def __init__(self, file: BinaryIO, size: tuple[int, int], *, loop: bool, palette: GlobalPalette) -> None:
        """Writes the header; `size` is (width, height)."""
        self._file = file
        self._palette = palette
        self._before: Pixels | None = None
        file.write(b"GIF89a" + struct.pack("<HHBBB", *size, 0xF7, 0, 0) + palette.table())
        if loop:
            file.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")

    def add(self, pixels: Pixels, milliseconds: int) -> None:
        """See `AnimationFile`; only the rectangle that changed is stored."""
        left, top, width, height = changed(self._before, pixels)
        self._before = pixels
        indices = self._palette.indices(pixels[top : top + height, left : left + width])
        still = _still(indices, "GIF", optimize=False, interlace=0)
        keep = 1 << 2  # what is outside of the rectangle stays
        self._file.write(struct.pack("<BBBBHBB", _EXTENSION, 0xF9, 4, keep, milliseconds // GIF_MS, 0, 0))
        self._file.write(struct.pack("<BHHHHB", _IMAGE, left, top, width, height, 0))
        self._file.write(_gif_data(still))

    def finish(self) -> None:
        """See `AnimationFile`."""
        self._file.write(_TRAILER)


class WebpFile:
    """An animated WebP, lossless: every pixel is exact."""

    def __init__(self, file: BinaryIO, size: tuple[int, int], *, loop: bool) -> None:
        """Writes the header; `size` is (width, height)."""
        self._file = file
        self._before: Pixels | None = None
        self._written = 0
        width, height = size
        file.write(b"RIFF\0\0\0\0WEBP")
        self._chunk(b"VP8X", struct.pack("<I", _WEBP_ANIMATED) + _three(width - 1) + _three(height - 1))
        self._chunk(b"ANIM", struct.pack("<IH", 0xFFFFFFFF, 0 if loop else 1))

    def add(self, pixels: Pixels, milliseconds: int) -> None:
        """See `AnimationFile`; only the rectangle that changed is stored."""
        left, top, width, height = changed(self._before, pixels)
        self._before = pixels
        # A frame begins on an even pixel.
        left, top, width, height = left & ~1, top & ~1, width + (left & 1), height + (top & 1)
        part = pixels[top : top + height, left : left + width]
        rgb = np.stack([part >> 16 & 255, part >> 8 & 255, part & 255], axis=-1).astype(np.uint8)
        still = _still(rgb, "WEBP", lossless=True, exact=True, method=_WEBP_EFFORT)
        place = _three(left // 2) + _three(top // 2) + _three(width - 1) + _three(height - 1)
        header = place + _three(milliseconds) + bytes([_WEBP_NO_BLEND])
        self._chunk(b"ANMF", header + _webp_bitstream(still))

    def finish(self) -> None:
        """See `AnimationFile`."""
        self._file.seek(4)
        self._file.write(struct.pack("<I", 4 + self._written))

    def _chunk(self, name: bytes, data: bytes) -> None:
        chunk = _chunk(name, data)
        self._file.write(chunk)
        self._written += len(chunk)


def changed(before: Pixels | None, after: Pixels) -> tuple[int, int, int, int]:
    """Left, top, width and height of the rectangle that differs; one pixel where nothing does."""
    height, width = after.shape
    if before is None:
        return 0, 0, width, height
    different = before != after
    rows, columns = np.flatnonzero(different.any(1)), np.flatnonzero(different.any(0))
    if not len(rows):
        return 0, 0, 1, 1
    left, top = int(columns[0]), int(rows[0])
    return left, top, int(columns[-1]) + 1 - left, int(rows[-1]) + 1 - top


def _still(pixels: npt.NDArray[np.uint8], kind: str, **options: Any) -> bytes:
    """A file of one frame; `options` are Pillow's for that kind of file."""
    from PIL import Image  # takes a while, and the window opens without it

    file = BytesIO()
    Image.fromarray(pixels).save(file, kind, **options)
    return file.getvalue()


def _gif_data(still: bytes) -> bytes:
    """The compressed pixels of a GIF of one frame, from the code size to the empty block."""
    place = 13 + _table_size(still[10])
    while still[place] == _EXTENSION:
        place += 2
        while still[place]:
            place += 1 + still[place]
        place += 1
    place += 10 + _table_size(still[place + 9])
    return still[place : -len(_TRAILER)]


def _table_size(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _webp_bitstream(still: bytes) -> bytes:
    """The VP8L chunk of a still WebP."""
    place = 12
    while still[place : place + 4] != b"VP8L":
        (size,) = struct.unpack_from("<I", still, place + 4)
        place += 8 + size + (size & 1)
    (size,) = struct.unpack_from("<I", still, place + 4)
    return still[place : place + 8 + size + (size & 1)]


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) & 1)


def _three(value: int) -> bytes:
    return value.to_bytes(3, "little")
