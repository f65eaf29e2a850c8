from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from model.config import Architecture, TrainConfig
from model.errors import HeadscopeError
from model.train_options import DEFAULT_LEARNING_RATE, PRESETS, TrainOptions
from tests.model.tiny_training import options

PAIRS = Path("pairs.tsv")


def test_json_returns() -> None:
    made = options(PAIRS, steps=7, seed=3, d_ff=48, vocab_type="bpe", swap=True)
    assert TrainOptions.from_json(made.to_json()) == made
    assert isinstance(made.to_json()["pairs"], list)


def test_runs_recorded_before_there_was_a_choice_began_as_they_did() -> None:
    values = options(PAIRS).to_json()
    assert values["train"].pop("output_start") == "even"
    assert TrainOptions.from_json(values).train.output_start == "unit"


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
        ("parallel", ("one.en",)),
        ("parallel", ("a", "b")),
        ("columns", ("1", "1")),
        ("columns", ("0", "2")),
        ("columns", ("1", " ")),
        ("encoding", " "),
        ("max_characters", -1),
        ("max_ratio", 0.5),
        ("max_ratio", float("inf")),
        ("vocab_files", ("a.spm", "b.spm", "c.spm")),
        ("probe_target", "oui"),
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
        {"norm": "post_norm", "position_base": 10000.0},  # what it is where nothing else was said
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


def test_presets_make_sense() -> None:
    for preset in PRESETS.values():
        shape = Architecture.from_json({**preset.architecture, "source_vocab": 10, "target_vocab": 10})
        told = TrainConfig(**preset.train)
        assert {name: getattr(shape, name) for name in preset.architecture} == preset.architecture
        assert {name: getattr(told, name) for name in preset.train} == preset.train


def test_the_notes_are_taken_at_their_word() -> None:
    """Their numbers: 2+2 layers, width 32, 4 heads, FFN 64, dropout 0.1, batch 64, rate 0.005, 200 epochs."""
    shape, told = PRESETS["notes"].architecture, PRESETS["notes"].train
    assert [shape[name] for name in ("encoder_layers", "decoder_layers", "d_model", "n_heads")] == [
        2,
        2,
        32,
        4,
    ]
    assert (shape["d_ff"], shape["dropout"]) == (64, 0.1)
    assert (told["batch_sentences"], told["learning_rate"], told["epochs"]) == (64, 0.005, 200)
    assert told["schedule"] == "constant"


def test_sources_of_pairs_exclude_each_other() -> None:
    assert options(PAIRS, pairs=(), parallel=("a.en", "a.fr")).parallel == ("a.en", "a.fr")
    with pytest.raises(HeadscopeError, match="task is"):
        options(PAIRS, task="reverse", task_size=5)


def test_vocabulary_files_say_whether_they_are_shared() -> None:
    assert options(PAIRS, vocab_files=("a.spm",)).vocab_files == ("a.spm",)
    separate = {"shared_vocab": False, "tie_embeddings": "target_output"}
    assert not options(PAIRS, vocab_files=("a.spm", "b.spm"), **separate).shared_vocab
    for files, changes in ((("a.spm",), separate), (("a.spm", "b.spm"), {})):
        with pytest.raises(HeadscopeError) as error:
            options(PAIRS, vocab_files=files, **changes)
        assert error.value.values["field"] == "shared_vocab"


def test_two_vocabularies_cannot_share_an_embedding() -> None:
    with pytest.raises(HeadscopeError) as error:
        options(PAIRS, shared_vocab=False)
    assert error.value.values["field"] == "tie_embeddings"


def test_a_rate_that_is_a_factor_elsewhere_is_refused() -> None:
    assert options(PAIRS, learning_rate=2.0).train.learning_rate == 2.0
    for schedule, rate in DEFAULT_LEARNING_RATE.items():
        assert options(PAIRS, schedule=schedule, learning_rate=rate).train.schedule == schedule
        if schedule != "noam":
            with pytest.raises(HeadscopeError) as error:
                options(PAIRS, schedule=schedule)
            assert error.value.values["field"] == "learning_rate"


COSINE = {"schedule": "cosine", "learning_rate": 1e-3}


def test_cosine_needs_an_end() -> None:
    with pytest.raises(HeadscopeError) as error:
        options(PAIRS, **COSINE, steps=0, minutes=5.0)
    assert error.value.values["field"] == "cosine_steps"
    assert options(PAIRS, **COSINE, steps=0, minutes=5.0, cosine_steps=100).train.cosine_steps == 100


def test_limits_that_the_cosine_follows_may_not_change() -> None:
    made = options(PAIRS, **COSINE, steps=100)
    with pytest.raises(HeadscopeError, match="cosine") as error:
        made.resumed_with({"steps": 200})
    assert error.value.code == "training_resume_cosine"
    with pytest.raises(HeadscopeError, match="steps"):
        made.check_resumable(options(PAIRS, **COSINE, steps=200))
    shorter = made.resumed_with({"minutes": 3.0, "steps": 100})
    assert (shorter.train.steps, shorter.train.minutes) == (100, 3.0)
    assert made.resumed_with({"minutes": 3.0}).train.steps == 100
    free = options(PAIRS, **COSINE, steps=100, cosine_steps=500)
    assert free.resumed_with({"steps": 200}).train.steps == 200


def test_what_is_watched_may_change() -> None:
    made = options(PAIRS)
    given = {"probe": "Yes.", "probe_target": "Oui.", "probe_every": 5, "patience": 3, "device": "cpu"}
    resumed = made.resumed_with(given)
    made.check_resumable(resumed)
    assert (resumed.probe, resumed.probe_target) == ("Yes.", "Oui.")
    assert (resumed.train.probe_every, resumed.train.patience, resumed.train.device) == (5, 3, "cpu")
    assert resumed.config_hash() == made.config_hash()


def test_files_may_lie_elsewhere_but_not_be_of_another_kind() -> None:
    made = options(PAIRS, pairs=(), parallel=("a.en", "a.fr"))
    moved = made.resumed_with({"parallel": ["b/a.en", "b/a.fr"]})
    made.check_resumable(moved)
    assert moved.parallel == ("b/a.en", "b/a.fr")
    with pytest.raises(HeadscopeError, match="pairs was 0"):
        made.check_resumable(options(PAIRS))


def test_options_of_earlier_versions_are_understood() -> None:
    made = options(PAIRS).to_json()
    for name in ("parallel", "columns", "encoding", "max_ratio", "vocab_files", "probe", "probe_target"):
        del made[name]
    for name in ("schedule", "accumulate", "device", "patience", "stop_on", "probe_every"):
        del made["train"][name]
    assert TrainOptions.from_json(made) == options(PAIRS)


def test_the_preset_of_the_notes() -> None:
    notes = PRESETS["notes"]
    a = Architecture.from_json({**notes.architecture, "source_vocab": 10, "target_vocab": 10})
    assert (a.encoder_layers, a.decoder_layers, a.d_model, a.n_heads, a.d_ff, a.dropout) == (
        2,
        2,
        32,
        4,
        64,
        0.1,
    )
    config = TrainConfig(**notes.train)
    assert (config.batch_sentences, config.schedule, config.learning_rate) == (64, "constant", 0.005)
    assert (config.epochs, config.label_smoothing) == (200.0, 0.0)
