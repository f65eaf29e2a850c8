"""A lecture: stops with notes, on any page, gone through by Page Down, printed; two are ready."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from tests.assets import SENTENCE
from tests.viewer.driving import Driver, start
from tests.viewer.fake_source import small_trace
from tests.viewer.time_lapse_samples import make_sequence
from viewer.dialogs.bookmarks_dialog import BookmarksDialog
from viewer.document.document import Bookmark, Run
from viewer.document.files.session_file import open_session, save_session
from viewer.document.scene import PAGES, Scene
from viewer.document.session import Session
from viewer.export.handout import Handout
from viewer.services.decodings import make_room
from viewer.services.lectures import lecture

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints|does not support")  # without a screen


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path, tiny_bundle: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    driver.open(tiny_bundle)
    driver.translate(SENTENCE)
    yield driver
    driver.window.close()
    assert driver.program.ended


def test_a_stop_has_a_note_needs_no_run_and_outlives_its_example(tmp_path: Path) -> None:
    session = Session()
    session.bookmarks.take_scenes(lambda: Scene("learn", "scaling"), lambda: "Learn: Scaling", lambda: False)
    session.bookmarks.add("before any run", "Look at the curves.\nThen turn d_k.")
    session.add_run(Run("example", small_trace(5), provenance={"source": "recorded"}))
    session.bookmarks.take_scenes(Scene, str, lambda: True)
    session.bookmarks.add("the example")
    session.bookmarks.annotate(1, "A note of its own.")
    session.add_run(Run("of another model", small_trace(3), provenance={"source": "recorded"}))
    make_room(session, "of another model")
    session.bookmarks.show(1)
    assert session.pane().run_id == "example"  # type: ignore[union-attr]
    session.bookmarks.show(0)
    save_session(tmp_path / "lecture", session.document, "", None)
    marks = open_session(tmp_path / "lecture").document.bookmarks
    assert marks == session.document.bookmarks
    assert [(mark.note.split(".")[0], mark.run_id) for mark in marks] == [
        ("Look at the curves", ""),
        ("A note of its own", "example"),
    ]
    session.undo()
    session.undo()
    assert session.bookmarks.all[1].note == ""


def test_the_list_is_dragged_and_annotated(qtbot: QtBot) -> None:
    session = Session()
    session.add_run(Run("one", small_trace(5), provenance={"source": "decoded"}))
    for name in "abc":
        session.bookmarks.add(name)
    dialog = BookmarksDialog(session)
    qtbot.addWidget(dialog)
    rows = dialog.list.model()
    for origin, before, order in ((0, 3, "bca"), (2, 0, "abc"), (1, 3, "acb")):
        assert rows.moveRow(dialog.list.rootIndex(), origin, dialog.list.rootIndex(), before)
        assert "".join(mark.name for mark in session.bookmarks.all) == order
        assert "".join(dialog.list.item(row).text() for row in range(3)) == order
    dialog.list.setCurrentRow(1)
    dialog.note.setPlainText("said of c")
    dialog.list.setCurrentRow(2)
    assert dialog.note.toPlainText() == ""
    dialog.note.setPlainText("said of b")
    dialog.up_button.click()
    dialog.close()
    assert [(mark.name, mark.note) for mark in session.bookmarks.all] == [
        ("a", ""),
        ("b", "said of b"),
        ("c", "said of c"),
    ]


def test_page_down_at_the_last_step_goes_on_to_the_next_stop(driver: Driver) -> None:
    session, window = driver.session, driver.window
    trace = session.trace()
    assert trace is not None
    session.set_step(trace.steps - 2)
    session.bookmarks.add("on the map", "Look at the last row.")
    window.pages.show_page(1)
    session.bookmarks.add("positions")
    window.pages.show_look()
    session.set_step(0)
    session.bookmarks.add("the map again", "And now\nfrom the first word on.")
    session.bookmarks.show(0)
    note = window.note

    def press(key: Qt.Key) -> tuple[int, int, int]:
        QTest.keyClick(window.pages.in_view.picture, key)
        selection = session.selection()
        assert selection is not None
        return session.bookmarks.at, window.pages.index, selection.step

    last = trace.steps - 1
    assert press(Qt.Key.Key_PageDown) == (0, 0, last)
    assert press(Qt.Key.Key_PageDown) == (0, 0, last)  # at work it stays
    assert not note.isVisible()
    window.presenting.toggle()
    assert (note.isVisible(), note.text.text()) == (True, "Look at the last row.")
    assert press(Qt.Key.Key_PageDown)[:2] == (1, 1)
    assert not note.isVisible()  # there is none
    assert press(Qt.Key.Key_PageDown) == (2, 0, 0)
    assert (note.isVisible(), note.text.text()) == (True, "And now from the first word on.")
    shown = []
    for _ in range(2):
        press(Qt.Key.Key_R)
        shown.append(note.isVisible())
    assert shown == [False, True]
    assert press(Qt.Key.Key_PageDown) == (2, 0, 1)
    assert press(Qt.Key.Key_PageUp) == (2, 0, 0)
    assert press(Qt.Key.Key_PageUp)[:2] == (1, 1)
    assert press(Qt.Key.Key_PageUp)[:2] == (0, 0)
    assert note.isVisible()
    window.presenting.toggle()
    assert not note.isVisible()


def test_a_handout_that_something_ends_is_over_and_another_is_written(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, window = driver.session, driver.window
    session.bookmarks.add("a stop")
    path = tmp_path / "handout.pdf"

    def fail(self: Handout, *page: object) -> None:
        raise MemoryError("too much")

    with monkeypatch.context() as within:
        within.setattr(Handout, "add", fail)
        with capture_exceptions() as raised:
            window.handouts.write(str(path))
            driver.wait(lambda: not window.handouts.busy)
        assert [str(error) for _, error, _ in raised] == ["too much"]
    assert not path.exists()
    window.handouts.write(str(path))
    driver.wait(lambda: not window.handouts.busy)
    assert path.exists()


def test_a_handout_has_a_page_for_every_stop(driver: Driver, tmp_path: Path) -> None:
    session, window = driver.session, driver.window
    session.bookmarks.add("第一站 the map", "Two sentences. 注意力。")
    window.pages.show_page(2)
    session.bookmarks.add("architecture", "Of blocks.")
    window.pages.show_page(3)
    session.bookmarks.add("a page without a figure")
    window.pages.show_page(1)
    before = session.document
    path = tmp_path / "handout.pdf"
    window.handouts.write(str(path))
    window.handouts.stop()
    assert not path.exists()
    window.handouts.write(str(path))
    driver.wait(lambda: not window.handouts.busy)
    assert (window.pages.index, session.document.panes) == (1, before.panes)
    assert session.bookmarks.at == 2
    data = path.read_bytes()
    assert len(re.findall(rb"/Type /Page\b", data)) == 3
    tool = shutil.which("pdftotext")
    if tool is None:  # poppler is not everywhere
        return
    found = subprocess.run([tool, str(path), "-"], capture_output=True, check=True).stdout.decode()
    texts = [" ".join(page.split()) for page in found.split("\f")]
    assert "第一站 the map" in texts[0]
    assert "Two sentences. 注意力。" in texts[0]
    assert "ross-attention" in texts[0]  # the caption
    assert "Of blocks." in texts[1]
    assert "Feed-forward" in texts[1]
    assert "a page without a figure" in texts[2]
    assert texts[2].endswith("3 of 3")


def make_stops(driver: Driver, folder: Path) -> list[str]:
    """Bookmarks of drawers, of other pages, of a map, of a frame of a time-lapse; their names."""
    session, window, page = driver.session, driver.window, driver.page
    driver.translate("the cat sees a dog")
    session.pin(session.document.runs[0].id)
    for name in ("branches", "compare", "heads_table"):
        page.show_panels(name, None)
        if name == "heads_table":
            driver.wait(lambda: page.drawer.view("heads_table").figure() is not None)
        session.bookmarks.add(name)
    page.show_panels("", None)
    window.pages.show_page(1)
    window.pages.positions.show_tab("rotation")
    session.bookmarks.add("rotation")
    window.pages.show_page(2)
    for lesson in ("scaling", "architecture"):
        window.pages.learn.show_lesson(lesson)
        session.bookmarks.add(lesson)
    window.pages.show_look()
    session.bookmarks.add("map")
    window.path_asked.emit(str(make_sequence(folder / "probe")))
    driver.wait(page.time_lapse_bar.isVisible)
    page.time_lapse.show(1)
    session.bookmarks.add("frame")
    page.time_lapse.show(3)
    return [mark.name for mark in session.bookmarks.all]


@pytest.mark.slow
def test_every_stop_is_printed_and_exported_as_it_is_seen(driver: Driver, tmp_path: Path) -> None:
    session, window = driver.session, driver.window
    names = make_stops(driver, tmp_path)
    (tmp_path / "out").mkdir()
    window.exporting.open_dialog()
    dialog = window.exporting.dialog
    assert dialog is not None
    for box, value in ((dialog.form.format, "svg"), (dialog.form.each, "bookmarks")):
        box.setCurrentIndex(box.findData(value))
    dialog.form.path.setText(str(tmp_path / "out" / "stop.svg"))
    dialog.form.path.textEdited.emit("")
    dialog.form.export.click()
    driver.wait(lambda: not window.exporting.writing.jobs)
    dialog.close()
    found = {path.stem[8:]: path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()}
    assert sorted(found) == sorted(names)
    titles = {name: re.findall("<title>(.*?)</title>", text)[0] for name, text in found.items()}
    assert titles["heads_table"] == "Heads table"
    assert "Decoder self" in found["heads_table"]
    assert titles["rotation"].startswith("Rotation")
    assert "training step 100" in found["frame"]
    assert "B − A" in found["compare"]
    assert "B − A" not in found["map"]
    assert len(set(titles.values())) == len(names) - 1, titles  # a difference is called as its map
    assert (window.pages.index, driver.page.time_lapse.frame) == (0, 1200)
    assert not driver.page.drawer.is_open
    path = tmp_path / "handout.pdf"
    window.handouts.write(str(path))
    driver.wait(lambda: not window.handouts.busy)
    data = path.read_bytes()
    assert len(re.findall(rb"/Type /Page\b", data)) == len(names)
    if (tool := shutil.which("pdftotext")) is not None:
        told = subprocess.run([tool, str(path), "-"], capture_output=True, check=True).stdout.decode()
        for page, name in zip(told.split("\f"), names, strict=False):
            assert titles[name] in " ".join(page.split()), name
    assert session.notice is None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_ready_lecture_walks_through_the_paper(qtbot: QtBot, tmp_path: Path, language: str) -> None:
    driver = start(qtbot, tmp_path, language={"zh": "zh_CN"}.get(language, language))
    window, session = driver.window, driver.session
    window.actions_[f"lecture_{language}"].trigger()
    driver.wait(lambda: session.model is not None and not session.job.busy)
    marks = session.bookmarks.all
    assert session.bookmarks.at == 0
    assert len(marks) >= 12
    sections = [int(found.group(1)) for mark in marks if (found := re.match(r"(\d)", mark.name))]
    assert sections == sorted(sections)
    assert set(sections) >= {1, 3, 4, 5, 6}
    for place, mark in enumerate(marks):
        session.bookmarks.show(place)
        qtbot.wait(1)
        assert window.pages.index == PAGES.index(mark.scene.page)
        assert len(re.findall(r"[.。!?！？](?=\s|$|[^\d\s])", mark.note)) >= 2, mark.name
        if mark.scene.page == "look":
            assert session.pane() == mark.pane
            assert window.look_page.drawer.panel == mark.scene.drawer
            assert window.look_page.panes[0].shown.figure is not None
        else:
            assert window.pages.beside_look(window.pages.index).scene()[0] == mark.scene.tab
            driver.wait(lambda: window.pages.in_view.figure is not None)
    assert session.notice is None
    window.close()


def test_both_lectures_make_the_same_stops() -> None:
    one, other = (lecture(language).document.bookmarks for language in ("en", "zh"))

    def kinds(marks: tuple[Bookmark, ...]) -> list[tuple[str, str]]:
        return [(mark.scene.page, mark.scene.tab) for mark in marks]

    assert kinds(one) == kinds(other)
