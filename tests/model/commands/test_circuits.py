"""`circuits`: what it tells in every form, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from main import main

HEAD = ["circuits", "--kind", "cross", "--layer", "3", "--head", "4"]


def told(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(argv) == 0
    return capsys.readouterr().out


def test_a_head_tells_of_a_word_alike_in_every_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [*HEAD, "--word", "best", "--top", "3"]
    found = json.loads(told([*asked, "--json"], capsys))
    assert (found["kind"], found["layer"], found["head_number"]) == ("cross", 2, 4)
    rows = found["rows"]
    assert [row["list"] for row in rows] == ["promotes"] * 3 + ["suppresses"] * 3 + ["sought_by"] * 3
    assert (rows[0]["word"], rows[0]["other"]) == ("▁best", "▁mieux")
    listed = list(csv.DictReader(io.StringIO(told([*asked, "--csv"], capsys))))
    assert [float(row["value"]) for row in listed] == pytest.approx([row["value"] for row in rows])
    assert "Elhage" in listed[0]["notes"]
    assert main([*asked, "--out", str(tmp_path / "a.npz")]) == 0
    with np.load(tmp_path / "a.npz") as arrays:
        assert arrays["value"].tolist() == pytest.approx([row["value"] for row in rows])
    lines = told(asked, capsys)
    assert "direct path alone" in lines


def test_without_a_head_all_are_ranked_by_copying(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(told(["circuits", "--json"], capsys))["rows"]
    assert len(rows) == 10 * 8
    copying = [row["copying"] for row in rows]
    assert copying == sorted(copying, reverse=True)
    found = json.loads(told(["heads", "--general", "--json"], capsys))["heads"]
    again = {(h["kind"], h["layer"], h["head"]): h["copying"] for h in found}
    assert {(r["kind"], r["layer"], r["head"]): r["copying"] for r in rows} == pytest.approx(again)
    assert "induction" in told(["circuits", "--list"], capsys)


@pytest.mark.parametrize(
    "argv",
    [
        ["circuits", "--kind", "cross"],
        ["circuits", "--word", "x"],
        [*HEAD, "--top", "0"],
        [*HEAD, "--out", "a.png"],
    ],
)
def test_wrong_usage_ends_with_2(argv: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv)
    assert ended.value.code == 2
