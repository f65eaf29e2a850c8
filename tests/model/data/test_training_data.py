from __future__ import annotations

import gzip
import hashlib
import lzma
import zipfile
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.data.pairs.pair_files import Pair
from model.data.pairs.survey import CorpusSurvey
from model.data.split import tatoeba_hash_part
from model.data.survey_corpus import LONGEST, PREVIEW, survey_corpus
from model.data.training_data import TrainingData, first_references, read_training_data
from model.errors import HeadscopeError
from model.train_options import TrainOptions

T = TypeVar("T")

PAIRS = [(f"source {i}", f"target {i % 90}") for i in range(400)]


def result(work: Generator[Any, None, T]) -> T:
    """What the generator returns."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            value: T = end.value
            return value


def write(folder: Path, pairs: list[Pair], name: str = "pairs.tsv") -> TrainOptions:
    path = folder / name
    path.write_bytes("".join(f"{a}\t{b}\n" for a, b in pairs).encode())
    return TrainOptions(name="x", pairs=(str(path),))


def data_of(options: TrainOptions, **changes: Any) -> TrainingData:
    return result(read_training_data(changed(options, **changes)))


def changed(options: TrainOptions, **changes: Any) -> TrainOptions:
    return TrainOptions.from_json({**options.to_json(), **changes})


def last_survey(options: TrainOptions, **changes: Any) -> CorpusSurvey:
    return list(survey_corpus(changed(options, **changes)))[-1]


def test_holdout_keeps_sources_apart(tmp_path: Path) -> None:
    doubled = PAIRS + [(source, "another") for source, _ in PAIRS]
    data = data_of(write(tmp_path, doubled))
    dev, train = {source for source, _ in data.dev}, {source for source, _ in data.train}
    assert len(dev) == 8  # 2 % of 400 sources
    assert len(data.dev) == 16
    assert not dev & train
    assert len(data.train) + len(data.dev) == 800
    assert data.held_out
    # A source stays on its side whatever the order and whatever else there is of it.
    again = data_of(write(tmp_path, doubled[::-1]))
    assert {source for source, _ in again.dev} == dev


def test_hash_split(tmp_path: Path) -> None:
    data = data_of(write(tmp_path, PAIRS), split="tatoeba-hash")
    assert list(data.train) == [pair for pair in PAIRS if tatoeba_hash_part(pair[0]) == "train"]
    assert list(data.dev) == [pair for pair in PAIRS if tatoeba_hash_part(pair[0]) == "dev"]
    assert data.left_out == {"test": sum(tatoeba_hash_part(first) == "test" for first, _ in PAIRS)}
    assert data.dev
    assert data.left_out["test"]


def test_swapped_no_source_crosses(tmp_path: Path) -> None:
    """Column 2 becomes the source; one that occurs beside a dev or test sentence is not trained on."""
    data = data_of(write(tmp_path, PAIRS), split="tatoeba-hash", swap=True)
    strict = {second for first, second in PAIRS if tatoeba_hash_part(first) != "train"}
    tested = {second for first, second in PAIRS if tatoeba_hash_part(first) == "test"}
    assert list(data.train) == [(b, a) for a, b in PAIRS if b not in strict]
    assert list(data.dev) == [(b, a) for a, b in PAIRS if tatoeba_hash_part(a) == "dev" and b not in tested]
    assert 0 < len(data.train) < len(PAIRS)
    assert sum(data.left_out.values()) == len(PAIRS) - len(data.train) - len(data.dev)


def test_too_few_to_hold_any_out(tmp_path: Path) -> None:
    data = data_of(write(tmp_path, PAIRS[:30]))
    assert not data.held_out
    assert (list(data.train), list(data.dev)) == (PAIRS[:30], PAIRS[:30])


def test_blank_sides_are_dropped(tmp_path: Path) -> None:
    data = data_of(write(tmp_path, [("a", " "), ("\u3000", "b"), ("c", "d")]))
    assert list(data.train) == [("c", "d")]
    assert data.left_out == {"empty": 2, "test": 0}
    with pytest.raises(HeadscopeError) as error:
        data_of(write(tmp_path, [("a", "")]))
    assert error.value.code == "training_no_pairs"


def test_filters(tmp_path: Path) -> None:
    kept = [("a b c", "d e f"), ("a", "b")]
    bad = [("x" * 11, "y"), ("a", "bcdef"), ("a b c", "d e f"), ("", "z")]
    options = write(tmp_path, [*kept, *bad, *kept])
    data = data_of(options, max_characters=10, max_ratio=4.0, drop_duplicates=True)
    assert list(data.train) == kept
    assert data.left_out == {"long": 1, "ratio": 1, "duplicate": 3, "empty": 1, "test": 0}
    assert data_of(options).left_out == {"empty": 1, "test": 0}
    assert len(data_of(options).train) == 7


def test_files_however_they_are_packed(tmp_path: Path) -> None:
    text = "\ufeffGo.\tVa !\tCC-BY\r\nHi.\tSalut.\n".encode()
    (tmp_path / "plain.tsv").write_bytes(text)
    (tmp_path / "p.gz").write_bytes(gzip.compress(text))
    (tmp_path / "p.xz").write_bytes(lzma.compress(text))
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as archive:
        archive.writestr("fra.txt", text)
    for path in sorted(tmp_path.iterdir()):
        data = data_of(TrainOptions(name="x", pairs=(str(path),)))
        assert list(data.train) == [("Go.", "Va !"), ("Hi.", "Salut.")]
        assert data.hashes == {path.name: hashlib.sha256(path.read_bytes()).hexdigest()}
        assert data.encodings == {path.name: "utf-8-sig"}


def test_files_of_one_name_keep_their_hashes(tmp_path: Path) -> None:
    paths = []
    for folder in "abc":
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "pairs.tsv"
        path.write_text(f"{folder}\t{folder}\n")
        paths.append(str(path))
    data = data_of(TrainOptions(name="x", pairs=tuple(paths)))
    assert list(data.hashes) == list(data.encodings) == ["pairs.tsv", "pairs.tsv (2)", "pairs.tsv (3)"]
    assert len(set(data.hashes.values())) == 3
    assert list(data.train) == [("a", "a"), ("b", "b"), ("c", "c")]


def test_parallel_files_and_csv_columns(tmp_path: Path) -> None:
    (tmp_path / "p.en").write_text("Hi.\n\nYes.\n")
    (tmp_path / "p.fr").write_bytes("Salut.\nRien.\nÇa va été.\n".encode("cp1252"))
    names = (str(tmp_path / "p.en"), str(tmp_path / "p.fr"))
    data = data_of(TrainOptions(name="x", parallel=names, swap=True))
    assert list(data.train) == [("Salut.", "Hi."), ("Ça va été.", "Yes.")]
    assert data.left_out == {"empty": 1, "test": 0}
    assert data.encodings == {"p.en": "utf-8", "p.fr": "cp1252"}
    assert list(data.hashes) == ["p.en", "p.fr"]
    path = tmp_path / "p.csv"
    path.write_text('id;fr;en\n1;"Salut; toi";Hi\n')
    options = TrainOptions(name="x", pairs=(str(path),), columns=("en", "fr"))
    assert list(data_of(options).train) == [("Hi", "Salut; toi")]
    assert last_survey(options).header == ("id", "fr", "en")


def test_task() -> None:
    options = TrainOptions(name="x", task="reverse", task_size=500)
    data = data_of(options)
    lines = "".join(f"{a}\t{b}\n" for a, b in _task_pairs(500, options.train.seed))
    assert data.hashes == {"task reverse": hashlib.sha256(lines.encode()).hexdigest()}
    assert len(data.train) + len(data.dev) == 500
    survey = last_survey(options)
    assert (survey.layout, survey.pairs, survey.train, survey.dev) == (
        "task",
        500,
        len(data.train),
        len(data.dev),
    )


def _task_pairs(count: int, seed: int) -> list[Pair]:
    from model.data.tasks import TASKS

    return list(TASKS["reverse"].pairs(count, seed))


def test_progress_and_cancel(tmp_path: Path) -> None:
    options = write(tmp_path, [(f"source {i}", "target") for i in range(5000)])
    size = (tmp_path / "pairs.tsv").stat().st_size
    seen = list(read_training_data(options))
    assert seen == sorted(seen)
    assert seen[-1] == (size, size)
    assert len(seen) >= 5
    for moment in range(6):
        asked = iter([False] * moment + [True] * 9)
        with pytest.raises(HeadscopeError) as error:
            list(read_training_data(options, lambda asked=asked: next(asked)))  # type: ignore[misc]
        assert error.value.code == "cancelled"
    with pytest.raises(HeadscopeError) as error:
        list(survey_corpus(options, lambda: True))
    assert error.value.code == "cancelled"


def test_pairs_of_a_task_are_made_as_they_are_read(tmp_path: Path) -> None:
    # So many pairs, made beforehand, would fill the memory and nobody could cancel.
    options = changed(write(tmp_path, []), pairs=(), task="copy", task_size=10_000_000)
    for reading in (read_training_data(options), survey_corpus(options)):
        for _ in zip(range(3), reading):
            pass
    asked = iter([False] * 2 + [True])
    with pytest.raises(HeadscopeError) as error:
        list(survey_corpus(options, lambda: next(asked)))
    assert error.value.code == "cancelled"


def test_first_references() -> None:
    pairs = [("a", "1"), ("b", "2"), ("a", "3"), ("c", "4"), ("d", "5")]
    assert first_references(pairs, 10) == [("a", "1"), ("b", "2"), ("c", "4"), ("d", "5")]
    assert first_references(pairs, 2) == [("a", "1"), ("c", "4")]
    assert first_references(pairs, 0) == []


# the survey


NUMBERED = st.integers(0, 150).map(lambda number: "s" * (number % 7) + f" {number}")


@given(
    pairs=st.lists(st.tuples(NUMBERED | st.just(" "), NUMBERED | st.just("")), min_size=1, max_size=200),
    most=st.sampled_from([0, 8, 400]),
    ratio=st.sampled_from([0.0, 2.0]),
    drop=st.booleans(),
    swap=st.booleans(),
    split=st.sampled_from(["holdout", "tatoeba-hash"]),
)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_survey_says_what_training_uses(
    tmp_path: Path, pairs: list[Pair], most: int, ratio: float, drop: bool, swap: bool, split: str
) -> None:
    options = write(tmp_path, [("first", "one"), *pairs])
    changes = {
        "max_characters": most, "max_ratio": ratio, "drop_duplicates": drop, "swap": swap, "split": split,
    }  # fmt: skip
    survey = last_survey(options, **changes)
    try:
        data = data_of(options, **changes)
    except HeadscopeError as error:
        assert error.code == "training_no_pairs"  # noqa: PT017
        assert survey.train == 0
        return
    assert survey.train == len(data.train)
    assert survey.dev == (len(data.dev) if data.held_out else 0)
    assert survey.test == data.left_out["test"]
    used = dict(survey.counts)
    if not drop:
        used.pop("duplicate", None)
    assert {**used, "test": survey.test} == data.left_out
    assert survey.pairs == survey.train + survey.dev + survey.test + sum(used.values())


def test_survey_by_hand(tmp_path: Path) -> None:
    pairs = [("a b", "c"), ("a b", "c"), (" ", "d"), ("e" * 500, "f" * 500), ("g", "h" * 50), ("a b", "x")]
    options = write(tmp_path, pairs)
    survey = last_survey(options, max_characters=450, max_ratio=10.0)
    assert survey.complete
    assert survey.layout == "tsv"
    assert survey.pairs == 6
    assert survey.counts == {"duplicate": 1, "empty": 1, "long": 1, "ratio": 1}
    assert (survey.train, survey.dev, survey.test, survey.sources) == (3, 0, 0, 1)
    assert survey.encodings == {"pairs.tsv": "utf-8"}
    assert survey.done == survey.total == (tmp_path / "pairs.tsv").stat().st_size
    found = [(pair.number, pair.source_length, pair.target_length, pair.problems) for pair in survey.first]
    assert found == [
        (1, 3, 1, ()), (2, 3, 1, ()), (3, 1, 1, ("empty",)), (4, 500, 500, ("long",)), (5, 1, 50, ("ratio",)),
        (6, 3, 1, ()),
    ]  # fmt: skip
    dropped = last_survey(options, drop_duplicates=True, swap=True)
    assert dropped.first[1].problems == ("duplicate",)
    assert (dropped.first[0].source, dropped.first[0].target) == ("c", "a b")
    for found_by, sides in ((survey, (0, 1)), (dropped, (1, 0))):
        for side, counts in zip(sides, (found_by.source_lengths, found_by.target_lengths)):
            expected = Counter(min(len(pair[side]), LONGEST) for pair in pairs)
            assert {length: int(count) for length, count in enumerate(counts) if count} == dict(expected)


def test_surveys_grow(tmp_path: Path) -> None:
    options = write(tmp_path, [(f"source {i}", f"target {i}") for i in range(50_000)])
    surveys = list(survey_corpus(options))
    assert 3 <= len(surveys) <= 8
    assert [survey.complete for survey in surveys] == [False] * (len(surveys) - 1) + [True]
    counts = [survey.pairs for survey in surveys]
    assert counts == sorted(counts)
    assert counts[0] < 2000
    assert surveys[0].first == surveys[-1].first
    assert [pair.number for pair in surveys[0].first] == list(range(1, PREVIEW + 1))
    assert [survey.done for survey in surveys] == sorted(survey.done for survey in surveys)
    assert int(surveys[0].source_lengths.sum()) == counts[0]  # not changed by what came after
    assert (surveys[0].train, surveys[-1].train + surveys[-1].dev) == (0, 50_000)
    assert surveys[-1].sources == 50_000
