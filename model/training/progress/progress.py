"""Progress, what a run remembers besides weights: the header of `training_state.safetensors`. No torch."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Self

from model.config import StopOn, from_json
from model.errors import HeadscopeError
from model.files.tensor_file import parse_json
from model.train_options import TrainOptions

TRAINING_STATE = "training_state.safetensors"


@dataclass
class EvaluationState:
    """What evaluations have come to.

    Attributes:
        minutes: time spent in training.
        best_loss, best_bleu: of the weights that the bundle holds; -1 where BLEU was not measured.
        last_eval: step of the last complete evaluation, -1 when there was none.
        lowest_loss, highest_bleu: of all evaluations; -1 where BLEU was not measured.
        stale: evaluations in a row without improvement of what the run stops on.
    """

    minutes: float = 0.0
    best_loss: float = math.inf
    best_bleu: float = -1.0
    last_eval: int = -1
    lowest_loss: float = math.inf
    highest_bleu: float = -1.0
    stale: int = 0

    def is_best(self, loss: float, bleu: float | None) -> bool:
        """Whether weights that measure so are better than the bundle's: by BLEU, then by loss."""
        if bleu is None or self.best_bleu < 0:
            return loss < self.best_loss
        return (bleu, -loss) > (self.best_bleu, -self.best_loss)

    def note(self, loss: float, bleu: float | None, stop_on: StopOn) -> None:
        """Count an evaluation; where BLEU is not measured, the loss stands in for it."""
        lower, higher = loss < self.lowest_loss, bleu is not None and bleu > self.highest_bleu
        improved = lower if bleu is None or stop_on == "loss" else higher
        self.stale = 0 if improved else self.stale + 1
        self.lowest_loss = min(self.lowest_loss, loss)
        self.highest_bleu = max(self.highest_bleu, -1.0 if bleu is None else bleu)


@dataclass(frozen=True)
class StateHeader:
    """The metadata of a training state.

    Attributes:
        hashes: SHA-256 of the data by name, in the order of the files.
    """

    step: int
    options: TrainOptions
    progress: EvaluationState
    hashes: dict[str, str]

    def check_data(self, hashes: Mapping[str, str]) -> None:
        """Raise `HeadscopeError` unless the data are those, in this order; files may have other names."""
        if list(self.hashes.values()) != list(hashes.values()):
            raise HeadscopeError("training_data_differs")

    def to_metadata(self) -> dict[str, str]:
        """As strings, the way a safetensors header holds them."""
        return {
            "step": str(self.step),
            "seed": str(self.options.train.seed),
            "config_hash": self.options.config_hash(),
            "options": json.dumps(self.options.to_json()),
            "progress": json.dumps(asdict(self.progress)),
            "data": json.dumps(self.hashes),
        }

    @classmethod
    def from_metadata(cls, metadata: Mapping[str, str], path: str) -> Self:
        """The inverse; `HeadscopeError` naming `path` when the header makes no sense."""
        try:
            return cls(
                step=int(metadata["step"]),
                options=TrainOptions.from_json(parse_json(metadata["options"])),
                progress=from_json(EvaluationState, parse_json(metadata["progress"], nan=True), "progress"),
                hashes=dict(parse_json(metadata["data"])),
            )
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            reason = f"its header cannot be understood: {error!r}"
            raise HeadscopeError("training_state_invalid", path=path, reason=reason) from None
