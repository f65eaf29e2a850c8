"""Rows of a file that do not sum to 1 are drawn, and every picture and every file of them says so."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import main
from model.trace.trace import ArrayPatterns, AttentionKind, Trace
from model.trace.trace_file import open_trace, save_trace
from tests.viewer.export_samples import sample_trace
from viewer.commands import render
from viewer.document.document import Run, ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.document.session import Session
from viewer.figures.all_heads.build import all_heads_figure
from viewer.figures.difference.build import difference_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.flow.build import flow_figure
from viewer.figures.heads.build import heads_figure
from viewer.figures.map.build import map_figure
from viewer.figures.map.spec import CellState, MapSpec
from viewer.figures.words.build import words_figure
from viewer.pages.look.heads.heads_panel import HeadsPanel
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.usefixtures("qapp")

ENC, DEC, X = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS
PLAIN = ViewOptions()
BAD = Selection(X, 1, 2, step=6)
FULL = "damaged: 2 rows do not sum to 1 (row 4: 8)"


def damaged(**changes: object) -> Trace:
    """Cross-attention, second layer, third head: row 2 is all zeros, row 4 all ones (8 keys)."""
    trace = sample_trace(**changes)  # type: ignore[arg-type]
    arrays = {kind: np.array([trace.patterns.layer(kind, n) for n in range(2)]) for kind in trace.kinds}
    arrays[X][1, 2, 1] = 0
    arrays[X][1, 2, 3] = 1
    return replace(trace, patterns=ArrayPatterns(arrays))


@pytest.fixture
def saved(tmp_path: Path) -> str:
    save_trace(damaged(), tmp_path / "bad.trace")
    return str(tmp_path / "bad.trace")


@pytest.mark.parametrize("float16", [False, True])
def test_sound_traces_are_drawn_without_a_word(tmp_path: Path, float16: bool) -> None:
    save_trace(sample_trace(), tmp_path / "a.trace", float16=float16)
    trace = open_trace(tmp_path / "a.trace")
    for kind in AttentionKind:
        for head in (0, None):
            assert map_figure(trace, Selection(kind, 1, head, step=6), PLAIN).body.badges == (
                () if head == 0 else ("mean over 3 heads",)
            )
    assert not trace.found_unsound()


def test_a_map_says_how_many_rows_and_which(saved: str) -> None:
    trace = open_trace(saved)
    figure = map_figure(trace, BAD, PLAIN)
    spec = figure.body
    assert isinstance(spec, MapSpec)
    assert spec.badges == (FULL,)
    assert "Damaged: 2 rows do not sum to 1 (row 4: 8)." in figure.caption
    assert figure.facts["badges"] == [FULL]
    assert spec.weight_at(3, 0) == 1.0  # drawn as it stands
    assert spec.state_at(1, 0) is CellState.MASKED  # zeros are drawn as such, and counted
    assert map_figure(trace, BAD.but(head=0), PLAIN).body.badges == ()


SAYING: dict[str, Callable[[Trace], FigureSpec]] = {
    "mean": lambda trace: map_figure(trace, BAD.but(head=None), PLAIN),
    "max heads": lambda trace: map_figure(trace, BAD.but(numbers=Numbers.MAX_HEADS), PLAIN),
    "mean layers": lambda trace: map_figure(trace, BAD.but(layer=0, numbers=Numbers.MEAN_LAYERS), PLAIN),
    "words merged": lambda trace: map_figure(trace, BAD, ViewOptions(whole_words=True)),
    "flow": lambda trace: flow_figure(trace, BAD, PLAIN),
    "words": lambda trace: words_figure(trace, BAD, PLAIN),
    "heads": lambda trace: heads_figure(trace, X, 6, PLAIN),
    "all heads": lambda trace: all_heads_figure(trace, 6, PLAIN),
    "difference": lambda trace: difference_figure(sample_trace(), trace, BAD, PLAIN),
}


@pytest.mark.parametrize("kind", SAYING)
def test_every_picture_with_such_a_head_in_it_says_so(saved: str, kind: str) -> None:
    figure = SAYING[kind](open_trace(saved))
    assert any("damaged: " in badge for badge in figure.body.badges), figure.body.badges
    assert "amaged: " in figure.caption


def test_rows_that_no_head_of_a_layer_fills_are_masked_and_no_damage(tmp_path: Path) -> None:
    trace = sample_trace()
    arrays = {ENC: np.array([trace.patterns.layer(ENC, n) for n in range(2)])}
    arrays[ENC][:, :, 2] = 0
    save_trace(replace(trace, patterns=ArrayPatterns(arrays)), tmp_path / "a.trace")
    opened = open_trace(tmp_path / "a.trace")
    spec = map_figure(opened, Selection(ENC, 1, 0, step=6), PLAIN).body
    assert isinstance(spec, MapSpec)
    assert spec.badges == ()
    assert spec.state_at(2, 0) is CellState.MASKED


def test_other_numbers_than_weights_need_not_sum_to_1(tmp_path: Path) -> None:
    save_trace(damaged(numbers="rollout"), tmp_path / "a.trace")
    badges = map_figure(open_trace(tmp_path / "a.trace"), BAD, PLAIN).body.badges
    assert badges == ("numbers: rollout, not attention weights",)


def test_every_file_says_so_and_the_command_too(
    tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ["--kind", "cross", "--layer", "2", "--head", "3"]
    wanted: dict[str, list[list[str]]] = {
        "svg": [place, ["--view", "heads", "--kind", "cross"], ["--view", "all_heads"]],
        "csv": [
            place,
            [*place, "--whole-words"],
            ["--view", "flow", *place],
            ["--view", "heads", "--kind", "cross"],
            ["--view", "all_heads"],
            ["--view", "alignment", *place],
            ["--kind", "cross", "--layer", "2", "--head", "mean"],
        ],
        "npz": [[]],
        "trace": [[]],
        "pharaoh": [["--view", "alignment", *place]],
    }
    for ending, all_words in wanted.items():
        for words in all_words:
            out = tmp_path / f"a.{ending}"
            assert render.run(["--trace", saved, *words, "--out", str(out)]) == 0
            said = capsys.readouterr().err
            assert "damaged: rows of 1 head do not sum to 1 (cross layer 2, head 3, row 4 sums to 8)" in said
            if ending in ("svg", "csv"):
                assert "amaged: " in out.read_text("utf-8"), words
    assert "row 4 sums to 8" in str(np.load(tmp_path / "a.npz")["damaged"])
    for again in ("a.npz", "a.trace"):  # what is read of them says it once more
        assert map_figure(open_trace(tmp_path / again), BAD, PLAIN).body.badges == (FULL,)
    render.run(["--trace", saved, *place[:-1], "1", "--out", str(tmp_path / "a.csv")])
    assert "damaged" not in (tmp_path / "a.csv").read_text("utf-8")  # another head's numbers


def test_the_heads_command_says_it_of_its_numbers(saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["heads", "--trace", saved, "--json"]) == 0
    told = capsys.readouterr()
    assert "damaged: rows of 1 head" in told.err
    report = json.loads(told.out)
    assert report["damaged"].startswith("damaged: rows of 1 head do not sum to 1 (cross layer 2, head 3")
    marked = [
        (h["kind"], h["layer"], h["head"], h["damaged_rows"]) for h in report["heads"] if "damaged_rows" in h
    ]
    assert marked == [("cross", 1, 2, 2)]
    assert main.main(["heads", "--trace", saved, "--csv"]) == 0
    lines = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert all("damaged: " in line["notes"] for line in lines)


def test_the_small_heads_say_so_beside_the_map(qtbot: QtBot, saved: str) -> None:
    session = Session()
    session.add_run(Run("a", open_trace(saved)), BAD)
    panel = HeadsPanel(session, Appearance("light"))
    qtbot.addWidget(panel)
    assert panel.badge.text().startswith("damaged: in layer 2, head 3, row 4 sums to 8")
    session.select_kind(ENC)
    assert "damaged" not in panel.badge.text()
