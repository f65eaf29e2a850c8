"""`why`: what it tells adds up, in every form."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from main import main
from model.questions.causes.methods import METHODS
from tests.assets import SENTENCE

LOGIT = ["why", SENTENCE, "--method", "logit", "--step", "3", "--rival", "chien"]
SCORES = ["why", SENTENCE, "--method", "scores", "--kind", "cross", "--layer", "2", "--head", "3"]


def told(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(argv) == 0
    return capsys.readouterr().out


def test_the_parts_of_a_logit_come_with_the_sum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(told([*LOGIT, "--json"], capsys))
    assert found["rival"] == "▁chien"
    assert (found["step"], found["step_number"]) == (2, 3)
    assert sum(row["value"] for row in found["rows"]) == pytest.approx(found["logit_difference"], abs=1e-4)
    assert found["word_logprob"] - found["rival_logprob"] == pytest.approx(
        found["logit_difference"], abs=1e-4
    )
    rows = list(csv.DictReader(io.StringIO(told([*LOGIT, "--csv"], capsys))))
    assert [float(row["value"]) for row in rows] == pytest.approx([row["value"] for row in found["rows"]])
    assert rows[0]["notes"].startswith("What each head wrote: logit(a)")
    heads = [row for row in rows if row["what"] == "head"]
    assert all(int(row["head_number"]) == int(row["head"]) + 1 for row in heads)
    assert main([*LOGIT, "--out", str(tmp_path / "a.npz")]) == 0
    with np.load(tmp_path / "a.npz") as arrays:
        assert arrays["value"].sum() == pytest.approx(found["logit_difference"], abs=1e-4)
        row = heads[0]
        at = arrays["cross" if row["where"] == "cross" else "decoder_self"]
        assert at[int(row["layer"]), int(row["head"])] == pytest.approx(float(row["value"]), abs=1e-6)


def test_the_parts_of_a_score_come_with_the_sum(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(told([*SCORES, "--query", "4", "--key", "2", "--json"], capsys))
    assert (found["kind"], found["layer"], found["head"]) == ("cross", 1, 2)
    assert (found["query"], found["key"]) == (3, 1)
    total = pytest.approx(found["score"], rel=1e-5, abs=1e-5)
    assert sum(row["value"] for row in found["rows"]) == total
    assert sum(value for group in found["groups"].values() for value in group.values()) == total
    lines = told([*SCORES, "--query", "4", "--key", "2"], capsys).splitlines()
    assert any(line.startswith("score: ") for line in lines)
    assert any("more rows" in line for line in lines)


def test_a_report_closes_with_what_it_means(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(told([*LOGIT, "--json"], capsys))
    sums: dict[str, float] = {}
    for row in found["rows"]:
        sums[row["what"]] = sums.get(row["what"], 0.0) + row["value"]
    said = told(LOGIT, capsys).splitlines()[-1]
    assert f"heads {sums['head']:+.2f}, feed-forward networks {sums['feed_forward']:+.2f}" in said
    assert f"together {found['logit_difference']:+.2f}" in said
    argv = ["why", SENTENCE, "--method", "alti", "--step", "3"]
    rows = json.loads(told([*argv, "--json"], capsys))["rows"]
    assert sum(row["share"] for row in rows) == pytest.approx(1, abs=1e-5)
    source = sum(row["share"] for row in rows if row["part"] == "source")
    first = max(rows, key=lambda row: row["share"])
    said = told(argv, capsys).splitlines()[-1]
    assert f"{100 * source:.0f} % from the source" in said
    assert f"most of {first['token']} ({first['part']}) {100 * first['share']:.0f} %" in said


def test_the_list_says_what_each_method_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.loads(line) for line in told(["why", "--list", "--json"], capsys).splitlines()]
    assert [row["method"] for row in rows] == [method.name for method in METHODS]
    assert all(row["formula"] and row["caveat"] and row["source"] for row in rows)
    named = told(["why", "--list"], capsys)
    assert all(method.name in named for method in METHODS)


@pytest.mark.parametrize(
    ("argv", "status", "said"),
    [
        (["why", "tea", "--method", "logit"], 2, "needs --step"),
        (
            ["why", "tea", "--method", "logit", "--step", "1", "--head", "2"],
            2,
            "has no --head; it takes --step, --word, --rival",
        ),
        (["why", "tea", "--method", "logit", "--step", "0"], 2, "whole number from 1 up"),
        (["why", "tea", "--method", "scores", "--kind", "sideways"], 2, "encoder_self, decoder_self, cross"),
        (["why", "tea", "--method", "tea-leaves"], 1, "scores, logit"),
        (["why", "tea"], 2, "--method"),
        (["why", "tea", "--method", "logit", "--step", "1", "--out", "a.png"], 2, ".npz"),
        (["why", "tea", "--method", "logit", "--step", "99"], 1, "99"),
    ],
)
def test_what_cannot_be_told_is_refused_in_a_sentence(
    argv: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        found = main(argv)
    except SystemExit as left:
        found = int(str(left.code))
    assert found == status
    assert said in capsys.readouterr().err
