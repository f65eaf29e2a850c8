"""recorded_result: what is shipped of an experiment, written by its command. No torch."""

from __future__ import annotations

import functools
from pathlib import Path

import resources
from model.experiments.result import ExperimentResult, read_result

FOLDER = Path(resources.__file__).parent / "experiments"


@functools.cache
def recorded_result(name: str) -> ExperimentResult:
    """The recorded result of an experiment; raises as `read_result`."""
    return read_result(FOLDER / f"{name}.json")
