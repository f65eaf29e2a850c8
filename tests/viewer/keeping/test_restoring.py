"""Undo, sessions and restoring as a person meets them: in the real window, with a real model."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from model.alignment.links import Gold
from model.trace import Trace
from model.trace_file import save_trace
from tests.assets import SENTENCE
from tests.viewer.driving import Driver, start
from tests.viewer.fake_source import small_info
from viewer.keeping.safe_places import LAST, SafePlaces
from viewer.state.document import Run
from viewer.state.gold_edits import set_gold
from viewer.state.job_status import JobStatus
from viewer.state.messages import ModelOpened
from viewer.state.session_file import ModelRef, open_session, save_session


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path, tiny_bundle: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    bundle = tmp_path / "tiny"
    shutil.copytree(tiny_bundle, bundle)
    driver.open(bundle)
    yield driver
    driver.window.close()


def ids(driver: Driver) -> list[str]:
    return [run.id for run in driver.session.document.runs]


def test_a_translation_can_be_undone_and_done_again(driver: Driver) -> None:
    session = driver.session
    driver.translate(SENTENCE)
    first = ids(driver)
    driver.translate(SENTENCE)
    both = ids(driver)
    assert both[:1] == first[-1:] or set(first) < set(both)
    assert session.undo_name == "translation"
    session.undo()
    assert ids(driver) == first
    session.redo()
    assert ids(driver) == both
    run = session.run()
    assert run is not None
    assert run.trace.finished


def test_a_session_is_saved_opened_and_restored(driver: Driver, qtbot: QtBot, tmp_path: Path) -> None:
    window, session = driver.window, driver.session
    driver.translate(SENTENCE)
    session.bookmarks.add("here")
    runs = ids(driver)
    driver.program.autosave.write()
    driver.wait(lambda: not driver.program.autosave.writing)
    window.close()
    assert (tmp_path / "sessions" / LAST).is_dir()

    again = start(qtbot, tmp_path)
    try:
        window = again.window
        window.menus.kept.aboutToShow.emit()
        entry = window.menus.kept.actions()[0]
        assert entry.text().startswith("Last session")
        entry.trigger()
        assert ids(again) == runs
        assert [mark.name for mark in again.session.bookmarks.all] == ["here"]
        assert again.session.text == SENTENCE
        again.wait(lambda: again.session.model is not None and not again.session.job.busy)
        assert again.session.notice is None
        assert SafePlaces(tmp_path / "sessions").kept() == []
        # It is nobody's file: it is not among the recent ones.
        assert not [path for path in window.menus._settings.recents if path.endswith(".headscope")]
        # What is restored is saved over while it is shown.
        again.translate(SENTENCE)
        again.program.autosave.write()
        again.wait(lambda: not again.program.autosave.writing)
        assert ids(again)[: len(runs)] == runs
    finally:
        again.window.close()
    saved = open_session(tmp_path / "sessions" / LAST).document
    assert [run.id for run in saved.runs] == ids(again)


def test_a_model_that_changed_since_is_said(driver: Driver, tmp_path: Path) -> None:
    driver.translate(SENTENCE)
    info = driver.session.model
    assert info is not None
    ref = ModelRef.of(info)
    for sha, code in ((ref.sha256, None), ("0" * 64, "session_model_differs")):
        folder = tmp_path / f"{sha[:8]}.headscope"
        save_session(folder, driver.session.document, SENTENCE, ModelRef(ref.path, ref.name, sha))
        driver.window.path_asked.emit(str(folder))
        driver.wait(lambda: not driver.session.job.busy)
        notice = driver.session.notice
        assert (None if notice is None else notice.code) == code


def test_a_model_that_is_opened_while_another_loads_leaves_nothing_loading(
    driver: Driver, qtbot: QtBot, tmp_path: Path
) -> None:
    """As when a session is restored just after the start."""
    driver.translate(SENTENCE)
    info = driver.session.model
    assert info is not None
    folder = tmp_path / "s.headscope"
    save_session(folder, driver.session.document, SENTENCE, ModelRef.of(info))
    again = start(qtbot, tmp_path)
    try:
        # The first waits for the window to be painted, the second is stopped while it loads.
        again.program.conductor.start(Path(info.path))
        again.window.path_asked.emit(info.path)
        again.window.path_asked.emit(str(folder))
        again.wait(lambda: again.session.model is not None and not again.program.engine.busy)
        again.wait(lambda: again.session.job == JobStatus())
        assert ids(again) == ids(driver)
    finally:
        again.window.close()


def test_a_model_that_came_although_another_was_asked_for_is_the_one_in_use(driver: Driver) -> None:
    late = small_info()
    driver.program.engine.model_opened.emit(ModelOpened(10**6, late))
    assert driver.session.model is late


def test_a_kept_session_that_is_damaged_is_said_and_stays(driver: Driver, tmp_path: Path) -> None:
    driver.translate(SENTENCE)
    places = SafePlaces(tmp_path / "sessions")
    place = places.new()
    save_session(place.folder, driver.session.document, SENTENCE, None)
    place.close()
    (kept,) = places.kept()
    trace = next(kept.folder.glob("*.trace"))
    trace.write_bytes(b"")
    before, runs = (kept.folder / "session.json").read_bytes(), ids(driver)
    driver.window.restore_asked.emit(str(kept.folder))
    notice = driver.session.notice
    assert notice is not None
    assert trace.name in notice.sentence()
    driver.translate(SENTENCE)
    driver.program.autosave.write()
    driver.wait(lambda: not driver.program.autosave.writing)
    assert (kept.folder / "session.json").read_bytes() == before
    assert ids(driver)[: len(runs)] == runs


def test_what_a_session_took_the_place_of_comes_back(driver: Driver, tmp_path: Path) -> None:
    driver.translate(SENTENCE)
    mine = ids(driver)
    folder = tmp_path / "other.headscope"
    save_session(folder, driver.session.document.but(runs=(), panes=()), "", None)
    driver.window.path_asked.emit(str(folder))
    assert ids(driver) == []
    assert driver.session.folder == str(folder)
    driver.session.undo()
    assert ids(driver) == mine


def test_gold_links_outlast_a_translation_and_the_trace_opened_again(
    driver: Driver, tmp_path: Path, tiny_trace: Trace
) -> None:
    """Also of an example, which makes room for the user's own only while nobody gave it anything."""
    session, gold = driver.session, Gold(((0, 0),))
    save_trace(tiny_trace, tmp_path / "t.trace")
    session.add_run(Run("example", tiny_trace, provenance={"source": "recorded"}))
    set_gold(session, "example", gold)
    driver.translate(SENTENCE)
    example = session.document.run("example")
    assert example is not None
    assert example.gold == gold
    session.remove_run("example")
    for _ in range(2):
        driver.window.path_asked.emit(str(tmp_path / "t.trace"))
        opened = session.run()
        assert opened is not None
        set_gold(session, opened.id, gold)
        assert session.run().gold == gold  # type: ignore[union-attr]
    driver.window.path_asked.emit(str(tmp_path / "t.trace"))
    assert session.run().gold == gold  # type: ignore[union-attr]
