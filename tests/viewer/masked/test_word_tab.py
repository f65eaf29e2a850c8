"""Which run is in view decides whether the inspector begins with the next word or the masked word."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.model.reading_trace import reading_trace
from tests.viewer.exploring_samples import session_with, step_trace
from tests.viewer.fake_source import small_trace
from viewer.state.document import Run
from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.inspector import NEXT_WORD, Inspector

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
    tab = inspector.tabs[NEXT_WORD]
    assert (tab.text(), inspector.words.reads) == ("Next word", False)
    session.add_run(Run("read", reading_trace()))
    assert (tab.text(), inspector.words.reads) == ("Masked word", True)
    assert inspector.words.masked.isVisible()
    assert not inspector.next_word.isVisible()
    session.show_run("a")
    assert (tab.text(), inspector.words.reads) == ("Next word", False)
    assert inspector.next_word.isVisible()


def test_a_decoding_that_has_just_begun_is_no_reading(qtbot: QtBot) -> None:
    session = Session()
    session.add_run(Run("a", small_trace(0, finished=False), live=True))
    assert not show(qtbot, session).words.reads


def test_before_an_audience_the_notes_go(qtbot: QtBot) -> None:
    inspector = show(qtbot, session_with(step_trace()))
    inspector.words.set_plain(True)
    assert inspector.next_word.note.isHidden()
    assert inspector.words.masked.note.isHidden()
    inspector.words.set_plain(False)
    assert not inspector.next_word.note.isHidden()
