"""Arguments of `train`: a flag for every field of a run, and the options that those given make."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from model.arguments import positive
from model.commands.console import parser
from model.config import TrainConfig
from model.data.tasks import TASKS
from model.train_options import (
    DEFAULT_EPOCHS,
    DEFAULT_LEARNING_RATE,
    DERIVED,
    LIMITS,
    PRESETS,
    PROBE_EVERY,
    Preset,
    TrainOptions,
)
from model.training.fields.derive import auto_names
from model.training.fields.field import Field
from model.training.fields.fields import FIELDS

# Fields whose flag says the opposite, and its name.
OPPOSITE = {
    "shared_vocab": "separate_vocab",
    "byte_fallback": "no_byte_fallback",
    "half": "float32",
}
_SEVERAL: dict[str, dict[str, Any]] = {
    "pairs": {"nargs": "+", "metavar": "FILE"},
    "parallel": {"nargs": 2, "metavar": ("SRC", "TGT")},
    "columns": {"nargs": 2, "metavar": ("SRC", "TGT")},
    "languages": {"nargs": 2, "metavar": ("SRC", "TGT")},
    "vocab_files": {"nargs": "+", "metavar": "FILE"},
}
# Said in the words of the command line where the form has others.
_HELP = {
    "shared_vocab": "One vocabulary for each language instead of a shared one.",
    "byte_fallback": "Unknown characters become one unknown token instead of their bytes.",
    "half": "Stores the weights with 32 bits each instead of 16.",
    "name": "What the model is called in menus and figures (default: as the folder).",
}
# What a task brings along, and what depends on other choices.
_DEFAULTS = {
    "task_size": "the task's own",
    "vocab_type": "unigram; word for a task",
    "epochs": f"{DEFAULT_EPOCHS:g} if there is no other limit, more for few pairs",
    "learning_rate": ", ".join(f"{rate:g} {name}" for name, rate in DEFAULT_LEARNING_RATE.items())
    + "; less of noam where the warm-up is short",
    "vocab_size": "8000, fewer for few pairs",
    "batch_tokens": "4096, or the preset's; fewer for few pairs or minutes",
    "warmup": "4000, or the preset's; a quarter of a shorter run",
    "dropout": "the preset's, more for few pairs",
    "tie_embeddings": "all; target_output with two vocabularies",
}
AUTO = "auto"
_GROUPS = {
    "data": "sentence pairs",
    "vocabulary": "vocabulary",
    "model": "model",
    "training": "training",
    "watch": "a sentence to watch",
    "result": "result",
}


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments; only those given appear in the namespace, so that a resume sees them apart."""
    result = parser("train", "Train a Transformer on sentence pairs into a bundle folder.")
    # All flags would fill a screen, at each wrong one.
    result.usage = (
        "headscope train (--pairs FILE ... | --parallel SRC TGT | --task NAME) --out BUNDLE [option ...]\n"
        "       headscope train --resume --out BUNDLE [option ...]"
    )
    result.argument_default = argparse.SUPPRESS
    add = result.add_argument
    add("--out", metavar="BUNDLE", help="folder to create")
    add("--resume", action="store_true", help="continue the run in --out")
    add("--json", action="store_true", help="events on stdout, one JSON object per line")
    add(
        "--preset",
        choices=sorted(PRESETS),
        help="values to start from (default: small, for a task what suits it)",
    )
    looks = result.add_argument_group("instead of training").add_mutually_exclusive_group()
    looks.add_argument(
        "--preview", action="store_true", help="show what the files contain and what would be used"
    )
    looks.add_argument("--estimate", action="store_true", help="estimate what the run would take")
    looks.add_argument(
        "--show-batch", nargs="?", type=positive, const=1, metavar="STEP", help="show the batch of a step"
    )
    add("--pad", type=int, metavar="N", help="columns of padding that --show-batch adds (default 4)")
    groups = {name: result.add_argument_group(title) for name, title in _GROUPS.items()}
    data = groups["data"].add_mutually_exclusive_group()
    for field in FIELDS.values():
        _add_field(data if field.name in ("pairs", "parallel", "task") else groups[field.group], field)
    return result


def _add_field(group: Any, field: Field) -> None:
    """One flag (argparse has no public type for a group)."""
    flag = "--" + OPPOSITE.get(field.name, field.name).replace("_", "-")
    help_text = _help(field)
    if field.name in OPPOSITE:
        group.add_argument(flag, action="store_true", help=help_text)
    elif field.kind == "flag":
        _add_switch(group, field, help_text)
    elif field.name in _SEVERAL:
        group.add_argument(flag, help=help_text, **_SEVERAL[field.name])
    elif field.kind == "choice":
        group.add_argument(flag, choices=[value for value, _ in field.choices], help=help_text)
    else:
        kind: Any = {"whole": int, "number": float}.get(field.kind, str)
        if field.name in DERIVED:
            kind = _or_auto(kind)
        metavar = {"whole": "N", "number": "X"}.get(field.kind, "TEXT")
        group.add_argument(flag, type=kind, metavar=metavar, help=help_text)


