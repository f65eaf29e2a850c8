"""Training options: all that a run is told, JSON-able, as `training_log.jsonl` and the state record it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from typing import Any

from model.config import Architecture, Schedule, SplitName, TaskName, TrainConfig, VocabType, from_json
from model.errors import HeadscopeError


@dataclass(frozen=True)
class Preset:
    """Values to start from; whatever a person then gives takes their place.

    The command line and the form both read a preset so: `{**preset.architecture, **given}` are the fields of
    `Architecture`, `{**preset.train, **given}` those of `TrainConfig`, the rest are the documented defaults.
    A built-in task names the preset that suits it (`Task.preset`).

    Attributes:
        architecture: fields of `model.config.Architecture`, vocabularies left out.
        train: fields of `model.config.TrainConfig` that differ from its defaults.
        quoted: its numbers are those of a text, to be taken at their word: none follows run or corpus.
    """

    architecture: Mapping[str, Any]
    train: Mapping[str, Any] = field(default_factory=dict)
    quoted: bool = False


PRESETS: dict[str, Preset] = {
    "notes": Preset(
        {"d_model": 32, "n_heads": 4, "encoder_layers": 2, "decoder_layers": 2, "d_ff": 64, "dropout": 0.1},
        {
            "batch_sentences": 64,
            "schedule": "constant",
            "learning_rate": 0.005,
            "warmup": 1,
            "label_smoothing": 0.0,
            "epochs": 200.0,
        },
        quoted=True,
    ),
    # As few and as short batches as the built-in tasks need; their rules have no exceptions to be unsure of.
    "tiny": Preset(
        {"d_model": 64, "n_heads": 2, "encoder_layers": 1, "decoder_layers": 1, "d_ff": 128, "dropout": 0.0},
        {"batch_tokens": 1024, "warmup": 400, "label_smoothing": 0.0},
    ),
    "small": Preset({"d_model": 256, "n_heads": 4, "encoder_layers": 3, "decoder_layers": 3, "d_ff": 1024}),
    "base": Preset({"d_model": 512, "n_heads": 8, "encoder_layers": 6, "decoder_layers": 6, "d_ff": 2048}),
}

DEFAULT_EPOCHS = 10.0  # where neither a preset nor a person says when to end
PROBE_EVERY = 25  # steps, where traces are kept: a run of the first task gives some hundred frames

# What follows from the corpus and the run's length where nobody gives it; see `model.training.fields.derive`.
DERIVED = (
    "vocab_size", "epochs", "batch_tokens", "warmup", "learning_rate", "dropout", "eval_every", "probe_every",
)  # fmt: skip

# Noam's is a factor, the others' are rates (an Adam rate of 1 destroys the weights within a step).
DEFAULT_LEARNING_RATE: dict[Schedule, float] = {
    "noam": 1.0,
    "inverse_sqrt": 5e-4,
    "cosine": 5e-4,
    "constant": 1e-3,
}

# SentencePiece takes minutes, and then all memory, for a vocabulary far beyond these.
MOST = {"vocab_size": 1_000_000, "task_size": 10_000_000}

# How runs went that were recorded before there was a choice.
EARLIER = {"output_start": "unit"}

LIMITS = {"steps", "epochs", "minutes"}

# What may change when a run is resumed: none of it alters the path the weights take. Files may lie elsewhere,
# as long as they hold the same (a resumed run reads its vocabularies from its own folder).
FILES = {"pairs", "parallel", "vocab_files"}
MAY_CHANGE = LIMITS | FILES | {
    "threads", "device", "save_every", "eval_every", "log_every", "bleu_sentences", "patience", "stop_on",
    "probe", "probe_target", "probe_every", "probe_megabytes",
}  # fmt: skip


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
        auto: names of `DERIVED` that nobody gave: what stands in them is only where the derivation begins. A
            run that has begun has none left, and records the numbers.
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
    architecture: Mapping[str, Any] = field(default_factory=lambda: dict(PRESETS["small"].architecture))
    train: TrainConfig = field(default_factory=TrainConfig)
    auto: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `HeadscopeError` naming the first option that makes no sense."""
        if not self.name.strip():
            raise HeadscopeError("config_value", field="name", value=json.dumps(self.name), wanted="a name")
        # Before the vocabulary is learned, which can take minutes.
        self.architecture_with(*2 * (max(1, self.vocab_size),))
        self._check_corpus()
        self._check_vocabulary()
        self._check_training()
        _check("auto", _shown(self.auto), set(self.auto) <= set(DERIVED), f"some of {', '.join(DERIVED)}")

    def _check_corpus(self) -> None:
        _check("parallel", _shown(self.parallel), len(self.parallel) in (0, 2), "none or two files")
        given = [name for name in ("pairs", "parallel", "task") if getattr(self, name)]
        if len(given) > 1:
            _check(given[1], _shown(getattr(self, given[1])), False, f"left out, as {given[0]} is given")
        columns = [column.strip() for column in self.columns]
        good = len(columns) == 2 and all(columns) and columns[0] != columns[1] and "0" not in columns
        _check("columns", _shown(self.columns), good, "two different names, or numbers from 1")
        _check("encoding", _shown(self.encoding), self.encoding.strip(), "auto or the name of an encoding")
        _check("max_characters", self.max_characters, self.max_characters >= 0, "0 or more")
        _check(
            "max_ratio",
            self.max_ratio,
            self.max_ratio == 0 or 1 <= self.max_ratio < math.inf,
            "0, or 1 or more",
        )
        _check_whole("task_size", self.task_size, 1 if self.task else 0)

    def _check_vocabulary(self) -> None:
        _check("coverage", self.coverage, 0 < self.coverage <= 1, "above 0 and at most 1")
        _check_whole("vocab_size", self.vocab_size, 1)
        files = len(self.vocab_files)
        _check("vocab_files", _shown(self.vocab_files), files <= 2, "at most two files")
        if files == 1:
            _check("shared_vocab", "false", self.shared_vocab, "true with a single vocabulary file")
        if files == 2:
            _check("shared_vocab", "true", not self.shared_vocab, "false with two vocabulary files")
        if self.train.bpe_dropout and not files:
            wanted = "bpe when merges are left out at random (bpe_dropout)"
            _check("vocab_type", self.vocab_type, self.vocab_type == "bpe", wanted)
        tie = self.architecture.get("tie_embeddings", "none")
        if not self.shared_vocab:
            _check("tie_embeddings", tie, tie != "all", "none or target_output with two vocabularies")
            copying = self.architecture.get("copying", False)
            _check("copying", "true", not copying, "false with two vocabularies")

    def _check_training(self) -> None:
        train = self.train
        if self.probe_target.strip():
            _check("probe_target", _shown(self.probe_target), self.probe.strip(), "empty when probe is")
        if self.architecture.get("generation") == "all_at_once":
            wanted = "0 where all tokens are written at once, with no prefix"
            _check("sampling_rate", train.sampling_rate, train.sampling_rate == 0, wanted)
        if self.cosine_by_limit:
            wanted = "above 0 when neither steps nor epochs end the run"
            _check("cosine_steps", train.cosine_steps, train.steps or train.epochs, wanted)
        if train.schedule != "noam":
            wanted = f"below 1 with the schedule {train.schedule}"
            _check("learning_rate", train.learning_rate, train.learning_rate < 1, wanted)

    def architecture_with(self, source_vocab: int, target_vocab: int) -> Architecture:
        """The model's architecture, once the sizes of its vocabularies are known."""
        return Architecture.from_json(
            {**self.architecture, "source_vocab": source_vocab, "target_vocab": target_vocab}
        )

    @property
    def cosine_by_limit(self) -> bool:
        """Whether the learning rate follows a cosine that ends where the run does."""
        return self.train.schedule == "cosine" and not self.train.cosine_steps

    def to_json(self) -> dict[str, Any]:
        """Every option by name; tuples become lists."""
        values: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TrainOptions:
        """The inverse of `to_json`; `HeadscopeError` for an unknown key."""
        plain = dict(values)
        for name in ("pairs", "parallel", "columns", "languages", "vocab_files", "auto"):
            if name in plain:
                plain[name] = tuple(plain[name])
        plain["train"] = from_json(TrainConfig, {**EARLIER, **plain["train"]}, "training")
        return from_json(cls, plain, "options")

    def value(self, name: str) -> Any:
        """An option of any level by its own name; of the architecture also what nobody gave."""
        return _flat(self.to_json())[name]

    def taking(self, found: Mapping[str, Any]) -> TrainOptions:
        """These options with values of `DERIVED` that are no longer to be found."""
        train = {name: value for name, value in found.items() if name in TrainConfig.__dataclass_fields__}
        plain = {name: value for name, value in found.items() if name in type(self).__dataclass_fields__}
        rest = {name: value for name, value in found.items() if name not in train and name not in plain}
        return replace(
            self,
            **plain,
            architecture={**self.architecture, **rest},
            train=replace(self.train, **train),
            auto=tuple(name for name in self.auto if name not in found),
        )

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
                limit given (steps, epochs, minutes) takes the place of all earlier limits, unless the
                learning rate depends on those.

        Raises:
            HeadscopeError: an option differs that would change the run.
        """
        own = _flat(self.to_json())
        for name, value in given.items():
            value = json.loads(json.dumps(value))
            if value != own.get(name) and name not in MAY_CHANGE:
                raise HeadscopeError("training_resume_differs", field=name, old=own.get(name), new=value)
            if value != own.get(name) and name in ("steps", "epochs") and self.cosine_by_limit:
                raise HeadscopeError("training_resume_cosine", field=name, old=own.get(name), new=value)
        changes = {name: value for name, value in given.items() if name in MAY_CHANGE}
        plain = {name: changes.pop(name) for name in list(changes) if name in type(self).__dataclass_fields__}
        plain.update({name: tuple(plain[name]) for name in FILES & plain.keys()})
        if LIMITS & changes.keys() and not self.cosine_by_limit:
            changes = {**dict.fromkeys(LIMITS, 0), **changes}
        return replace(self, **plain, train=replace(self.train, **changes))

    def _fixed(self) -> dict[str, Any]:
        values = {k: v for k, v in self.to_json().items() if k not in (MAY_CHANGE - FILES) | {"auto"}}
        free = MAY_CHANGE - {"steps", "epochs"} if self.cosine_by_limit else MAY_CHANGE
        values["train"] = {k: v for k, v in values["train"].items() if k not in free}
        return {**values, **{name: len(values[name]) for name in FILES}}


def _check(name: str, value: object, good: object, wanted: str) -> None:
    """Raise `HeadscopeError` when the value of the option is not `good`."""
    if not good:
        raise HeadscopeError("config_value", field=name, value=value, wanted=wanted)


def _check_whole(name: str, value: int, least: int) -> None:
    wanted = f"at least {least}" if value < least else f"at most {MOST[name]}"
    _check(name, value, least <= value <= MOST[name], wanted)


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Options of every level by their own names, as a command line gives them; of the architecture all."""
    plain = {name: value for name, value in values.items() if name not in ("architecture", "train", "auto")}
    usual = {one.name: one.default for one in fields(Architecture) if one.default is not MISSING}
    return {**plain, **usual, **values["architecture"], **values["train"]}
