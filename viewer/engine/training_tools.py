"""Training tools: the library's functions that jobs call, imported when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Protocol

from model.data.pairs.survey import CorpusSurvey
from model.train_options import TrainOptions
from model.training.batch_view import BatchView
from model.training.control import Control
from model.training.progress.events import TrainEvent, WorkEvent

ShouldCancel = Callable[[], bool]


class TrainingTools(Protocol):
    """Called in the worker's thread, or in one beside it while nothing else uses them; see `TrainingJob`."""

    def train(
        self, options: TrainOptions, out: Path, *, resume: bool, command: str, control: Control
    ) -> Iterator[TrainEvent]:
        """See `model.training.train.train`."""

    def survey(self, options: TrainOptions, should_cancel: ShouldCancel) -> Iterator[CorpusSurvey]:
        """See `model.data.survey_corpus.survey_corpus`."""

    def look_at_batch(
        self, options: TrainOptions, out: Path, step: int, pad: int, live: Control | None
    ) -> Generator[WorkEvent, None, BatchView]:
        """See `model.training.look_at_batch.look_at_batch`; `live` is the run that goes on into `out`."""

    def measured_speed(self, options: TrainOptions, tokens: float) -> Generator[None, None, float]:
        """See `model.training.speed.guessed_speed`."""


class LibraryTools:
    """The library's own."""

    def train(
        self, options: TrainOptions, out: Path, *, resume: bool, command: str, control: Control
    ) -> Iterator[TrainEvent]:
        """Train into a folder."""
        from model.training.train import train

        return train(options, out, resume=resume, command=command, control=control)

    def survey(self, options: TrainOptions, should_cancel: ShouldCancel) -> Iterator[CorpusSurvey]:
        """Read a corpus."""
        from model.data.survey_corpus import survey_corpus

        return survey_corpus(options, should_cancel)

    def look_at_batch(
        self, options: TrainOptions, out: Path, step: int, pad: int, live: Control | None
    ) -> Generator[WorkEvent, None, BatchView]:
        """Compute a batch with and without more padding."""
        from model.training.look_at_batch import look_at_batch

        return look_at_batch(options, out, step, pad, live=live)

    def measured_speed(self, options: TrainOptions, tokens: float) -> Generator[None, None, float]:
        """Time a few steps."""
        from model.training.speed import guessed_speed

        return guessed_speed(options, tokens)
