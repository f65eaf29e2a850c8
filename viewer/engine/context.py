"""Job context: all that the jobs of the background thread see of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from viewer.engine.source import LoadModel, ModelSource
from viewer.engine.training_job import TrainingJob
from viewer.engine.training_tools import TrainingTools


@dataclass(eq=False)
class JobContext:
    """What the jobs of one thread share.

    Attributes:
        load_model: how to load a model.
        tools: what training jobs call.
        threads: processor threads for torch.
        wake: a resting job has something to do again; may be said in any thread, is heard in the worker's.
        cancelled: whether a job is to end at its next yield; may be asked in any thread.
        model: the current one.
        trainings: runs that go on, by the ids of their jobs.
        paces: of decodings whose pace was changed after they were asked for, by the ids of their jobs.
    """

    load_model: LoadModel
    tools: TrainingTools
    threads: int
    wake: Callable[[int], None] = lambda job: None
    cancelled: Callable[[int], bool] = lambda job: False
    model: ModelSource | None = None
    trainings: dict[int, TrainingJob] = field(default_factory=dict)
    paces: dict[int, float] = field(default_factory=dict)
