"""Between `TrainOptions` and what the form's fields hold: one flat dictionary by the fields' names. No Qt.

Besides the names of `fields.FIELDS` it holds `source`: which kind of data is chosen, and
`auto`: which numbers nobody gave. Fields of the other kinds keep what was put into them, and are left out of
the options.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal

from model.config import Architecture, TaskName, TrainConfig
from model.data.tasks import TASKS
from model.train_options import (
    DEFAULT_EPOCHS,
    DEFAULT_LEARNING_RATE,
    DERIVED,
    PRESETS,
    PROBE_EVERY,
    TrainOptions,
)
from model.training.fields.derive import auto_names
from model.training.fields.fields import FIELDS

Values = dict[str, Any]
Source = Literal["task", "files", "parallel"]

FIRST_TASK: TaskName = "reverse"
FOLDER = "Headscope"  # of the person's home: where models go unless another place is chosen
CUSTOM = "custom"

# What is read anew when one of them changes.
DATA_FIELDS = {
    "task", "task_size", "pairs", "parallel", "columns", "languages", "swap", "encoding", "split",
    "max_characters", "max_ratio", "max_tokens", "drop_duplicates", "seed",
}  # fmt: skip

_ARCHITECTURE = [field.name for field in FIELDS.values() if field.place == "architecture"]
_TRAIN = [field.name for field in FIELDS.values() if field.place == "train"]
_PLAIN = [field.name for field in FIELDS.values() if field.place == "options"]
_BY_SOURCE: dict[str, tuple[str, ...]] = {
    "task": ("task", "task_size"),
    "files": ("pairs", "columns"),
    "parallel": ("parallel",),
}
_FROM_FILES = {"encoding": "auto"}


def first_values() -> Values:
    """What a person sees who never trained before: a task that needs no file and takes a minute or two."""
    values: Values = {field.name: field.default for field in FIELDS.values()}
    values.update(
        source="task", task=FIRST_TASK, name=FIRST_TASK, tie_embeddings="all", probe_every=PROBE_EVERY
    )
    return {**values, **task_values(FIRST_TASK)}


def task_values(task: TaskName) -> Values:
    """What suits a built-in task: its size, its vocabulary, its preset."""
    chosen = TASKS[task]
    own = {name: value for name, value in chosen.options.items() if name in _PLAIN}
    usual = {
        name: FIELDS[name].default for name in ("vocab_type", "vocab_size", "byte_fallback", "languages")
    }
    auto = auto_of("task", chosen.preset)
    return {**usual, "task_size": chosen.size, **own, **preset_values(chosen.preset), "auto": auto}


def file_values() -> Values:
    """What suits a person's own files: pieces instead of words, and the small preset."""
    names = ("vocab_type", "vocab_size", "byte_fallback", "languages")
    auto = auto_of("files", "small")
    return {**{name: FIELDS[name].default for name in names}, **preset_values("small"), "auto": auto}


def auto_of(source: Source, preset: str) -> tuple[str, ...]:
    """The numbers that follow from the data and the run where a person gave nothing but a preset."""
    return auto_names((), PRESETS[preset], task=source == "task")


def preset_values(name: str) -> Values:
    """Every field that any preset speaks of, as this one has it; the others' are the defaults."""
    preset = PRESETS[name]
    spoken_of = {key for one in PRESETS.values() for key in (*one.architecture, *one.train)}
    values = {key: FIELDS[key].default for key in sorted(spoken_of)}
    if "epochs" in spoken_of:
        values["epochs"] = DEFAULT_EPOCHS
    return {**values, **preset.architecture, **preset.train}


def usual_values(values: Mapping[str, Any]) -> Values:
    """What the form would hold for this kind of data and this preset, had the person changed nothing else."""
    usual = task_values(values["task"]) if values["source"] == "task" and values["task"] else file_values()
    preset = preset_of(values)
    return {**first_values(), **usual, **(preset_values(preset) if preset != CUSTOM else {})}


def task_of_preset(name: str) -> Values:
    """Of a preset that suits one task only, that task as it usually is; else nothing."""
    tasks = [task for task in TASKS if TASKS[task].preset == name]
    return {"task": tasks[0], **task_values(tasks[0])} if len(tasks) == 1 else {}


def preset_of(values: Mapping[str, Any]) -> str:
    """The preset that the values are; `custom` if they are none."""
    for name in PRESETS:
        if all(values.get(key) == value for key, value in preset_values(name).items()):
            return name
    return CUSTOM


