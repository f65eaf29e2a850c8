"""objective_of: which objective trains a model, and which penalties are added to it."""

from __future__ import annotations

from model.config import Architecture, TrainConfig
from model.training.objectives.masked import masked
from model.training.objectives.objective import Objective, Penalty
from model.training.objectives.teacher_forcing import teacher_forcing


def objective_of(architecture: Architecture, config: TrainConfig) -> tuple[Objective, tuple[Penalty, ...]]:
    """What a step lowers."""
    return masked if architecture.in_rounds else teacher_forcing, ()
