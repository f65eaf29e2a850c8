"""Tasks built in: pairs made on the spot, so simple that a person can tell what attention should do."""

from __future__ import annotations

from model.data.tasks.registry import TASKS
from model.data.tasks.sequences import WORDS, reverse_pairs
from model.data.tasks.task import Task

__all__ = ["TASKS", "WORDS", "Task", "reverse_pairs"]
