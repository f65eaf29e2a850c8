"""Watching: what an experiment notes of a model while it is trained.

It lies beside the model, so that a run that was stopped has all of it when it goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from model.experiments.result import rounded
from model.files.files import replace_bytes
from model.files.tensor_file import parse_json
from model.training.trainer import Trainer

WATCHED = "watched.json"

WATCHES = 20
"""How often a model is looked at in a run, and once before its first step."""

Watch = Callable[[Trainer], Mapping[str, Any]]
"""What is noted of a model between two steps, JSON-able, by name; nothing to leave the moment out. It must
leave the trainer as it is and draw nothing from torch's own generator."""


class Watching:
    """Notes in `folder`, as `watch` makes them, at every so many of `total` steps."""

    def __init__(self, folder: Path, watch: Watch | None, total: int) -> None:
        self._file = folder / WATCHED
        self._watch = watch
        self._every = max(1, total // WATCHES)
        self._rows: list[dict[str, Any]] = []

    def begin(self, trainer: Trainer | None) -> None:
        """A run begins or goes on: what was noted after its step is forgotten, and will be noted again."""
        if self._watch is not None and trainer is not None:
            self._rows = [row for row in read_rows(self._file) if row["step"] < trainer.step]
            self.note(trainer)

    def note(self, trainer: Trainer | None) -> None:
        """Look at the model, if its step is one at which that is due."""
        if self._watch is None or trainer is None or trainer.step % self._every:
            return
        found = self._watch(trainer)
        if found:
            self._rows.append({"step": trainer.step, **rounded(found)})
            replace_bytes(self._file, json.dumps(self._rows).encode())


def read_rows(file: Path) -> list[dict[str, Any]]:
    """What was noted, a row a moment; none where there is no such file, or it is damaged."""
    try:
        values = parse_json(file.read_bytes())
    except OSError:
        return []
    return values if isinstance(values, list) else []
