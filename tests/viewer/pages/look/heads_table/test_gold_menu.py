"""Which gold links a corpus is measured by: their file, what their words count from, which row aligns."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog

from model.questions.head_questions import CorpusHeads
from tests.viewer.pages.look.heads_table.bench import Bench, corpus_scores, full, read

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def measured(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A corpus that was read with gold links."""
    full(bench)
    read(bench, monkeypatch)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("/gold.pharaoh", ""))
    bench.panel.corpus.gold.file_action.trigger()
    answer(bench)
    return bench


def answer(bench: Bench) -> CorpusHeads:
    question = bench.panel.state.corpus
    assert question is not None
    aer = np.full((2, 2), 0.5)
    found = corpus_scores(aer=aer, random_aer=aer, gold=question.gold, rule=question.rule)
    bench.session.answers.finish((question, None), found)
    return question


def test_links_are_taken_as_chosen(measured: Bench) -> None:
    bar = measured.panel.corpus
    assert "gold.pharaoh, the row that predicts it" in bar.counted.text()
    assert bar.start.isHidden()
    bar.gold.bases[1].trigger()
    bar.gold.rules["reads"].trigger()
    assert not bar.start.isHidden()  # what stands there was measured otherwise
    bar.start.click()
    question = answer(measured)
    assert (question.one_based, question.rule, question.gold) == (True, "reads", "/gold.pharaoh")
    assert "gold.pharaoh, the row that reads it" in bar.counted.text()
    assert bar.start.isHidden()


def test_links_can_be_left_out_again(measured: Bench) -> None:
    bar = measured.panel.corpus
    bar.gold.bases[1].trigger()
    bar.gold.none_action.trigger()
    assert not bar.gold.none_action.isEnabled()
    bar.start.click()
    assert answer(measured) == CorpusHeads(bar.path, bar.limit.value())


def test_another_limit_can_be_read_at_once(measured: Bench) -> None:
    bar = measured.panel.corpus
    bar.limit.setValue(7)
    assert not bar.start.isHidden()
