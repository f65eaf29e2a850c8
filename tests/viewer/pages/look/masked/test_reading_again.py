"""A changed sentence is read by the model that read the one before; how a reading is called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from model.decoding.decode_config import DecodeConfig
from tests.model.trace.reading_trace import reading_trace
from tests.viewer.pages.look.masked.reading_samples import reading_session
from tests.viewer.services.bench import FakeBench, fake_bench
from viewer.document.document import Run, ViewOptions
from viewer.document.files.session_file import open_session, save_session
from viewer.document.history import Change, change_of
from viewer.document.messages.requests import ReadText
from viewer.document.selection import Selection
from viewer.export.command_line import text_source
from viewer.figures.map.build import map_figure
from viewer.pages.look.branches.run_words import mode_text


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[FakeBench]:
    with fake_bench(qtbot) as bench:
        yield bench


def test_the_sentence_is_read_as_before(bench: FakeBench) -> None:
    bench.session.add_run(Run("a", reading_trace(model_sha256="00")))
    bench.session.ask(ReadText("a", "the cat sat", 1))
    bench.idle()
    assert bench.session.text == "the cat sat"
    request = bench.source.requests[-1]
    assert (request.text, request.config) == ("the cat sat", DecodeConfig(mode="read", candidates=3))
    assert [run.trace.src_text for run in bench.runs] == ["the [MASK] sat [SEP] its", "the cat sat"]
    assert bench.session.run() is bench.runs[-1]
    selection = bench.session.selection()
    assert selection is not None
    assert (selection.query, selection.key) == (1, 1)


def test_another_model_is_not_asked(bench: FakeBench) -> None:
    bench.session.add_run(Run("a", reading_trace(model_sha256="other")))
    bench.session.ask(ReadText("a", "the cat sat", 1))
    bench.session.ask(ReadText("none", "the cat sat", 1))
    assert bench.source.requests == []
    assert bench.session.text != "the cat sat"
    assert bench.notice() == "run_other_model"


def test_settings_that_nobody_knows_are_said(bench: FakeBench) -> None:
    bench.session.add_run(Run("a", reading_trace(model_sha256="00", decoding={"mode": "gaze"})))
    bench.session.ask(ReadText("a", "the cat sat", 1))
    assert bench.source.requests == []
    assert bench.notice() == "config_value"


def test_what_a_reading_is_called(qapp: object) -> None:
    run = Run("a", reading_trace(), provenance={"source": "decoded"})
    assert change_of(run) is Change.READ
    assert "read in one pass" in mode_text(run)
    figure = map_figure(run.trace, Selection(kind=run.trace.kinds[0]), ViewOptions())
    assert "Read in one pass." in figure.caption
    assert "→" not in figure.caption
    assert figure.facts["decoding"] == {"mode": "read", "candidates": 3}
    assert DecodeConfig.from_json(run.trace.decoding).to_json() == run.trace.decoding


def test_the_command_that_makes_it_again(qapp: object) -> None:
    usual = reading_trace(decoding={"mode": "read", "candidates": 10})
    assert text_source(usual, "bert") == ["--model", "bert", "--", usual.src_text]
    headless = reading_trace(decoding={"mode": "read"})
    assert text_source(headless, "bert") == ["--model", "bert", "--", usual.src_text]
    assert text_source(reading_trace(), "bert") is None  # other candidates than the command records
    assert text_source(reading_trace(decoding={"mode": "greedy"}), "bert") is None


def test_a_saved_session_shows_it_again(tmp_path: Path) -> None:
    session = reading_session()
    session.set_crosshair(3, 1)
    save_session(tmp_path / "a.headscope", session.document, "text", None)
    again = open_session(tmp_path / "a.headscope").document
    assert again.panes == session.document.panes
    (run,) = again.runs
    assert run.trace.only_reads
    assert run.trace.masked == (2,)
    assert run.trace.src_candidate_tokens == reading_trace().src_candidate_tokens
    assert run.trace.decoding == {"mode": "read", "candidates": 3}
