"""`patch`: what it tells is what was asked, in every form; wrong words end with one line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from main import main

BOTH = ["patch", "--from", "The little girl sleeps.", "--to", "The little boy sleeps."]


def told(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(argv) == 0
    return capsys.readouterr().out


def test_every_form_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask = [*BOTH, "--what", "residual"]
    found = json.loads(told([*ask, "--json"], capsys))
    assert (found["word"], found["rival"], found["step_number"]) == ("▁La", "▁Le", 1)
    rows = list(csv.DictReader(io.StringIO(told([*ask, "--csv"], capsys))))
    assert len(rows) == len(found["rows"]) == 4 * 7 + 3
    difference = found["m_a"] - found["m_b"]
    for row, said in zip(rows, found["rows"], strict=True):
        assert float(row["effect"]) == pytest.approx((float(row["m"]) - found["m_b"]) / difference, abs=1e-6)
        assert float(row["m"]) == pytest.approx(said["m"], abs=1e-6)
        assert "2202.05262" in row["notes"]
    # All that the decoder computes at the only row is A's: the word is A's.
    assert found["rows"][-1]["effect"] == pytest.approx(1.0, abs=1e-4)
    boy = [row for row in found["rows"] if row["token"] == "▁boy"]
    assert boy[0]["effect"] > 0.5
    assert main([*ask, "--out", str(tmp_path / "a.npz")]) == 0
    with np.load(tmp_path / "a.npz") as arrays:
        assert arrays["effect_encoder_self"].shape == (4, 7)
        assert arrays["m_decoder_self"][-1, 0] == pytest.approx(found["rows"][-1]["m"], abs=1e-6)


def test_a_path_into_chosen_receivers_is_one_number(capsys: pytest.CaptureFixture[str]) -> None:
    path = [*BOTH, "--path", "cross:2:7", "--json"]
    found = json.loads(told([*path, "--into", "cross:3:1:q", "--into", "decoder-self:3:2:v"], capsys))
    assert found["into"] == ["cross:3:1:q", "decoder_self:3:2:v"]
    assert found["rows"] == []
    every = json.loads(told(path, capsys))
    assert {row["part"] for row in every["rows"]} == {"q", "k", "v", "final"}
    alone = json.loads(told([*path, "--into", "cross:3:1:q"], capsys))
    place = {"kind": "cross", "part": "q", "layer": 2, "head": 0}
    (row,) = (row for row in every["rows"] if place.items() <= row.items())
    assert alone["m_together"] == pytest.approx(row["m"], abs=1e-5)


def test_other_words_are_measured_and_the_list_names_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = json.loads(told([*BOTH, "--what", "cross", "--word", "La", "--rival", "Un", "--json"], capsys))
    assert (found["word"], found["rival"]) == ("▁La", "▁Un")
    assert told(["patch", "--list"], capsys).split("\n")[0] == "--what heads"


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        (["--to-target", "La petite fille dort."], 1, "same translation"),
        (["--path", "cross:0:1"], 1, "is no head"),
        (["--path", "cross:2:7", "--into", "cross:3:1"], 1, "is no receiver"),
        (["--path", "cross:3:7", "--into", "cross:1:1:q"], 1, "is not reached"),
        (["--into", "final"], 2, "--into needs --path"),
        (["--path", "cross:2:7", "--what", "heads"], 2, "leave --what"),
        (["--step", "99"], 1, "no step 99"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_line(
    more: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        found = main([*BOTH, "--from-target", "La petite fille dort.", *more])
    except SystemExit as end:
        found = int(str(end.code))
    assert found == status
    assert said in capsys.readouterr().err
