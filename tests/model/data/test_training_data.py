from __future__ import annotations

import gzip
import hashlib
import lzma
import zipfile
from pathlib import Path

import pytest

from model.data.corpus import tatoeba_hash_part
from model.data.training_data import (
    first_references,
    make_task_pairs,
    read_pair_files,
    split_training_data,
    train_vocabularies,
)
from model.errors import HeadscopeError

PAIRS = [(f"source {i}", f"target {i % 90}") for i in range(400)]


def test_holdout_keeps_sources_apart() -> None:
    doubled = PAIRS + [(source, "another") for source, _ in PAIRS]
    data = split_training_data(doubled, {}, split="holdout", swap=False)
    dev, train = {source for source, _ in data.dev}, {source for source, _ in data.train}
    assert len(dev) == 8  # 2 % of 400 sources
    assert len(data.dev) == 16
    assert not dev & train
    assert len(data.train) + len(data.dev) == 800
    assert data.held_out
    # A source stays on its side whatever the order and whatever else there is of it.
    again = split_training_data(doubled[::-1], {}, split="holdout", swap=False)
    assert {source for source, _ in again.dev} == dev


def test_hash_split() -> None:
    data = split_training_data(PAIRS, {}, split="tatoeba-hash", swap=False)
    assert data.train == [pair for pair in PAIRS if tatoeba_hash_part(pair[0]) == "train"]
    assert data.dev == [pair for pair in PAIRS if tatoeba_hash_part(pair[0]) == "dev"]
    assert data.dev


def test_swapped_no_source_crosses() -> None:
    """Column 2 becomes the source; one that occurs beside a dev or test sentence is not trained on."""
    data = split_training_data(PAIRS, {}, split="tatoeba-hash", swap=True)
    strict = {second for first, second in PAIRS if tatoeba_hash_part(first) != "train"}
    tested = {second for first, second in PAIRS if tatoeba_hash_part(first) == "test"}
    assert data.train == [(b, a) for a, b in PAIRS if b not in strict]
    assert data.dev == [(b, a) for a, b in PAIRS if tatoeba_hash_part(a) == "dev" and b not in tested]
    assert 0 < len(data.train) < len(PAIRS)


def test_too_few_to_hold_any_out() -> None:
    data = split_training_data(PAIRS[:30], {}, split="holdout", swap=False)
    assert not data.held_out
    assert (data.train, data.dev) == (PAIRS[:30], PAIRS[:30])


def test_blank_sides_are_dropped() -> None:
    data = split_training_data([("a", " "), ("\u3000", "b"), ("c", "d")], {}, split="holdout", swap=False)
    assert data.train == [("c", "d")]
    with pytest.raises(HeadscopeError) as error:
        split_training_data([("a", "")], {}, split="holdout", swap=False)
    assert error.value.code == "training_no_pairs"


def test_files_however_they_are_packed(tmp_path: Path) -> None:
    text = "\ufeffGo.\tVa !\tCC-BY\r\nHi.\tSalut.\n".encode()
    (tmp_path / "plain.tsv").write_bytes(text)
    (tmp_path / "p.gz").write_bytes(gzip.compress(text))
    (tmp_path / "p.xz").write_bytes(lzma.compress(text))
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as archive:
        archive.writestr("fra.txt", text)
    for path in sorted(tmp_path.iterdir()):
        pairs, hashes = read_pair_files([str(path)])
        assert pairs == [("Go.", "Va !"), ("Hi.", "Salut.")]
        assert hashes == {path.name: hashlib.sha256(path.read_bytes()).hexdigest()}


def test_files_of_one_name_keep_their_hashes(tmp_path: Path) -> None:
    paths = []
    for folder in "abc":
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "pairs.tsv"
        path.write_text(f"{folder}\t{folder}\n")
        paths.append(str(path))
    _, hashes = read_pair_files(paths)
    assert list(hashes) == ["pairs.tsv", "pairs.tsv (2)", "pairs.tsv (3)"]
    assert len(set(hashes.values())) == 3


def test_task() -> None:
    pairs, hashes = make_task_pairs("reverse", 50, 3)
    assert len(pairs) == 50
    assert make_task_pairs("reverse", 50, 3) == (pairs, hashes)
    assert make_task_pairs("reverse", 50, 4)[1] != hashes


def test_first_references() -> None:
    pairs = [("a", "1"), ("b", "2"), ("a", "3"), ("c", "4"), ("d", "5")]
    assert first_references(pairs, 10) == [("a", "1"), ("b", "2"), ("c", "4"), ("d", "5")]
    assert first_references(pairs, 2) == [("a", "1"), ("c", "4")]
    assert first_references(pairs, 0) == []


def test_vocabularies() -> None:
    pairs = [("the red house", "红色的房子"), ("an old tree", "一棵老树")] * 5
    shared = train_vocabularies(
        pairs, vocab_size=300, shared=True, languages=("en", "fr"), model_type="unigram",
        byte_fallback=True, coverage=1.0,
    )  # fmt: skip
    assert shared[0] is shared[1]
    source, target = train_vocabularies(
        pairs, vocab_size=300, shared=False, languages=("en", "zh"), model_type="unigram",
        byte_fallback=True, coverage=1.0,
    )  # fmt: skip
    assert source.pieces("the")[0].startswith("▁")  # a space in front, so a word is itself anywhere
    assert not target.pieces("红色")[0].startswith("▁")  # Chinese has none
    for tokenizer in (source, target):
        assert (tokenizer.pad_id, tokenizer.unk_id, tokenizer.start_id, tokenizer.end_id) == (0, 1, 2, 3)
