"""What every test of the window gets: a check that it leaves nothing running behind."""

from __future__ import annotations

import gc
import math
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.viewer.desk import Desk, Looks, Room
from tests.viewer.starts import Starts, left_behind
from viewer.engine.class_table import room_for_classes
from viewer.pages.looks.renewal import Renewal
from viewer.pages.train.form.form_disk import FormDisk
from viewer.pages.widgets.lazy import LazyStack

_ROOMS: list[Room] = []

room_for_classes()  # as `Program` has it, before any test's thread imports what has widgets


@pytest.fixture(scope="module")
def room(
    request: pytest.FixtureRequest, qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Room]:
    """Where the desk of a file stands, see `desk`."""
    room = Room(QtBot(request), tmp_path_factory.mktemp("desk"))
    _ROOMS.append(room)
    yield room
    _ROOMS.remove(room)
    room.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where a test failed, the next one gets another desk."""
    report = yield
    for room in _ROOMS:
        room.spoiled |= report.failed
    return report


@pytest.fixture
def desk(room: Room, tiny_bundle: Path) -> Desk:
    """A window with the translation of `tests.assets.SENTENCE`, shared by the tests of a file.

    It is for tests of what the window shows and takes; `Desk.begin_again` says what is put back. Whoever
    changes more (settings, another model) opens a window of their own, before which the desk is closed.
    """
    return room.take_desk(tiny_bundle)


@pytest.fixture(autouse=True)
def looks_of_the_system(request: pytest.FixtureRequest) -> Iterator[None]:
    """A window sets the application's looks: put them back, once it is closed."""
    if not {"qapp", "qtbot"} & set(request.fixturenames):
        yield
        return
    request.getfixturevalue("qapp")
    if "desk" in request.fixturenames:
        yield
        return
    for room in _ROOMS:
        room.clear()
    looks = Looks()
    yield
    looks.restore()


@pytest.fixture(autouse=True)
def renewed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another theme, type or language is taken by every widget before a test looks at any of them."""
    monkeypatch.setattr(Renewal, "slice_s", math.inf)


@pytest.fixture(autouse=True)
def made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page or a lesson that is shown is whole before a test looks at it."""
    monkeypatch.setattr(LazyStack, "at_once", True)


@pytest.fixture(autouse=True)
def disk_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a form asks of the disk is known before a test looks at it."""
    monkeypatch.setattr(FormDisk, "patience", 20.0)


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails the test that leaves a thread, a timer or a window behind, and names it.

    What a desk starts may go on until it is closed, and is looked for then.
    """
    if not {"qapp", "qtbot"} & set(request.fixturenames):
        yield
        return
    request.getfixturevalue("qapp")
    before = {id(widget) for widget in QApplication.topLevelWidgets()}
    starts = Starts()
    starts.watch(monkeypatch, QThread)
    starts.watch(monkeypatch, QTimer)
    yield
    # What was asked to go by deleteLater goes now.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    desks = [room.desk for room in _ROOMS if room.desk is not None]
    for desk in desks:
        desk.starts.take_over(starts)
        before.add(id(desk.window))
    left = left_behind(before) + ([] if desks else starts.running())
    for generation in (1, 2):  # the young are soon looked through, and seldom is it anything else
        if left:  # what only cycles hold goes when the program's own collector comes
            gc.collect(generation)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            left = left_behind(before) + ([] if desks else starts.running())
    assert not left, f"left behind: {left}"
