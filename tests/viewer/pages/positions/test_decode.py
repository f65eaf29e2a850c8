"""The translation without positions: what is asked, and what is shown while it comes, comes or fails."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from model.alterations.change_positions import ChangePositions
from model.alterations.scale_head import ScaleHead
from tests.viewer.pages.look.what_if.samples import BASE, CROSS, Heard, altered_run, base_trace, session_with
from viewer.document.document import Run
from viewer.document.job_status import JobStatus
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.pages.positions.decode_panel import DecodePanel
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

NONE = ChangePositions()
AS_TRAINED, WITHOUT, SHUFFLED = range(3)


def shown(qtbot: Any, session: Session) -> DecodePanel:
    panel = DecodePanel(session, Appearance("light"))
    qtbot.addWidget(panel)
    panel.resize(1100, 560)
    panel.show()
    return panel


def texts(panel: DecodePanel) -> tuple[str, str]:
    return panel.before.text.text(), panel.after.text.text()


def test_a_click_asks_for_the_run_without_positions(qtbot: Any) -> None:
    session = session_with()
    panel, heard = shown(qtbot, session), Heard(session)
    assert panel.modes[AS_TRAINED].isChecked()
    assert not panel.look.isEnabled()
    session.set_job(JobStatus("decoding", 1))
    panel.modes[WITHOUT].click()
    assert heard.altered == [(BASE, (NONE,))]
    assert panel.modes[WITHOUT].isChecked()
    assert panel.state.text() == "Translating…"
    panel.side.setCurrentIndex(1)
    panel.side.activated.emit(1)
    assert heard.altered[-1] == (BASE, (ChangePositions("source"),))
    panel.modes[SHUFFLED].click()
    assert heard.altered[-1] == (BASE, (ChangePositions("source", "shuffled"),))
    panel.shuffle.click()
    assert heard.altered[-1][1][0].seed != 0
    panel.side.setCurrentIndex(0)
    panel.side.activated.emit(0)
    wanted = heard.altered[-1][1][0]
    assert (wanted.side, wanted.steps) == ("both", 3)  # as many as the translation in view has
    came = session_with(altered_run(wanted))
    panel = shown(qtbot, came)
    assert panel.modes[SHUFFLED].isChecked()


def test_both_translations_stand_beside_each_other(qtbot: Any) -> None:
    session = session_with(altered_run(NONE))
    panel = shown(qtbot, session)
    run = session.document.run(BASE)
    assert run is not None
    assert panel.source.text() == run.trace.src_text
    assert panel.before.text.text() == run.trace.tgt_text
    assert [chip.state for chip in panel.before.chips.chips] == ["same", "changed", "same"]
    assert [chip.text for chip in panel.after.chips.chips] == ["pommes", "vertes", "(end)"]
    # log(0.5 · 0.25 · 0.8) and log(0.5 · 0.1 · 0.9)
    assert panel.state.text() == "1 token differs; log probability −2.30 → −3.10"
    assert panel.held.words.rowCount() == 3
    assert panel.modes[WITHOUT].isChecked()
    heard: list[bool] = []
    panel.look_asked.connect(lambda: heard.append(True))
    panel.look.click()
    assert heard


def test_back_to_as_trained_takes_the_altered_run_away(qtbot: Any) -> None:
    session = session_with(altered_run(NONE))
    panel, heard = shown(qtbot, session), Heard(session)
    panel.modes[AS_TRAINED].click()
    assert heard.altered == [(BASE, ())]


def test_other_changes_stay_and_are_said(qtbot: Any) -> None:
    off = ScaleHead(CROSS, 1, 0)
    session = session_with(altered_run(off))
    panel, heard = shown(qtbot, session), Heard(session)
    assert panel.also.isVisible()
    panel.modes[WITHOUT].click()
    assert heard.altered == [(BASE, (off, NONE))]


def test_what_did_not_come_can_be_asked_for_again(qtbot: Any) -> None:
    session = session_with()
    panel, heard = shown(qtbot, session), Heard(session)
    session.set_job(JobStatus("decoding", 1))
    panel.modes[WITHOUT].click()
    assert not panel.again.isVisible()
    session.set_notice(Notice("too_long", {"tokens": 9, "limit": 5}, "error"))
    session.set_job(JobStatus())
    assert panel.again.isVisible()
    assert panel.state.text().startswith("No translation was made.")
    assert "9" in panel.state.text()
    panel.again.click()
    assert heard.altered == [(BASE, (NONE,)), (BASE, (NONE,))]
    session.add_run(altered_run(NONE))
    assert not panel.again.isVisible()
    assert "1 token differs" in panel.state.text()


def test_another_sentence_forgets_what_was_asked(qtbot: Any) -> None:
    session = session_with()
    panel = shown(qtbot, session)
    session.set_job(JobStatus("decoding", 1))
    panel.modes[WITHOUT].click()
    session.set_job(JobStatus())
    session.add_run(Run("other", base_trace()))
    assert panel.modes[AS_TRAINED].isChecked()
    assert not panel.again.isVisible()


def test_while_it_is_translated_nothing_is_compared(qtbot: Any) -> None:
    session = session_with(altered_run(NONE, live=True))
    panel = shown(qtbot, session)
    assert panel.state.text() == "Translating…"
    assert {chip.state for chip in panel.after.chips.chips} == {"same"}


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (Session, "Look page first"),
        (partial(session_with, model=False), "A model must be open"),
    ],
    ids=["nothing", "no model"],
)
def test_obstacles_are_said(qtbot: Any, make: Callable[[], Session], said: str) -> None:
    panel = shown(qtbot, make())
    assert said in panel.state.text()
    assert not any(mode.isEnabled() for mode in panel.modes)
