"""How often pictures are built: never more often than they are painted, and never unseen."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QPaintEvent
from pytestqt.qtbot import QtBot

from tests.assets import SENTENCE
from tests.viewer.desk import Desk
from tests.viewer.driving import Driver, start
from viewer.document.messages.requests import Translate
from viewer.pages.look.compare.difference_view import DifferenceView
from viewer.pages.look.heads.all_heads_view import AllHeadsView
from viewer.pages.look.heads.heads_view import HeadsView
from viewer.pages.look.map.flow_view import FlowView
from viewer.pages.look.map.map_view import MapView
from viewer.pages.look.map.words_view import WordsView
from viewer.pages.widgets import before_paint
from viewer.pages.widgets.figure_view import FigureView

VIEWS = (MapView, FlowView, WordsView, AllHeadsView, HeadsView, DifferenceView)


class Counts:
    """Builds of each view, and how many of them no frame showed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.builds: Counter[FigureView] = Counter()
        self.wasted: Counter[FigureView] = Counter()
        self._unpainted: set[FigureView] = set()
        for kind in VIEWS:
            self._watch_builds(monkeypatch, kind)
        painted = FigureView.paintEvent

        def paint(view: FigureView, event: QPaintEvent) -> None:
            painted(view, event)
            self._unpainted.discard(view)

        monkeypatch.setattr(FigureView, "paintEvent", paint)

    def _watch_builds(self, monkeypatch: pytest.MonkeyPatch, kind: type[FigureView]) -> None:
        built = kind.build

        def build(view: Any) -> Any:
            self.builds[view] += 1
            self.wasted[view] += view in self._unpainted
            self._unpainted.add(view)
            return built(view)

        monkeypatch.setattr(kind, "build", build)

    @property
    def all_painted(self) -> bool:
        """Whether a frame has shown every build of what is in view."""
        return not any(view.isVisible() for view in self._unpainted)

    def clear(self) -> None:
        self.builds.clear()
        self.wasted.clear()


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    return Counts(monkeypatch)


@pytest.fixture
def driver(
    qtbot: QtBot, tmp_path: Path, tiny_bundle: Path, counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Driver]:
    """Counted from before the first frame: PySide remembers which method it calls."""
    monkeypatch.setattr(before_paint, "_SLICE_S", math.inf)  # on a slow machine a token comes in between
    driver = start(qtbot, tmp_path)
    driver.open(tiny_bundle)
    driver.translate(SENTENCE)
    yield driver
    driver.window.close()
    assert driver.program.ended


def translate_again(driver: Driver, counts: Counts) -> int:
    """A live decode, and how many tokens it had."""
    driver.qtbot.wait(60)
    driver.wait(lambda: counts.all_painted)  # on a slow machine the first frame takes longer
    before = driver.session.run()
    counts.clear()
    driver.session.ask(Translate())
    driver.wait(lambda: driver.session.run() is not before and driver.translated())
    run = driver.session.run()
    assert run is not None
    return run.trace.steps


def test_a_pane_builds_once_a_frame_and_two_once_each(driver: Driver, counts: Counts) -> None:
    for view in ("flow", "words", "heads", "map"):
        driver.session.select(view=view)
        steps = translate_again(driver, counts)
        shown = driver.page.panes[0].views[view]
        driver.wait(lambda shown=shown: counts.builds[shown] > 0)  # type: ignore[misc]  # may be after the last token
        assert counts.builds[shown] <= steps + 3, view
        assert counts.wasted.total() == 0, view
        unseen = [each for each in counts.builds if not each.isVisible()]
        assert unseen == [], view

    driver.session.open_second_pane()
    driver.wait(driver.page.panes[1].isVisible)
    driver.page.drawer.show_panel(1)  # the difference is a picture too
    translate_again(driver, counts)
    assert all(counts.builds[pane.map] for pane in driver.page.panes if pane.isVisible())
    assert counts.wasted.total() == 0


def test_what_nobody_sees_is_not_built(driver: Driver, counts: Counts) -> None:
    window = driver.window
    window.pages.show_page(1)  # Positions
    translate_again(driver, counts)
    assert counts.builds.total() == 0
    window.pages.show_page(0)
    driver.wait(lambda: counts.builds[driver.page.panes[0].map] > 0)
    assert counts.builds[driver.page.panes[0].map] == 1

    window.showMinimized()
    translate_again(driver, counts)
    assert counts.builds.total() == 0
    window.showNormal()
    driver.wait(lambda: counts.builds[driver.page.panes[0].map] > 0)
    assert counts.wasted.total() == 0


def test_whoever_asks_gets_what_is_true_now(desk: Desk) -> None:
    pane, session = desk.page.panes[0], desk.session
    session.select(layer=0, head=0)
    assert pane.title.text() == pane.map.spec.title  # type: ignore[union-attr]
    session.select(layer=0, head=1)
    spec = pane.map.spec
    assert spec is not None
    assert spec.head == 1
    assert "head 2" in pane.title.text()
