"""Nothing is ever unreachable: every control, in every state of the window, at small sizes, two languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.viewer.desk import Desk
from tests.viewer.figure_samples import sample_trace
from tests.viewer.foreign.samples import info_of
from tests.viewer.reaching import controls, lost, menu_actions
from viewer.app import build_window
from viewer.document.document import Run
from viewer.document.session import Session
from viewer.pages.look.pane_views import PANE_VIEWS
from viewer.pages.widgets.overflow_row import OverflowRow
from viewer.window.main_window import MainWindow
from viewer.window.settings import Settings

WIDE, SIZES = (1920, 1080), ((1280, 800), (1100, 700), (900, 600))
State = tuple[str, Callable[[], object]]


@pytest.fixture
def window(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """With nine runs, and a model of others that has a long name and is not verified."""
    session = Session()
    settings = Settings(str(tmp_path / "settings.ini"))
    window = build_window(session, settings, theme="light", language=request.param)
    qtbot.addWidget(window)
    session.set_model(
        replace(info_of("encoder_decoder"), name="opus-mt-tc-big-english-to-romance", verified=False)
    )
    for number in range(9):
        session.add_run(Run(f"run{number}", sample_trace(), provenance={"source": "decoded"}))
    session.pin("run3")
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()


def of_look(window: MainWindow) -> Iterator[State]:
    page, session = window.look_page, window._session
    views = {view: lambda view=view: session.select(view=view) for view in (row.name for row in PANE_VIEWS)}
    for view in ("flow", "words", "heads", "map"):
        yield f"view {view}", views[view]
    yield "zoomed", lambda: page.panes[0].map.zoom_by(1.5)
    yield "go to", page.panes[0].go_to.open_line
    for tab in range(3):
        yield f"inspector {tab}", lambda tab=tab: page.inspector.show_tab(tab)
    for panel in range(4):
        yield f"drawer {panel}", lambda panel=panel: page.drawer.show_panel(panel)
    yield (
        "grid",
        lambda: (page.drawer.show_panel(2), page.drawer.view("heads_table").tools.grid.setChecked(True)),
    )


def of_two_maps(window: MainWindow) -> Iterator[State]:
    page, session = window.look_page, window._session
    yield "two maps", lambda: (page.drawer.show_panel(None), session.open_second_pane())
    for view in ("flow", "words", "map"):
        yield f"two, {view}", lambda view=view: session.select(view=view)
    for panel in range(4):
        yield f"two, drawer {panel}", lambda panel=panel: page.drawer.show_panel(panel)
    yield "two, what if", window.actions_["what_if"].trigger
    yield "one again", lambda: (page.drawer.show_panel(None), session.close_second_pane())


def of_other_pages(window: MainWindow) -> Iterator[State]:
    positions = window.pages.positions
    yield "positions", lambda: window.pages.show_page(1)
    tabs = ("encoding", "wavelengths", "rotation", "distance", "bases", "decode")
    for tab in tabs:
        yield f"positions {tab}", lambda tab=tab: positions.show_tab(tab)
    yield "other numbers", lambda: (positions.show_tab("encoding"), positions.choice.explore(True))
    for tab in tabs[1:5]:
        yield f"other numbers {tab}", lambda tab=tab: positions.show_tab(tab)
    yield "learn", lambda: window.pages.show_page(2)
    for name in ("walk", "two_sentences", "order", "architecture"):
        yield f"learn {name}", lambda name=name: window.pages.learn.show_lesson(name)
    yield "tour", lambda: window.pages.learn.show_scene("architecture", {"tour": True})
    yield "train", lambda: window.pages.show_page(3)


def names(widgets: set[QWidget], window: MainWindow) -> set[str]:
    """Of those that a state has; the inspector goes on purpose where the map needs its room, and the map
    where an enlarged drawer has its place: a button of the list, or of the drawer, brings it back. Without
    the buttons of menus of what has no room, which go where it has.
    """
    page = window.look_page
    gone: list[QWidget] = [page.inspector]
    if page.drawer.enlarge.isChecked():
        gone.append(page.upper)
    return {
        f"{type(widget).__name__} {widget.accessibleName() or widget.toolTip()}"
        for widget in widgets
        if not any(part.isAncestorOf(widget) for part in gone)
        and not isinstance(widget.parentWidget(), OverflowRow)
    }


def test_the_menu_bar_has_every_action(desk: Desk) -> None:
    window = desk.window
    there = menu_actions(window)
    assert [action.text() for action in window.actions_.all() if action not in there] == []
    for entry in window.look_page.panes[0].numbers.entries.choices.values():
        assert entry.text() in {action.text() for action in there}


@pytest.mark.slow
@pytest.mark.parametrize("window", ["en", "zh_CN"], indirect=True)
def test_nothing_is_lost(window: MainWindow) -> None:
    found: list[str] = []
    for name, go in chain(of_look(window), of_two_maps(window), of_other_pages(window)):
        window.resize(*WIDE)
        go()
        QApplication.processEvents()
        whole = set(controls(window))
        for size in SIZES:
            window.resize(*size)
            QApplication.processEvents()
            assert (window.width(), window.height()) == size
            left = names(whole, window) - names(set(controls(window)), window)
            found += [f"{name} at {size}: {what}" for what in (*lost(window), *sorted(left))]
    assert found == [], "\n".join(found)
