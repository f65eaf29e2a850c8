"""Everything a training run is told, JSON-able: what `training_log.jsonl` and the training state record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from model.config import TrainConfig
from model.errors import HeadscopeError
from model.tasks import TaskName
from model.tokenizer_training import VocabType
from model.training_data import SplitName

PRESETS: dict[str, dict[str, Any]] = {
    "tiny": {"d_model": 64, "n_heads": 2, "encoder_layers": 1, "decoder_layers": 1, "d_ff": 128},
    "small": {"d_model": 256, "n_heads": 4, "encoder_layers": 3, "decoder_layers": 3, "d_ff": 1024},
    "base": {"d_model": 512, "n_heads": 8, "encoder_layers": 6, "decoder_layers": 6, "d_ff": 2048},
}

# What may change when a run is resumed: none of it alters the path the weights take.
MAY_CHANGE = {
    "steps", "epochs", "minutes", "threads", "save_every", "eval_every", "log_every", "bleu_sentences",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """One run's instructions: files of pairs, or a toy task instead.

    Attributes:
        task_size: number of pairs that a task makes, from the seed.
        swap: translate from column 2 of the file to column 1.
        architecture: fields of `model.config.Architecture`, vocabularies left out.
        half: weights are stored as float16.
    """

    pairs: tuple[str, ...] = ()
    task: TaskName | None = None
    task_size: int = 0
    name: str
    languages: tuple[str, str] = ("und", "und")
    swap: bool = False
    split: SplitName = "holdout"
    vocab_size: int = 8000
    shared_vocab: bool = True
    vocab_type: VocabType = "unigram"
    byte_fallback: bool = True
    coverage: float = 0.9995
    half: bool = True
    architecture: Mapping[str, Any] = field(default_factory=lambda: dict(PRESETS["small"]))
    train: TrainConfig = field(default_factory=TrainConfig)

    def to_json(self) -> dict[str, Any]:
        """Every option by name; tuples become lists."""
        values: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TrainOptions:
        """The inverse of `to_json`."""
        plain = dict(values)
        plain["pairs"] = tuple(plain["pairs"])
        plain["languages"] = tuple(plain["languages"])
        plain["train"] = TrainConfig(**plain["train"])
        return cls(**plain)

    def config_hash(self) -> str:
        """SHA-256 of what must stay the same over a run."""
        values = self.to_json()
        values["train"] = {k: v for k, v in values["train"].items() if k not in MAY_CHANGE}
        values["pairs"] = len(self.pairs)
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()

    def resumed_with(self, given: Mapping[str, Any]) -> TrainOptions:
        """These options with what a resuming command line gives explicitly.

        Args:
            given: option name to value; names of `TrainOptions`, of its `train` or of its `architecture`.

        Raises:
            HeadscopeError: an option differs that would change the run.
        """
        result, train = self, {}
        for name, value in given.items():
            if name == "pairs":
                result = replace(result, pairs=tuple(value))
            elif name in MAY_CHANGE:
                train[name] = value
            else:
                flat = {**self.to_json(), **self.to_json()["architecture"], **self.to_json()["train"]}
                if json.loads(json.dumps(value)) != flat.get(name):
                    raise HeadscopeError(
                        "training_resume_differs", field=name, old=flat.get(name), new=value
                    )
        return replace(result, train=replace(self.train, **train))
