"""`render`: what cannot be drawn is refused or said, never drawn as something else without a word."""

from __future__ import annotations

import csv
import functools
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.errors import HeadscopeError
from model.questions.questions import Question, Reading
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import save_trace
from tests.viewer.export_samples import sample_trace
from viewer.commands import headless, render, render_arguments
from viewer.commands.trace_answers import TraceAnswers
from viewer.document.selection import Numbers
from viewer.figures.registry import commanded

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


def remembering(ask: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[Any, list[Any]] = {}

    def answers(self: TraceAnswers, question: Question, reading: Reading | None) -> list[Any]:
        key = question, reading
        if key not in known:
            known[key] = list(ask(self, question, reading))
        return known[key]

    return answers


@pytest.mark.slow
def test_no_file_holds_other_numbers_than_were_asked_for(
    tmp_path: Path,
    tiny_bundle: Path,
    tiny_trace: Trace,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every view, sort of numbers, family and kind of file: the file says its numbers, or there is none."""
    monkeypatch.setattr("viewer.commands.headless.load_model", functools.cache(headless.load_model))
    monkeypatch.setattr(render_arguments, "build_parser", functools.cache(render_arguments.build_parser))
    # One model, one trace: what is the same question is answered once, whichever file asks.
    monkeypatch.setattr(TraceAnswers, "_answers", remembering(TraceAnswers._answers))
    save_trace(tiny_trace, tmp_path / "tiny.trace")
    place = ["--model", str(tiny_bundle), "--layer", "1", "--head", "2"]
    given = ["--trace", str(tmp_path / "tiny.trace"), *place]
    kinds = tuple(map(str, AttentionKind))
    files = [*(("csv", kind) for kind in kinds), *((each, "cross") for each in ("svg", "npz", "pharaoh"))]
    written = 0
    for view, numbers, (ending, kind) in itertools.product(commanded(), map(str, Numbers), files):
        words = ["--view", view, "--numbers", numbers, "--kind", kind]
        out = tmp_path / f"a.{ending}"
        out.unlink(missing_ok=True)
        try:
            status = render.run([*given, *words, "--out", str(out)])
        except SystemExit as ended:
            status = int(ended.code or 0)
        except HeadscopeError:
            status = 1
        said = capsys.readouterr().err
        assert out.exists() == (status == 0), words
        if status:
            continue
        written += 1
        if view == "all_heads":
            assert "--kind" in said, words
        if ending in ("svg", "csv"):
            text = out.read_text("utf-8")
            assert numbers == "weights" or NAMES[numbers] in text, words
            assert view in ("all_heads", "alignment") or kind.split("_")[0] in text.lower(), words
        else:  # an array of every family; links, which are those of weights merged to words
            # What tests a map has numbers of its own, whatever the map's are.
            assert ending == "pharaoh" or numbers == "weights" or view == "trust", words
    assert written > 60


NAMES = {
    "max_heads": "Maximum over heads",
    "mean_layers": "Mean over layers",
    "max_layers": "Maximum over layers",
    "rollout": "Rollout",
    "value_weighted": "Value-weighted",
    "gradient": "Gradient × attention",
    "alti": "Contributions (ALTI+)",
    "alti_layer": "Contributions, one layer",
    "zeroing": "Value zeroing",
    "zeroing_layer": "Value zeroing, one layer",
    "scores": "Scores",
    "scaled": "Scaled scores",
    "masked": "Masked scores",
}


@pytest.mark.parametrize(
    ("words", "ending", "said"),
    [
        (["--numbers", "rollout", "--kind", "cross"], "png", "rollout is defined for the encoder"),
        (["--view", "heads", "--numbers", "max_heads"], "png", "view heads is not drawn of"),
        (["--view", "rollout"], "npz", "holds the recorded weights, not rollout"),
        (["--numbers", "max_heads"], "trace", "holds the recorded weights, not max_heads"),
        (["--whole-words"], "npz", "holds pieces"),
        (["--view", "heads", "--whole-words"], "csv", "holds pieces"),
        (["--view", "shares", "--kind", "decoder_self"], "png", "leave --kind out"),
    ],
)
def test_numbers_that_a_file_would_not_hold_are_wrong_usage(
    tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str], words: list[str], ending: str, said: str
) -> None:
    with pytest.raises(SystemExit) as raised:
        render.run(["--trace", saved, *words, "--out", str(tmp_path / f"a.{ending}")])
    assert raised.value.code == 2
    assert said in capsys.readouterr().err


def test_numbers_that_a_trace_does_not_have_are_refused(tmp_path: Path, saved: str) -> None:
    words = ["--trace", saved, "--kind", "cross", "--head", "mean", "--numbers", "scores"]
    with pytest.raises(HeadscopeError) as raised:
        render.run([*words, "--out", str(tmp_path / "a.png")])
    assert raised.value.code == "export_numbers"
    assert "scores belong to one head" in str(raised.value)
    save_trace(sample_trace(numbers="rollout"), tmp_path / "made.trace")
    words = ["--trace", str(tmp_path / "made.trace"), "--numbers", "max_heads"]
    with pytest.raises(HeadscopeError):
        render.run([*words, "--out", str(tmp_path / "a.png")])


def test_rollout_takes_the_encoder_where_no_family_is_named(tmp_path: Path, saved: str) -> None:
    for words in (["--view", "rollout"], ["--numbers", "rollout"]):
        out = tmp_path / f"{words[0][2:]}.csv"
        assert render.run(["--trace", saved, *words, "--out", str(out)]) == 0
    assert (tmp_path / "view.csv").read_bytes() == (tmp_path / "numbers.csv").read_bytes()


def test_all_heads_as_data_are_those_of_every_family(tmp_path: Path, saved: str) -> None:
    trace, out = sample_trace(), tmp_path / "a.csv"
    assert render.run(["--trace", saved, "--view", "all_heads", "--out", str(out)]) == 0
    with out.open(encoding="utf-8", newline="") as file:
        found = {
            (
                line["kind"],
                int(line["layer"]),
                int(line["head"]),
                int(line["query"]),
                int(line["key"]),
            ): float(line["weight"])
            for line in csv.DictReader(file)
        }
    wanted = {
        (str(kind), *place): value
        for kind in trace.kinds
        for layer in range(trace.layers(kind))
        for place, value in (
            ((layer, *where), number) for where, number in np.ndenumerate(trace.patterns.layer(kind, layer))
        )
    }
    assert found.keys() == wanted.keys()
    assert all(found[place] == pytest.approx(wanted[place], rel=1e-6) for place in wanted)
    npz = tmp_path / "a.npz"
    assert render.run(["--trace", saved, "--view", "all_heads", "--out", str(npz)]) == 0
    assert np.load(npz)["cross"].shape == trace.patterns.shape(AttentionKind.CROSS)


def test_links_that_cannot_be_drawn_are_said(
    tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--trace", saved, "--kind", "cross", "--links", "0-99"]
    assert render.run([*words, "--out", str(tmp_path / "a.png")]) == 0
    assert "0-99" in capsys.readouterr().err
    render.run(["--trace", saved, "--source-words", "a b", "--out", str(tmp_path / "a.png")])
    assert "--source-words" in capsys.readouterr().err
