"""The sentence panel while a sentence is decoded and after: pause, pace, targets, samples, badges, forks."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from model.alterations.block_token import BlockToken
from model.alterations.scale_head import ScaleHead
from model.trace.trace import AttentionKind, Trace
from tests.viewer.exploring_samples import session_with, step_trace
from tests.viewer.heard_requests import heard
from viewer.document.decoding_settings import FAST, ONE_BY_ONE, SLOW, DecodingSettings
from viewer.document.document import Run
from viewer.document.forks import forks
from viewer.document.job_status import JobStatus
from viewer.document.messages.considered import Considered
from viewer.document.messages.requests import Branch, Continue, Pause, ReadTarget, Resume, Translate
from viewer.document.session import Session
from viewer.pages.look.sentence.decoding_menu import DecodingButton
from viewer.pages.look.sentence.sentence_panel import SentencePanel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.wording import step_sentence
from viewer.window.keys import handle_key

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

DECODING = JobStatus("decoding", 1, cancellable=True)
PAUSED = JobStatus("decoding", 1, cancellable=True, paused=True)
NONE = Qt.KeyboardModifier.NoModifier


def show(qtbot: QtBot, session: Session) -> SentencePanel:
    panel = SentencePanel(session, Appearance("light"))
    qtbot.addWidget(panel)
    panel.resize(1200, 160)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def tokens(*ids: int, base: Trace | None = None) -> Trace:
    """A trace that produced these tokens."""
    trace = replace(step_trace(0) if base is None else base)
    return replace(trace, tgt_out_ids=np.array(ids, np.int64))


# Pause and stop.


def test_pause_and_continue_by_button_and_keys(qtbot: QtBot) -> None:
    session = session_with(step_trace(0), live=True)
    panel, requests = show(qtbot, session), heard(session)
    assert not panel.pause.isEnabled()

    session.set_job(DECODING)
    assert panel.translate.text() == "Stop"
    panel.pause.click()
    assert handle_key(session, Qt.Key.Key_P, NONE)
    session.set_job(PAUSED)
    panel.pause.click()
    handle_key(session, Qt.Key.Key_P, NONE)

    assert requests == [Pause(), Pause(), Resume(), Resume()]
    session.set_job(JobStatus())
    handle_key(session, Qt.Key.Key_P, NONE)
    assert len(requests) == 4


def test_control_p_holds_up_while_the_sentence_has_the_focus(qtbot: QtBot) -> None:
    session = session_with(step_trace(0), live=True)
    panel, requests = show(qtbot, session), heard(session)
    session.set_job(DECODING)
    panel.activateWindow()
    panel.box.setFocus()
    qtbot.waitUntil(panel.box.hasFocus)

    QTest.keyClick(panel.box, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(panel.box, Qt.Key.Key_P)

    assert requests == [Pause()]
    assert panel.box.text() == "p"


def test_the_newest_chip_moves_until_it_is_held_up(qtbot: QtBot) -> None:
    session = session_with(step_trace(0), live=True)
    panel = show(qtbot, session)
    session.set_job(DECODING)
    session.last_step()
    chips = panel.output.chips
    assert [chip.waiting for chip in chips] == ["", "", "", "making"]
    before = panel.output.grab().toImage()
    qtbot.waitUntil(lambda: panel.output.grab().toImage() != before)

    session.set_job(PAUSED)

    qtbot.waitUntil(lambda: panel.output.chips[-1].waiting == "paused")
    assert panel.badge.text() == "paused after 3 tokens"
    qtbot.wait(50)  # the badge takes its room
    still = panel.output.grab().toImage()
    qtbot.wait(700)
    assert panel.output.grab().toImage() == still


def test_a_step_forth_from_the_newest_token_makes_one_more(qtbot: QtBot) -> None:
    session = session_with(step_trace(0), live=True)
    panel, requests = show(qtbot, session), heard(session)
    session.set_job(PAUSED)
    session.set_step(1)

    handle_key(session, Qt.Key.Key_PageDown, NONE)
    assert requests == []
    panel.steps.next.click()
    handle_key(session, Qt.Key.Key_PageDown, NONE)

    assert requests == [Resume(), Resume()]
    assert "next token" in panel.steps.next.toolTip()


def test_the_button_keeps_its_width(qtbot: QtBot) -> None:
    """Else a translation of a tenth of a second would make the whole row jump."""
    session = session_with(step_trace(0))
    panel = show(qtbot, session)
    box = panel.box.width()

    session.set_job(DECODING)
    qtbot.wait(1)

    assert panel.box.width() == box


def test_a_stopped_run_is_marked_and_goes_on(qtbot: QtBot) -> None:
    session = session_with(step_trace(0), cancelled=True)
    panel, requests = show(qtbot, session), heard(session)

    assert panel.badge.text() == "stopped after 3 tokens"
    panel.continue_.click()

    assert requests == [Continue("a", 3, "")]


@pytest.mark.parametrize("finished", [False, True])
def test_a_hypothesis_that_its_search_dropped_can_go_on(qtbot: QtBot, finished: bool) -> None:
    session = session_with(step_trace(0))
    facts = {"source": "hypothesis", "search": "a", "hypothesis": 5}
    session.add_run(Run("h", replace(step_trace(0), finished=finished), parent="a", provenance=facts))
    panel, requests = show(qtbot, session), heard(session)

    assert panel.continue_.isVisible() is not finished
    panel.continue_.click()

    assert finished or requests == [Continue("h", 3, "")]


@pytest.mark.parametrize("other", [{"model_sha256": "another"}, {}])
def test_only_a_stopped_run_of_this_model_can_go_on(qtbot: QtBot, other: dict[str, str]) -> None:
    session = session_with(step_trace(0, **other), cancelled=bool(other))

    assert not show(qtbot, session).continue_.isVisible()


# What is asked for.


def test_several_samples_are_asked_for_at_once(qtbot: QtBot) -> None:
    session = session_with(step_trace(0))
    panel, requests = show(qtbot, session), heard(session)
    sampling = {"mode": "sample", "temperature": 0.8, "seed": 2}

    session.set_decoding(sampling, 5)
    panel.translate.click()
    assert panel.decoding.text() == "Sample ×5"
    assert requests == [Translate()]
    assert (session.decoding.config, session.decoding.samples) == (sampling, 5)

    session.set_decoding(sampling, 1)
    panel.translate.click()
    assert requests == [Translate()] * 2
    assert session.decoding.samples == 1


def test_a_forced_target(qtbot: QtBot) -> None:
    session = session_with(step_trace(0))
    panel, requests = show(qtbot, session), heard(session)
    panel.activateWindow()
    assert not panel.target.isVisible()

    panel.decoding.modes["forced"].trigger()
    assert panel.translate.text() == "Score"
    assert panel.decoding.text() == "Forced target"
    qtbot.waitUntil(panel.target.box.hasFocus)
    QTest.keyClick(panel.target.box, Qt.Key.Key_Return)
    assert requests == []  # nothing is typed yet
    QTest.keyClicks(panel.target.box, "Mon oncle")
    QApplication.sendEvent(panel.target.box, QInputMethodEvent("ni", []))
    QTest.keyClick(panel.target.box, Qt.Key.Key_Return)
    assert requests == []
    QApplication.sendEvent(panel.target.box, QInputMethodEvent("", []))
    QTest.keyClick(panel.target.box, Qt.Key.Key_Return)
    QTest.keyClick(panel.box, Qt.Key.Key_Return)
    assert requests == [ReadTarget("Mon oncle")] * 2

    QTest.keyClick(panel.target.box, Qt.Key.Key_Escape)
    assert not panel.target.isVisible()
    assert panel.decoding.text() == "Greedy"
    QTest.keyClick(panel.box, Qt.Key.Key_Return)
    assert requests[2:] == [Translate()]


def test_the_menu_chooses_mode_and_pace(qtbot: QtBot) -> None:
    session = Session()
    button = DecodingButton(session, Appearance("light"))
    qtbot.addWidget(button)
    dialogs: list[str] = []
    changes: list[float] = []
    button.beam_asked.connect(lambda: dialogs.append("beam"))
    button.sampling_asked.connect(lambda: dialogs.append("sample"))
    session.decoding_changed.connect(lambda: changes.append(session.decoding.pace))
    assert (session.decoding.pace, button.text()) == (FAST, "Greedy")

    button.modes["beam"].trigger()
    button.modes["sample"].trigger()
    assert dialogs == ["beam", "sample"]
    assert button.modes["greedy"].isChecked()  # until the settings are confirmed
    session.set_decoding({"mode": "beam", "beam_size": 6, "length_penalty": 0.6, "n_best": 6})
    button.paces[SLOW].trigger()

    assert changes == [FAST, SLOW]
    assert button.text() == "Beam 6 · slow"
    assert button.modes["beam"].isChecked()
    button.paces[ONE_BY_ONE].trigger()
    assert math.isinf(session.decoding.pace)
    button.modes["greedy"].trigger()
    assert session.decoding.config == {"mode": "greedy"}


# What the output row says of its run.


def test_mode_and_pace_are_found_again(qtbot: QtBot) -> None:
    sessions = [Session() for _ in range(2)]
    buttons = [DecodingButton(session, Appearance("light")) for session in sessions]
    for button in buttons:
        qtbot.addWidget(button)
    drawn = {"mode": "sample", "temperature": 0.7, "top_k": 3, "seed": 5}
    sessions[0].set_decoding(drawn, 5)
    sessions[0].set_pace(ONE_BY_ONE)
    sessions[0].set_forced(True)  # its target was one sentence's

    sessions[1].restore_decoding(sessions[0].decoding.to_bytes())

    assert sessions[1].decoding == DecodingSettings(drawn, 5, ONE_BY_ONE)
    assert buttons[1].text() == "Sample ×5 · one by one"


@pytest.mark.parametrize(
    "state",
    [
        b"",
        b"nonsense",
        b"[]",
        b'{"decoding": {"mode": "beam", "beam_size": -1}, "samples": 1, "pace": 0}',
        b'{"decoding": {"mode": "forced", "target": "a"}, "samples": 1, "pace": 1}',
        b'{"decoding": {"mode": "greedy"}, "samples": 1, "pace": 9}',
        b'{"decoding": {"mode": "greedy"}, "samples": "x", "pace": 1}',
        b'{"decoding": [], "samples": 1, "pace": 1}',
    ],
)
def test_a_strange_mode_is_not_taken(state: bytes) -> None:
    session = Session()
    session.restore_decoding(state)
    assert session.decoding == DecodingSettings({"mode": "greedy"}, 1, FAST)


def test_one_badge_says_what_sets_a_run_apart(qtbot: QtBot) -> None:
    off = ScaleHead(AttentionKind.CROSS, 1, 2).to_json()
    hypothesis = {"source": "hypothesis", "search": "s", "hypothesis": 4}
    search = (Considered(4, 0, 0, 9, "▁x", -1.0, -1.0, -1.0, "pruned"),)
    for run, text in (
        ({}, ""),
        ({"trace": replace(step_trace(0), decoding={"mode": "forced", "target": "x"})}, "forced target"),
        ({"trace": replace(step_trace(0), alterations=(off,))}, "altered: "),
        ({"provenance": hypothesis}, "dropped by the beam search"),
    ):
        session = session_with(step_trace(0))
        session.add_run(Run("s", step_trace(0), search=search))
        session.add_run(Run("b", **{"trace": step_trace(0), **run}))  # type: ignore[arg-type]
        panel = show(qtbot, session)
        assert panel.badge.toolTip().startswith(text)
        assert panel.badge.isVisible() is bool(text)
        if text == "altered: ":
            assert "layer 2, head 3" in panel.badge.toolTip()


def test_chips_tell_probability_and_rank(qtbot: QtBot) -> None:
    panel = show(qtbot, session_with(step_trace(2)))

    assert panel.output.chips[0].tip == "Step 1: 12 % probable, rank 3. Click to look at this step."
    assert step_sentence(step_trace(2), 1, raw=False).endswith("predicts “du”, 12 % (rank 3)")
    assert step_sentence(step_trace(0), 1, raw=False).endswith("predicts “une”, 50 %")


def test_tokens_that_an_alteration_changed_are_marked(qtbot: QtBot) -> None:
    off = BlockToken(0).to_json()
    altered = replace(tokens(10, 99, 10), alterations=(off,))
    session = session_with(tokens(10, 10, 10))
    session.add_run(Run("b", altered, parent="a", alterations=(off,)))
    panel = show(qtbot, session)

    assert [chip.changed for chip in panel.output.chips] == [False, True, False]
    assert "original translation" in panel.output.chips[1].tip
    assert (
        panel.output.accessibleDescription().count("(A different token from the original translation)") == 1
    )
    session.show_run("a")
    assert not any(chip.changed for chip in panel.output.chips)


def test_where_branches_part_is_marked(qtbot: QtBot) -> None:
    session = session_with(tokens(1, 2, 3))
    session.add_run(Run("b", tokens(1, 7, 3), parent="a", branch_step=1))
    session.add_run(Run("c", tokens(1, 8, 3), parent="a", branch_step=1))
    session.add_run(Run("d", tokens(1, 7, 9), parent="b", branch_step=2))
    session.add_run(Run("other", tokens(4, 4, 4)))
    document = session.document

    def at(run_id: str) -> dict[int, int]:
        run = document.run(run_id)
        assert run is not None
        return forks(document, run)

    assert at("a") == {1: 3}
    assert at("b") == {1: 2, 2: 1}
    assert at("d") == {1: 2, 2: 1}
    assert at("other") == {}
    session.show_run("b")
    panel = show(qtbot, session)
    assert [chip.forks for chip in panel.output.chips] == [0, 2, 1]
    assert panel.output.chips[1].tip.endswith("\n2 branches here")
    assert panel.output.chips[2].tip.endswith("\n1 branch here")
    words = [chip.text for chip in panel.output.chips]
    session.set_step(2)
    assert panel.output.accessibleDescription() == (
        f"{words[0]} {words[1]} (2 branches here) {words[2]} (1 branch here)"
    )
    session.set_step(0)
    assert panel.output.accessibleDescription() == f"{words[0]} (2 branches here) (1 branch here)"


def test_a_run_that_was_stopped_parts_from_none_that_goes_on_where_it_ended() -> None:
    session = session_with(tokens(1, 2, 3))
    session.add_run(Run("b", tokens(1, 2), parent="a", branch_step=2))
    document = session.document

    assert all(forks(document, run) == {} for run in document.runs)


def test_the_menu_of_a_chip(qtbot: QtBot) -> None:
    session = session_with(step_trace(0))
    session.add_run(Run("b", step_trace(2), parent="a", branch_step=1))
    session.set_step(1)
    panel, requests = show(qtbot, session), heard(session)
    run = session.run()
    assert run is not None

    look, others, _, delete = panel.chip_menu.menu(run, 1).actions()
    words = others.menu().actions()  # type: ignore[union-attr]
    assert [word.text() for word in words][:3] == ["une\t50 %", "la\t25 %", "du\t12 %"]
    assert [word.isEnabled() for word in words][:3] == [True, True, False]
    words[1].trigger()
    assert requests == [Branch("b", 1, 11)]
    session.set_step(0)
    look.trigger()
    selection = session.selection()
    assert selection is not None
    assert selection.step == 1
    delete.trigger()
    assert [run.id for run in session.document.runs] == ["a"]


def test_the_menu_opens_by_mouse_and_by_key(qtbot: QtBot) -> None:
    panel = show(qtbot, session_with(step_trace(0)))
    output = panel.output
    places: list[int] = []
    output.menu_asked.disconnect()
    output.menu_asked.connect(lambda index, place: places.append(index))
    mouse, key = QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard

    QApplication.sendEvent(output, QContextMenuEvent(mouse, output.chip_center(0), QPoint(0, 0)))
    QApplication.sendEvent(output, QContextMenuEvent(key, QPoint(0, 0), QPoint(0, 0)))

    assert places == [0, 1]