def _or_auto(kind: type) -> Callable[[str], Any]:
    """A number, or the word for one that follows from the corpus and the run."""

    def read(text: str) -> Any:
        return AUTO if text == AUTO else kind(text)

    read.__name__ = kind.__name__  # what argparse calls it where it refuses something
    return read


def _add_switch(group: Any, field: Field, help_text: str) -> None:
    """A flag for what is not usual: `--swap`, `--no-attention-bias`."""
    name = field.name.replace("_", "-")
    if field.default:
        group.add_argument(f"--no-{name}", dest=field.name, action="store_false", help=f"Off: {help_text}")
    else:
        group.add_argument(f"--{name}", action="store_true", help=help_text)


def _help(field: Field) -> str:
    text = _HELP.get(field.name, field.meaning)
    in_presets = any(field.name in {**preset.architecture, **preset.train} for preset in PRESETS.values())
    default = _DEFAULTS.get(field.name)
    if default is None and field.kind in ("whole", "number", "choice") and field.default is not None:
        default = f"{field.default:g}" if isinstance(field.default, (int, float)) else field.default
        if field.zero and not field.default:
            default = f"0: {field.zero}"
        if in_presets:
            default = "the preset's" if field.place == "architecture" else f"{default}, or the preset's"
    return (f"{text} (default: {default})" if default else text).replace("%", "%%")


def preset_for(given: dict[str, Any]) -> Preset:
    """The preset that was named, or that suits the task."""
    usual = TASKS[given["task"]].preset if "task" in given else "small"
    return PRESETS[given.get("preset", usual)]


def options_from(given: dict[str, Any], out: Path) -> TrainOptions:
    """Options of a new run from the arguments given; the rest are the preset's, the task's or the defaults.

    What of them is to follow from the corpus and the run's length is named in `TrainOptions.auto`.

    Raises:
        HeadscopeError: they make no sense.
    """
    asked = tuple(name for name in DERIVED if given.get(name) == AUTO)
    said = {name: value for name, value in _said(given).items() if name not in asked}
    task = TASKS[given["task"]] if "task" in given else None
    plain: dict[str, Any] = {**task.options, "task_size": task.size} if task else {}
    if said.get("vocab_type", "word") != "word" or "vocab_files" in said:
        # What the task says of its words does not suit pieces.
        plain = {name: value for name, value in plain.items() if FIELDS[name].group != "vocabulary"}
    plain.update(_of_place(said, "options"))
    if "vocab_files" in plain:
        plain["shared_vocab"] = len(plain["vocab_files"]) == 1
    if plain.get("vocab_type") == "word":  # SentencePiece knows no bytes beside whole words
        plain["byte_fallback"] = False
    preset = preset_for(given)
    tie = "all" if plain.get("shared_vocab", True) else "target_output"
    architecture = {**preset.architecture, "tie_embeddings": tie, **_of_place(said, "architecture")}
    name = plain.pop("name", out.resolve().name)
    if "probe_every" in asked:
        said = {**said, "probe_every": PROBE_EVERY}
    auto = {*auto_names(said, preset, task=task is not None), *asked}
    return TrainOptions(
        name=name,
        architecture=architecture,
        train=_train_config(said, preset),
        auto=tuple(name for name in DERIVED if name in auto),
        **plain,
    )


def _train_config(said: dict[str, Any], preset: Preset) -> TrainConfig:
    train = {**preset.train, **_of_place(said, "train")}
    if LIMITS & said.keys():
        train = {name: value for name, value in train.items() if name not in LIMITS - said.keys()}
    if not any(train.get(name) for name in LIMITS):
        train["epochs"] = DEFAULT_EPOCHS
    schedule = train.get("schedule", "noam")
    if "learning_rate" not in said and schedule != preset.train.get("schedule"):
        train["learning_rate"] = DEFAULT_LEARNING_RATE[schedule]
    return TrainConfig(**train)


def stored_names(given: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a resume under the names that stored options have."""
    preset = {**preset_for(given).architecture, **preset_for(given).train} if "preset" in given else {}
    said = {name: value for name, value in _said(given).items() if value != AUTO}  # as the run has it
    return {**{name: value for name, value in preset.items() if name not in LIMITS}, **said}


def _said(given: dict[str, Any]) -> dict[str, Any]:
    """What was given, by the names of fields."""
    said = {name: given[name] for name in FIELDS if name in given}
    said.update({name: False for name, flag in OPPOSITE.items() if flag in given})
    return {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}


def _of_place(said: dict[str, Any], place: str) -> dict[str, Any]:
    return {name: value for name, value in said.items() if FIELDS[name].place == place}
