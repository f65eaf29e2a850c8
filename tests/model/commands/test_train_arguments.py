from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from model.commands.train import run
from model.commands.train_arguments import build_parser, options_from, stored_names
from model.config import TaskName
from model.data.tasks import TASKS
from model.errors import HeadscopeError
from model.train_options import TrainOptions
from model.training.fields.fields import FIELDS


def given(*argv: str) -> dict[str, Any]:
    return vars(build_parser().parse_args(argv))


def options(*argv: str) -> TrainOptions:
    return options_from(given(*argv), Path("/models/mine"))


def test_nothing_said_is_the_small_preset() -> None:
    made = options("--pairs", "a.tsv", "b.tsv")
    assert (made.pairs, made.name, made.task) == (("a.tsv", "b.tsv"), "mine", None)
    assert made.architecture["d_model"] == 256
    assert made.architecture["tie_embeddings"] == "all"
    assert (made.vocab_type, made.byte_fallback, made.half) == ("unigram", True, True)
    assert (made.train.epochs, made.train.learning_rate, made.train.schedule) == (10.0, 1.0, "noam")
    assert made.auto == (
        "vocab_size", "epochs", "batch_tokens", "warmup", "learning_rate", "dropout", "eval_every",
    )  # fmt: skip


def test_a_task_brings_what_suits_it() -> None:
    assert get_args(TaskName) == tuple(TASKS)
    reverse = options("--task", "reverse")
    assert (reverse.task, reverse.task_size, reverse.vocab_type) == ("reverse", 20_000, "word")
    assert (reverse.byte_fallback, reverse.architecture["d_model"]) == (False, 64)
    notes = options("--task", "notes")
    assert notes.languages == ("en", "fr")
    assert (notes.architecture["d_model"], notes.architecture["encoder_layers"]) == (32, 2)
    assert (notes.train.epochs, notes.train.learning_rate, notes.train.schedule) == (200.0, 0.005, "constant")
    assert (notes.train.batch_sentences, notes.task_size) == (64, TASKS["notes"].size)
    pieces = options("--task", "grammar", "--vocab-type", "bpe")
    assert (pieces.vocab_type, pieces.byte_fallback, pieces.vocab_size) == ("bpe", True, 8000)
    assert pieces.languages == ("en", "fr")


def test_what_is_said_goes_before_the_preset() -> None:
    made = options("--task", "notes", "--d-ff", "96", "--preset", "tiny", "--clip", "2")
    assert (made.architecture["d_model"], made.architecture["d_ff"], made.train.clip) == (64, 96, 2.0)


@pytest.mark.parametrize(
    ("argv", "limits"),
    [
        (["--task", "notes"], (0, 200.0, 0.0)),
        (["--task", "notes", "--steps", "50"], (50, 0.0, 0.0)),
        (["--task", "notes", "--minutes", "2"], (0, 0.0, 2.0)),
        (["--task", "copy"], (0, 10.0, 0.0)),
        (["--task", "copy", "--epochs", "0"], (0, 10.0, 0.0)),
        (["--task", "copy", "--epochs", "3", "--steps", "9"], (9, 3.0, 0.0)),
    ],
)
def test_limits(argv: list[str], limits: tuple[int, float, float]) -> None:
    train = options(*argv).train
    assert (train.steps, train.epochs, train.minutes) == limits


@pytest.mark.parametrize(
    ("argv", "rate"),
    [
        ([], 1.0),
        (["--schedule", "cosine"], 5e-4),
        (["--schedule", "inverse_sqrt"], 5e-4),
        (["--schedule", "constant"], 1e-3),
        (["--schedule", "constant", "--learning-rate", "0.01"], 0.01),
        (["--preset", "notes"], 0.005),
        (["--preset", "notes", "--schedule", "noam"], 1.0),
    ],
)
def test_each_schedule_has_a_rate_of_its_own(argv: list[str], rate: float) -> None:
    assert options("--pairs", "p", *argv).train.learning_rate == rate


