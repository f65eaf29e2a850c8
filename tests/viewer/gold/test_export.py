"""Links of the numbers in view as CSV and in Pharaoh format."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from model.alignment.links import Gold
from model.errors import HeadscopeError
from model.questions.answers import Stages
from tests.model.alignment.samples import sample_trace
from tests.viewer.gold.samples import CROSS, GOLD
from viewer.document.selection import Numbers, Selection
from viewer.figures.alignment.table import HEADER, write_alignment_csv, write_alignment_pharaoh
from viewer.figures.known import Missing

pytestmark = pytest.mark.usefixtures("qapp")

HEAD = Selection(CROSS, 0, 0, 3)


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_every_line_names_rule_and_head(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    gold = Gold(((0, 0),), ((1, 2), (0, 2)))
    write_alignment_csv(path, sample_trace(), HEAD, "predicts", gold=gold, notes="of a test")
    assert rows(path) == [
        list(HEADER),
        ["predicts", "0", "0", "0", "0", "the", "la", "1", "1", "sure", "of a test"],
        ["predicts", "0", "0", "2", "1", "car", "voiture", "1", "1", "", "of a test"],
        ["predicts", "0", "0", "0", "2", "the", "rouge", "0", "0", "possible", "of a test"],
        ["predicts", "0", "0", "1", "2", "red", "rouge", "1", "1", "possible", "of a test"],
    ]


def test_means_and_the_other_rule(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_alignment_csv(path, sample_trace(), HEAD.but(head=None), "reads")
    found = rows(path)
    assert {tuple(row[:3]) for row in found[1:]} == {("reads", "0", "mean")}
    # Half of what the second head says, half of what the first: the first of equal words.
    assert [(row[3], row[4], row[7]) for row in found[1:]] == [
        ("0", "0", "0.5"), ("1", "1", "0.5"), ("1", "2", "0.5")
    ]  # fmt: skip
    write_alignment_csv(path, sample_trace(), HEAD.but(numbers=Numbers.MEAN_LAYERS), "reads")
    assert {tuple(row[:3]) for row in rows(path)[1:]} == {("reads", "mean", "mean")}


def test_a_line_in_pharaoh_format(tmp_path: Path) -> None:
    path = tmp_path / "a.pharaoh"
    write_alignment_pharaoh(path, sample_trace(), HEAD, "predicts", gold=GOLD)
    assert path.read_text() == "0-0 1-2 2-1\n"
    write_alignment_pharaoh(path, sample_trace(), HEAD, "reads", one_based=True)
    assert path.read_text() == "2-2 3-1\n"


def test_words_of_the_gold_links_are_the_ones_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.pharaoh"
    write_alignment_pharaoh(path, sample_trace(), HEAD, "predicts", gold=Gold(source="the redcar"))
    assert path.read_text() == "0-0 1-1 1-2\n"


def test_what_cannot_be_said_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    scores = HEAD.but(numbers=Numbers.SCORES)

    def known(question: object, reading: object) -> Stages:
        raise AssertionError("scores need not be asked for")

    for selection, gold, code in (
        (scores, None, "align_scores"),
        (HEAD, Gold(((5, 5),)), "pharaoh_range"),
        (HEAD, Gold(target="autre chose"), "align_target_differs"),
    ):
        with pytest.raises(HeadscopeError) as caught:
            write_alignment_csv(path, sample_trace(), selection, "predicts", gold=gold, known=known)
        assert caught.value.code == code
    with pytest.raises(Missing):
        write_alignment_csv(path, sample_trace(), HEAD.but(numbers=Numbers.VALUE_WEIGHTED), "predicts")
    assert not path.exists()


def test_weights_are_those_of_the_trace(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    weights = random.random((1, 1, 4, 4)).astype(np.float32)
    weights /= weights.sum(-1, keepdims=True)
    from tests.model.alignment.samples import SOURCE, TARGET, cross_trace

    trace = cross_trace(weights, SOURCE, TARGET, src_text="the red car", tgt_text="la voiture rouge")
    path = tmp_path / "a.csv"
    every = Gold(tuple((i, j) for i in range(3) for j in range(3)))
    write_alignment_csv(path, trace, HEAD, "reads", gold=every)
    for row in rows(path)[1:]:
        i, j = int(row[3]), int(row[4])
        assert float(row[7]) == pytest.approx(float(weights[0, 0, j + 1, i]), abs=1e-7)
        assert row[8] == str(int(weights[0, 0, j + 1, :3].argmax() == i))
