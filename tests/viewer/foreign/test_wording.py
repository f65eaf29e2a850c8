"""What the window says of models that translate nothing, and of runs that began with a prompt."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.viewer.fake_source import small_info
from tests.viewer.figure_samples import sample_trace
from tests.viewer.foreign.samples import PROMPT, info_of, prompt_trace, reading_trace
from viewer.document.document import Document, Run
from viewer.document.history import Change, change_of, name_of
from viewer.document.job_status import JobStatus
from viewer.document.run_names import run_names
from viewer.document.session import Session
from viewer.export.command_line import text_source
from viewer.figures.difference.tokens import token_rows, totals
from viewer.pages.look.inspector import Inspector
from viewer.pages.look.look_page import LookPage
from viewer.pages.look.sentence.run_badge import run_badge
from viewer.pages.widgets.appearance import Appearance
from viewer.window.status_line import StatusLine


@pytest.fixture
def look(qapp: object) -> Appearance:
    return Appearance("light")


def test_the_first_tab_suits_a_model_that_has_read_nothing_yet(qtbot: QtBot, look: Appearance) -> None:
    session = Session()
    inspector = Inspector(session, look)
    qtbot.addWidget(inspector)
    session.set_model(info_of("encoder_only"))
    assert inspector.tabs[0].text() == "Masked word"
    assert "once it has read a text" in inspector.view("next_word").masked.context.text()
    session.set_model(info_of("decoder_only"))
    assert inspector.tabs[0].text() == "Next word"
    assert "translat" not in inspector.view("next_word").next_word.note.text()


def test_the_status_says_what_such_a_model_does(qtbot: QtBot, look: Appearance) -> None:
    session = Session()
    status = StatusLine(session)
    qtbot.addWidget(status)
    session.set_job(JobStatus("decoding"))
    assert status.state.text() == "Waiting for the model…"
    for family, said in (
        ("encoder_only", "Reading…"),
        ("decoder_only", "Writing…"),
        ("encoder_decoder", "Writing…"),
    ):
        session.set_model(info_of(family))
        assert status.state.text() == said
    session.set_model(info_of("encoder_decoder", model_type="marian"))
    assert status.state.text() == "Translating…"


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_more_room_is_the_maps(qtbot: QtBot, look: Appearance) -> None:
    page = LookPage(Session(), look)
    qtbot.addWidget(page)
    page.resize(1280, 700)
    page.show()
    before = page.body.sizes()
    page.resize(1880, 1000)
    after = page.body.sizes()
    assert after[0] - before[0] > 2 * (after[1] - before[1])


def test_a_comparison_counts_what_was_written_alone() -> None:
    first = prompt_trace()
    second = prompt_trace(
        tgt_out_tokens=("▁app", "les", "▁fall", "</s>"),
        tgt_out_ids=np.array([11, 12, 99, 14]),
        model_sha256=first.model_sha256,
    )
    found = totals(first, second)
    assert (found.agreeing, found.first, found.second) == (2, 3, 3)  # les, </s>; not the given app
    assert found.logprob_first == pytest.approx(np.log([0.5, 0.25, 0.125]).sum())
    assert [(row.first, row.second, row.same) for row in token_rows(first, second)] == [
        (1, 1, True),
        (2, 2, False),
        (3, 3, True),
    ]


def test_runs_of_several_prompts_are_told_apart() -> None:
    other = prompt_trace(extra={"prompt_length": "2", "prompt_text": "green pears"})
    names = run_names(Document(runs=(Run("a", prompt_trace()), Run("b", other))))
    assert names == {"a": "red app → les grow", "b": "green pears → les grow"}
    assert run_names(Document(runs=(Run("a", prompt_trace()),))) == {"a": "les grow"}


def test_a_run_says_that_another_model_made_it(qapp: object) -> None:
    session = Session()
    run = Run("a", prompt_trace(model_sha256="of another"), provenance={"source": "decoded"})
    session.set_model(info_of("decoder_only"))
    assert run_badge(session, run) == "by tiny-gpt"
    session.set_model(info_of("decoder_only", sha256="of another"))
    assert run_badge(session, run) == ""


def test_an_example_is_called_one_before_its_model_is_there(qapp: object) -> None:
    session, run = Session(), Run("a", sample_trace(), provenance={"source": "recorded"})
    for state in (JobStatus("loading"), JobStatus()):
        session.set_job(state)
        assert run_badge(session, run) == "recorded example"
    session.set_model(small_info())
    assert run_badge(session, run) != "recorded example"


@pytest.mark.parametrize(
    ("trace", "change", "said"),
    [
        (prompt_trace(), Change.CONTINUE, "continuation"),
        (reading_trace(), Change.READ, "reading"),
        (sample_trace(), Change.TRANSLATE, "translation"),
    ],
)
def test_undo_names_what_was_done(qapp: object, trace: object, change: Change, said: str) -> None:
    run = Run("a", trace, provenance={"source": "decoded"})  # type: ignore[arg-type]
    assert change_of(run) is change
    assert name_of(change) == said


def test_the_command_has_the_prompt_and_minds_no_rule_of_the_models_own() -> None:
    source = ["--model", "/models/tiny", "--", PROMPT]
    assert text_source(prompt_trace(decoding={"mode": "greedy"}), "/models/tiny") == source
    forced = {"mode": "greedy", "candidates": 10, "forced_end": True}
    assert text_source(prompt_trace(decoding=forced), "/models/tiny") == source
    assert text_source(prompt_trace(decoding={"mode": "beam", "beam_size": 4}), "/models/tiny") is None
