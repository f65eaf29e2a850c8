"""Undo, sessions and restoring as a person meets them: in the real window, with a real model."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from model.alignment.links import Gold
from model.errors import HeadscopeError
from model.trace.trace import Trace
from model.trace.trace_file import save_trace
from tests.assets import SENTENCE
from tests.viewer.desk import Desk
from tests.viewer.driving import Driver, start
from tests.viewer.fake_source import small_info, small_trace
from viewer.dialogs.kept_dialog import KeptDialog
from viewer.document.document import Document, Run
from viewer.document.files.session_file import ModelRef, open_session, save_session
from viewer.document.gold.gold_edits import set_gold
from viewer.document.job_status import JobStatus
from viewer.document.messages.messages import ModelOpened
from viewer.document.messages.requests import Translate
from viewer.services import autosave
from viewer.services.safe_places import SafePlaces

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the platform without a screen, of any dialog


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


def test_a_translation_can_be_undone_and_done_again(desk: Desk) -> None:
    session = desk.session
    desk.translate(SENTENCE)
    first = ids(desk)
    desk.translate(SENTENCE)
    both = ids(desk)
    assert both[:1] == first[-1:] or set(first) < set(both)
    assert session.undo_name == "translation"
    session.undo()
    assert ids(desk) == first
    session.redo()
    assert ids(desk) == both
    run = session.run()
    assert run is not None
    assert run.trace.finished


def test_a_model_that_changed_since_is_said(desk: Desk, tmp_path: Path) -> None:
    desk.translate(SENTENCE)
    info = desk.session.model
    assert info is not None
    ref = ModelRef.of(info)
    for sha, code in ((ref.sha256, None), ("0" * 64, "session_model_differs")):
        folder = tmp_path / f"{sha[:8]}.headscope"
        save_session(folder, desk.session.document, SENTENCE, ModelRef(ref.path, ref.name, sha))
        desk.ask_path(folder)
        desk.wait(lambda: not desk.session.job.busy)
        notice = desk.session.notice
        assert (None if notice is None else notice.code) == code


def test_what_a_session_took_the_place_of_comes_back(desk: Desk, tmp_path: Path) -> None:
    desk.translate(SENTENCE)
    mine = ids(desk)
    folder = tmp_path / "other.headscope"
    save_session(folder, desk.session.document.but(runs=(), panes=()), "", None)
    desk.ask_path(folder)
    assert ids(desk) == []
    assert desk.session.homes.of(desk.session.document).folder == str(folder)
    desk.session.undo()
    assert ids(desk) == mine
    # It is not that session, and is not proposed to be saved over it.
    assert desk.session.homes.of(desk.session.document).folder == ""
    desk.session.redo()
    assert desk.session.homes.of(desk.session.document).folder == str(folder)


def test_gold_links_outlast_a_translation_and_the_trace_opened_again(
    desk: Desk, tmp_path: Path, tiny_trace: Trace
) -> None:
    """Also of an example, which makes room for the user's own only while nobody gave it anything."""
    session, gold = desk.session, Gold(((0, 0),))
    save_trace(tiny_trace, tmp_path / "t.trace")
    session.add_run(Run("example", tiny_trace, provenance={"source": "recorded"}))
    set_gold(session, "example", gold)
    desk.translate(SENTENCE)
    example = session.document.run("example")
    assert example is not None
    assert example.gold == gold
    session.remove_run("example")
    for _ in range(2):
        desk.ask_path(tmp_path / "t.trace")
        opened = session.run()
        assert opened is not None
        set_gold(session, opened.id, gold)
        assert session.run().gold == gold  # type: ignore[union-attr]
    desk.ask_path(tmp_path / "t.trace")
    assert session.run().gold == gold  # type: ignore[union-attr]


def test_a_session_is_saved_opened_and_restored(driver: Driver, qtbot: QtBot, tmp_path: Path) -> None:
    window, session = driver.window, driver.session
    driver.translate(SENTENCE)
    session.bookmarks.add("here")
    runs = ids(driver)
    driver.program.autosave.write()
    driver.wait(lambda: not driver.program.autosave.writing)
    window.close()
    (kept,) = SafePlaces(tmp_path / "sessions").kept()
    assert kept.runs == len(runs)

    again = start(qtbot, tmp_path)
    try:
        window = again.window
        window.menus.kept.aboutToShow.emit()
        entry = window.menus.kept.actions()[0]
        assert entry.text().endswith(f"runs: {len(runs)}: {kept.outline.text}")
        entry.trigger()
        again.read()
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
    (kept,) = SafePlaces(tmp_path / "sessions").kept()
    saved = open_session(kept.folder).document
    assert [run.id for run in saved.runs] == ids(again)


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
        again.ask_path(info.path)
        again.ask_path(folder)
        again.wait(lambda: again.session.model is not None and not again.program.engine.busy)
        again.wait(lambda: again.session.job == JobStatus())
        assert ids(again) == ids(driver)
    finally:
        again.window.close()


