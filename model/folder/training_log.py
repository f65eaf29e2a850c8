"""`training_log.jsonl`: what a bundle's training was told and what it measured. No torch.

The first line is the `start` entry (command, versions, seed, data hashes); `eval` events follow, and at the
end a `curve` (a few hundred of the steps) and `done`. Where the run went on later there is a `resume` entry:
the step, and the command, versions, names of the data and options that held from there on.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from model import limits
from model.errors import HeadscopeError
from model.files.files import StrPath, reading, replace_bytes
from model.files.tensor_file import parse_json, values_in

LOG = "training_log.jsonl"


class TrainingLog:
    """The entries of one run; the file is replaced in one step.

    Attributes:
        entries: JSON objects in order, the `start` entry first.
    """

    def __init__(self, folder: StrPath, entries: list[dict[str, Any]]) -> None:
        self.path = Path(folder) / LOG
        self.entries = entries

    def add(self, entry: dict[str, Any]) -> None:
        """Add an entry, which the next `write` puts on the disk."""
        self.entries.append(entry)

    def write(self) -> None:
        """Replace the file; `HeadscopeError` when the disk refuses."""
        replace_bytes(self.path, serialized(self.entries))


def serialized(entries: list[dict[str, Any]]) -> bytes:
    """The file's bytes: one JSON object per line."""
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries).encode()


def read_entries(folder: StrPath) -> list[dict[str, Any]]:
    """All of `entries_of`."""
    return list(entries_of(folder))


def entries_of(folder: StrPath) -> Iterator[dict[str, Any]]:
    """The log's entries, read line by line; of a log of absurd size those of its beginning and its end.

    Lines that are no JSON objects are left out, and no file means no entries. The bounds are in
    `model.limits`, and no run of this program comes near them.

    Raises:
        HeadscopeError: the file cannot be read, or is none.
    """
    try:
        with reading(Path(folder) / LOG) as descriptor:
            yield from _entries(descriptor)
    except HeadscopeError as error:
        if error.code != "file_missing":
            raise


def _entries(descriptor: int) -> Iterator[dict[str, Any]]:
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        size = os.fstat(descriptor).st_size
        whole = size <= 2 * limits.LOG_PART
        left = yield from _until(file, size if whole else limits.LOG_PART, limits.LOG_VALUES)
        if not whole:
            file.seek(size - limits.LOG_PART)
            _rest_of_line(file, size)
            yield from _until(file, size, left)


def _until(file: BinaryIO, end: int, values: int) -> Generator[dict[str, Any], None, int]:
    """The entries that begin before `end`, of at most so many values; returns how many are left."""
    while file.tell() < end and (line := file.readline(limits.LOG_LINE + 1)):
        if len(line) > limits.LOG_LINE:
            _rest_of_line(file, end)
            continue
        values -= values_in(line)
        if values < 0:
            return 0
        entry = parse_json(line.decode("utf-8", "replace"), nan=True)
        if isinstance(entry, dict):
            yield entry
    return values


def _rest_of_line(file: BinaryIO, end: int) -> None:
    """Go to the beginning of the next line, or at least to `end`, keeping nothing of this one."""
    while file.tell() < end and (line := file.readline(limits.LOG_LINE)) and not line.endswith(b"\n"):
        pass


def summary(entries: list[dict[str, Any]]) -> dict[str, Any] | None:
    """What a log comes to, as far as it makes sense; None without a `start` entry.

    Returns:
        `command` and `seed` (or None) of the beginning; `resumed`: how the run went on, in order, each with
        `step`, `command` and `versions`; `versions` and `data` (names to text) as they were last, `pairs`
        (names to counts),
        `minutes` (or None), `last_eval` and `best`: the last evaluation and the one whose weights the bundle
        holds, each with `step`, `epoch`, `heldout_loss`, `bleu` and `averaged`, or None.
    """
    start = next((entry for entry in entries if entry.get("event") == "start"), None)
    if start is None:
        return None
    evals = [entry for entry in entries if entry.get("event") == "eval" and _is_measured(entry)]
    kept = [entry for entry in evals if entry.get("best") is True]
    minutes = [entry["minutes"] for entry in entries if _is_number(entry.get("minutes"))]
    command, seed = start.get("command"), start.get("seed")
    resumes = [entry for entry in entries if entry.get("event") == "resume"]
    return {
        "command": command if isinstance(command, str) else None,
        "seed": seed if isinstance(seed, int) else None,
        "resumed": [_resumed(entry) for entry in resumes],
        "versions": _newest([start, *resumes], "versions"),
        "data": _newest([start, *resumes], "data"),
        "pairs": _only(start.get("pairs"), int),
        "minutes": minutes[-1] if minutes else None,
        "last_eval": _measured(evals[-1]) if evals else None,
        "best": _measured(kept[-1]) if kept else None,
    }


def newest_options(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """The options that held last: those of a start are the limits of the first run only."""
    told = [entry.get("options") for entry in entries if entry.get("event") in ("start", "resume")]
    return next((options for options in reversed(told) if isinstance(options, dict)), {})


def begun(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What says by which commands the weights came about, without what was measured on the way."""
    return [entry for entry in entries if entry.get("event") in ("start", "resume")]


def _resumed(entry: dict[str, Any]) -> dict[str, Any]:
    command, step = entry.get("command"), entry.get("step")
    return {
        "step": step if isinstance(step, int) else None,
        "command": command if isinstance(command, str) else None,
        "versions": _only(entry.get("versions"), str),
    }


def _newest(told: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """Of the last entry that says it."""
    return next((found for entry in reversed(told) if (found := _only(entry.get(name), str))), {})


def _only(values: Any, kind: type) -> dict[str, Any]:
    """The entries of a JSON object whose values are of `kind`."""
    if not isinstance(values, dict):
        return {}
    return {name: value for name, value in values.items() if isinstance(value, kind)}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value)


def _is_measured(entry: dict[str, Any]) -> bool:
    numbers = all(_is_number(entry.get(name)) for name in ("epoch", "heldout_loss"))
    return numbers and isinstance(entry.get("step"), int)


def _measured(entry: dict[str, Any]) -> dict[str, Any]:
    bleu = entry.get("bleu")
    return {
        **{name: entry[name] for name in ("step", "epoch", "heldout_loss")},
        "bleu": bleu if _is_number(bleu) else None,
        "averaged": entry.get("averaged") is True,
    }
