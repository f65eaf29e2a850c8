"""Options to fields and back, presets, suggestions, and the command line that says the same."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.commands.train_arguments import build_parser, options_from
from model.config import TrainConfig
from model.data.tasks import TASKS
from model.train_options import PRESETS, TrainOptions
from model.training.fields.field import Field
from model.training.fields.fields import FIELDS
from viewer.document.training.form_command import command_line
from viewer.document.training.form_values import (
    CUSTOM,
    file_values,
    first_values,
    options_of,
    preset_of,
    preset_values,
    suggested_folder,
    suggested_name,
    task_values,
    values_of,
)

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
NAMES = WORDS.filter(lambda word: word not in (".", "..") and "/" not in word)
PATHS = NAMES.map(lambda word: f"/data/{word}")


def numbers(field: Field) -> st.SearchStrategy[Any]:
    most = 20 if field.name.endswith("_layers") else min(field.most, 10**9)
    if field.kind == "whole":
        return st.integers(int(field.least), int(most))
    numbers = st.floats(max(field.least, 1e-9), most, allow_nan=False)
    return numbers if field.least else st.one_of(st.just(0.0), numbers)


@st.composite
def train_configs(draw: st.DrawFn) -> TrainConfig:
    values: dict[str, Any] = {}
    for field in FIELDS.values():
        if field.place == "train" and draw(st.booleans()):
            choices = [value for value, _ in field.choices]
            values[field.name] = draw(st.sampled_from(choices) if choices else numbers(field))
    if values.get("schedule", "noam") != "noam":
        values["learning_rate"] = draw(st.floats(1e-7, 0.5))
    if values.get("schedule") == "cosine":
        values["cosine_steps"] = draw(st.integers(1, 10**6))
    if not any(values.get(name) for name in ("steps", "epochs", "minutes")):
        values["steps"] = draw(st.integers(1, 10**6))  # the form and the command ask for a limit
    return TrainConfig(**values)


@st.composite
def architectures(draw: st.DrawFn, shared: bool) -> dict[str, Any]:
    heads = draw(st.integers(1, 16))
    values: dict[str, Any] = {
        "n_heads": heads,
        "kv_heads": draw(
            st.sampled_from([count for count in range(heads + 1) if not count or not heads % count])
        ),
        "d_model": heads * draw(st.sampled_from([2, 8, 64])),
    }
    for field in FIELDS.values():
        if field.place == "architecture" and field.name not in values and draw(st.booleans()):
            choices = [value for value, _ in field.choices]
            kinds = {"choice": st.sampled_from(choices or [""]), "flag": st.booleans()}
            values[field.name] = draw(kinds[field.kind] if field.kind in kinds else numbers(field))
    values.setdefault("tie_embeddings", "none")
    if not shared and values["tie_embeddings"] == "all":
        values["tie_embeddings"] = "target_output"
    values["copying"] = shared and values.get("copying", False)
    return {name: FIELDS[name].default for name in FIELDS if FIELDS[name].place == "architecture"} | values


@st.composite
def train_options(draw: st.DrawFn) -> TrainOptions:
    """Any run that makes sense, of any kind of data."""
    source = draw(st.sampled_from(["task", "files", "parallel"]))
    files = tuple(draw(st.lists(PATHS, max_size=2, unique=True)))
    shared = len(files) == 1 if files else draw(st.booleans())
    vocab_type = draw(st.sampled_from(["unigram", "bpe", "word"]))
    probe = draw(st.one_of(st.just(""), NAMES))
    data: dict[str, Any] = {"encoding": draw(st.sampled_from(["auto", "gb18030"]))}
    if source == "task":
        data = {"task": draw(st.sampled_from(sorted(TASKS))), "task_size": draw(st.integers(1, 10**6))}
    elif source == "parallel":
        data["parallel"] = tuple(draw(st.lists(PATHS, min_size=2, max_size=2, unique=True)))
    else:
        data["pairs"] = tuple(draw(st.lists(PATHS, min_size=1, max_size=3, unique=True)))
        data["columns"] = draw(st.sampled_from([("1", "2"), ("3", "1"), ("en", "fr")]))
    train = draw(train_configs())
    if vocab_type != "bpe" and not files:
        train = replace(train, bpe_dropout=0.0)
    architecture = draw(architectures(shared))
    if architecture["generation"] == "all_at_once":
        train = replace(train, sampling_rate=0.0)
    return TrainOptions(
        **data,
        name=draw(NAMES),
        languages=draw(st.sampled_from([("und", "und"), ("en", "fr"), ("zh", "und")])),
        swap=draw(st.booleans()),
        split=draw(st.sampled_from(["holdout", "tatoeba-hash"])),
        max_characters=draw(st.integers(0, 5000)),
        max_ratio=draw(st.one_of(st.just(0.0), st.floats(1, 100))),
        drop_duplicates=draw(st.booleans()),
        vocab_size=draw(st.integers(1, 10**6)),
        vocab_type=vocab_type,
        shared_vocab=shared,
        byte_fallback=vocab_type != "word" and draw(st.booleans()),
        coverage=draw(st.floats(0.9, 1)),
        vocab_files=files,
        probe=probe,
        probe_target=draw(NAMES) if probe and draw(st.booleans()) else "",
        half=draw(st.booleans()),
        architecture=architecture,
        train=train,
    )


def whole(options: TrainOptions) -> TrainOptions:
    """With what the architecture leaves out filled in by its defaults, which mean the same."""
    usual = {name: FIELDS[name].default for name in FIELDS if FIELDS[name].place == "architecture"}
    return replace(options, architecture={**usual, **options.architecture})


@given(train_options())
@settings(max_examples=80, deadline=None)
def test_options_survive_the_form_s_values(options: TrainOptions) -> None:
    assert options_of(values_of(options)) == options


@given(train_options(), NAMES)
@settings(max_examples=80, deadline=None)
def test_the_command_makes_the_same_options(options: TrainOptions, folder: str) -> None:
    program, command, *arguments = shlex.split(command_line(options, f"/models/{folder}"))
    given_ = vars(build_parser().parse_args(arguments))

    assert (program, command) == ("headscope", "train")
    assert given_.pop("out") == f"/models/{folder}"
    assert whole(options_from(given_, Path(f"/models/{folder}"))) == whole(options)


def test_the_first_task_is_a_short_command() -> None:
    line = command_line(options_of({**first_values(), "name": "mine"}), "/models/mine")

    assert line == "headscope train --task reverse --probe-every 25 --out /models/mine"


def test_what_a_person_sees_first_is_a_run_that_needs_no_file() -> None:
    options = options_of(first_values())

    assert options.task == "reverse"
    assert options.train.epochs == 10
    assert options.train.probe_every > 0
    assert (options.vocab_type, options.byte_fallback) == ("word", False)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_recognised_and_changed_by_hand_is_custom(name: str) -> None:
    values = {**first_values(), **preset_values(name)}

    assert preset_of(values) == name
    assert preset_of({**values, "d_ff": values["d_ff"] + 1}) == CUSTOM


def test_presets_leave_nothing_of_one_another_behind() -> None:
    once = {**first_values(), **preset_values("small")}

    assert {**first_values(), **preset_values("notes"), **preset_values("small")} == once


def test_the_notes_preset_is_the_one_of_the_notes() -> None:
    values = preset_values("notes")

    wanted = {
        "encoder_layers": 2, "decoder_layers": 2, "d_model": 32, "n_heads": 4, "d_ff": 64, "dropout": 0.1,
        "batch_sentences": 64, "learning_rate": 0.005, "epochs": 200,
    }  # fmt: skip
    assert {name: values[name] for name in wanted} == wanted


@pytest.mark.parametrize("task", TASKS)
def test_a_task_brings_what_the_command_gives_it(task: Any) -> None:
    values = {**first_values(), "task": task, "name": "out", "probe_every": 0, **task_values(task)}

    assert whole(options_of(values)) == whole(options_from({"task": task}, Path("/x/out")))


def test_files_bring_what_the_command_gives_them() -> None:
    values = {**first_values(), "source": "files", "pairs": ("/x/a.tsv",), "name": "out", "probe_every": 0}

    command = options_from({"pairs": ["/x/a.tsv"]}, Path("/x/out"))
    assert whole(options_of({**values, **file_values()})) == whole(command)


def test_names_are_suggested_from_the_data() -> None:
    values = first_values()

    assert suggested_name(values) == "reverse"
    assert suggested_name({**values, "source": "files", "pairs": ("/x/eng-fra.tsv.gz", "/y")}) == "eng-fra"
    assert suggested_name({**values, "source": "parallel", "parallel": ("", "/b.fr")}) == "model"
    named = {**values, "source": "files", "pairs": (), "languages": ("en", "fr")}
    assert suggested_name(named) == "en-fr"


def test_a_folder_is_suggested_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    first = Path(suggested_folder("my/model"))
    first.mkdir(parents=True)

    assert first == tmp_path / "Headscope" / "my-model"
    assert suggested_folder("my/model") == str(first) + "-2"
    assert Path(suggested_folder("../..")).parent == tmp_path / "Headscope"
