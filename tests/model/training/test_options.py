from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from model.errors import HeadscopeError
from model.training.options import PRESETS, TrainOptions
from tests.model.tiny_training import options

PAIRS = Path("pairs.tsv")


def test_json_returns() -> None:
    made = options(PAIRS, steps=7, seed=3, d_ff=48, vocab_type="bpe", swap=True)
    assert TrainOptions.from_json(made.to_json()) == made
    assert isinstance(made.to_json()["pairs"], list)


def test_unknown_keys_are_named() -> None:
    values = {**options(PAIRS).to_json(), "colour": "red"}
    with pytest.raises(HeadscopeError, match="colour"):
        TrainOptions.from_json(values)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", " "),
        ("coverage", 0.0),
        ("coverage", 1.5),
        ("vocab_size", 0),
        ("task_size", -1),
        ("vocab_size", 2_000_000_000),
        ("task_size", 10**12),
    ],
)
def test_senseless_options(field: str, value: Any) -> None:
    with pytest.raises(HeadscopeError) as error:
        options(PAIRS, **{field: value})
    assert error.value.values["field"] == field


@pytest.mark.parametrize(
    ("field", "value"), [("d_ff", 10**20), ("encoder_layers", 10**8), ("dropout", 1.0), ("n_heads", 7)]
)
def test_an_impossible_architecture_is_refused_before_any_work(field: str, value: Any) -> None:
    with pytest.raises(HeadscopeError, match=str(value)):
        options(PAIRS, **{field: value})


def test_an_unknown_part_of_the_architecture_is_named() -> None:
    with pytest.raises(HeadscopeError, match="'heads'"):
        options(PAIRS, heads=5)


def test_a_task_needs_a_size() -> None:
    with pytest.raises(HeadscopeError):
        options(PAIRS, task="reverse", pairs=())
    assert options(PAIRS, task="reverse", pairs=(), task_size=5).task_size == 5


def test_hash_holds_what_must_stay() -> None:
    made = options(PAIRS)
    same = options(Path("moved.tsv"), steps=99, threads=4, eval_every=3, log_every=2, save_every=5)
    assert made.config_hash() == same.config_hash()
    assert made.config_hash() != options(PAIRS, seed=2).config_hash()
    assert made.config_hash() != options(PAIRS, dropout=0.2).config_hash()
    assert made.config_hash() != options(PAIRS, split="tatoeba-hash").config_hash()


@pytest.mark.parametrize(
    "given",
    [
        {"steps": 50},
        {"threads": 2, "log_every": 5},
        {"pairs": ["b.tsv"]},
        {"d_ff": 64, "seed": 1, "languages": ["en", "fr"], "shared_vocab": True},
    ],
)
def test_resuming_with_what_may_change(given: dict[str, Any]) -> None:
    made = options(PAIRS)
    resumed = made.resumed_with(given)
    made.check_resumable(resumed)
    for name, value in given.items():
        if name in ("steps", "threads", "log_every"):
            assert getattr(resumed.train, name) == value
    assert resumed.pairs == tuple(given.get("pairs", ["pairs.tsv"]))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", 2),
        ("d_model", 64),
        ("vocab_size", 99),
        ("swap", True),
        ("precision", "bfloat16"),
        ("half", False),
    ],
)
def test_resuming_with_what_may_not(name: str, value: object) -> None:
    with pytest.raises(HeadscopeError) as error:
        options(PAIRS).resumed_with({name: value})
    assert error.value.code == "training_resume_differs"
    assert (error.value.values["field"], error.value.values["new"]) == (name, value)


def test_a_new_limit_takes_the_place_of_the_old() -> None:
    resumed = options(PAIRS, steps=10).resumed_with({"minutes": 5.0})
    assert (resumed.train.steps, resumed.train.minutes, resumed.train.epochs) == (0, 5.0, 0)
    kept = options(PAIRS, steps=10).resumed_with({"threads": 1})
    assert kept.train.steps == 10


def test_presets_are_architectures() -> None:
    from model.config import Architecture

    for preset in PRESETS.values():
        Architecture.from_json({**preset, "source_vocab": 10, "target_vocab": 10})
