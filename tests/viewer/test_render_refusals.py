"""`render`: what cannot be drawn is refused or said, never drawn as something else without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.errors import HeadscopeError
from model.trace import Trace
from model.trace_file import save_trace
from tests.viewer.export_samples import sample_trace
from viewer.commands import render

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def saved(tmp_path: Path) -> str:
    save_trace(sample_trace(), tmp_path / "sample.trace")
    return str(tmp_path / "sample.trace")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--view", "flow", "--heads", "1,9"], "export_head"),
        (["--view", "flow", "--query", "99"], "export_query"),
        (["--view", "words", "--query", "99"], "export_query"),
        (["--view", "words", "--key", "99", "--incoming"], "export_key"),
        (["--kind", "encoder_self", "--numbers", "gradient", "--step", "99"], "export_step"),
    ],
)
def test_what_is_not_there_is_refused(tmp_path: Path, saved: str, words: list[str], code: str) -> None:
    with pytest.raises(HeadscopeError) as raised:
        render.run(["--trace", saved, "--kind", "cross", *words, "--out", str(tmp_path / "a.png")])
    assert raised.value.code == code


def test_shares_of_a_layer_that_is_not_there(tmp_path: Path, tiny_bundle: Path, tiny_trace: Trace) -> None:
    save_trace(tiny_trace, tmp_path / "tiny.trace")
    words = ["--trace", str(tmp_path / "tiny.trace"), "--model", str(tiny_bundle), "--view", "shares"]
    with pytest.raises(HeadscopeError) as raised:
        render.run([*words, "--layer", "9", "--out", str(tmp_path / "a.png")])
    assert raised.value.code == "export_layer"


def test_the_query_alone_chooses_the_row(tmp_path: Path, saved: str) -> None:
    for view in ("words", "flow"):
        for query in (1, 2, 4):
            out = tmp_path / "a.csv"
            words = ["--view", view, "--kind", "cross", "--query", str(query), "--threshold", "0"]
            render.run(["--trace", saved, *words, "--out", str(out)])
            lines = [line.split(",") for line in out.read_text("utf-8").splitlines()[1:]]
            if view == "words":
                assert {line[3] for line in lines} == {str(query - 1)}


def test_rollout_is_of_the_encoder(tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "a.png")
    with pytest.raises(SystemExit) as raised:
        render.run(["--trace", saved, "--view", "rollout", "--kind", "cross", "--out", out])
    assert raised.value.code == 2
    assert "encoder" in capsys.readouterr().err


def test_weights_in_place_of_other_numbers_are_said(
    tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--trace", saved, "--kind", "cross", "--head", "mean", "--numbers", "scores"]
    assert render.run([*words, "--out", str(tmp_path / "a.png")]) == 0
    assert "weights are drawn, not “Scores”" in capsys.readouterr().err


def test_links_that_cannot_be_drawn_are_said(
    tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--trace", saved, "--kind", "cross", "--links", "0-99"]
    assert render.run([*words, "--out", str(tmp_path / "a.png")]) == 0
    assert "0-99" in capsys.readouterr().err
    render.run(["--trace", saved, "--source-words", "a b", "--out", str(tmp_path / "a.png")])
    assert "--source-words" in capsys.readouterr().err
