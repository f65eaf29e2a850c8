"""Why a weight and what each head wrote, in the panels: what they ask, show and refuse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.abilities import Ability
from model.questions.causes.logit import LogitOf, LogitParts
from model.questions.causes.parts import Part
from model.questions.causes.scores import ScoreOf, ScoreParts
from model.questions.questions import Reading
from model.trace.trace import AttentionKind
from tests.viewer.arithmetic_samples import HEAD, LAYER, QUERY, trace_by_hand
from tests.viewer.exploring_samples import session_with, step_trace
from viewer.document.document import Run
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.sheet.waterfall import Waterfall
from viewer.pages.look.arithmetic.arithmetic_panel import ArithmeticPanel
from viewer.pages.look.heads.heads_panel import HeadsPanel
from viewer.pages.look.next_word.next_word import NextWordPanel
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")
CROSS = AttentionKind.CROSS


def parts(step: int, word: int, rival: int | None) -> LogitParts:
    """Of one layer of two heads."""
    names = (
        Part("word", "target"),
        Part("head", "target", "cross", 0, 0),
        Part("head", "target", "cross", 0, 1),
        Part("head", "target", "self_attention", 0, 1),
    )
    values = np.array([0.5, 2.0, -1.0, 0.25])
    tokens = {10: "▁une", 11: "▁la", 12: "▁du"}
    return LogitParts(step, word, rival, tokens[word], "" if rival is None else tokens[rival], names, values,
                      1.75, (-0.7,), False, 1, 2)  # fmt: skip


def session_of_words() -> Session:
    session = session_with(step_trace(0))
    assert session.model is not None
    session.set_model(replace(session.model, can=frozenset(Ability)))
    return session


def shown(qtbot: QtBot, widget: Any) -> Any:
    qtbot.addWidget(widget)
    widget.resize(300, 640)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def asked(session: Session) -> list[Any]:
    found: list[Any] = []
    session.answers.wanted.connect(lambda question, reading, topic: found.append(question))
    return found


def answered(session: Session, question: Any, answer: Any) -> None:
    trace = session.trace()
    assert trace is not None
    session.answers.finish((question, Reading.of(trace)), answer)


def test_the_button_takes_the_word_apart_against_its_strongest_rival(qtbot: QtBot) -> None:
    session = session_of_words()
    panel, questions = shown(qtbot, NextWordPanel(session, Appearance("light"))), asked(session)
    panel.why.click()
    assert panel.explains
    assert questions[-1] == LogitOf(1, None, 11)
    assert not panel.written.parts.shows
    answered(session, LogitOf(1, None, 11), parts(1, 10, 11))
    assert panel.written.parts.shows
    spec = panel.written.parts.view.spec
    assert spec is not None
    assert spec.title == "What each head wrote for “une” rather than “la”, step 2"
    assert panel.written.parts.title.text() == spec.title
    places = spec.lines[0][0]
    assert isinstance(places, Waterfall)
    assert dict(zip(places.names, places.values, strict=True))["cross 1"] == 1.0
    notes = panel.written.parts.notes.text()
    assert "logit(a) − logit(b)" in notes
    assert "arXiv 2211.00593" in notes
    cells = panel.written.parts.view.cells()
    assert cells is not None
    assert any("cross 1.1" in cells.name(row, 0) for row in range(cells.rows))
    panel.written.back.click()
    assert not panel.explains


def test_words_are_chosen_by_keys_and_gone_with_the_step(qtbot: QtBot) -> None:
    session = session_of_words()
    panel, questions = shown(qtbot, NextWordPanel(session, Appearance("light"))), asked(session)
    panel.why.click()
    written = panel.written
    assert written.word.currentText() == "une"
    assert [written.rival.itemText(at) for at in range(3)] == ["no other word", "la", "du"]
    QTest.keyClick(written.rival, Qt.Key.Key_Down)
    written.rival.activated.emit(written.rival.currentIndex())
    assert questions[-1] == LogitOf(1, None, 12)
    written.word.setCurrentIndex(1)
    written.word.activated.emit(1)
    assert questions[-1] == LogitOf(1, 11, 12)
    session.set_step(2)
    assert questions[-1] == LogitOf(2, None, None)


def test_the_menu_names_both_words(qtbot: QtBot) -> None:
    session = session_of_words()
    panel, questions = shown(qtbot, NextWordPanel(session, Appearance("light"))), asked(session)
    names = [action.text() for action in panel.menu(2).actions()]
    assert "What each head wrote for “du”" in names
    against = next(action for action in panel.menu(2).actions() if "rather than" in action.text())
    assert against.text() == "What each head wrote for “une” rather than “du”"
    against.trigger()
    assert questions[-1] == LogitOf(1, None, 12)
    chosen = [action.text() for action in panel.menu(0).actions()]
    assert not any("rather than" in name for name in chosen)


def test_a_model_of_others_is_refused_before_anything_is_asked(qtbot: QtBot) -> None:
    session = session_of_words()
    assert session.model is not None
    session.set_model(replace(session.model, can=frozenset({Ability.WRITE})))
    panel, questions = shown(qtbot, NextWordPanel(session, Appearance("light"))), asked(session)
    assert not panel.why.isEnabled()
    assert "transformers" in panel.why.toolTip()
    assert not any(action.isEnabled() for action in panel.menu(2).actions() if "wrote" in action.text())
    assert LogitOf(1, None, 11) not in questions


def test_heads_are_coloured_by_what_they_wrote(qtbot: QtBot) -> None:
    session = session_of_words()
    trace = session.trace()
    assert trace is not None
    layers, heads = trace.layers(CROSS), trace.heads(CROSS)
    panel, questions = shown(qtbot, HeadsPanel(session, Appearance("light"))), asked(session)
    assert panel.tabs[2].isHidden()  # until it is asked for, in Next word
    session.set_view(attribution=True)
    assert not panel.tabs[2].isHidden()
    assert panel.tabs[2].isChecked()
    assert panel.view.spec.worth is None
    assert LogitOf(1) in questions
    answered(session, LogitOf(1), replace(parts(1, 10, None), layers=layers, heads=heads))
    qtbot.waitUntil(lambda: panel.view.spec.worth is not None)
    spec = panel.view.spec
    assert spec.levels == (-2.0, 2.0)
    assert spec.worth.values[0].tolist()[:2] == [2.0, -1.0]
    tip = panel.view.head_tip(0, 1)
    assert tip.endswith("cross-attention of layer 1, head 2 wrote −1.000 of the logit of “une”")
    assert any("Direct effects only" in badge for badge in spec.badges)
    session.select_kind(AttentionKind.ENCODER_SELF)
    assert panel.view.spec.worth is None
    assert panel.hint.text().startswith("The encoder's heads write nothing")
    panel.tabs[0].click()
    assert not session.view.attribution
    panel.tabs[2].click()
    assert session.view.attribution


def test_why_a_cell_is_looked_at_stands_in_the_place_of_its_arithmetic(qtbot: QtBot) -> None:
    session = Session()
    cell = Selection(kind=CROSS, layer=LAYER, head=HEAD, step=QUERY, query=QUERY, key=1)
    session.add_run(Run("a", trace_by_hand()), cell)
    panel, questions = shown(qtbot, ArithmeticPanel(session, Appearance("light"))), asked(session)
    panel.why.click()
    question = ScoreOf(CROSS, LAYER, HEAD, QUERY, 1)
    assert questions[-1] == question
    found = ScoreParts(
        question,
        (Part("word", "target"), Part("position", "target")),
        (Part("word", "source"), Part("position", "source")),
        np.array([[1.0, 0.25], [0.5, -0.25]]),
        1.5,
    )
    answered(session, question, found)
    assert panel.parts.shows
    assert panel.stack.currentWidget() is panel.parts
    waterfall = panel.parts.view.spec.lines[0][1]
    assert isinstance(waterfall, Waterfall)
    assert waterfall.names[0] == "word × word"
    assert waterfall.total == pytest.approx(1.5)
    panel.hide()  # where it hears of nothing: it may be drawn or measured before it is told
    session.add_run(Run("b", step_trace(0)))
    panel.parts.view.mark_dirty()
    assert panel.parts.view.figure is None, "the answer about one run with the words of another"
    session.undo()
    panel.parts.view.mark_dirty()
    assert panel.parts.view.figure is not None
    panel.show()
    session.set_crosshair(QUERY, 2)
    assert questions[-1] == replace(question, key=2)
    panel.why.click()
    assert panel.stack.currentWidget() is not panel.parts
