"""A small window gives its room to the map: shares of the window, labels, what folds and comes back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import trace_of
from tests.viewer.foreign.samples import info_of
from tests.viewer.reaching import lost, seen
from viewer.app import build_window
from viewer.document.document import Run
from viewer.document.selection import MAP_VIEW
from viewer.document.session import Session
from viewer.figures.map.layout import MapGeometry
from viewer.pages.look.heads.all_heads_view import ALL_HEADS
from viewer.pages.look.room import LookRoom
from viewer.pages.looks.renewal import Renewal
from viewer.window.main_window import MainWindow
from viewer.window.settings import Settings

LOW, SMALL, ROOMY = (900, 600), (1280, 800), (1920, 1080)
_ENGLISH = (
    "The old teacher who lived near the river told us that her brother had bought a small house in the high"
    " mountain"
)
_FRENCH = (
    "Le vieux professeur qui vivait près de la rivière nous a dit que son frère avait acheté une petite"
    " maison là haut"
)


def trace(tokens: int) -> Trace:
    """So many tokens at both sides, each query at its own key; 3 layers of 8 heads."""
    source, target = (
        (*(f"▁{word}" for word in text.split()[: tokens - 2]), "▁.", "</s>") for text in (_ENGLISH, _FRENCH)
    )
    assert len(source) == len(target) == tokens
    eyes = np.tile(np.eye(tokens, dtype=np.float32), (3, 8, 1, 1))
    return trace_of(dict.fromkeys(AttentionKind, eyes), source, target)


@pytest.fixture
def window(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    session = Session()
    window = build_window(session, Settings(str(tmp_path / "settings.ini")), theme="light", language="en")
    qtbot.addWidget(window)
    session.set_model(info_of("encoder_decoder"))
    for tokens in (12, 24):
        session.add_run(Run(f"run{tokens}", trace(tokens), provenance={"source": "decoded"}))
    window.resize(*getattr(request, "param", ROOMY))
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()


def at(window: MainWindow, size: tuple[int, int], run: str) -> None:
    window.resize(*size)
    session = window._session
    session.show_run(run)
    last = session.trace().steps - 1  # type: ignore[union-attr]
    session.select(kind=AttentionKind.CROSS, step=last, layer=2, head=3)
    for _ in range(3):
        QApplication.processEvents()
    assert (window.width(), window.height()) == size


def share(widget: QWidget) -> float:
    """Of the window's area that a widget takes and shows."""
    region = widget.visibleRegion().boundingRect()
    return region.width() * region.height() / (widget.window().width() * widget.window().height())


def unlabelled(window: MainWindow) -> tuple[int, int]:
    """How many rows and columns have no label, none of the others being of less than 9 pixels."""
    place = window.look_page.panes[0].map.geometry_now()
    assert isinstance(place, MapGeometry)
    for label in (*place.rows, *place.columns):
        assert all(run.pixels >= 9 for run in label.runs)
    rows, columns = place.last_row - place.first_row, place.last_column - place.first_column
    named = [len({label.index for label in labels}) for labels in (place.rows, place.columns)]
    return rows - named[0], columns - named[1]


def test_the_whole_map_is_shown_again_in_every_arrangement(window: MainWindow) -> None:
    page, session = window.look_page, window._session

    def alone() -> None:
        page.show_panels("", "")

    arrangements = {
        "alone": alone,
        "panel": lambda: page.show_panels("", "what_if"),
        "drawer": lambda: page.show_panels("branches", ""),
        "both": lambda: page.show_panels("heads_table", "next_word"),
        "two": lambda: (alone(), session.open_second_pane()),
    }
    seen_in = set()
    for arrangement, arrange in arrangements.items():
        for size in (LOW, SMALL, ROOMY):
            arrange()
            at(window, size, "run24")
            for pane in page.panes[: len(session.document.panes)]:
                where = f"{arrangement} {size}"
                if not pane.map.isVisible():  # a drawer has the room
                    assert arrangement in ("drawer", "both"), where
                    continue
                seen_in.add(arrangement)
                pane.map.zoom_by(3)
                QApplication.processEvents()
                place = pane.map.geometry_now()
                assert isinstance(place, MapGeometry)
                assert place.last_row - place.first_row < 24, where
                pane.reset.click()
                QApplication.processEvents()
                place = pane.map.geometry_now()
                assert isinstance(place, MapGeometry)
                window_of_cells = place.first_row, place.last_row, place.first_column, place.last_column
                assert window_of_cells == (0, 24, 0, 24), where
                shown = pane.map.visibleRegion().boundingRect()
                assert shown.contains(place.map_rect.toRect()), where
                assert not pane.reset.isVisible(), where
    assert page.panes[1].map.isVisible()
    assert seen_in == set(arrangements)