def test_a_session_keeps_its_model_while_that_loads_or_is_gone(
    driver: Driver, qtbot: QtBot, tmp_path: Path
) -> None:
    driver.translate(SENTENCE)
    info = driver.session.model
    assert info is not None
    document, own = driver.session.document, ModelRef.of(info)
    for ref in (own, ModelRef(str(tmp_path / "gone"), "gone", "0" * 64)):
        folder = tmp_path / f"{ref.name}.headscope"
        save_session(folder, document, SENTENCE, ref)
        again = start(qtbot, tmp_path)
        again.program.conductor.start(Path(own.path), str(folder))
        again.session.bookmarks.add("here")
        assert again.session.homes.model_of(again.session.document, again.session.model) == ref
        again.wait(lambda again=again: again.session.model is not None and not again.session.job.busy)
        # Gone, it is its model still, although a window always has one.
        assert again.session.homes.model_of(again.session.document, again.session.model) == ref
        again.open(Path(own.path))
        assert again.session.homes.model_of(again.session.document, again.session.model) == own
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
    for trace in kept.folder.glob("*.trace"):
        trace.write_bytes(b"")
    before, runs = (kept.folder / "session.json").read_bytes(), ids(driver)
    driver.window.restore_asked.emit(str(kept.folder))
    driver.read()
    notice = driver.session.notice
    assert notice is not None
    assert ".trace" in notice.sentence()
    driver.translate(SENTENCE)
    driver.program.autosave.write()
    driver.wait(lambda: not driver.program.autosave.writing)
    assert (kept.folder / "session.json").read_bytes() == before
    assert ids(driver)[: len(runs)] == runs


def test_several_are_listed_to_be_opened_or_discarded(
    driver: Driver, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, made = driver.window.kept, {"source": "decoded"}
    for count in (1, 2, 3):
        place = places.new()
        runs = tuple(Run(f"r{n}", small_trace(3), provenance=made) for n in range(count))
        save_session(place.folder, Document(runs), "", ModelRef("x", "tiny", ""))
        os.utime(place.folder / "session.json", (count, count))
        place.give_back()  # as a process that is killed does
    driver.session.set_notice(None)
    driver.program.autosave.offer()
    assert driver.window.notice.button.text() == "Choose…"
    driver.click(driver.window.notice.button)
    dialog = driver.window.findChild(KeptDialog)
    assert dialog is not None
    cells = [[dialog.table.item(row, column).text() for column in (1, 2, 3)] for row in range(3)]
    assert cells == [["tiny", str(runs), small_trace(3).src_text] for runs in (3, 2, 1)]
    assert dialog.open_button.isEnabled()
    answers = [QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes]
    monkeypatch.setattr(QMessageBox, "exec", lambda _: answers.pop(0))
    for left in (3, 2):
        dialog.discard_button.click()
        assert [one.runs for one in places.kept()] == [3, 2, 1][3 - left :]
    dialog.table.selectAll()
    assert not dialog.open_button.isEnabled()
    dialog.table.selectRow(1)
    before = ids(driver)
    dialog.open_button.click()
    driver.read()
    assert ids(driver) == ["r0"]
    # The other one stays, and is not offered again.
    assert [(one.runs, one.waiting) for one in places.kept()] == [(2, False)]
    driver.session.undo()
    assert ids(driver) == before
    driver.wait(lambda: not driver.session.job.busy)


def test_an_offer_that_is_closed_is_answered(driver: Driver) -> None:
    place = driver.window.kept.new()
    runs = (Run("r", small_trace(3), provenance={"source": "decoded"}),)
    save_session(place.folder, Document(runs), "", None)
    place.give_back()
    driver.session.set_notice(None)
    driver.program.autosave.offer()
    assert driver.window.notice.button.text() == "Restore"
    driver.window.notice._close.click()
    assert driver.session.notice is None
    assert driver.window.kept.left_behind() == []
    assert len(driver.window.kept.kept()) == 1


def test_work_that_can_be_kept_nowhere_holds_the_closing_up_once(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> str:
        raise HeadscopeError("disk_full", path="x")

    driver.translate(SENTENCE)
    with monkeypatch.context() as patch:
        patch.setattr(autosave, "save_session", full)
        driver.window.close()
        assert driver.window.isVisible()
        notice = driver.session.notice
        assert notice is not None
        assert notice.code == "autosave_closing"
        assert "disk" in notice.sentence()
    # Where there is room again, what was held up is kept.
    runs = ids(driver)
    driver.window.close()
    assert not driver.window.isVisible()
    (kept,) = driver.window.kept.kept()
    assert [run.id for run in open_session(kept.folder).document.runs] == runs


def test_who_closes_again_means_it(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise HeadscopeError("disk_full", path="x")

    driver.translate(SENTENCE)
    monkeypatch.setattr(autosave, "save_session", full)
    driver.window.close()
    assert driver.window.isVisible()
    driver.window.close()
    assert not driver.window.isVisible()


def test_a_window_that_closes_while_it_decodes_keeps_what_there_is(driver: Driver) -> None:
    driver.translate(SENTENCE)
    driver.session.set_decoding({"mode": "greedy"})
    driver.session.set_pace(30.0)
    driver.program.session.ask(Translate({"mode": "greedy"}))
    driver.wait(lambda: any(run.live and run.trace.steps for run in driver.session.document.runs))
    runs = ids(driver)
    driver.window.close()
    assert not driver.window.isVisible()
    (kept,) = driver.window.kept.kept()
    saved = open_session(kept.folder).document.runs
    assert [run.id for run in saved] == runs
    assert [run.cancelled for run in saved][-1]
    assert saved[-1].trace.steps > 0
