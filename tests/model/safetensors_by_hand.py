"""An oracle for safetensors files, from the format's description: imports nothing of ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

TYPES = {"F32": "<f4", "F16": "<f2", "I64": "<i8", "U8": "u1", "F64": "<f8"}


def parse(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    body = data[8 + length :]
    tensors = {}
    for name, entry in header.items():
        start, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(body[start:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors, metadata


def build(
    tensors: dict[str, np.ndarray], metadata: dict[str, str], changes: dict[str, Any] | None = None
) -> bytes:
    """A file's bytes; `changes` are put over the header's entries, to make it lie."""
    names = {np.dtype(value): key for key, value in TYPES.items()}
    header: dict[str, Any] = {"__metadata__": metadata}
    body = b""
    for name, array in tensors.items():
        raw = array.tobytes()
        header[name] = {
            "dtype": names[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + len(raw)],
        }
        body += raw
    for name, change in (changes or {}).items():
        header[name] = {**header.get(name, {}), **change} if isinstance(change, dict) else change
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body
