"""A view of a pane is one row: its tab, key, title, name in files and what is exported come from it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.viewer.figure_samples import sample_trace
from tests.viewer.figures import toy
from tests.viewer.translation_files import TS, messages
from viewer.document.document import Run
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures import registry
from viewer.figures.building import build_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.request import ExportRequest, Source
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.look.pane_view import PaneFigure, PaneView
from viewer.pages.look.pane_views import PANE_VIEWS, pane_view
from viewer.pages.widgets.appearance import Appearance
from viewer.window.actions import MENUS, VIEWS, ActionRow
from viewer.window.keys import handle_key

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")
PLAIN = Qt.KeyboardModifier.NoModifier


class SumsView(PaneFigure[toy.SumsSpec, toy.SumsGeometry]):
    def __init__(self, session: Session, appearance: Appearance, pane: int) -> None:
        super().__init__(appearance)
        self._session, self._pane = session, pane
        session.pane_changed.connect(self.mark_dirty)

    def build(self) -> FigureSpec[toy.SumsSpec] | None:
        run, selection = self._session.run(self._pane), self._session.selection(self._pane)
        if run is None or selection is None:
            return None
        return toy.build(Source(run.trace), ExportRequest(selection=selection))


SUMS = PaneView(
    "row-sums",
    "sums",
    SumsView,
    "view_map",
    label=lambda: "Sums",
    tip=lambda: "The sum of every row (U)",
    action=lambda: "As s&ums",
    spoken=lambda: "Sums of attention",
    key="U",
    of_one_map=False,
)


@pytest.fixture
def pane(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MapPane]:
    """One row more in either registry, and nothing else."""
    monkeypatch.setattr(registry, "KINDS", (*registry.KINDS, "tests.viewer.figures.toy:KIND"))
    PANE_VIEWS.append(SUMS)
    try:
        session = Session()
        pane = MapPane(session, Appearance("light"), 0)
        qtbot.addWidget(pane)
        session.add_run(Run("one", sample_trace()), Selection(layer=1, step=2))
        pane.resize(700, 500)
        pane.show()
        QApplication.processEvents()
        yield pane
    finally:
        PANE_VIEWS.remove(SUMS)


def test_a_toy_is_shown_named_kept_and_exported(pane: MapPane) -> None:
    session = pane._session
    tab = pane.tabs.tabs["row-sums"]
    assert tab.accessibleName() == "Sums"
    tab.click()
    QApplication.processEvents()
    assert pane.shown.isVisible()
    assert pane.shown.accessibleName() == "Sums of attention"
    assert isinstance(pane.body, toy.SumsSpec)
    assert pane.body.sums == pytest.approx([1.0, 1.0, 1.0], abs=1e-6)
    assert pane.title.text() == "Sums of rows"
    assert tab.isChecked()
    assert not pane.numbers.isEnabled()
    assert pane.go_to._tokens() is None
    for wanted in ("map", "row-sums"):
        assert handle_key(session, Qt.Key.Key_U, PLAIN)
        assert pane.view == wanted
    assert handle_key(session, Qt.Key.Key_V, PLAIN)
    assert pane.view == "map", "after the last comes the first"
    kept = Selection.from_json(json.loads(json.dumps(Selection(view="row-sums").to_json())))
    assert kept.view == "row-sums"
    request = ExportRequest(view=pane_view(kept.view).figure, selection=Selection(layer=1))
    assert isinstance(build_figure(Source(sample_trace()), request).body, toy.SumsSpec)


def test_a_view_of_a_later_version_is_shown_as_the_map_and_kept(pane: MapPane) -> None:
    pane._session.select(0, view="holograms")
    QApplication.processEvents()
    assert pane.shown is pane.map
    assert pane.tabs.tabs["map"].isChecked()
    selection = pane._session.selection(0)
    assert selection is not None
    assert selection.to_json()["view"] == "holograms"


def test_sessions_and_bookmarks_of_before_name_the_views_that_there_are() -> None:
    names = ["map", "flow", "words", "heads"]
    assert [pane_view(Selection.from_json({"view": name}).view).name for name in names] == names
    assert Selection.from_json({}).view == "map"
    with pytest.raises(ValueError, match="view"):
        Selection.from_json({"view": 3})


def test_every_view_has_its_words_in_both_languages_and_its_row_in_the_menu() -> None:
    chinese = messages(TS)
    for view in PANE_VIEWS:
        assert chinese["ViewTabs", view.label()]
        assert chinese["ViewTabs", view.tip()]
        assert chinese["Actions", view.action()]
        assert (view.key and f"({view.key})" in view.tip()) or not view.key
        assert view.figure in registry.asked_kinds()
    assert len({view.name for view in PANE_VIEWS}) == len(PANE_VIEWS)
    rows = [
        row for group in MENUS["view"] for row in group if isinstance(row, ActionRow) and row.name in VIEWS
    ]
    assert [row.plain_key for row in rows] == [view.key for view in PANE_VIEWS]
