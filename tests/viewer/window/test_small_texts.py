"""At small sizes no text is cut that has room, and nothing is out of reach: pages, panels, dialogs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QPushButton, QWidget
from pytestqt.exceptions import TimeoutError
from pytestqt.qtbot import QtBot

from tests.assets import SENTENCE
from tests.viewer.cut_texts import cut_texts, outside
from tests.viewer.desk import Desk
from tests.viewer.pages.train.live_samples import eval_event, options, probe_event, start_event, step_event
from tests.viewer.reaching import lost
from viewer.document.messages.training_requests import StartRun
from viewer.pages.accessible.tabs import TabButton
from viewer.pages.look.pane_views import PANE_VIEWS
from viewer.pages.widgets.buttons import elastic, label
from viewer.window.pages import LEARN, LOOK, POSITIONS, TRAIN

LOW, SMALL = (900, 600), (1280, 800)
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the platform without a screen

Scene = tuple[str, Callable[[], object]]


def look_scenes(desk: Desk) -> Iterator[Scene]:
    page, session, window = desk.page, desk.session, desk.window
    yield "look", partial(window.pages.show_page, LOOK)
    for view in PANE_VIEWS:
        yield view.name, partial(session.select, view=view.name)
    yield "map", partial(session.select, view="map")
    for tab in page.inspector.names:
        yield tab, partial(page.show_panels, "", tab)
    for panel in page.drawer.names:
        yield panel, partial(page.show_panels, panel, "")
        yield f"{panel} otherwise", page.drawer.enlarge.click
        page.drawer.enlarge.click()
    yield "nothing open", partial(page.show_panels, "", "")
    yield "two maps", session.open_second_pane
    yield "one map", session.close_second_pane


def other_scenes(desk: Desk) -> Iterator[Scene]:
    pages = desk.window.pages
    yield "positions", partial(pages.show_page, POSITIONS)
    for tab in pages.positions.findChildren(TabButton):
        if tab.isVisible():
            yield tab.text(), tab.click
    yield "learn", partial(pages.show_page, LEARN)
    for place, lesson in enumerate(pages.learn.lessons):
        yield lesson.name, partial(pages.learn.show_experiment, place)
    yield "train", partial(pages.show_page, TRAIN)
    yield "run", partial(train, desk)


def train(desk: Desk) -> None:
    training = desk.window.training
    training.begin(StartRun(options(), "/nowhere/m"))
    training.take(
        [start_event(), *(step_event(step) for step in range(1, 11)), eval_event(10), probe_event(10)]
    )


def faults(desk: Desk) -> list[str]:
    window = desk.window
    return [*cut_texts(window), *outside(window), *lost(window)]


def lasting_faults(desk: Desk) -> list[str]:
    """Those that stay: a layout may be on its way, with numbers that come just when one looks."""
    found = [faults(desk)]
    with contextlib.suppress(TimeoutError):
        desk.qtbot.waitUntil(lambda: not found[-1] or bool(found.append(faults(desk))), timeout=3000)
    return found[-1]


def look_at(desk: Desk, scenes: Iterator[Scene], where: str) -> None:
    for name, show in scenes:
        show()
        QApplication.processEvents()
        assert lasting_faults(desk) == [], f"{name} {where}"


def test_what_is_cut_is_found(qtbot: QtBot) -> None:
    window = QWidget()
    row = QHBoxLayout(window)
    short, whole = elastic(label("", "many words that have no room")), label("", "few")
    button = QPushButton("Press")
    for part in (button, whole, short):
        row.addWidget(part)
    row.addStretch()
    qtbot.addWidget(window)
    window.resize(600, 60)
    window.show()
    short.setFixedWidth(40)
    button.setFixedWidth(12)
    QApplication.processEvents()
    assert sorted(text.split(":")[0] for text in cut_texts(window)) == ["Label", "QPushButton"]
    short.setFixedWidth(300)
    button.setFixedWidth(120)
    QApplication.processEvents()
    assert cut_texts(window) + outside(window) == []
    button.setParent(window)
    row.removeWidget(button)
    button.move(560, 10)
    QApplication.processEvents()
    assert [text.split(":")[0] for text in outside(window)] == ["QPushButton"]


@pytest.mark.parametrize(("size", "chinese"), [(LOW, False), (LOW, True), (SMALL, True)])
def test_every_text_has_its_room(desk: Desk, size: tuple[int, int], chinese: bool) -> None:
    session, window = desk.session, desk.window
    run = session.run()
    assert run is not None
    session.pin(run.id)
    desk.translate(SENTENCE[::-1])
    if chinese:
        window.toggle_language()
    try:
        window.resize(*size)
        look_at(desk, look_scenes(desk), str(size))
        if size == LOW:  # elsewhere what has room there has more
            look_at(desk, other_scenes(desk), str(size))
    finally:
        window.training.forget()
        if chinese:
            window.toggle_language()


def test_dialogs_have_room_on_a_small_screen(desk: Desk, qtbot: QtBot) -> None:
    window, dialogs = desk.window, desk.window.dialogs
    desk.session.bookmarks.add("first")
    for show in (
        window.exporting.open_dialog, dialogs.ask_beam, dialogs.ask_sampling, dialogs.ask_bookmark,
        dialogs.show_bookmarks, dialogs.show_kept, dialogs.show_about,
        dialogs.show_model_info, dialogs.ask_gold,
    ):  # fmt: skip
        show()
        qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(QDialog)))
        QApplication.processEvents()
        dialog = next(each for each in window.findChildren(QDialog) if each.isVisible())
        name = type(dialog).__name__
        least = dialog.minimumSizeHint()
        assert (least.width() <= LOW[0], least.height() <= LOW[1] - 40) == (True, True), name
        dialog.resize(min(dialog.width(), LOW[0]), min(dialog.height(), LOW[1] - 40))
        QApplication.processEvents()
        assert cut_texts(dialog) + outside(dialog) == [], name
        dialog.close()
        QApplication.processEvents()
