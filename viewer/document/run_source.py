"""Run source: what made a run. The fact `source` of its provenance, written to files as it is. No Qt."""

from __future__ import annotations

from enum import StrEnum


class RunSource(StrEnum):
    """Where a run comes from.

    `RECORDED`: a model's own example. `FILE`: a trace that was opened. `TRAINING`: a frame of a time-lapse.
    `DECODED`, `HYPOTHESIS`: made here, the latter taken out of a beam search.
    """

    RECORDED = "recorded"
    DECODED = "decoded"
    FILE = "file"
    HYPOTHESIS = "hypothesis"
    TRAINING = "training"


MADE_HERE = (RunSource.DECODED, RunSource.HYPOTHESIS)
"""Sources of runs that were made in a window; all others can be opened again."""
