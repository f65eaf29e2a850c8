"""The table of fields tells of every option, in words that fit."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from model.config import Architecture, TrainConfig
from model.data.tasks import TASKS
from model.train_options import PRESETS, TrainOptions
from model.training.fields.field import Field
from model.training.fields.fields import FIELDS, OUT, PRESET, sentences

OWNERS: dict[str, Any] = {"options": TrainOptions, "architecture": Architecture, "train": TrainConfig}
# Worked out, told field by field, or only of models that were made elsewhere.
NOT_ASKED = {"architecture", "train", "auto", "source_vocab", "target_vocab", "decoder_d_ff"}


@pytest.mark.parametrize("place", OWNERS)
def test_every_option_is_in_the_table_and_nothing_else(place: str) -> None:
    told = {field.name for field in FIELDS.values() if field.place == place}

    assert told == {field.name for field in dataclasses.fields(OWNERS[place])} - NOT_ASKED


def test_the_kind_is_that_of_the_option() -> None:
    assert [field.name for field in FIELDS.values() if not _kind_fits(field)] == []


def _kind_fits(field: Field) -> bool:
    wanted = get_type_hints(OWNERS[field.place])[field.name]
    if field.kind == "choice":
        literal = next(kind for kind in (wanted, *get_args(wanted)) if get_origin(kind) is Literal)
        return [value for value, _ in field.choices] == list(get_args(literal))
    kinds: dict[str, Any] = {"whole": int, "number": float, "flag": bool, "text": str}
    lists = (get_origin(wanted) is tuple) == (field.kind in ("texts", "files"))
    return lists and wanted == kinds.get(field.kind, wanted)


def test_the_words_are_one_plain_sentence() -> None:
    words = {field.name: (field.label, field.meaning) for field in (*FIELDS.values(), PRESET, OUT)}

    assert [name for name, (_, text) in words.items() if not text.endswith(".") or ". " in text] == []
    assert [name for name, (_, text) in words.items() if len(text) > 130] == []
    assert [name for name, (label, _) in words.items() if not 0 < len(label) < 31] == []


def test_defaults_lie_in_the_range_and_zero_has_a_name_where_it_may_be_chosen() -> None:
    numbers = [field for field in FIELDS.values() if field.kind in ("whole", "number")]

    assert len(numbers) > 20
    outside = {field.name for field in numbers if not field.least <= field.default <= field.most}
    assert outside <= {"task_size"}
    assert [field.name for field in numbers if field.zero and field.least != 0] == []


def test_presets_and_tasks_are_among_the_choices() -> None:
    assert {value for value, _ in PRESET.choices} == {*PRESETS, "custom"}
    assert {value for value, _ in FIELDS["task"].choices} == set(TASKS)


def test_sentences_are_all_there_once() -> None:
    found = sentences()

    assert len(found) == len(set(found))
    assert {"Heads", "Post-norm"} & set(found) == {"Heads"}
    assert all(field.meaning in found and field.label in found for field in FIELDS.values())
    assert all(task.about in found for task in TASKS.values())
    assert "" not in found
