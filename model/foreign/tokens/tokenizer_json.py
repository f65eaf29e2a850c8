"""`tokenizer.json` sanitised: nothing in it makes a short text endless, or stops the process.

The library that reads it is written in Rust: when memory runs out there, the process ends.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from model.files.safe_folder import invalid

_MOST_GROWTH = 1 << 16
_LONGEST_CONTENT = 1 << 10
_LONGEST_NORMAL = 1 << 8  # bytes that a character becomes; the longest of Unicode takes 33
MOST_ADDED = 1 << 16
"""Most tokens beside a vocabulary: each costs far more than one in it."""
_PARTS = ("normalizer", "pre_tokenizer", "post_processor", "decoder")


def sanitised(path: Path, values: dict[str, Any]) -> dict[str, Any]:
    """The object of a `tokenizer.json` without its wishes to cut or fill up texts.

    Args:
        path: of the file, for errors.

    Raises:
        HeadscopeError: `bundle_invalid`: it would make an endless text of a short one, or is damaged.
    """
    growth = 1
    for step in _steps([values.get(part) for part in _PARTS]):
        growth *= _growth(path, step)
        if growth > _MOST_GROWTH:
            raise invalid(path, "it would make endless texts of short ones")
    added = values.get("added_tokens")
    if isinstance(added, list) and len(added) > MOST_ADDED:
        raise invalid(path, f"it adds more than {MOST_ADDED} tokens")
    return values | {"padding": None, "truncation": None}


def _steps(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in nested JSON."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _steps(item)


def _growth(path: Path, step: dict[str, Any]) -> int:
    """How many times longer a step can make a text."""
    kind = step.get("type")
    content = step.get("content", step.get("prepend", step.get("replacement", "")))
    length = len(content) if isinstance(content, str) else 0
    if length > _LONGEST_CONTENT:
        raise invalid(path, "it puts an endless text in the place of a short one")
    if kind == "Replace":
        pattern = step.get("pattern")
        text = pattern.get("String") if isinstance(pattern, dict) else None
        if isinstance(text, str) and text:
            return max(1, -(-length // len(text)))
        return 1 + length  # a regular expression may match nothing, everywhere
    if kind == "Precompiled":
        _check_charsmap(path, step.get("precompiled_charsmap"))
    return 1


def _check_charsmap(path: Path, text: Any) -> None:
    """Refuse a table of normal forms that is none: a length, a trie of that many bytes, texts ending in 0."""
    if text is None:
        return
    try:
        data = base64.b64decode(text, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise invalid(path, "its table of normal forms is damaged") from None
    size = int.from_bytes(data[:4], "little")
    forms = data[4 + size :]
    if len(data) < 4 or size % 4 or 4 + size > len(data):
        raise invalid(path, "its table of normal forms is damaged")
    if max(map(len, forms.split(b"\0"))) > _LONGEST_NORMAL:
        raise invalid(path, "its table of normal forms is absurd")