def test_the_map_has_the_room(window: MainWindow) -> None:
    page = window.look_page
    pane = page.panes[0]
    at(window, ROOMY, "run12")
    roomy = (pane.size(), page.heads.size(), page.inspector.size())
    assert page.inspector.isVisible()
    assert window.menuBar().height() > 10

    at(window, LOW, "run12")
    assert share(pane) >= 0.5
    assert unlabelled(window) == (0, 0)
    assert lost(window) == []

    at(window, SMALL, "run24")
    assert share(pane) >= 0.55
    assert unlabelled(window) == (0, 0)
    for place, name in enumerate(page.drawer.names):
        page.drawer.show_panel(place)
        at(window, SMALL, "run24")
        assert page.drawer.view(name).isVisible()
        if page.drawer.row.picture:  # a picture itself has the room until it is put below
            assert share(page.drawer) >= 0.5
            page.drawer.enlarge.click()
            at(window, SMALL, "run24")
        assert page.drawer.view(name).height() >= 115
        assert share(pane) >= 0.5, page.drawer.panel
        assert unlabelled(window) == (0, 0), page.drawer.panel
        assert not page.kind_row.sentence.visibleRegion().isEmpty()
        assert lost(window) == [], page.drawer.panel
    page.drawer.show_panel(None)

    at(window, ROOMY, "run12")
    for size, before in zip((pane.size(), page.heads.size(), page.inspector.size()), roomy, strict=True):
        assert abs(size.width() - before.width()) <= 20
        assert size.height() == before.height()


def test_every_panel_opens_from_the_list_and_gives_its_room_back(window: MainWindow) -> None:
    page, pane = window.look_page, window.look_page.panes[0]
    for size in (LOW, SMALL):
        at(window, size, "run12")
        alone = pane.width()
        panels = [part.view(name) for part in (page.inspector, page.drawer) for name in part.names]
        titles = [*page.inspector.panels.titles(), *page.drawer.panels.titles()]
        for entry, panel, title in zip(page.side.entries, panels, titles, strict=True):
            assert entry.text() == title
            assert seen(entry)
            entry.click()
            at(window, size, "run12")
            assert panel.isVisible()
            assert entry.isChecked()
            assert lost(window) == [], f"{entry.text()} at {size}"
            entry.click()
            at(window, size, "run12")
            assert not panel.isVisible()
            assert not entry.isChecked()
            assert pane.width() == alone

    # What was opened at one size is not what stands open at the other.
    page.side.entries[2].click()
    at(window, ROOMY, "run12")
    assert page.inspector.isVisible()
    page.show_next_word(False)
    at(window, SMALL, "run12")
    assert page.inspector.isVisible()
    at(window, ROOMY, "run12")
    assert not page.inspector.isVisible()


def test_a_drawer_takes_the_place_of_a_low_map_and_can_be_put_below_it(window: MainWindow) -> None:
    page, pane = window.look_page, window.look_page.panes[0]
    at(window, LOW, "run12")
    page.drawer.show_panel(0)
    at(window, LOW, "run12")
    assert not pane.isVisible()
    assert page.drawer.height() > 0.6 * window.height()

    page.drawer.enlarge.click()
    at(window, LOW, "run12")
    assert pane.isVisible()
    at(window, SMALL, "run12")
    assert pane.isVisible()
    page.drawer.enlarge.click()
    at(window, SMALL, "run12")
    assert not pane.isVisible()
    page.drawer.close_button.click()
    at(window, SMALL, "run12")
    assert pane.isVisible()
    assert share(pane) >= 0.55


def test_all_heads_are_shown_once_and_banners_leave_the_map_its_half(window: MainWindow) -> None:
    page, session = window.look_page, window._session
    for size in (LOW, SMALL, ROOMY):
        at(window, size, "run12")
        assert page.heads.isVisible()
        before = page.panes[0].width()
        session.select(view=ALL_HEADS.name)
        at(window, size, "run12")
        assert not page.heads.isVisible()
        assert page.panes[0].width() >= before
        session.select(view=MAP_VIEW)

    at(window, LOW, "run12")
    session.bookmarks.add("first")
    window.notice.show_notice("One sentence that says what went wrong.")
    at(window, LOW, "run12")
    assert window.notice.isVisible()
    assert share(page.panes[0]) >= 0.49
    window.notice._dismiss()
    at(window, LOW, "run12")
    assert share(page.panes[0]) >= 0.5
    assert window.bookmarks.isVisible()
    below = page.panes[0].mapTo(window, QPoint(0, page.panes[0].height())).y()
    assert below >= window.height() - 8


