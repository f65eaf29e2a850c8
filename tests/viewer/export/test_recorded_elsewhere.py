"""Recordings without ids or probabilities: nothing is made up where nothing was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from model.record import save_attention
from model.trace.trace import AttentionKind
from tests.model.recording.test_record import weights
from viewer.document.document import Document, Run
from viewer.document.run_source import RunSource
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.document.text.place_text import kind_name
from viewer.figures.difference.tokens import token_rows, totals
from viewer.figures.map.axes import axes_of
from viewer.figures.text import column_title, trace_badges
from viewer.figures.tree.spec import grow
from viewer.opening import kind_of, recorded_run
from viewer.pages.look.branches.runs_model import EACH, TOTAL, RunsModel
from viewer.pages.look.branches.tokens_model import TokensModel
from viewer.pages.look.next_word.candidates_model import CandidatesModel
from viewer.pages.look.next_word.next_word import NextWordPanel
from viewer.pages.look.sentence.output_chips import all_chips
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.wording import percent, step_sentence

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

READ = ["<s>", "▁le", "▁chat"]


def recorded(folder: Path, **options: Any) -> Run:
    arrays = {"decoder_self": weights(1, 2, 3, 3, causal=True), "cross": weights(1, 2, 3, 2)}
    save_attention(folder / "a.trace", arrays, src_tokens=["▁cat", "</s>"], tgt_in_tokens=READ, **options)
    return recorded_run(folder / "a.trace", RunSource.FILE)


def session_of(run: Run) -> Session:
    session = Session()
    session.add_run(run, Selection.opening(None, run.trace), keep_others=False)
    return session


def test_what_is_said_of_a_step(qtbot: QtBot, tmp_path: Path) -> None:
    run = recorded(tmp_path)
    assert step_sentence(run.trace, 1, raw=False) == "reads “le” → predicts “chat”"
    assert step_sentence(run.trace, 2, raw=False) == "reads “chat” → predicts “…”"
    assert percent(float("nan")) == "–"
    chips = all_chips(Document((run,)), run, raw=False, paused=False).at(2)
    assert [chip.text for chip in chips] == ["le", "chat", "…"]
    assert [chip.shade for chip in chips] == [None] * 3
    assert "no probabilities were recorded" in chips[0].tip
    model = CandidatesModel()
    model.show_step(run.trace, 0, False)
    assert model.rows == ()
    panel = NextWordPanel(session_of(run), Appearance("light"))
    qtbot.addWidget(panel)
    assert panel.note.text() == "No probabilities were recorded at this step."


def test_tables_show_dashes(qtbot: QtBot, tmp_path: Path) -> None:
    run = recorded(tmp_path)
    tokens = TokensModel()
    tokens.show_trace(run.trace, False)
    assert [tokens.index(1, column).data() for column in range(6)] == ["2", "chat", "–", "–", "–", "–"]
    runs = RunsModel()
    runs.show_document(Document((run,)), run.id)
    assert [runs.index(0, column).data() for column in (TOTAL, EACH)] == ["–", "–"]
    rows = token_rows(run.trace, run.trace)
    assert {(row.logprob_first, row.change) for row in rows} == {(None, None)}
    assert np.isnan(totals(run.trace, run.trace).logprob_first)


def test_tokens_without_ids_make_a_tree_by_their_names(tmp_path: Path) -> None:
    one = recorded(tmp_path)
    other = recorded(tmp_path, tgt_out_tokens=["▁le", "▁chien", "</s>"])
    two = Run("other", other.trace, provenance={}, alterations=())
    tree = grow((one, two))
    pieces = [node.piece for node in tree.nodes]
    assert pieces.count("▁le") == 1  # one and the same token
    assert {"▁chat", "▁chien"} <= set(pieces)


def test_a_decoder_that_looks_ahead_is_not_masked(tmp_path: Path) -> None:
    path, kind = tmp_path / "a.trace", AttentionKind.DECODER_SELF
    save_attention(path, weights(1, 2, 3, 3), tokens=READ, kind=kind, bidirectional=True)
    trace = recorded_run(path, RunSource.FILE).trace
    assert not axes_of(trace, kind, raw=False, hide=False).grid.causal
    assert trace_badges(trace, sqrt_scale=False) == ["not causal: queries may attend to later tokens"]
    assert kind_name(kind, trace) == "self-attention"
    assert "so far" not in column_title(kind, trace)
    save_attention(path, weights(1, 2, 3, 3, causal=True), tokens=READ)
    trace = recorded_run(path, RunSource.FILE).trace
    assert axes_of(trace, kind, raw=False, hide=False).grid.causal
    assert trace_badges(trace, sqrt_scale=False) == []
    assert "so far" in column_title(kind, trace)


def test_an_archive_opens_like_a_trace(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", encoder_self=weights(2, 2, 3, 3), tokens=["the", "cat", "sat"])
    assert kind_of(tmp_path / "a.npz") == "trace"
    run = recorded_run(tmp_path / "a.npz", RunSource.FILE)
    assert run.trace.src_tokens == ("the", "cat", "sat")
    assert session_of(run).trace() is run.trace
