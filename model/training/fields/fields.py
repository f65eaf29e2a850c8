"""Fields, all that a training run can be told, in a student's words: for the window's form and for --help."""

from __future__ import annotations

from collections.abc import Mapping

from model.data.tasks import TASKS
from model.training.fields.derive import REASONS
from model.training.fields.field import Field
from model.training.fields.fields_data import DATA, OUT, RESULT, VOCABULARY
from model.training.fields.fields_model import MODEL, PRESET
from model.training.fields.fields_training import TRAINING, WATCH

FIELDS: Mapping[str, Field] = {
    field.name: field for field in (*DATA, *VOCABULARY, *MODEL, *TRAINING, *WATCH, *RESULT)
}
"""By name: every option of `TrainOptions`, of its architecture and of its `TrainConfig`."""

__all__ = ["FIELDS", "OUT", "PRESET", "Field", "sentences"]


def sentences() -> tuple[str, ...]:
    """Every text that a person reads of fields, tasks and derived numbers, once: for the translation."""
    texts: dict[str, None] = {}
    for field in (*FIELDS.values(), PRESET, OUT):
        words = (field.label, field.meaning, field.unit, field.zero, *(label for _, label in field.choices))
        texts.update(dict.fromkeys(word for word in words if word))
    texts.update(dict.fromkeys(task.about for task in TASKS.values()))
    texts.update(dict.fromkeys(REASONS))
    return tuple(texts)