def names_no_data(values: Mapping[str, Any]) -> bool:
    """Whether files are to be trained on and none is chosen yet."""
    return values["source"] != "task" and not any(
        values["pairs" if values["source"] == "files" else "parallel"]
    )


def learning_rate_for(schedule: str) -> float:
    """The rate to begin with under a schedule: Noam's is a factor, the others' are rates."""
    rates: Mapping[str, float] = DEFAULT_LEARNING_RATE  # type: ignore[assignment]
    return rates[schedule]


def values_of(options: TrainOptions) -> Values:
    """What the form shows for these options."""
    source: Source = "task" if options.task else "parallel" if options.parallel else "files"
    values: Values = {"source": source, **{name: getattr(options, name) for name in _PLAIN}}
    architecture = {**_defaults(Architecture), **options.architecture}
    values.update({name: architecture[name] for name in _ARCHITECTURE})
    values.update({name: getattr(options.train, name) for name in _TRAIN})
    if source != "task":
        values.update(task=FIRST_TASK, task_size=TASKS[FIRST_TASK].size)
    return {**values, "auto": options.auto}


def options_of(values: Mapping[str, Any]) -> TrainOptions:
    """The run that the form describes.

    Raises:
        HeadscopeError: the first value that makes no sense.
    """
    plain = {name: values[name] for name in _PLAIN}
    for source, names in _BY_SOURCE.items():
        if source != values["source"]:
            plain.update({name: _absent(name) for name in names})
    if values["source"] == "task":
        plain.update(_FROM_FILES)
    if plain["vocab_type"] == "word":  # SentencePiece knows no bytes beside whole words
        plain["byte_fallback"] = False
    if plain["vocab_files"]:  # one file for both languages, or one for each
        plain["shared_vocab"] = len(plain["vocab_files"]) == 1
    plain["name"] = plain["name"].strip()
    train = {name: values[name] for name in _TRAIN}
    auto = [name for name in DERIVED if name in values["auto"]]
    if ends_otherwise(values):
        train["epochs"] = 0.0
        auto.remove("epochs")
    return TrainOptions(
        **plain,
        architecture={name: values[name] for name in _ARCHITECTURE},
        train=TrainConfig(**train),
        auto=tuple(auto),
    )


def ends_otherwise(values: Mapping[str, Any]) -> bool:
    """Whether nobody gave epochs and somebody another limit, which is then the only one."""
    return "epochs" in values["auto"] and bool(values["steps"] or values["minutes"])


def idle_fields(values: Mapping[str, Any]) -> set[str]:
    """Fields that mean nothing as the others stand; those of another kind of data apart."""
    idle: set[str] = set()
    if values["vocab_files"]:
        idle |= {"vocab_type", "vocab_size", "shared_vocab", "coverage", "byte_fallback"}
    if values["vocab_type"] == "word":
        idle |= {"byte_fallback", "coverage"}
    if values["positions"] not in ("sinusoidal", "rotary"):
        idle |= {"position_layout", "position_base"}
    if values["positions"] != "relative":
        idle.add("relative_span")
    if values["schedule"] != "cosine":
        idle.add("cosine_steps")
    if values["batch_sentences"]:
        idle.add("batch_tokens")
    if not values["patience"]:
        idle.add("stop_on")
    if not values["probe_every"]:
        idle.add("probe_megabytes")
    return idle


def suggested_name(values: Mapping[str, Any]) -> str:
    """A name for the model, from what it learns from."""
    if values["source"] == "task":
        return str(values["task"] or "")
    paths = values["pairs"] if values["source"] == "files" else values["parallel"]
    stem = Path(paths[0]).name.split(".")[0] if paths and paths[0] else ""
    languages = [code for code in values["languages"] if code != "und"]
    return stem or "-".join(languages) or "model"


def suggested_folder(name: str) -> str:
    """A folder that is not there yet, in the person's home."""
    safe = "".join(letter if letter.isalnum() or letter in "-_. " else "-" for letter in name).strip(". ")
    base = Path.home() / FOLDER / (safe or "model")
    number, path = 1, base
    while path.exists():
        number += 1
        path = base.with_name(f"{base.name}-{number}")
    return str(path)


def _absent(name: str) -> Any:
    return {"task": None, "task_size": 0, "columns": ("1", "2")}.get(name, ())


def _defaults(owner: type) -> dict[str, Any]:
    return {field.name: field.default for field in fields(owner)}
