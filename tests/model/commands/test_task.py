from __future__ import annotations

import json
from pathlib import Path

import pytest

import main
from model.data.tasks import TASKS


def task(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = main.main(["task", *argv])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_pairs_and_alignments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs, links = tmp_path / "pairs.tsv", tmp_path / "links.pharaoh"
    argv = [
        "trees",
        "--size",
        "2500",
        "--seed",
        "7",
        "--out",
        str(pairs),
        "--alignments",
        str(links),
        "--json",
    ]
    status, out, errors = task(capsys, *argv)
    assert (status, errors) == (0, "")
    told = json.loads(out)
    assert (told["task"], told["size"], told["seed"]) == ("trees", 2500, 7)
    assert (told["out"], told["alignments"]) == (str(pairs), str(links))
    lines = pairs.read_text("utf-8").splitlines()
    aligned = links.read_text("utf-8").splitlines()
    assert len(lines) == len(aligned) == 2500
    assert [tuple(line.split("\t")) for line in lines] == list(TASKS["trees"].pairs(2500, 7))
    for line, own in zip(lines, aligned):
        source, target = (text.split(" ") for text in line.split("\t"))
        places = [tuple(map(int, link.split("-"))) for link in own.split(" ")]
        assert [source[i] for i, _ in places] == [target[j] for _, j in places] == source


def test_usual_size_and_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "notes.tsv"
    status, text, _ = task(capsys, "notes", "--out", str(out))
    assert status == 0
    assert f"{TASKS['notes'].size} pairs" in text
    lines = out.read_text("utf-8").splitlines()
    assert len(lines) == TASKS["notes"].size
    assert lines[0] == "go .\tva !"


def test_what_it_writes_can_be_trained_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "g.tsv"
    assert task(capsys, "grammar", "--size", "80", "--out", str(out))[0] == 0
    assert main.main(["train", "--preview", "--pairs", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == 80


def test_refusals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "n.tsv")
    cases = [
        (["notes", "--out", out, "--alignments", str(tmp_path / "n.pharaoh")], "no gold word alignments"),
        (["copy", "--out", str(tmp_path / "none" / "n.tsv")], "there is no folder"),
        (["copy", "--out", str(tmp_path)], "is a folder"),
    ]
    for argv, words in cases:
        status, text, errors = task(capsys, *argv)
        assert (status, text) == (1, "")
        assert errors.startswith("headscope: error: ")
        assert words in errors
        assert errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "argv",
    [
        ["--out", "x.tsv"],
        ["copy"],
        ["unheard", "--out", "x.tsv"],
        ["copy", "--out", "x.tsv", "--size", "0"],
        ["copy", "--out", "x.tsv", "--seed", "many"],
        ["copy", "--out", "x.tsv", "--alignments", "./x.tsv"],
    ],
)
def test_wrong_usage(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main.main(["task", *argv])
    assert end.value.code == 2
    assert "usage: headscope task" in capsys.readouterr().err