def test_two_maps_are_square_enough_at_1280(window: MainWindow) -> None:
    page, session = window.look_page, window._session
    at(window, SMALL, "run12")
    page.side.entries[0].click()
    session.open_second_pane()
    at(window, SMALL, "run12")
    assert not page.inspector.isVisible()
    assert min(share(pane) for pane in page.panes) >= 0.27
    assert unlabelled(window) == (0, 0)
    assert lost(window) == []
    session.close_second_pane()
    at(window, SMALL, "run12")
    assert page.inspector.isVisible()  # it had only given way


def test_an_open_drawer_follows_the_window(window: MainWindow) -> None:
    page = window.look_page
    at(window, ROOMY, "run24")
    page.drawer.show_panel(0)
    at(window, ROOMY, "run24")
    page.floors.setSizes([400, 460])
    at(window, ROOMY, "run24")
    assert page.drawer.height() > 400
    at(window, SMALL, "run24")
    assert unlabelled(window) == (0, 0)
    assert page.drawer.isVisible()


class Told(QObject):
    """What a menu hears of its actions."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[QEvent.Type] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ActionChanged, QEvent.Type.ActionRemoved):
            self.heard.append(event.type())
        return False


def test_a_bar_without_room_is_filled_anew_after_all_its_menus_are_named(window: MainWindow) -> None:
    """Found by the monkey (seed 2), which crashed: an action's list changed while Qt went through it."""
    window.resize(*LOW)
    QApplication.processEvents()
    bar, told = window.menuBar(), Told()
    count = len(bar.actions())
    shown_by = bar.actions()[0].associatedObjects()
    spare = next(each for each in shown_by if isinstance(each, QMenu) and each.parent() is bar)
    for action in bar.actions():
        action.setText("before")
    spare.installEventFilter(told)
    window.menus.retranslate()
    changed, removed = QEvent.Type.ActionChanged, QEvent.Type.ActionRemoved
    assert told.heard[: count + 1] == [*[changed] * count, removed]


@pytest.mark.parametrize("window", [LOW], indirect=True)
def test_a_window_that_grows_has_all_its_steps(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Renewal, "slice_s", 0.01)
    steps = window.look_page.sentence.steps
    qtbot.wait(50)
    window.resize(*SMALL)
    qtbot.waitUntil(lambda: not window.look_page.room.low)
    qtbot.waitUntil(lambda: not steps.more.isVisible())
    assert steps.slider.isVisible()


@pytest.mark.parametrize("size", [LOW, SMALL])
def test_the_heads_say_what_they_show_whole(window: MainWindow, size: tuple[int, int]) -> None:
    heads, session = window.look_page.heads, window._session
    at(window, size, "run12")
    assert window.look_page.side.width() > size[0] / 6  # thumbnails of a few pixels show nothing
    window.look_page.body.moveSplitter(1, 1)  # dragged as narrow as it goes
    for importance in (True, False):
        session.set_view(importance=importance)
        for _ in range(3):
            QApplication.processEvents()
        tab = heads.tabs[importance]
        assert tab.isChecked()
        assert tab.width() >= tab.minimumSizeHint().width(), tab.text()
        assert tab.visibleRegion().boundingRect() == tab.rect(), tab.text()
        if importance:
            measure = heads.importance.measure  # of a model that can be measured
            assert heads.importance.width() >= measure.minimumSizeHint().width(), measure.text()


def test_the_heads_have_their_share_at_every_size_until_somebody_divides(window: MainWindow) -> None:
    side = window.look_page.side
    widths = {}
    for size in (LOW, SMALL, LOW, SMALL):
        at(window, size, "run12")
        widths.setdefault(size, side.width())
        assert side.width() == widths[size] == side.usual_width(window.look_page.width())
    assert widths[SMALL] > 1.3 * widths[LOW]
    window.look_page.body.moveSplitter(300, 1)
    at(window, SMALL, "run12")
    assert side.width() == 300
    at(window, LOW, "run12")
    assert side.width() != widths[LOW]  # what somebody chose stays, as far as there is room


def test_a_fold_that_another_one_overtakes_ends_as_the_other(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = window.look_page
    at(window, ROOMY, "run12")
    roomy, before = page.room, page.upper.sizes()
    assert not roomy.small
    monkeypatch.setattr(page, "_room_now", lambda: LookRoom(small=True))
    steps = page._folding()
    next(steps)  # half of it
    monkeypatch.setattr(page, "_room_now", lambda: roomy)
    page._share_room()
    for _ in steps:
        pass
    page._share_room()
    assert page.side.parentWidget() is page.upper
    assert (page.body.count(), page.upper.count()) == (2, 2)
    assert page.upper.sizes() == pytest.approx(before, abs=20)
