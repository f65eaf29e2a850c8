"""`training_log.jsonl`: what a bundle's training was told and what it measured. No torch.

The first line is the `start` entry (command, versions, seed, data hashes); `eval` and `done` events follow.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from model.errors import HeadscopeError
from model.files import StrPath, read_bytes, replace_bytes

LOG = "training_log.jsonl"


class TrainingLog:
    """The entries of one run; each addition replaces the file in one step.

    Attributes:
        entries: JSON objects in order, the `start` entry first.
    """

    def __init__(self, folder: StrPath, entries: list[dict[str, Any]]) -> None:
        self.path = Path(folder) / LOG
        self.entries = entries

    def append(self, entry: dict[str, Any]) -> None:
        """Add an entry and write the file; `HeadscopeError` when the disk refuses."""
        self.entries.append(entry)
        replace_bytes(self.path, serialized(self.entries))


def serialized(entries: list[dict[str, Any]]) -> bytes:
    """The file's bytes: one JSON object a line."""
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries).encode()


def read_entries(folder: StrPath) -> list[dict[str, Any]]:
    """The log's entries; lines that are no JSON objects are left out, and no file means no entries."""
    try:
        lines = read_bytes(Path(folder) / LOG).decode("utf-8", "replace").splitlines()
    except HeadscopeError as error:
        if error.code == "file_missing":
            return []
        raise
    entries = []
    for line in lines:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            entries.append(entry)
    return entries


def summary(entries: list[dict[str, Any]]) -> dict[str, Any] | None:
    """What a log comes to; None without a `start` entry.

    Returns:
        `command`, `versions`, `seed`, `data` (file name to SHA-256), `pairs`, `minutes`, `last_eval` and
        `best` (the last evaluation and the one whose weights the bundle holds, or None).
    """
    start = next((entry for entry in entries if entry.get("event") == "start"), None)
    if start is None:
        return None
    evals = [entry for entry in entries if entry.get("event") == "eval"]
    kept = [entry for entry in evals if entry.get("best") is True]
    timed = [entry["minutes"] for entry in entries if isinstance(entry.get("minutes"), (int, float))]
    return {
        **{key: start.get(key) for key in ("command", "versions", "seed", "data", "pairs")},
        "minutes": timed[-1] if timed else None,
        "last_eval": _measured(evals[-1]) if evals else None,
        "best": _measured(kept[-1]) if kept else None,
    }


def _measured(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: entry.get(key) for key in ("step", "epoch", "heldout_loss", "bleu", "averaged")}
