"""Play: steps follow each other, wait for a run that grows, and stop at the end."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.viewer.fake_source import small_trace
from viewer.document.document import Run
from viewer.document.session import Session
from viewer.services.player import Player


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    return Session()


def step(session: Session) -> int:
    selection = session.selection()
    assert selection is not None
    return selection.step


def test_it_plays_to_the_end_and_stops(session: Session, qtbot: QtBot) -> None:
    session.add_run(Run("a", small_trace(4)))
    session.first_step()
    steps: list[int] = []
    session.pane_changed.connect(lambda index: steps.append(step(session)))
    player = Player(session, interval_ms=1)
    session.set_playing(True)
    qtbot.waitUntil(lambda: not session.playing)
    assert steps == [1, 2, 3]
    assert player.interval_ms == 1


def test_from_the_end_it_begins_anew(session: Session) -> None:
    session.add_run(Run("a", small_trace(4)))
    session.last_step()
    player = Player(session)
    session.set_playing(True)
    assert step(session) == 0
    player.advance()
    assert step(session) == 1
    session.set_playing(False)


def test_it_waits_for_a_run_that_grows(session: Session, qtbot: QtBot) -> None:
    session.put_run(Run("a", small_trace(1), live=True))
    player = Player(session, interval_ms=1)
    session.set_playing(True)
    qtbot.wait(20)
    assert session.playing
    session.put_run(Run("a", small_trace(2), live=True))
    assert step(session) == 1
    session.put_run(Run("a", small_trace(2)))
    qtbot.waitUntil(lambda: not session.playing)
    assert player.interval_ms == 1


def test_pausing_stops_where_it_is(session: Session, qtbot: QtBot) -> None:
    session.add_run(Run("a", small_trace(4)))
    session.first_step()
    player = Player(session, interval_ms=5)
    session.set_playing(True)
    session.set_playing(False)
    qtbot.wait(20)
    assert step(session) == 0
    player.set_interval(50)
    assert player.interval_ms == 50
