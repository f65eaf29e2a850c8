"""The time-lapse in the real window: opened as any path is, offered with its model, exported."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressDialog, QPushButton
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import save_trace
from tests.viewer.driving import Driver, start
from tests.viewer.time_lapse_samples import make_sequence
from viewer.dialogs.export_dialog import ExportChoice
from viewer.document.selection import Selection
from viewer.figures.request import ExportRequest, Motion


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    yield driver
    driver.window.close()
    assert driver.program.ended


@pytest.fixture
def trained(tiny_bundle: Path, tiny_trace: Trace, tmp_path: Path) -> Path:
    """A bundle whose training was kept."""
    folder = tmp_path / "trained"
    shutil.copytree(tiny_bundle, folder)
    save_trace(tiny_trace, folder / "example.trace")
    make_sequence(folder / "probe")
    return folder


def test_it_opens_by_its_path_and_is_remembered(driver: Driver, trained: Path) -> None:
    driver.window.pages.show_page(1)
    driver.ask_path(trained / "probe")
    bar = driver.page.time_lapse_bar
    assert bar.isVisible()
    assert driver.page.time_lapse.frames == 4
    assert driver.session.text == "The little girl gave apples ."
    driver.key(Qt.Key.Key_Home, bar.slider)
    assert bar.where.text() == "Training step 0 (frame 1 of 4)"
    driver.key(Qt.Key.Key_E)
    assert driver.session.selection().kind is AttentionKind.ENCODER_SELF  # type: ignore[union-attr]
    driver.key(Qt.Key.Key_End, bar.slider)
    driver.click(driver.page.heads.view, driver.head_center(1, 2))
    assert driver.page.panes[0].title.text() == "Encoder layer 2 of 2, head 3 of 3"
    assert "training step 1,200" in driver.page.panes[0].badges.text()


def test_a_model_offers_the_time_lapse_of_its_training(driver: Driver, trained: Path) -> None:
    driver.open(trained)
    assert "time-lapse" in driver.window.notice.text
    assert driver.window.notice.button.text() == "Show the time-lapse"
    driver.click(driver.window.notice.button)
    driver.read()
    assert driver.page.time_lapse.frame == 1200
    assert driver.window.notice.text == ""


def test_a_translation_stands_beside_it(driver: Driver, trained: Path) -> None:
    driver.open(trained)
    driver.translate("the cat sees a dog")
    (first,) = driver.session.document.runs
    driver.session.bookmarks.add("mine")
    driver.ask_path(trained / "probe")
    lapse = driver.session.run()
    assert lapse is not None
    driver.translate("a dog sees the cat")
    assert not driver.page.time_lapse_bar.isVisible()
    assert driver.page.time_lapse.sequence is None
    runs = driver.session.document.runs
    assert [run.id for run in runs[:2]] == [first.id, lapse.id]
    assert len(runs) == 3
    assert [mark.name for mark in driver.session.bookmarks.all] == ["mine"]


def choice(path: Path, **changes: object) -> ExportChoice:
    request = ExportRequest(selection=Selection(layer=1, head=1), width_mm=80.0, dpi=60)
    return ExportChoice(request.but(**changes), str(path))


def test_the_window_writes_an_animation_unless_it_is_given_up(
    driver: Driver, trained: Path, tmp_path: Path
) -> None:
    driver.ask_path(trained / "probe")
    exporting, said = driver.window.exporting, []
    exporting.said.connect(said.append)
    context = exporting.context()
    assert context.source.sequence is not None
    assert context.trace_path == str(trained / "probe")
    exporting.writing.write(choice(tmp_path / "a.gif"))
    assert not (tmp_path / "a.gif").exists()  # it comes bit by bit
    driver.wait(lambda: bool(said))
    with Image.open(tmp_path / "a.gif") as image:
        assert image.n_frames == 4
    assert said[0].startswith("Saved a.gif: 4 frames, ")
    assert exporting.writing.jobs == []

    # One that fails is a notice.
    exporting.writing.write(choice(tmp_path / "no" / "a.gif"))
    driver.wait(lambda: driver.session.notice is not None)
    assert exporting.writing.jobs == []

    # One is given up by its button and one by closing.
    exporting.writing.write(choice(tmp_path / "a.webp", motion=Motion(over="steps")))
    first = exporting.writing.jobs[0].parent()
    assert isinstance(first, QProgressDialog)
    first.findChild(QPushButton).click()
    driver.wait(lambda: exporting.writing.jobs == [])
    exporting.writing.write(choice(tmp_path / "b.webp", motion=Motion(over="steps")))
    driver.window.close()
    driver.wait(lambda: exporting.writing.jobs == [])
    assert not list(tmp_path.glob("*.webp"))
    assert not list(tmp_path.glob(".*.tmp"))
