"""objective_of: which objective trains a model, and which penalties are added to it."""

from __future__ import annotations

from model.config import Architecture, TrainConfig
from model.training.objectives.guided_attention import guided_attention
from model.training.objectives.masked import masked
from model.training.objectives.objective import Objective, Penalty
from model.training.objectives.scheduled_sampling import scheduled_sampling
from model.training.objectives.teacher_forcing import teacher_forcing


def objective_of(architecture: Architecture, config: TrainConfig) -> tuple[Objective, tuple[Penalty, ...]]:
    """What a step lowers."""
    penalties = () if config.guide == "none" else (guided_attention,)
    if architecture.in_rounds:
        return masked, penalties
    return scheduled_sampling if config.sampling_rate else teacher_forcing, penalties
