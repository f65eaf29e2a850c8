"""Remembered choices: a small file in the user's cache, by machine; a damaged one is as if absent."""

from __future__ import annotations

import contextlib
import json
import platform
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from platformdirs import user_cache_path

from model.errors import HeadscopeError
from model.files.files import read_bytes, replace_bytes
from model.files.tensor_file import parse_json
from model.network.compiled.library import VERSION
from model.network.processor import processor_name
from model.network.products.ways import WAYS

_LARGEST = 1 << 20
# So that the file of somebody who opens many models stays small.
_MOST = 1000


def choices_file() -> Path:
    """Where they are."""
    return user_cache_path("Headscope", appauthor=False) / "products.json"


def recall(key: str) -> Any:
    """What was remembered of this machine under a key; None if nothing was."""
    return _own(_read()).get(key)


def own_choices() -> dict[str, tuple[str, str, str]]:
    """All that is remembered of this machine and is well formed: layout and two names, for whoever tells."""
    found = {}
    for key, value in _own(_read()).items():
        match value:
            case [str(layout), str(one), str(few), str()]:
                found[key] = layout, one, few
    return found


def remember(found: Mapping[str, Any]) -> None:
    """Keep it for later processes; where that cannot be, nothing is kept.

    Two that write at once leave one's file whole: what the other had found is measured again.
    """
    _parsed.cache_clear()
    everything = _read()
    own = {**_own(everything), **found}
    everything[machine()] = dict(list(own.items())[-_MOST:])
    path = choices_file()
    with contextlib.suppress(HeadscopeError, OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(path, json.dumps(everything, indent=1).encode())
    _parsed.cache_clear()


@lru_cache
def machine() -> str:
    """What choices depend on besides shapes and threads: the processor, and which kernels can be tried."""
    ways = " ".join(name for name, way in WAYS.items() if way.present())
    libraries = f"torch {torch.__version__}, numpy {np.__version__}, kernels {VERSION}"
    return f"{processor_name()} {platform.machine()}, {libraries}, {ways}"


def _read() -> dict[str, Any]:
    return dict(_parsed(choices_file()))


@lru_cache(maxsize=1)
def _parsed(path: Path) -> dict[str, Any]:
    with contextlib.suppress(HeadscopeError, ValueError, RecursionError):
        values = parse_json(read_bytes(path, limit=_LARGEST))
        if isinstance(values, dict):
            return values
    return {}


def _own(everything: dict[str, Any]) -> dict[str, Any]:
    own = everything.get(machine())
    return own if isinstance(own, dict) else {}
