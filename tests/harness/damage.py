"""Damage: what may have become of a file on its way: seeded changes of bytes, of numbers and of JSON.

Every change is a function of the bytes and of a random generator alone, so that a seed is all it takes to
have a mutant again.
"""

from __future__ import annotations

import json
import random
import re
import struct
from collections.abc import Callable
from typing import Any

Change = Callable[[bytes, random.Random], bytes]

_NUMBERS = (
    "0",
    "-1",
    "1",
    "2147483648",
    "9223372036854775808",
    "1e308",
    "-1e308",
    "1e-320",
    "NaN",
    "Infinity",
    "0.5",
)
_TEXTS = ("", "\0", "..", "/etc/passwd", "a" * 5000, "\u202e\u0007", "\ud83d", "你好", "%s%n", "-")
_INTEGERS = (0, 1, -1, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, -(2**63))
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_LARGEST = 4 << 20


def cut(data: bytes, rng: random.Random) -> bytes:
    """The end is missing, as of a download that broke off."""
    return data[: rng.randrange(len(data) + 1)]


def headless(data: bytes, rng: random.Random) -> bytes:
    """The beginning is missing."""
    return data[rng.randrange(len(data) + 1) :]


def flipped(data: bytes, rng: random.Random) -> bytes:
    """Some bits are others."""
    result = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 64))):
        if result:
            result[rng.randrange(len(result))] ^= 1 << rng.randrange(8)
    return bytes(result)


def early_flipped(data: bytes, rng: random.Random) -> bytes:
    """Some bits of the first 400 bytes are others: where headers and sizes stand."""
    return flipped(data[:400], rng) + data[400:]


def zeroed(data: bytes, rng: random.Random) -> bytes:
    """A block that was never written."""
    start = rng.randrange(len(data) + 1)
    length = rng.choice((1, 8, 512, 4096))
    return data[:start] + bytes(min(length, len(data) - start)) + data[start + length :]


def noise(data: bytes, rng: random.Random) -> bytes:
    """A block of something else."""
    start = rng.randrange(len(data) + 1)
    return data[:start] + rng.randbytes(rng.choice((1, 7, 64, 1024))) + data[start:]


def doubled(data: bytes, rng: random.Random) -> bytes:
    """A block stands there twice."""
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice((1, 16, 256, 4096)))
    return data[:end] + data[start:end] + data[end:]


def swapped(data: bytes, rng: random.Random) -> bytes:
    """Two blocks have changed places."""
    if len(data) < 4:
        return data[::-1]
    first, second, third = sorted(rng.randrange(len(data) + 1) for _ in range(3))
    return data[:first] + data[second:third] + data[first:second] + data[third:]


def overwritten(data: bytes, rng: random.Random) -> bytes:
    """An integer of a binary header is an extreme one."""
    form = rng.choice(("<I", "<Q", ">I", "<H"))
    size = struct.calcsize(form)
    if len(data) < size:
        return data
    top = len(data) if rng.random() < 0.3 else min(len(data), 600)
    start = rng.randrange(max(1, top - size + 1))
    value = rng.choice(_INTEGERS) % (1 << (8 * size))
    return data[:start] + struct.pack(form, value) + data[start + size :]


def renumbered(data: bytes, rng: random.Random) -> bytes:
    """A number that is written out is another."""
    found = list(_NUMBER.finditer(data[:_LARGEST]))
    if not found:
        return noise(data, rng)
    one = rng.choice(found)
    return data[: one.start()] + rng.choice(_NUMBERS).encode() + data[one.end() :]


def empty(data: bytes, rng: random.Random) -> bytes:
    """Nothing, or nothing but white space or zeros."""
    return rng.choice((b"", b"\n", b" ", bytes(64), b"\xef\xbb\xbf", b"{}", b"[]", b"null"))


def recoded(data: bytes, rng: random.Random) -> bytes:
    """A text in another encoding, or with other ends of lines."""
    text = data.decode("utf-8", "replace")
    if rng.random() < 0.3:
        return text.replace("\n", rng.choice(("\r\n", "\r", "\u2028"))).encode("utf-8")
    return text.encode(rng.choice(("utf-16", "utf-16-le", "utf-32", "latin-1", "gb18030", "big5")), "replace")


def remade(data: bytes, rng: random.Random) -> bytes:
    """JSON in which a value is gone, of another type, extreme, doubled or deep; of JSON lines in one line."""
    lines = data.split(b"\n")
    at = (
        rng.randrange(len(lines)) if len(lines) > 1 and lines[0][:1] == b"{" and lines[0][-1:] == b"}" else -1
    )
    try:
        value = json.loads(data if at < 0 else lines[at])
    except ValueError:
        return renumbered(data, rng)
    value = _another(value, rng)
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return text if at < 0 else b"\n".join([*lines[:at], text, *lines[at + 1 :]])


def reheaded(data: bytes, rng: random.Random) -> bytes:
    """A safetensors file whose header says something else, of the right length."""
    if len(data) < 8:
        return data
    (size,) = struct.unpack("<Q", data[:8])
    if not 0 < size <= len(data) - 8:
        return overwritten(data, rng)
    header = remade(data[8 : 8 + size], rng)
    return struct.pack("<Q", len(header)) + header + data[8 + size :]


def _another(value: Any, rng: random.Random, depth: int = 0) -> Any:
    """A value somewhere in it is another."""
    inside = isinstance(value, (dict, list)) and bool(value)
    if inside and (depth == 0 or rng.random() < 0.75):
        if isinstance(value, dict):
            key = rng.choice(list(value))
            fate = rng.random()
            if fate < 0.15:
                return {name: one for name, one in value.items() if name != key}
            if fate < 0.22:
                return value | {rng.choice(_TEXTS): value[key]}
            return value | {key: _another(value[key], rng, depth + 1)}
        at = rng.randrange(len(value))
        fate = rng.random()
        if fate < 0.1:
            return value[:at] + value[at + 1 :]
        if fate < 0.2:
            return value[:at] + [value[at]] * rng.choice((2, 50)) + value[at + 1 :]
        return [*value[:at], _another(value[at], rng, depth + 1), *value[at + 1 :]]
    return _other_leaf(value, rng)


def _other_leaf(value: Any, rng: random.Random) -> Any:
    fate = rng.random()
    if fate < 0.4:
        return rng.choice((*_INTEGERS, 0.5, -0.5, 1e308, float("nan"), float("inf")))
    if fate < 0.6:
        return rng.choice(_TEXTS)
    if fate < 0.7:
        return rng.choice((None, True, False))
    if fate < 0.8:
        return rng.choice(([], {}, [value], {"a": value}, [[value]] * 3))
    if fate < 0.85:
        deep: Any = value
        for _ in range(200):
            deep = [deep]
        return deep
    if isinstance(value, str) and value:
        return rng.choice((value + "x", value[:-1], value * 3, value.upper()))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return rng.choice((value + 1, value - 1, -value, value * 2))
    return value


PLAIN: tuple[Change, ...] = (cut, headless, flipped, zeroed, noise, doubled, swapped, empty)
BINARY: tuple[Change, ...] = (*PLAIN, early_flipped, early_flipped, overwritten, overwritten)
TEXT: tuple[Change, ...] = (*PLAIN, renumbered, renumbered, recoded)
JSON: tuple[Change, ...] = (*TEXT, remade, remade, remade, remade)
TENSORS: tuple[Change, ...] = (*BINARY, reheaded, reheaded, reheaded, reheaded)
