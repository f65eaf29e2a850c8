"""Everything a training run is told, JSON-able: what `training_log.jsonl` and the training state record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from model.config import Architecture, SplitName, TrainConfig, VocabType, from_json
from model.data.tasks import TaskName
from model.errors import HeadscopeError

PRESETS: dict[str, dict[str, Any]] = {
    "tiny": {"d_model": 64, "n_heads": 2, "encoder_layers": 1, "decoder_layers": 1, "d_ff": 128},
    "small": {"d_model": 256, "n_heads": 4, "encoder_layers": 3, "decoder_layers": 3, "d_ff": 1024},
    "base": {"d_model": 512, "n_heads": 8, "encoder_layers": 6, "decoder_layers": 6, "d_ff": 2048},
}

# SentencePiece takes minutes, and then all memory, for a vocabulary far beyond these.
MOST = {"vocab_size": 1_000_000, "task_size": 10_000_000}

LIMITS = {"steps", "epochs", "minutes"}

# What may change when a run is resumed: none of it alters the path the weights take. Files of pairs may lie
# elsewhere, as long as they hold the same.
MAY_CHANGE = LIMITS | {"threads", "save_every", "eval_every", "log_every", "bleu_sentences", "pairs"}


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """One run's instructions: files of pairs, or a built-in task instead.

    Attributes:
        pairs: files of tab-separated or (by their name) comma-separated pairs.
        parallel: two files, line by line each other's translations, instead of `pairs`; () or two names.
        columns: of `pairs`: numbers from 1, or names of the header line.
        encoding: of all files; `auto` detects it.
        max_characters: pairs with a longer side are left out; 0 = none is.
        max_ratio: so are those whose longer side has more than that many times the characters of the shorter.
        drop_duplicates: a pair is used once, however often it occurs.
        vocab_files: existing SentencePiece models instead of learning some: () or one for both or two.
        probe: the sentence whose attention is watched while training; "" = a held-out one.
        probe_target: the translation it is made to write, so that traces can be laid over one another; "" =
            what the model itself writes (a held-out probe has its reference).
        task_size: number of pairs that a task makes, from the seed.
        swap: translate from column 2 of the file to column 1.
        architecture: fields of `model.config.Architecture`, vocabularies left out.
        half: weights are stored as float16.
    """

    pairs: tuple[str, ...] = ()
    parallel: tuple[str, ...] = ()
    columns: tuple[str, str] = ("1", "2")
    encoding: str = "auto"
    max_characters: int = 0
    max_ratio: float = 0.0
    drop_duplicates: bool = False
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
    vocab_files: tuple[str, ...] = ()
    probe: str = ""
    probe_target: str = ""
    half: bool = True
    architecture: Mapping[str, Any] = field(default_factory=lambda: dict(PRESETS["small"]))
    train: TrainConfig = field(default_factory=TrainConfig)

    def __post_init__(self) -> None:
        """Raise `HeadscopeError` naming the first option that makes no sense."""
        if not self.name.strip():
            raise HeadscopeError("config_value", field="name", value=json.dumps(self.name), wanted="a name")
        if not 0 < self.coverage <= 1:
            raise HeadscopeError(
                "config_value", field="coverage", value=self.coverage, wanted="above 0 and at most 1"
            )
        # Before the vocabulary is learned, which can take minutes.
        vocabularies = dict.fromkeys(("source_vocab", "target_vocab"), max(1, self.vocab_size))
        Architecture.from_json({**self.architecture, **vocabularies})
        for field_name in ("vocab_size", "task_size"):
            least = 1 if field_name == "vocab_size" or self.task else 0
            value = getattr(self, field_name)
            if not least <= value <= MOST[field_name]:
                wanted = f"at least {least}" if value < least else f"at most {MOST[field_name]}"
                raise HeadscopeError("config_value", field=field_name, value=value, wanted=wanted)

    def to_json(self) -> dict[str, Any]:
        """Every option by name; tuples become lists."""
        values: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TrainOptions:
        """The inverse of `to_json`; `HeadscopeError` for an unknown key."""
        plain = dict(values)
        for name in ("pairs", "parallel", "columns", "languages", "vocab_files"):
            if name in plain:
                plain[name] = tuple(plain[name])
        plain["train"] = from_json(TrainConfig, plain["train"], "training")
        return from_json(cls, plain, "options")

    def config_hash(self) -> str:
        """SHA-256 of what must stay the same over a run."""
        return hashlib.sha256(json.dumps(self._fixed(), sort_keys=True).encode()).hexdigest()

    def check_resumable(self, other: TrainOptions) -> None:
        """Raise `HeadscopeError` naming the first option of `other` that would change a run of these."""
        old, new = _flat(self._fixed()), _flat(other._fixed())
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                raise HeadscopeError(
                    "training_resume_differs", field=name, old=old.get(name), new=new.get(name)
                )

    def resumed_with(self, given: Mapping[str, Any]) -> TrainOptions:
        """These options with what a resuming command line gives explicitly.

        Args:
            given: option name to value; names of `TrainOptions`, of its `train` or of its `architecture`. A
                limit given (steps, epochs, minutes) takes the place of all earlier limits.

        Raises:
            HeadscopeError: an option differs that would change the run.
        """
        own = _flat(self.to_json())
        for name, value in given.items():
            if name not in MAY_CHANGE and json.loads(json.dumps(value)) != own.get(name):
                raise HeadscopeError("training_resume_differs", field=name, old=own.get(name), new=value)
        changes = {name: value for name, value in given.items() if name in MAY_CHANGE - {"pairs"}}
        if LIMITS & changes.keys():
            changes = {**dict.fromkeys(LIMITS, 0), **changes}
        return replace(
            self, pairs=tuple(given.get("pairs", self.pairs)), train=replace(self.train, **changes)
        )

    def _fixed(self) -> dict[str, Any]:
        values = self.to_json()
        values["train"] = {k: v for k, v in values["train"].items() if k not in MAY_CHANGE}
        values["pairs"] = len(self.pairs)
        return values


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Options of every level by their own names, as a command line gives them."""
    plain = {name: value for name, value in values.items() if name not in ("architecture", "train")}
    return {**plain, **values["architecture"], **values["train"]}
