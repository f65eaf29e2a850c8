"""Pruning in the Heads table: what is asked, what is drawn, what is saved."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model.questions.causes.pruning import Pruned, PruneOf
from model.trace.trace import AttentionKind
from tests.viewer.pages.look.heads_table.bench import Bench
from tests.viewer.pages.look.what_if.samples import model_info
from viewer.figures.sheet.curves import Curves
from viewer.pages.look.heads_table.prune_sheet import facts, prune_sheet

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

ASKED = PruneOf("pairs.tsv", model_sha256="0" * 64)


def curve(question: PruneOf = ASKED, points: int = 3) -> Pruned:
    known = question.by == "importance"
    return Pruned(
        asked=question,
        order=tuple((AttentionKind.CROSS, 0, head) for head in range(4)),
        measured=np.array([-0.1, 0.0, 0.2, 0.3]) if known else np.full(4, np.nan),
        ranked=np.zeros(4),
        counts=np.array([0, 2, 4])[:points],
        logprob=np.array([-1.0, -1.5, -1.8])[:points],
        bleu=np.array([40.0, 39.5, 12.0])[:points],
        points=3,
        sentences=20,
        left_out=1,
        tokens=99,
        bleu_signature="",
        model_name="tiny",
    )


def pruning(bench: Bench) -> Bench:
    bench.session.set_model(model_info("0" * 64))
    panel = bench.shown()
    panel.tools.scopes[2].click()
    panel.pruning.path = "pairs.tsv"
    return bench


def test_curves_grow_and_stand_side_by_side(bench: Bench) -> None:
    view = pruning(bench).panel.pruning
    view.measure()
    (first,) = bench.asked.waiting
    assert first == ASKED
    assert bench.panel.figure() is None
    bench.session.answers.progress((first, None), 3, 83)
    assert view.counted.text() == "3 of 83 heads and points"
    bench.session.answers.grow((first, None), curve(points=2))
    assert view.cancel.isVisible()
    figure = bench.panel.figure()
    assert figure is not None
    view.cancel.click()
    assert bench.asked.dropped == [first]
    assert view.state.found[0].counts.tolist() == [0, 2]  # the points there are stay
    view.by.setCurrentIndex(2)
    view.measure()
    second = bench.asked.waiting[-1]
    assert second == replace(ASKED, by="random")
    bench.session.answers.finish((second, None), curve(second))
    figure = prune_sheet(view.state.found)
    assert figure is not None
    (parts,) = figure.body.lines
    assert [len(part.lines) for part in parts if isinstance(part, Curves)] == [2, 2]
    view.limit.setValue(7)
    view.measure()
    assert view.state.asked == [replace(second, limit=7)]  # of other sentences: nothing to stand beside


def test_the_figure_has_every_number() -> None:
    figure = prune_sheet([curve()])
    assert figure is not None
    rows = list(figure.body.rows())
    joint = [row for row in rows if "together" in row]
    assert [float(str(row[-1])) for row in joint] == pytest.approx([0.0, 0.5, 0.8])
    summed = [row for row in rows if "sum of each alone" in row]
    assert [float(str(row[-1])) for row in summed] == pytest.approx([0.0, -0.1, 0.4], abs=1e-9)
    assert figure.body.badges == ("by importance; zero",)
    assert any("1905.10650" in note for note in figure.body.notes)
    assert any("other heads make up for it" in note for note in figure.body.notes)


def test_what_is_said_of_a_curve() -> None:
    said = facts(curve())
    assert "BLEU 40.0 with all heads" in said
    assert "Up to 2 of 4 heads off cost at most 1 BLEU." in said
    assert "From 2 heads off on" in said
    assert "0.50 nats a token against −0.10, at the end 0.80 against 0.40" in said


def test_it_is_saved_as_a_table(bench: Bench, tmp_path: Path) -> None:
    view = pruning(bench).panel.pruning
    assert not bench.panel.tools.export.isEnabled()
    view.measure()
    bench.session.answers.finish((bench.asked.waiting[0], None), curve())
    assert bench.panel.tools.export.isEnabled()
    bench.panel.export(str(tmp_path / "a.csv"), as_csv=True)
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text("utf-8").splitlines()))
    assert [row["bleu"] for row in rows] == ["40", "", "39.5", "", "12"]
    assert [row["measured"] for row in rows[1:]] == ["-0.1", "0", "0.2", "0.3"]
