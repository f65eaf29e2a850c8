"""Reports: the same numbers as JSON, CSV, NPZ and lines."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np

from model.questions.causes.report import Report

REPORT = Report(
    {"total": np.float32(0.1), "missing": float("nan"), "list": [1, 2]},
    ("part", "value", "layer"),
    [("word, “a”", 0.1, None), ("bias", float("inf"), 2)],
    {"map": np.arange(4.0).reshape(2, 2)},
    ("first", "second"),
)


def test_json_has_no_number_that_is_none(tmp_path: Path) -> None:
    REPORT.write(tmp_path / "a.json")
    told = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert told["total"] == float(np.float32(0.1))
    assert told["missing"] is None
    assert told["rows"][0] == {"part": "word, “a”", "value": 0.1, "layer": None}
    assert told["rows"][1] == {"part": "bias", "value": None, "layer": 2}


def test_csv_gives_every_line_with_its_notes(tmp_path: Path) -> None:
    REPORT.write(tmp_path / "a.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "a.csv").read_bytes().decode("utf-8"))))
    assert rows == [
        ["part", "value", "layer", "notes"],
        ["word, “a”", "0.1", "", "first; second"],
        ["bias", "", "2", "first; second"],
    ]


def test_npz_has_facts_columns_and_arrays(tmp_path: Path) -> None:
    REPORT.under({"method": "x"}, ("zeroth",)).write(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as found:
        assert json.loads(str(found["facts"]))["method"] == "x"
        assert str(found["notes"]) == "zeroth; first; second"
        assert found["part"].tolist() == ["word, “a”", "bias"]
        np.testing.assert_array_equal(found["layer"], [np.nan, 2])
        np.testing.assert_array_equal(found["map"], [[0, 1], [2, 3]])


def test_lines_for_people() -> None:
    lines = REPORT.lines()
    assert lines[0] == "total: 0.1"
    assert not any(line.startswith("list") for line in lines)
    assert [line.split() for line in lines if line.startswith("bias")] == [["bias", "-", "2"]]
    assert lines[-2:] == ["first", "second"]


def test_people_count_from_1_see_the_largest_first_and_are_told_what_it_means() -> None:
    report = Report(
        {"step": 2, "step_number": 3},
        ("layer", "layer_number", "empty", "word", "effect"),
        [(0, 1, None, "a", 0.00004), (1, 2, None, "b", -0.25), (2, 3, None, "c", float("nan"))],
        top="effect",
        meaning=("So it is.",),
    )
    assert report.lines() == [
        "step: 3",
        "",
        "layer  word   effect",
        "    2  b     -0.2500",
        "    1  a      0.0000",
        "    3  c           -",
        "",
        "",
        "So it is.",
    ]
