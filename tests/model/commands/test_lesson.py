"""The command `lesson`: names, numbers as text and JSON, controls set, and one sentence for bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import main
from model.experiments.registry import PAGES
from tests.assets import SENTENCE


def said(capsys: pytest.CaptureFixture[str], *argv: object) -> str:
    status = main.main(["lesson", *map(str, argv)])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    return captured.out


def told(capsys: pytest.CaptureFixture[str], *argv: object) -> Any:
    return json.loads(said(capsys, *argv, "--json"))


def refused(capsys: pytest.CaptureFixture[str], *argv: object) -> str:
    assert main.main(["lesson", *map(str, argv)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("headscope: error: ")
    return line


def test_all_lessons_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    names = [lesson.name for lesson in PAGES]
    lines = said(capsys, "--list").splitlines()
    assert [line.split()[0] for line in lines] == names
    listed = [json.loads(line) for line in said(capsys, "--list", "--json").splitlines()]
    assert [one["name"] for one in listed] == names
    assert "query" in listed[0]["controls"]


def test_numbers_follow_the_controls(capsys: pytest.CaptureFixture[str], tiny_bundle: Path) -> None:
    keys = [0.5, 1.4, 2.2, 3.3, 4.1, 5.2]
    values = [2 * np.sin(key) + key**0.8 for key in keys]
    for query, width in ((2.8, 0.4), (1.0, 2.0)):
        found = told(
            capsys,
            "weighted_average",
            "--model",
            tiny_bundle,
            "--set",
            f"query={query}",
            "--set",
            f"width={width}",
        )
        assert (found["values"]["query"], found["values"]["width"]) == (query, width)
        weights = np.exp([-((query - key) ** 2) / (2 * width**2) for key in keys])
        expected = weights @ values / weights.sum()
        finding = {one["name"]: one for one in found["findings"]}["prediction"]
        assert finding["value"] == pytest.approx(expected)
        assert found["data"]["weights"] == pytest.approx((weights / weights.sum()).tolist())
    line = said(capsys, "weighted_average", "--model", tiny_bundle).splitlines()[0]
    assert line.split()[0] == "prediction"
    assert line.endswith("as expected")


def test_a_text_is_translated_and_the_model_is_asked(
    capsys: pytest.CaptureFixture[str], tiny_bundle: Path
) -> None:
    asked = ("weighted_average", "--model", tiny_bundle, "--text", SENTENCE, "--set", "of=head")
    found = told(capsys, *asked, "--set", "layer=2", "--set", "head=3", "--set", "row=1")
    data = found["data"]
    assert (data["kind"], data["layer"], data["head"], data["row"]) == ("cross", 1, 2, 0)
    assert sum(data["weights"]) == pytest.approx(1.0, abs=1e-5)
    assert np.array(data["weights"]) @ np.array(data["v"]) == pytest.approx(data["output"], abs=1e-5)


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("nothing",), ("nothing", "weighted_average")),
        (("weighted_average", "--set", "colour=1"), ("colour", "query")),
        (("weighted_average", "--set", "query=far"), ("query", "far", "0 … 6")),
        (("weighted_average", "--set", "query=7"), ("query", "7", "0 … 6")),
        (("weighted_average", "--set", "query"), ("query", "CONTROL=VALUE")),
        (("weighted_average", "--model", "no-such-model"), ("no-such-model",)),
        (("weighted_average", "--text", ""), ()),
    ],
)
def test_bad_input_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tiny_bundle: Path, argv: tuple[str, ...], words: tuple[str, ...]
) -> None:
    model = () if "--model" in argv else ("--model", tiny_bundle)
    line = refused(capsys, *argv, *model)
    assert all(word in line for word in words), line


@pytest.mark.parametrize("argv", [[], ["weighted_average", "--list"], ["weighted_average", "--threads", "0"]])
def test_wrong_usage(capsys: pytest.CaptureFixture[str], argv: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main.main(["lesson", *argv])
    assert caught.value.code == 2
    assert "usage" in capsys.readouterr().err
