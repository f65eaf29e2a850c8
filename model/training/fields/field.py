"""`Field`: one thing that a training run can be told, its words, its kind and its range."""

from __future__ import annotations

import dataclasses
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

from model.config import Architecture, TrainConfig
from model.train_options import TrainOptions

Group = Literal["data", "vocabulary", "model", "training", "watch", "result"]
Section = Literal["options", "architecture", "train"]
Kind = Literal["choice", "whole", "number", "flag", "text", "texts", "files"]
Choices = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Field:
    """One thing that a run can be told.

    Attributes:
        name: as `TrainOptions`, its architecture or its `TrainConfig` calls it.
        place: which of the three.
        label: two or three words.
        meaning: one sentence.
        kind: `whole` and `number` are numbers without and with decimals; `texts` are two short ones.
        choices: of a `choice`: value and the words for it.
        least, most, step: of a number: what may be chosen, and by how much an arrow changes it.
        decimals: of a `number`: as many are shown.
        unit: what a number counts.
        zero: what the number 0 stands for, where it is no number ("no limit").
        advanced: not one of those that most people choose.
    """

    name: str
    group: Group
    label: str
    meaning: str
    _: KW_ONLY
    kind: Kind = "whole"
    place: Section = "options"
    choices: Choices = ()
    least: float = 0
    most: float = 2**31 - 1
    step: float = 1
    decimals: int = 0
    unit: str = ""
    zero: str = ""
    advanced: bool = False

    @property
    def default(self) -> Any:
        """What a run takes that is not told; None for what has to be told, () for no files."""
        owner: Any = {"options": TrainOptions, "architecture": Architecture, "train": TrainConfig}[self.place]
        found: dataclasses.Field[Any] | None = owner.__dataclass_fields__.get(self.name)
        return None if found is None or found.default is dataclasses.MISSING else found.default
