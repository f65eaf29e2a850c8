"""The page of models that mark positions otherwise: rotations, biases, two tables, nothing that is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from model.positions.position_facts import NoPositions, PositionFacts
from tests.viewer.pages.positions.kinds import bias, rotary, session_of, two_tables
from tests.viewer.pages.positions.samples import learned
from tests.viewer.pages.positions.test_page import body, shown
from viewer.commands.render import request_of
from viewer.commands.render_arguments import build_parser
from viewer.document.positions.positions_known import facts_of
from viewer.export.command_line import arguments
from viewer.figures.angles.spec import AnglesSpec
from viewer.figures.bias.spec import BiasSpec
from viewer.figures.building import build_figure
from viewer.figures.canvas.tables import TablesGeometry
from viewer.figures.clocks.rotary import RotaryClocksSpec
from viewer.figures.request import ExportRequest, Source
from viewer.figures.rotation.rotary import RotaryRotationSpec
from viewer.figures.rows import figure_rows
from viewer.pages.positions.positions_page import PositionsPage

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "does not support raise")


def offered(page: PositionsPage) -> list[str]:
    return [name for name, tab in page.tabs.items() if tab.isVisible()]


def test_rotations_have_their_own_pictures(qtbot: Any) -> None:
    page = shown(qtbot, session_of(rotary(), family="decoder_only"))
    assert offered(page) == ["encoding", "wavelengths", "rotation", "decode"]
    assert not page.source.isVisible(), "no base can be tried out for them"
    assert not page.known.isVisible()
    assert "nothing is added to the embeddings" in page.explanation.text()
    for index, kind in (
        ("encoding", AnglesSpec),
        ("wavelengths", RotaryClocksSpec),
        ("rotation", RotaryRotationSpec),
    ):
        page.tabs[index].click()
        assert isinstance(body(page), kind)
        assert len(page.table()) > 6
        assert not page.grab().isNull()
    page.panels["rotation"].position.spin.setValue(75)
    page.panels["rotation"].offset.spin.setValue(9)
    assert (body(page).position, body(page).offset) == (75, 4), "no further than the model counts"


def test_a_click_on_an_angle_draws_its_pair(qtbot: Any) -> None:
    page = shown(qtbot, session_of(rotary()))
    assert page.panels["encoding"].curves == (0, 1, 3)
    place = page.panels["encoding"].view.geometry_now()
    assert isinstance(place, TablesGeometry)
    box = place.maps[1].box
    point = box.topLeft().toPoint()
    point.setX(int(box.left() + box.width() * 5.5 / 6))
    point.setY(int(box.top() + box.height() * 10.5 / 64))
    angle = 10 * 500.0 ** (-10 / 12)
    assert f"{np.sin(angle):+.4f}" in page.panels["encoding"].view.sentence_at(QPointF(point))
    QTest.mouseClick(page.panels["encoding"].view, Qt.MouseButton.LeftButton, pos=point)
    assert body(page).curves == (0, 1, 3, 5)


def test_each_stack_has_its_bias(qtbot: Any) -> None:
    page = shown(qtbot, session_of(bias(), bias(both=False)))
    assert page.tab == "bias"
    assert offered(page) == ["bias", "decode"]
    assert [tab.text() for tab in page.known.tabs] == ["Encoder", "Decoder"]
    assert not body(page).masked.any()
    page.known.tabs[1].click()
    assert np.array_equal(body(page).masked, np.triu(np.ones((16, 16), bool), 1))
    page.panels["bias"].head.spin.setValue(3)
    page.panels["bias"].length.spin.setValue(5)
    assert (body(page).head, body(page).square.shape) == (2, (5, 5))
    place = page.panels["bias"].view.geometry_now()
    assert isinstance(place, TablesGeometry)
    box = place.maps[0].box
    point = box.center().toPoint()
    QTest.mouseClick(page.panels["bias"].view, Qt.MouseButton.LeftButton, pos=point)
    assert body(page).head == 1
    assert page.panels["bias"].head.spin.value() == 2, "heads are counted from 1"
    QTest.keyClick(page.panels["bias"].view, Qt.Key.Key_Right)
    assert body(page).head == 2


def test_two_learned_tables_are_chosen_between(qtbot: Any) -> None:
    page = shown(qtbot, session_of(*two_tables()))
    np.testing.assert_array_equal(body(page).encoding, learned(40, 12))
    assert "learned" in body(page).badges
    page.known.tabs[1].click()
    np.testing.assert_array_equal(body(page).encoding, learned(40, 12)[::-1])
    assert "of the decoder" in body(page).badges
    for index in ("wavelengths", "rotation", "bases"):
        panel = page.panels[index]
        page.show_tab(index)
        assert page.figure is None
        assert "are learned" in panel.empty.sentence.text()
    page.show_tab("distance")
    assert body(page).exact is None


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (NoPositions(known=True), "foreign adds no positional encoding"),
        (NoPositions(), "Headscope cannot show how foreign encodes positions."),
    ],
)
def test_where_nothing_is_known_nothing_is_shown(qtbot: Any, fact: PositionFacts, said: str) -> None:
    page = shown(qtbot, session_of(fact))
    assert page.empty.sentence.text().startswith(said)
    assert page.figure is None
    asked = ExportRequest()
    assert page.asked(asked) is asked


def test_a_model_that_cannot_be_altered_says_so_in_one_sentence(qtbot: Any) -> None:
    page = shown(qtbot, session_of(rotary()))
    page.show_tab("decode")
    assert "foreign" in page.panels["decode"].state.text()
    decode = page.panels["decode"]
    shut = (*decode.modes, decode.side, decode.heading, decode.before, decode.held)
    assert not any(widget.isVisible() for widget in shut)


def test_another_kind_of_model_shows_a_tab_that_it_has(qtbot: Any) -> None:
    page = shown(qtbot, session_of(rotary()))
    page.show_tab("wavelengths")
    page._session.set_model(session_of(bias()).model)
    assert page.tab == "bias"
    assert isinstance(body(page), BiasSpec)
    page._session.set_model(session_of(*two_tables()).model)
    assert page.tab == "encoding"


@pytest.mark.parametrize(
    "facts",
    [(rotary(),), (bias(), bias(both=False)), two_tables(), (rotary(), rotary(base=9.0))],
    ids=["rotary", "bias", "tables", "two rotations"],
)
def test_the_copied_command_makes_what_the_page_shows(qtbot: Any, facts: tuple[PositionFacts, ...]) -> None:
    session = session_of(*facts)
    page = shown(qtbot, session)
    page.choice.look_at(len(facts) - 1)
    page.choice.set_head(2)
    page.panels["encoding"].toggle_curve(2)
    assert page.exported() is None, "`render` makes it too"
    asked = page.asked(ExportRequest())
    assert session.model is not None
    source = Source(model_name="foreign", model_sha256="ab" * 32, position_facts=facts_of(session.model))
    for file_format in ("png", "csv"):
        words = arguments(asked, ["--model", "m"], "out." + file_format, file_format=file_format)
        given = build_parser().parse_args(words[1:])
        made = build_figure(source, request_of(given, source))
        assert page.figure is not None
        assert list(figure_rows(made)) == list(figure_rows(page.figure))
        if file_format == "png":
            assert (made.caption, made.facts) == (page.figure.caption, page.figure.facts)
