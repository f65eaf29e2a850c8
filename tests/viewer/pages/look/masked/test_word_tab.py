"""Which run is in view decides whether the inspector begins with the next word or the masked word."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.model.trace.reading_trace import reading_trace
from tests.viewer.exploring_samples import session_with, step_trace
from tests.viewer.fake_source import small_trace
from viewer.document.document import Run
from viewer.document.session import Session
from viewer.pages.look.inspector import Inspector
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


def show(qtbot: QtBot, session: Session) -> Inspector:
    inspector = Inspector(session, Appearance("light"))
    qtbot.addWidget(inspector)
    inspector.resize(320, 500)
    inspector.show()
    qtbot.waitExposed(inspector)
    return inspector


def test_the_run_in_view_decides(qtbot: QtBot) -> None:
    session = session_with(step_trace())
    inspector = show(qtbot, session)
    tab = inspector.tabs[0]
    assert (tab.text(), inspector.view("next_word").reads) == ("Next word", False)
    session.add_run(Run("read", reading_trace()))
    assert (tab.text(), inspector.view("next_word").reads) == ("Masked word", True)
    assert inspector.view("next_word").masked.isVisible()
    assert not inspector.view("next_word").next_word.isVisible()
    session.show_run("a")
    assert (tab.text(), inspector.view("next_word").reads) == ("Next word", False)
    assert inspector.view("next_word").next_word.isVisible()


def test_a_decoding_that_has_just_begun_is_no_reading(qtbot: QtBot) -> None:
    session = Session()
    session.add_run(Run("a", small_trace(0, finished=False), live=True))
    assert not show(qtbot, session).view("next_word").reads


def test_before_an_audience_the_notes_go(qtbot: QtBot) -> None:
    inspector = show(qtbot, session_with(step_trace()))
    inspector.view("next_word").set_plain(True)
    assert inspector.view("next_word").next_word.note.isHidden()
    assert inspector.view("next_word").masked.note.isHidden()
    inspector.view("next_word").set_plain(False)
    assert not inspector.view("next_word").next_word.note.isHidden()
