"""Gold links beside and over the map of a pane, and in the window's menu."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.alignment.links import Gold
from model.trace.trace import AttentionKind
from tests.model.alignment.samples import sample_trace
from tests.viewer.driving import Driver, start
from tests.viewer.figure_samples import sample_trace as three_families
from tests.viewer.gold.samples import GOLD, gold_of, shown
from viewer.dialogs.gold_dialog import GoldDialog
from viewer.document.document import Run
from viewer.document.session import Session
from viewer.figures.map.spec import MapSpec
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


def pane_of(qtbot: QtBot, session: Session) -> MapPane:
    pane = MapPane(session, Appearance(), 0)
    qtbot.addWidget(pane)
    pane.resize(640, 520)
    pane.show()
    return pane


def spec_of(pane: MapPane) -> MapSpec:
    spec = pane.map.spec
    assert spec is not None
    return spec


def click(pane: MapPane, row: int, column: int, *, alt: bool = True) -> None:
    geometry = pane.map.geometry_now()
    assert geometry is not None
    modifier = Qt.KeyboardModifier.AltModifier if alt else Qt.KeyboardModifier.NoModifier
    place: QPoint = geometry.rect_of(row, column).center().toPoint()
    QTest.mouseClick(pane.map, Qt.MouseButton.LeftButton, modifier, place)


def test_the_map_shows_links_when_they_are_given_and_while_they_are_wanted(qtbot: QtBot) -> None:
    session = shown()
    pane = pane_of(qtbot, session)
    assert spec_of(pane).gold is None
    assert not pane.gold.show_action.isEnabled()
    session.replace_run(Run("one", sample_trace(), gold=GOLD))
    overlay = spec_of(pane).gold
    assert overlay is not None
    assert len(overlay.boxes) == 3
    assert pane.badges.text().endswith("AER of this head 0.00")
    assert "AER 1.00 by the row that reads it" in pane.badges.toolTip()
    pane.gold.rules["reads"].trigger()
    assert session.view.alignment_rule == "reads"
    assert pane.badges.text().endswith("AER of this head 1.00, no better than a diagonal (0.67)")
    assert "AER of a plain diagonal: 0.67" in pane.badges.toolTip()
    pane.gold.show_action.trigger()
    assert not session.view.gold_links
    assert spec_of(pane).gold is None
    assert pane.badges.text() == ""


def test_alt_click_toggles_and_a_plain_click_does_not(qtbot: QtBot) -> None:
    session = shown()
    pane = pane_of(qtbot, session)
    kinds = []
    for _ in range(3):
        click(pane, 1, 2)
        found = gold_of(session)
        assert found is not None
        kinds.append(found.kind_of((2, 1)))
    assert kinds == ["sure", "possible", None]
    before = session.selection()
    click(pane, 0, 3)  # the end token is no word
    assert gold_of(session) == found
    assert session.selection() == before
    click(pane, 0, 0, alt=False)
    assert gold_of(session) == found
    selection = session.selection()
    assert selection is not None
    assert (selection.query, selection.key) == (0, 0)


def test_the_key_toggles_the_link_at_the_crosshair(qtbot: QtBot) -> None:
    session = shown()
    pane = pane_of(qtbot, session)
    QTest.keyClick(pane.map, Qt.Key.Key_G)  # no crosshair yet
    assert gold_of(session) is None
    session.set_crosshair(2, 1)
    QTest.keyClick(pane.map, Qt.Key.Key_G)
    assert gold_of(session) == Gold(((1, 2),), (), "the red car", "la voiture rouge")


def test_a_merged_row_toggles_the_word_that_it_shows(qtbot: QtBot) -> None:
    from tests.viewer.figures.map.test_gold import trace_of_pieces

    session = shown(trace=trace_of_pieces())
    session.set_view(whole_words=True)
    pane = pane_of(qtbot, session)
    click(pane, 1, 0)
    found = gold_of(session)
    assert found is not None
    assert found.sure == ((0, 1),)
    session.set_view(alignment_rule="reads")
    click(pane, 2, 0)
    found = gold_of(session)
    assert found is not None
    assert found.possible == ((0, 1),)


def test_links_of_another_sentence_are_said(qtbot: QtBot) -> None:
    session = shown(Gold(((0, 0),), source="a bus"))
    pane = pane_of(qtbot, session)
    assert spec_of(pane).gold is None
    click(pane, 1, 1)
    assert session.notice is not None
    assert session.notice.code == "align_source_differs"


def test_the_button_is_there_where_it_means_something(qtbot: QtBot) -> None:
    session = Session()
    pane = pane_of(qtbot, session)
    assert pane.gold.isHidden()
    session.add_run(Run("one", three_families()))
    session.select_kind(AttentionKind.CROSS)
    assert not pane.gold.isHidden()
    assert pane.gold.edit_action.isEnabled()
    session.select_kind(AttentionKind.DECODER_SELF)
    assert pane.gold.isHidden()
    session.select_kind(AttentionKind.CROSS)
    session.select(view="flow")
    assert pane.gold.isHidden()
    session.select(view="map")
    session.replace_run(Run("one", three_families(), live=True))
    assert not pane.gold.edit_action.isEnabled()
    asked: list[bool] = []
    pane.gold_asked.connect(lambda: asked.append(True))
    pane.gold.edit_asked.emit()
    assert asked == [True]


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    yield driver
    driver.window.close()


def test_the_menu_opens_the_dialog_for_the_run_in_view(driver: Driver) -> None:
    session, action = driver.session, driver.window.actions_["gold_links"]
    session.clear_runs()
    assert not action.isEnabled()
    session.add_run(Run("mine", sample_trace(), provenance={"source": "file"}))
    assert action.isEnabled()
    action.trigger()
    action.trigger()  # before the dialog is there
    driver.wait(lambda: bool(driver.window.findChildren(GoldDialog)))
    (dialog,) = driver.window.findChildren(GoldDialog)
    dialog.links.setPlainText("0-0 2-1 1p2")
    dialog.accept()
    found = gold_of(session, "mine")
    assert found is not None
    assert found.sure == ((0, 0), (2, 1))
    assert "gold alignment" in session.undo_name


def test_a_dialog_whose_run_goes_while_it_is_made_is_not_opened(driver: Driver) -> None:
    session, action = driver.session, driver.window.actions_["gold_links"]
    session.add_run(Run("mine", sample_trace(), provenance={"source": "file"}))
    action.trigger()
    driver.wait(lambda: bool(driver.window.findChildren(GoldDialog)))
    (dialog,) = driver.window.findChildren(GoldDialog)
    if not dialog.isVisible():  # on a slow machine all turns come at once
        session.clear_runs()
    driver.wait(lambda: not driver.window.dialogs._gold_turns.busy)
    driver.wait(lambda: not driver.window.findChildren(GoldDialog) or dialog.isVisible())
    assert bool(session.document.runs) is bool(driver.window.findChildren(GoldDialog))


def test_a_dialog_that_cannot_be_filled_is_in_nobodys_way(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, dialogs = driver.session, driver.window.dialogs
    session.add_run(Run("mine", sample_trace(), provenance={"source": "file"}))
    run = session.run()
    assert run is not None
    with monkeypatch.context() as patch:
        patch.setattr(GoldDialog, "refresh", lambda _: 1 / 0)
        steps = dialogs._asking_gold(run)
        with pytest.raises(ZeroDivisionError):
            deque(steps, maxlen=0)
    driver.wait(lambda: not driver.window.findChildren(GoldDialog))
    driver.window.actions_["gold_links"].trigger()
    driver.wait(lambda: any(each.isVisible() for each in driver.window.findChildren(GoldDialog)))
    (dialog,) = driver.window.findChildren(GoldDialog)
    assert dialog.draft.source
    dialog.reject()
