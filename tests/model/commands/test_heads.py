"""The command `heads`: JSON, CSV, a table for people, and one sentence for bad input."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

import main
from model.trace.trace import Trace
from model.trace.trace_file import save_trace
from tests.assets import PAIRS, SENTENCE

ROOT = Path(__file__).resolve().parents[3]
METRICS = [
    "entropy",
    "normalised_entropy",
    "maximum",
    "distance",
    "diagonality",
    "previous",
    "next",
    "same",
    "end",
    "start",
    "punctuation",
    "previous_top",
    "next_top",
    "same_top",
]


def said(capsys: pytest.CaptureFixture[str], *argv: object) -> str:
    status = main.main(["heads", *map(str, argv)])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    return captured.out


def refused(capsys: pytest.CaptureFixture[str], *argv: object) -> str:
    assert main.main(["heads", *map(str, argv)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("headscope: error: ")
    return line


@pytest.fixture
def trace(tiny_trace: Trace, tmp_path: Path) -> Path:
    path = tmp_path / "t.trace"
    save_trace(tiny_trace, path)
    return path


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{a}\t{b}\n" for a, b in PAIRS), encoding="utf-8")
    return path


def test_json_of_a_trace_is_its_numbers(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found: dict[str, Any] = json.loads(said(capsys, "--trace", trace, "--json"))
    arrays = load_file(trace)
    assert (found["scope"], found["text"]) == ("sentence", SENTENCE)
    assert list(found["metrics"]) == METRICS
    assert all(set(facts) == {"formula", "range", "source"} for facts in found["metrics"].values())
    places = [(head["kind"], head["layer"], head["head"]) for head in found["heads"]]
    kinds = ("encoder_self", "decoder_self", "cross")
    assert places == [(kind, *place) for kind in kinds for place in np.ndindex(arrays[kind].shape[:2])]
    for head in found["heads"]:
        weights = arrays[head["kind"]][head["layer"], head["head"]].astype(np.float64)
        logs = np.log(np.where(weights > 0, weights, 1))
        assert head["entropy"] == pytest.approx(-(weights * logs).sum(-1).mean(), abs=1e-6)
        assert head["maximum"] == pytest.approx(weights.max(-1).mean(), abs=1e-6)
        assert head["rows"] == len(weights)
        if head["kind"] == "cross":
            assert head["distance"] is None
        else:
            assert head["previous"] == pytest.approx(np.diagonal(weights, -1).mean(), abs=1e-6)
        assert "roles" not in head
        assert "random" not in head


def test_csv_says_the_same(trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(said(capsys, "--trace", trace, "--csv"))))
    heads = json.loads(said(capsys, "--trace", trace, "--json"))["heads"]
    assert list(rows[0]) == ["kind", "layer", "head", "rows", *METRICS]
    assert len(rows) == len(heads)
    for row, head in zip(rows, heads):
        for name in METRICS:
            assert row[name] == ("" if head[name] is None else f"{head[name]:.9g}")
    out = tmp_path / "out.csv"
    said(capsys, "--trace", trace, "--out", out)
    assert list(csv.DictReader(out.read_text(encoding="utf-8").splitlines())) == rows


def test_a_sentence_is_decoded(
    tiny_bundle: Path, tiny_trace: Trace, trace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ("--model", tiny_bundle)
    found = json.loads(said(capsys, *model, SENTENCE, "--importance", "--json"))
    recorded = json.loads(said(capsys, "--trace", trace, "--json"))
    assert found["translation"] == tiny_trace.tgt_text
    for head, other in zip(found["heads"], recorded["heads"], strict=True):
        assert head["entropy"] == pytest.approx(other["entropy"], abs=1e-5)
        assert isinstance(head["importance"], float)
    assert any(abs(head["importance"]) > 1e-6 for head in found["heads"])


def test_pairs_bring_roles_and_random_weights(
    tiny_bundle: Path, pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ("--model", tiny_bundle, "--pairs", pairs)
    found = json.loads(said(capsys, *argv, "--json"))
    assert (found["scope"], found["sentences"], found["targets"]) == ("corpus", len(PAIRS), "forced")
    assert found["role_rule"]["roles"]["previous_token"] == {"score": "previous_top", "least": 0.5}
    for head in found["heads"]:
        assert set(head["random"]) == set(METRICS)
        for role in head["roles"]:
            assert role["score"] >= max(0.5, role["random"] + 0.2)
    again = json.loads(said(capsys, *argv, "--json", "--seed", "2"))
    assert [head["entropy"] for head in again["heads"]] == [head["entropy"] for head in found["heads"]]
    assert again["heads"][0]["random"] != found["heads"][0]["random"]
    rows = list(csv.DictReader(io.StringIO(said(capsys, *argv, "--limit", "3", "--csv"))))
    assert list(rows[0])[-len(METRICS) :] == [f"random_{name}" for name in METRICS]
    assert {row["roles"] for row in rows} == {""}  # three sentences name nothing


def test_without_anything_the_recorded_example(
    tiny_bundle: Path, trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "example" in refused(capsys, "--model", tiny_bundle, "--json")
    copy = tmp_path / "model"
    copy.mkdir()
    for file in tiny_bundle.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    (copy / "example.trace").write_bytes(trace.read_bytes())
    expected = said(capsys, "--trace", trace, "--json")
    assert said(capsys, "--model", copy, "--json") == expected


def test_gold_links_add_the_error_rate(
    trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = tmp_path / "gold"
    gold.write_text("0-0 1-1 2-2\n")
    found = json.loads(said(capsys, "--trace", trace, "--gold", gold, "--rule", "reads", "--json"))
    assert (found["gold"], found["rule"]) == (str(gold), "reads")
    for head in found["heads"]:
        assert (head["aer"] is None) == (head["kind"] != "cross")
        assert head["aer"] is None or 0 <= head["aer"] <= 1
    rows = list(csv.DictReader(io.StringIO(said(capsys, "--trace", trace, "--gold", gold, "--csv"))))
    assert {row["rule"] for row in rows} == {"predicts"}
    assert "row that predicts" in said(capsys, "--trace", trace, "--gold", gold)
    gold.write_text("1-1 99-99")
    assert "link 99-99" in refused(capsys, "--trace", trace, "--gold", gold, "--one-based")
    gold.write_text("")
    assert "line 1" in refused(capsys, "--trace", trace, "--gold", gold)


def test_the_table_for_people_counts_from_one(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "--trace", trace).splitlines()
    assert lines[0].split()[:3] == ["layer", "head", "entropy"]
    assert lines[2].split()[:2] == ["1", "1"]
    assert "no roles are named" in lines[-1]


def test_what_was_altered_stands_in_every_line(
    tiny_trace: Trace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import dataclasses

    path = tmp_path / "altered.trace"
    change = {"type": "block", "token": 1}
    save_trace(dataclasses.replace(tiny_trace, alterations=(change,)), path)
    rows = list(csv.DictReader(io.StringIO(said(capsys, "--trace", path, "--csv"))))
    assert {row["notes"] for row in rows} == {json.dumps(change)}
    assert json.loads(said(capsys, "--trace", path, "--json"))["alterations"] == [change]


@pytest.mark.parametrize(
    "argv",
    [
        ("--limit", "3"),
        ("--rule", "reads"),
        ("--importance",),
        ("--out", "x.png"),
        ("a", "--pairs", "b"),
        ("--json", "--csv"),
        ("--pairs", "b", "--limit", "0"),
        ("--pairs", "b", "--seed", str(2**64)),
        ("--pairs", "b", "--seed", "one"),
    ],
)
def test_usage(argv: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main.main(["heads", *argv])
    assert left.value.code == 2
    assert "headscope heads" in capsys.readouterr().err


def test_bad_files_are_one_sentence(
    tiny_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.trace").write_bytes(b"no trace")
    assert "bad.trace" in refused(capsys, "--trace", tmp_path / "bad.trace")
    assert "nowhere" in refused(capsys, "--trace", tmp_path / "nowhere.trace", "--json")
    assert "none.tsv" in refused(capsys, "--model", tiny_bundle, "--pairs", tmp_path / "none.tsv")
    assert "absent" in refused(capsys, "--model", tmp_path / "absent", "hello")


def test_a_recorded_trace_needs_neither_torch_nor_qt(trace: Path) -> None:
    code = (
        "import sys\n"
        "for name in ('torch', 'PySide6', 'sentencepiece'): sys.modules[name] = None\n"
        f"import main\nsys.exit(main.main(['heads', '--trace', {str(trace)!r}, '--csv']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("kind,layer,head,rows,entropy")
