"""The page: its tabs, sliders, keys, other numbers, and what it says of each kind of model."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from tests.viewer.pages.positions.samples import info, learned, session, sinusoids
from viewer.document.positions.positions_choice import PositionsChoice
from viewer.document.session import Session
from viewer.figures.bases.layout import BasesGeometry
from viewer.figures.bases.spec import BasesSpec
from viewer.figures.clocks.layout import ClocksGeometry
from viewer.figures.clocks.spec import ClocksSpec
from viewer.figures.distance.layout import DistanceGeometry
from viewer.figures.distance.spec import DistanceSpec
from viewer.figures.encoding.spec import PositionsSpec
from viewer.figures.rotation.spec import RotationSpec
from viewer.pages.positions.number_row import NumberRow
from viewer.pages.positions.positions_page import PositionsPage
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "does not support raise")


def shown(qtbot: Any, of: Session | None = None) -> PositionsPage:
    page = PositionsPage(of or session(), Appearance("light"))
    qtbot.addWidget(page)
    page.resize(1200, 640)
    page.show()
    return page


def body(page: PositionsPage) -> Any:
    assert page.figure is not None
    return page.figure.body


def test_each_tab_shows_its_picture(qtbot: Any) -> None:
    page = shown(qtbot)
    kinds = (PositionsSpec, ClocksSpec, RotationSpec, DistanceSpec, BasesSpec)
    assert page.tab == "encoding"
    for index, kind in zip(("encoding", "wavelengths", "rotation", "distance", "bases"), kinds):
        page.tabs[index].click()
        assert isinstance(body(page), kind)
        assert page.panels[index].isVisible()
        assert len(page.table()) > 1
        assert not page.grab().isNull()
    page.tabs["decode"].click()
    assert page.figure is None
    assert page.table() == []
    assert not page.source.isVisible()


def test_the_position_slider_moves_the_hands(qtbot: Any) -> None:
    page = shown(qtbot)
    page.show_tab("wavelengths")
    panel = page.panels["wavelengths"]
    panel.position.slider.setFocus()
    before = page.choice.position
    QTest.keyClick(panel.position.slider, Qt.Key.Key_Right)
    assert body(page).position == before + 1
    panel.position.spin.setValue(40)
    assert (body(page).position, panel.position.slider.value()) == (40, 40)
    angle = 40 / 10000 ** (2 * 3 / 16)
    assert body(page).hands[3] == pytest.approx([math.sin(angle), math.cos(angle)], abs=1e-6)
    panel.position.spin.setValue(9999)
    assert body(page).position == 95


def test_the_hands_turn_by_themselves_until_the_tab_is_left(qtbot: Any) -> None:
    page = shown(qtbot)
    page.show_tab("wavelengths")
    panel, before = page.panels["wavelengths"], page.choice.position
    panel.timer.setInterval(1)
    panel.play.click()
    qtbot.waitUntil(lambda: page.choice.position > before + 2)
    assert "Stop" in panel.play.accessibleName()
    page.show_tab("rotation")
    assert not panel.timer.isActive()
    page.choice.set_position(95)
    panel.timer.timeout.emit()
    assert page.choice.position == 0, "from the last to the first"


def test_the_pairs_are_walked_through_with_arrows_and_clicks(qtbot: Any) -> None:
    page = shown(qtbot)
    page.show_tab("wavelengths")
    view = page.panels["wavelengths"].view
    page.choice.set_pair(2)
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert body(page).pair == 3
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert body(page).pair == 7, "the last"
    place = view.geometry_now()
    assert isinstance(place, ClocksGeometry)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place.clocks.cells[1].center().toPoint())
    assert body(page).pair == 1
    page.show_tab("rotation")
    assert body(page).pair == 1, "the same pair there"


def test_what_is_pointed_at_is_read_out_and_in_the_tooltip(qtbot: Any) -> None:
    page = shown(qtbot)
    heard: list[str] = []
    page.read_out.connect(heard.append)
    page.show_tab("distance")
    view = page.panels["distance"].view
    place = view.geometry_now()
    assert isinstance(place, DistanceGeometry)
    point = place.by_offset.at(20, float(place.by_offset.y.low) + 1)
    QTest.mouseMove(view, point.toPoint())
    exact = sum(math.cos(20 / 10000 ** (2 * i / 16)) for i in range(8))
    assert f"{exact:.3f}" in heard[-1]
    place_there = QPoint(view.mapToGlobal(point.toPoint()))
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, point.toPoint(), place_there))
    assert QToolTip.text() == heard[-1]
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=point.toPoint())
    assert body(page).offset == 20
    row = next(line for line in page.table()[1:] if line[0] == "offset" and line[1] == 20)
    assert float(str(row[2])) == pytest.approx(exact, abs=1e-5)


def test_sliders_of_rotation_and_distance_choose(qtbot: Any) -> None:
    page = shown(qtbot)
    page.show_tab("rotation")
    page.panels["rotation"].position.spin.setValue(90)
    page.panels["rotation"].offset.spin.setValue(9)
    assert (body(page).position, body(page).offset) == (90, 5), "no further than the table"
    page.panels["rotation"].pair.spin.setValue(6)
    assert body(page).pair == 6
    page.show_tab("distance")
    page.panels["distance"].count.spin.setValue(30)
    assert body(page).count == 30
    assert page.panels["distance"].view.accessibleDescription() == page.figure.caption  # type: ignore[union-attr]


def test_the_base_of_the_notes_stands_beside_the_papers(qtbot: Any) -> None:
    page = shown(qtbot)
    page.show_tab("bases")
    assert [side.base for side in body(page).sides] == [10000.0, 1000.0]
    base = page.panels["bases"].base
    base.marks[1].click()
    assert body(page).sides[1].base == 10000.0
    base.marks[0].click()
    assert body(page).sides[1].base == 1000.0
    slider = base.number.slider
    assert (slider.minimum(), slider.value(), slider.maximum()) == (200, 300, 500)
    for _ in range(60):
        QTest.keyClick(slider, Qt.Key.Key_Right)
    assert slider.value() == 360, "no key is swallowed by rounding"
    assert page.choice.base == 3980
    place = page.panels["bases"].view.geometry_now()
    assert isinstance(place, BasesGeometry)
    point = place.similarity.at(12, 0.5).toPoint()
    QTest.mouseClick(page.panels["bases"].view, Qt.MouseButton.LeftButton, pos=point)
    assert body(page).offset == 12


def test_other_numbers_are_badged_and_the_model_comes_back(qtbot: Any) -> None:
    page = shown(qtbot)
    assert not page.explore.isVisible()
    page.source.tabs[1].click()
    page.explore.base.number.spin.setValue(1000)
    page.explore.dimensions.spin.setValue(64)
    assert page.explore.isVisible()
    for index in ("encoding", "wavelengths", "rotation", "distance"):
        page.show_tab(index)
        assert "not this model's: base 1,000, d_model 64" in body(page).badges
    page.show_tab("encoding")
    assert body(page).encoding.shape == (64, 64)
    expected = sinusoids(64, 64, 1000.0)
    np.testing.assert_allclose(body(page).encoding, expected, atol=1e-6)
    page.show_tab("bases")
    assert not page.panels["bases"].base.isVisible(), "one slider of the base is enough"
    page.source.tabs[0].click()
    page.show_tab("encoding")
    assert "not this model's" not in str(body(page).badges)
    np.testing.assert_array_equal(body(page).encoding, sinusoids()[:64])
    assert not page.explore.isVisible()


def test_another_model_ends_the_trying_out(qtbot: Any) -> None:
    page = shown(qtbot)
    page.choice.explore(True)
    page.choice.set_pair(7)
    page._session.set_model(info(sinusoids(20, 8)))
    assert not page.choice.exploring
    assert (page.choice.pair, page.choice.dimensions) == (3, 8)
    assert body(page).encoding.shape == (20, 8)


def test_learned_positions_say_what_they_lack_and_offer_sinusoids(qtbot: Any) -> None:
    page = shown(qtbot, session(learned(), positions="learned"))
    assert "learned" in page.explanation.text()
    np.testing.assert_array_equal(body(page).encoding, learned())
    page.show_tab("distance")
    assert body(page).exact is None
    for index, panel in (("wavelengths", page.panels["wavelengths"]), ("rotation", page.panels["rotation"])):
        page.show_tab(index)
        assert page.figure is None
        assert panel.empty.isVisible()
        assert "positions are learned" in panel.empty.sentence.text()
    page.panels["rotation"].empty.button.click()
    assert page.choice.exploring
    assert isinstance(body(page), RotationSpec)


def test_a_model_without_positions_says_so(qtbot: Any) -> None:
    without = Session()
    page = shown(qtbot, without)
    assert "Open a model" in page.empty.sentence.text()
    without.set_model(info(None, positions="none"))
    assert "adds no positional encoding" in page.empty.sentence.text()
    assert page.empty.isVisible()
    assert page.figure is None
    heard: list[bool] = []
    page.model_asked.connect(lambda: heard.append(True))
    page.empty.button.click()
    assert heard


def test_controls_have_names_and_follow_the_language(qtbot: Any) -> None:
    page = shown(qtbot)
    for row in page.findChildren(NumberRow):
        assert row.slider.accessibleName()
        assert row.spin.accessibleName() == row.slider.accessibleName()
    for panel in (page.panels[name] for name in ("encoding", "wavelengths", "rotation", "distance", "bases")):
        assert panel.view.accessibleName()
    names = [tab.text() for tab in page.tabs.values()]
    QApplication.sendEvent(page, QEvent(QEvent.Type.LanguageChange))
    assert [tab.text() for tab in page.tabs.values()] == names
    assert len(set(names)) == 7


def test_numbers_that_belong_together_are_told_once() -> None:
    choice = PositionsChoice(session())
    heard: list[bool] = []
    choice.changed.connect(lambda: heard.append(True))
    with choice.together():
        choice.set_position(4)
        choice.set_pair(1)
    choice.set_pair(1)
    choice.set_dimensions(33)
    assert choice.dimensions == 32
    choice.set_base(5)
    assert choice.base == 100
    assert len(heard) == 3


def test_what_a_page_begins_with_waits_for_the_model(qtbot: Any) -> None:
    late = Session()
    page = shown(qtbot, late)
    late.set_model(info(sinusoids()))
    page.show_tab("rotation")
    assert (body(page).position, body(page).offset, body(page).pair) == (7, 3, 4)


def test_any_point_can_be_pointed_at(qtbot: Any) -> None:
    page = shown(qtbot)
    for index in ("encoding", "wavelengths", "rotation", "distance", "bases"):
        page.show_tab(index)
        panel: Any = page.panels[index]
        for point in (QPointF(0, 0), QPointF(600, 300), QPointF(5000, 5000)):
            assert isinstance(panel.view.sentence_at(point), str)
