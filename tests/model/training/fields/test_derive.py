"""What follows from a corpus and a run's length: by hand, and what must hold whatever they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.commands.train_arguments import build_parser, options_from
from model.errors import HeadscopeError
from model.tokens.tokenizer import train_tokenizer
from model.train_options import DERIVED, TrainOptions
from model.training.fields.derive import REASONS, advice, derive
from model.training.fields.estimate import outlook
from model.training.fields.facts import Facts, facts_of_text
from tests.model.tiny_training import options as told_options


def given_by(*argv: str) -> TrainOptions:
    return options_from(vars(build_parser().parse_args(["--pairs", "p", *argv])), Path("/m"))


def found(facts: Facts, *argv: str) -> dict[str, Any]:
    made, told = derive(given_by(*argv), facts)
    for one in told:
        assert one.reason in REASONS
        assert "{" not in one.reason.format(**one.said())
        assert one.value == made.value(one.name) != one.usual
    return {one.name: one.value for one in told}


def test_a_small_corpus_by_hand() -> None:
    # 10 tokens a pair: 20 batches of 1,024 an epoch; 3,000 steps would be 150 epochs, a hundred are 2,000.
    # Noam's peak of 500 steps at width 256 is (256 * 500) ** -0.5 = 0.0028, and 0.5 / 256 is 0.70 of it.
    assert found(Facts(2000, 320, 20_000.0)) == {
        "vocab_size": 2000, "batch_tokens": 1024, "epochs": 100.0, "warmup": 500, "learning_rate": 0.7,
        "dropout": 0.3, "eval_every": 200,
    }  # fmt: skip


def test_a_large_corpus_is_trained_as_ever() -> None:
    # 20,000,000 tokens: 4,883 batches of 4,096 an epoch, 48,830 steps.
    assert found(Facts(2_000_000, 3000, 2e7)) == {}


def test_a_run_by_the_clock_lives_to_see_the_end_of_its_warm_up() -> None:
    # 1,000 tokens a second for 20 minutes: 1,200,000 tokens, 1,171 batches of 1,024; a quarter is 292.
    facts = Facts(29_000, 4000, 300_000.0, 1000.0)
    # Noam's peak is (256 * 200) ** -0.5 = 0.0044, and 0.5 / 256 is 0.44 of it.
    assert found(facts, "--minutes", "20") == {
        "batch_tokens": 1024, "warmup": 200, "learning_rate": 0.44, "eval_every": 100,
    }  # fmt: skip
    unknown, told = derive(given_by("--minutes", "20"), Facts(29_000, 4000, 300_000.0))
    assert told == ()  # nothing is guessed of a machine that was not timed
    assert {"batch_tokens", "warmup", "learning_rate", "eval_every"} <= set(unknown.auto)


def test_what_was_given_stays_and_what_depends_on_it_follows() -> None:
    facts = Facts(2000, 320, 20_000.0)
    said = (
        "--vocab-size",
        "900",
        "--batch-tokens",
        "2048",
        "--epochs",
        "7",
        "--dropout",
        "0.1",
        "--warmup",
        "9",
    )
    # 10 batches an epoch, 70 steps. A warm-up that was given is the paper's formula to the letter.
    assert found(facts, *said, "--warmup", "9", "--eval-every", "5") == {}
    assert found(facts, "--steps", "60", "--batch-sentences", "8")["warmup"] == 10
    assert derive(told_options(Path("p")), facts) == (told_options(Path("p")), ())


def test_a_vocabulary_has_room_for_every_character() -> None:
    # 2,500 characters of 300 pairs: 1.1 times as many and 50, to the next hundred.
    assert found(Facts(300, 2500, 3000.0))["vocab_size"] == 2800
    assert found(Facts(300_000, 9000, 3e6))["vocab_size"] == 10_000  # more than usual
    assert "vocab_size" not in found(Facts(300, 2500, 3000.0), "--vocab-type", "word")


def test_tasks_and_quoted_presets_keep_their_numbers() -> None:
    task = options_from({"task": "reverse"}, Path("/m"))
    assert derive(task, Facts(19_600, 284, 167_000.0))[1] == ()
    short = options_from({"task": "reverse", "steps": 100}, Path("/m"))
    assert derive(short, Facts(19_600, 284, 167_000.0))[0].train.warmup == 20
    assert options_from({"task": "notes"}, Path("/m")).auto == ()
    assert given_by("--preset", "notes").auto == ("vocab_size",)


def test_few_pairs_for_a_large_model_are_told_of() -> None:
    told = advice(given_by(), Facts(2000, 320, 20_000.0))
    assert told is not None
    assert told.said()["pairs"] == "2,000"
    assert advice(given_by("--preset", "tiny"), Facts(2000, 320, 20_000.0)) is None
    assert advice(given_by(), Facts(200_000, 320, 2e6)) is None


LIMITS = st.sampled_from(
    [(), ("--steps", "40"), ("--epochs", "3"), ("--minutes", "0.5"), ("--minutes", "300")]
)


@given(
    st.integers(1, 10**7),
    st.floats(2, 60),
    st.floats(10, 1e6),
    LIMITS,
    st.sampled_from(["tiny", "small", "base"]),
)
@settings(max_examples=200, deadline=None)
def test_whatever_the_run_its_rate_rises_falls_and_stays_sane(
    pairs: int, tokens: float, speed: float, limit: tuple[str, ...], preset: str
) -> None:
    facts = Facts(pairs, 400, pairs * tokens, speed)
    made, _ = derive(given_by(*limit, "--preset", preset), facts)

    known = outlook(made.train, facts)
    assert set(made.auto) == set()
    assert known.steps is not None
    assert 1 <= made.train.warmup <= max(1, known.steps / 4 + 1)
    width = made.architecture["d_model"]
    # Equation 3 of the paper, where the warm-up ends; two digits of the factor are kept.
    peak = made.train.learning_rate * width**-0.5 * made.train.warmup**-0.5
    assert peak <= 0.53 / width or made.train.learning_rate <= 0.01
    assert made.train.batch_tokens >= 1024
    assert 500 <= made.vocab_size <= 8000


def test_names_of_what_is_derived_are_checked_and_leave_no_trace_in_the_hash() -> None:
    made = given_by()
    assert set(made.auto) == set(DERIVED) - {"probe_every"}
    assert TrainOptions.from_json(made.to_json()) == made
    assert made.config_hash() == made.taking({"eval_every": 5}).config_hash()
    with pytest.raises(HeadscopeError, match="auto"):
        told_options(Path("p"), auto=("seed",))


@pytest.mark.parametrize("shared", [True, False])
def test_sentencepiece_takes_the_vocabulary_that_follows(shared: bool) -> None:
    """Of writing with many characters and few pairs, at the coverage that keeps them all."""
    letters = [chr(0x4E00 + number) for number in range(1200)]
    pairs = [(" ".join(("go", str(i))), "".join(letters[i * 40 : i * 40 + 40])) for i in range(30)]
    tie = "all" if shared else "target_output"
    made = told_options(
        Path("p"),
        auto=("vocab_size",),
        coverage=1.0,
        shared_vocab=shared,
        vocab_size=8000,
        tie_embeddings=tie,
    )
    made, told = derive(made, facts_of_text(pairs, len(pairs), made))

    assert [one.name for one in told] == ["vocab_size"]
    texts = [text for pair in pairs for text in (pair if shared else pair[1:])]
    data = train_tokenizer(texts, vocab_size=made.vocab_size, dummy_prefix=False, character_coverage=1.0)
    assert data
    with pytest.raises(HeadscopeError, match="1200"):
        train_tokenizer(texts, vocab_size=1200, dummy_prefix=False, character_coverage=1.0)