def test_vocabularies() -> None:
    separate = options("--pairs", "p", "--separate-vocab")
    assert (separate.shared_vocab, separate.architecture["tie_embeddings"]) == (False, "target_output")
    two = options("--pairs", "p", "--vocab-files", "a.spm", "b.spm")
    assert (two.shared_vocab, two.vocab_files) == (False, ("a.spm", "b.spm"))
    assert options("--pairs", "p", "--vocab-files", "a.spm").shared_vocab
    assert not options("--pairs", "p", "--no-byte-fallback").byte_fallback
    with pytest.raises(HeadscopeError, match="tie_embeddings"):
        options("--pairs", "p", "--separate-vocab", "--tie-embeddings", "all")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--pairs", "a.tsv", "--task-size", "5"], "--task-size belongs to --task"),
        (["--task", "copy", "--columns", "1", "2"], "--columns belongs to --pairs"),
        (["--parallel", "a", "b", "--columns", "1", "2"], "--columns belongs to --pairs"),
        (["--task", "copy", "--encoding", "utf-8"], "--encoding belongs to --pairs and --parallel"),
    ],
)
def test_what_would_be_ignored_is_wrong_usage(
    argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run(["--out", "none", *argv])
    assert end.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].endswith(said)
    assert len(lines) <= 4  # not all flags


def test_every_field_has_a_flag() -> None:
    renamed = {"shared_vocab": "separate-vocab", "half": "float32"}
    known = {flag for action in build_parser()._actions for flag in action.option_strings}
    for name in FIELDS:
        flag = renamed.get(name, name.replace("_", "-"))
        assert {f"--{flag}", f"--no-{flag}"} & known, name
    helped = {action.dest: action.help or "" for action in build_parser()._actions}
    assert helped["warmup"].endswith("(default: 4000, or the preset's; a quarter of a shorter run)")
    assert helped["clip"].startswith(FIELDS["clip"].meaning)
    assert helped["clip"].endswith("(default: 1)")
    assert helped["eval_every"].endswith("(default: 0: once an epoch)")


def test_what_is_said_is_not_worked_out_unless_it_is_said_to_be() -> None:
    made = options(
        "--pairs", "p", "--warmup", "70", "--minutes", "5", "--dropout", "0.1", "--eval-every", "9"
    )
    assert made.auto == ("vocab_size", "batch_tokens")  # Noam's peak follows a warm-up that was given
    assert (made.train.warmup, made.train.epochs) == (70, 0)
    auto = ("--warmup", "auto", "--probe-every", "auto", "--vocab-size", "auto")
    assert options("--task", "notes", *auto).auto == ("vocab_size", "warmup", "probe_every")
    assert options("--task", "notes", *auto).train.probe_every > 0
    assert options("--task", "copy").auto == ("warmup", "learning_rate", "eval_every")
    assert stored_names(given("--out", "m", "--resume", "--warmup", "auto", "--steps", "5")) == {"steps": 5}
    with pytest.raises(SystemExit):
        given("--warmup", "soon")


def test_each_value_reaches_its_field() -> None:
    made = options(
        "--parallel", "a.en", "a.fr", "--columns", "en", "fr", "--encoding", "gb18030", "--swap",
        "--max-characters", "90", "--max-ratio", "2.5", "--drop-duplicates", "--float32", "--name", "N",
        "--probe", "Yes.", "--probe-target", "Oui.", "--probe-every", "7", "--probe-megabytes", "3",
        "--no-scale-embedding", "--norm-eps", "1e-6", "--accumulate", "3", "--patience", "4",
        "--stop-on", "bleu", "--device", "cpu", "--batch-sentences", "8", "--languages", "en", "fr",
    )  # fmt: skip
    assert (made.parallel, made.columns, made.encoding) == (("a.en", "a.fr"), ("en", "fr"), "gb18030")
    assert (made.swap, made.max_characters, made.max_ratio, made.drop_duplicates) == (True, 90, 2.5, True)
    assert (made.half, made.name, made.probe, made.probe_target) == (False, "N", "Yes.", "Oui.")
    assert (made.train.probe_every, made.train.probe_megabytes, made.train.accumulate) == (7, 3, 3)
    assert (made.train.patience, made.train.stop_on, made.train.device) == (4, "bleu", "cpu")
    assert (made.train.batch_sentences, made.languages) == (8, ("en", "fr"))
    assert (made.architecture["scale_embedding"], made.architecture["norm_eps"]) == (False, 1e-6)


def test_a_resume_tells_only_what_was_said() -> None:
    assert stored_names(given("--out", "m", "--resume", "--separate-vocab", "--steps", "5")) == {
        "shared_vocab": False,
        "steps": 5,
    }
    notes = stored_names(given("--out", "m", "--resume", "--preset", "notes"))
    assert notes["d_model"] == 32
    assert "epochs" not in notes
