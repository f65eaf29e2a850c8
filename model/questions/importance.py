"""ImportanceOf: what each head is worth to a translation. Frozen, no torch."""

from __future__ import annotations

from dataclasses import dataclass

from model.questions.questions import Question


@dataclass(frozen=True)
class ImportanceOf(Question, answered_by="model.inspection.importance:importance_of"):
    """Every head is switched off once; answered by `model.trace.exploration.Importance`."""

    activity = "measuring"
