"""Choosing what a pane's numbers are; a map that waits for an answer says so and is drawn when it comes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.questions.answers import ValueGrams
from model.questions.questions import Reading, ValueNorms
from model.trace.trace import AttentionKind
from tests.viewer.desk import Desk
from tests.viewer.fake_source import small_info
from tests.viewer.figure_samples import sample_trace, trace_of
from viewer.document.document import Run
from viewer.document.messages.notice import Notice
from viewer.document.selection import Numbers, Selection
from viewer.document.session import Session
from viewer.figures.map.build import map_figure
from viewer.figures.map.spec import MapSpec
from viewer.pages.look.linking import choose
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.look.map.numbers_button import NumbersButton
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

X = AttentionKind.CROSS


def session_of(*, live: bool = False) -> tuple[Session, Reading]:
    session = Session()
    trace = sample_trace(model_sha256="00")
    session.add_run(Run("a", trace, live=live), Selection(X, layer=1, step=2))
    session.set_model(small_info())
    return session, Reading.of(trace)


def grams() -> ValueGrams:
    return ValueGrams({X: np.ones((2, 4, 2, 2), np.float32)})


def shown(qtbot: QtBot, session: Session) -> MapPane:
    pane = MapPane(session, Appearance("light"), 0)
    qtbot.addWidget(pane)
    pane.resize(620, 480)
    pane.show()
    qtbot.waitExposed(pane)
    return pane


def test_the_menu_says_what_does_not_exist_and_why(qtbot: QtBot) -> None:
    session, _ = session_of()
    button = NumbersButton(session, Appearance("light"), 0)
    qtbot.addWidget(button)
    rollout = button.entries.choices[Numbers.ROLLOUT]
    assert button.text() == "Weights"
    assert button.entries.choices[Numbers.WEIGHTS].isChecked()
    assert not rollout.isEnabled()
    assert rollout.toolTip().startswith("Rollout is defined for the encoder")
    session.select_kind(AttentionKind.ENCODER_SELF)
    assert button.entries.choices[Numbers.ROLLOUT].isEnabled()
    assert "arXiv 2005.00928" in rollout.toolTip()
    assert not button.entries.choices[Numbers.ROLLOUT].isChecked()
    session.select_mean()
    assert not button.entries.choices[Numbers.SCORES].isEnabled()


# Of the platform without a screen, of any menu.
@pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard")
def test_an_open_menu_shows_what_comes_in_view(qtbot: QtBot) -> None:
    session, _ = session_of()
    button = NumbersButton(session, Appearance("light"), 0)
    qtbot.addWidget(button)
    rollout = button.entries.choices[Numbers.ROLLOUT]
    menu = button.menu()
    assert menu is not None
    menu.popup(QPoint())
    session.select_kind(AttentionKind.ENCODER_SELF)
    assert rollout.isEnabled()
    menu.close()
    session.select_kind(AttentionKind.CROSS)
    menu.popup(QPoint())
    assert not rollout.isEnabled()
    menu.close()


def test_a_choice_names_the_button_and_whole_words_too(qtbot: QtBot) -> None:
    session, _ = session_of()
    button = NumbersButton(session, Appearance("light"), 0)
    qtbot.addWidget(button)
    button.entries.choices[Numbers.MAX_HEADS].trigger()
    selection = session.selection()
    assert selection is not None
    assert selection.numbers is Numbers.MAX_HEADS
    assert button.text() == "Maximum over heads"
    button.entries.whole_words.trigger()
    assert session.view.whole_words
    assert button.text() == "Maximum over heads, words"
    session.select(numbers=Numbers.SCORES)
    assert button.text() == "Scores"
    session.select(view="heads")
    assert button.text() == "Weights"
    assert not button.isEnabled()


def test_a_click_on_a_word_goes_to_where_all_of_it_is_read(qapp: object) -> None:
    """Going to its first piece would change the row that was clicked."""
    session = Session()
    own = np.tril(np.ones((4, 4), np.float32)) / np.arange(1, 5, dtype=np.float32)[:, None]
    patterns = {AttentionKind.DECODER_SELF: own[None, None]}
    trace = trace_of(patterns, ("▁apples", "</s>"), ("▁les", "▁pom", "mes", "</s>"))
    session.add_run(Run("a", trace), Selection(AttentionKind.DECODER_SELF, step=3))
    session.set_view(whole_words=True)
    spec = map_of(session)
    choose(session, 0, spec, 2, 1)
    selection = session.selection()
    assert selection is not None
    assert (selection.step, selection.query, selection.key) == (3, 3, 1)
    clicked = map_of(session)
    assert clicked.crosshair == (2, 1)
    np.testing.assert_array_equal(clicked.matrix, spec.matrix)


def map_of(session: Session) -> MapSpec:
    run, selection = session.run(), session.selection()
    assert run is not None
    assert selection is not None
    body = map_figure(run.trace, selection, session.view).body
    assert isinstance(body, MapSpec)
    return body


def test_a_map_waits_for_its_answer_and_says_so(qtbot: QtBot) -> None:
    session, reading = session_of()
    asked: list[Any] = []
    session.answers.wanted.connect(lambda *said: asked.append(said))
    pane = shown(qtbot, session)
    session.select(numbers=Numbers.VALUE_WEIGHTED)
    qtbot.waitUntil(lambda: asked == [(ValueNorms(), reading, "numbers0")])
    assert pane.map.figure is None
    assert "Computing" in pane.map.waiting
    assert pane.title.text() == "Decoder layer 2 of 2, head 1 of 2, value-weighted"
    assert pane.map.isVisible()
    pane.map.grab()
    session.answers.progress((ValueNorms(), reading), 1, 4)
    assert "25 %" in pane.map.waiting
    session.answers.finish((ValueNorms(), reading), grams())
    qtbot.waitUntil(lambda: pane.map.spec is not None)
    assert pane.map.waiting == ""
    qtbot.waitUntil(lambda: "Value-weighted" in pane.badges.text())
    assert pane.map.spec is not None
    assert "value-weighted" in pane.map.spec.sentence_at(0, 0)


def test_a_map_that_cannot_be_had_says_why(qtbot: QtBot) -> None:
    session, reading = session_of()
    pane = shown(qtbot, session)
    session.select(numbers=Numbers.VALUE_WEIGHTED)
    session.answers.fail((ValueNorms(), reading), Notice.of(HeadscopeError("no_model")))
    assert pane.map.waiting == "No model is open; open one first."
    pane.map.grab()
    session.select(numbers=Numbers.WEIGHTS)
    assert pane.map.waiting == ""
    assert pane.map.spec is not None


def test_nothing_is_asked_of_half_a_translation(qtbot: QtBot) -> None:
    session, _ = session_of(live=True)
    asked: list[Any] = []
    session.answers.wanted.connect(lambda *said: asked.append(said))
    pane = shown(qtbot, session)
    session.select(numbers=Numbers.VALUE_WEIGHTED)
    assert pane.map.figure is None
    assert asked == []
    assert "once the output is complete" in pane.map.waiting
    run = session.run()
    assert run is not None
    session.replace_run(run.but(live=False))
    assert pane.map.figure is None
    assert [said[0] for said in asked] == [ValueNorms()]


def test_the_view_menu_has_them_too(desk: Desk) -> None:
    desk.session.add_run(Run("a", sample_trace(model_sha256="00")), Selection(X, layer=1, step=2))
    window = desk.window
    menu = window.menus.numbers
    assert menu.title() == "What is sho&wn"
    menu.aboutToShow.emit()
    entry = next(action for action in menu.actions() if action.text() == "Maximum over heads")
    entry.trigger()
    selection = desk.session.selection()
    assert selection is not None
    assert selection.numbers is Numbers.MAX_HEADS
    assert window.look_page.panes[0].numbers.text() == "Maximum over heads"
    assert "heads: attention weights" in window.look_page.heads.badge.text()
    window.actions_["whole_words"].trigger()
    assert desk.session.view.whole_words
    assert "heads: pieces, not whole words" in window.look_page.heads.badge.text()


def test_scores_have_no_square_root_button(qtbot: QtBot) -> None:
    session, _ = session_of()
    pane = shown(qtbot, session)
    assert pane.sqrt.isEnabled()
    session.select(numbers=Numbers.MAX_LAYERS)
    assert pane.sqrt.isEnabled()
    session.select(numbers=Numbers.SCORES)
    assert not pane.sqrt.isEnabled()
