"""The contribution graph in a pane: edges by pointer and keys, their heads, and where these lead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.abilities import Ability
from model.questions.causes.contributions import ContributionsOf, HeadContributionsOf
from model.questions.questions import Reading
from model.trace.trace import ArrayPatterns, AttentionKind
from tests.viewer.fake_source import small_info
from tests.viewer.figure_samples import sample_trace
from tests.viewer.figures.mixing_samples import contributions, head_contributions
from viewer.document.document import Run
from viewer.document.selection import Numbers, Selection
from viewer.document.session import Session
from viewer.pages.look.map.contributions_tools import ContributionsTools
from viewer.pages.look.map.contributions_view import ContributionsView
from viewer.pages.look.map.numbers_button import NumbersButton
from viewer.pages.look.map.view_tabs import ViewTabs
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

ENC, DEC, CROSS = AttentionKind


def key(view: ContributionsView, pressed: Qt.Key) -> None:
    QTest.keyClick(view, pressed)


def test_edges_heads_and_where_they_lead(qtbot: QtBot) -> None:
    session, trace = Session(), sample_trace(model_sha256="00")
    session.add_run(
        Run("a", trace), Selection(CROSS, 1, 0, 1, view="contributions", numbers=Numbers.MEAN_LAYERS)
    )
    session.set_model(small_info())
    asked: list[Any] = []
    session.answers.wanted.connect(lambda question, about, topic: asked.append(question))
    view = ContributionsView(session, Appearance("light"), 0)
    qtbot.addWidget(view)
    view.resize(640, 420)
    view.show()
    qtbot.waitExposed(view)
    assert view.figure is None
    qtbot.waitUntil(lambda: asked == [ContributionsOf()])
    reading = Reading.of(trace)
    session.answers.finish((ContributionsOf(), reading), contributions(trace))
    qtbot.waitUntil(lambda: view.waiting != "" and asked == [ContributionsOf(), HeadContributionsOf()])
    session.answers.finish((HeadContributionsOf(), reading), head_contributions(trace))
    qtbot.waitUntil(lambda: view.figure is not None)

    told: list[str] = []
    view.read_out.connect(told.append)
    key(view, Qt.Key.Key_Right)
    assert told[-1].startswith("Encoder layer 1: 100 % of ")
    key(view, Qt.Key.Key_Right)
    key(view, Qt.Key.Key_Right)
    key(view, Qt.Key.Key_Left)
    spec = view.spec
    assert spec is not None
    second = spec.sentence_of(1)
    assert told[-1] == second == view.accessibleDescription()
    cells = view.cells()
    assert cells is not None
    assert (cells.rows, cells.current, cells.name(1, 0)) == (len(spec.edges), (1, 0), second)

    cross = spec.nearest((CROSS, 1, 1, 2))
    place = view.geometry_now()
    assert cross is not None
    assert place is not None
    assert cells.choose is not None
    cells.choose(cross, 0)
    menu = view.heads_menu()
    assert menu is not None
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts == [spec.sentence_of(cross), "head 2: 75 %", "head 1: 25 %"]
    arithmetic: list[None] = []
    view.arithmetic_asked.connect(lambda: arithmetic.append(None))
    menu.actions()[2].trigger()
    chosen = session.selection()
    assert chosen is not None
    assert (chosen.kind, chosen.layer, chosen.head, chosen.query, chosen.key) == (CROSS, 1, 1, 1, 2)
    assert (chosen.view, chosen.numbers, chosen.step, len(arithmetic)) == ("map", Numbers.WEIGHTS, 1, 1)

    label = QPoint(int(place.step_labels.center().x()), int(place.decoder.y(2)))
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, label)
    assert session.selection() is not None
    assert view.spec is not None
    assert view.spec.step == 2  # nothing is asked again: an answer has every step
    key(view, Qt.Key.Key_Up)
    assert view.spec.step == 1
    assert len(asked) == 2
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(3, 3))
    assert view.heads_menu() is None


def test_a_model_that_cannot_be_asked_is_said_beforehand_and_instead(qtbot: QtBot) -> None:
    """Of a trace with an encoder's attention alone, of a model that is not ours."""
    session, trace = Session(), sample_trace()
    encoder = ArrayPatterns({ENC: trace.patterns.layer(ENC, 0)[None]})
    session.add_run(Run("a", replace(trace, patterns=encoder)), Selection(ENC, view="contributions"))
    session.set_model(replace(small_info(), can=frozenset({Ability.WRITE})))
    view, tabs = ContributionsView(session, Appearance("light"), 0), ViewTabs(session, Appearance("light"), 0)
    for widget in (view, tabs):
        qtbot.addWidget(widget)
    view.show()
    qtbot.waitExposed(view)
    assert view.figure is None
    reason = view.waiting
    assert "only its attention can be shown" in reason
    assert reason in tabs.tabs["contributions"].toolTip()
    assert reason not in tabs.tabs["map"].toolTip()


def test_the_threshold_and_the_name_of_the_numbers(qtbot: QtBot) -> None:
    session, trace = Session(), sample_trace(model_sha256="00")
    session.add_run(Run("a", trace), Selection(CROSS, 1, 0, 1, view="contributions"))
    tools = ContributionsTools(session, Appearance("light"), 0)
    numbers = NumbersButton(session, Appearance("light"), 0)
    for widget in (tools, numbers):
        qtbot.addWidget(widget)
    tools.slider.setValue(tools.slider.maximum())
    assert session.view.threshold == 1.0
    assert tools.value.text() == "1"
    assert (numbers.text(), numbers.isEnabled()) == ("Contributions (ALTI+)", False)
    assert "always shows contributions" in numbers.toolTip()
    session.select(view="heads")
    assert (numbers.text(), numbers.isEnabled()) == ("Weights", False)
