"""What each token did, in Next word; and the test of a map: asked, followed, stopped, closed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from model.abilities import Ability
from model.questions.causes.contrast import Contrast, ContrastOf, Contributed
from model.questions.causes.faithfulness import Faithfulness, FaithfulnessOf, Fall
from model.questions.causes.logit import LogitOf
from model.questions.questions import Reading
from model.trace.trace import AttentionKind
from tests.viewer.pages.look.causes.test_cause_panels import answered, asked, session_of_words, shown
from viewer.dialogs.trust_dialog import TrustDialog
from viewer.figures.sheet.curves import Curves
from viewer.figures.sheet.words import Words
from viewer.pages.look.map.numbers_button import NumbersButton
from viewer.pages.look.next_word.next_word import NextWordPanel
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


def contrast(rival: int | None) -> Contrast:
    row = np.array([0.5, -1.0])
    source = Contributed("source", ("▁a", "</s>"), row, row, abs(row), row)
    prefix = Contributed("target", ("<s>", "▁une"), row, row, abs(row), row)
    token = "" if rival is None else "▁la"
    return Contrast(1, 10, rival, "▁une", token, (-0.7, -1.4)[: 1 if rival is None else 2], source, prefix)


def test_tokens_are_told_from_the_menu_and_by_choice(qtbot: QtBot) -> None:
    session = session_of_words()
    panel, questions = shown(qtbot, NextWordPanel(session, Appearance("light"))), asked(session)
    menu = panel.menu(1)
    why = next(action for action in menu.actions() if action.text().startswith("Why “une” and not “la”"))
    why.trigger()
    written = panel.written
    assert written.of_tokens
    assert questions[-1] == ContrastOf(1, None, 11)
    assert written.colour.isHidden()
    answered(session, ContrastOf(1, None, 11), contrast(11))
    assert written.parts.shows
    assert written.parts.title.text() == "What each token did for “une” rather than “la”, step 2"
    assert "arXiv 2202.10419" in written.parts.notes.text()
    assert isinstance(written.parts.view.spec.lines[0][0], Words)
    written.rival.setCurrentIndex(0)
    written.rival.activated.emit(0)
    assert questions[-1] == ContrastOf(1)
    answered(session, ContrastOf(1), contrast(None))
    assert "arXiv 1605.01713" in written.parts.notes.text()
    written.what.setCurrentIndex(0)
    assert questions[-1] == LogitOf(1)
    assert "logit(a)" in written.parts.notes.text()
    written.back.click()
    written.what.setCurrentIndex(1)
    panel.why.click()  # what was chosen stays
    assert written.of_tokens
    assert written.parts.title.text() == "What each token did for “une” rather than “la”, step 2"


def test_models_that_cannot_are_refused_beforehand(qtbot: QtBot) -> None:
    session = session_of_words()
    assert session.model is not None
    session.set_model(replace(session.model, can=frozenset(Ability) - {Ability.WALK}))
    panel, questions = shown(qtbot, NextWordPanel(session, Appearance("light"))), asked(session)
    actions = panel.menu(1).actions()
    assert not any(action.isEnabled() for action in actions if "token did" in action.text())
    assert any(action.isEnabled() for action in actions if "wrote" in action.text())
    panel.explain("", "▁la", tokens=True)
    assert not any(isinstance(question, ContrastOf) for question in questions)
    assert panel.written.parts.empty.sentence.text()
    button = NumbersButton(session, Appearance("light"), 0)
    qtbot.addWidget(button)
    assert not button.entries.trust.isEnabled()
    assert button.entries.trust.toolTip()


def answer_of(question: FaithfulnessOf) -> Faithfulness:
    orders: tuple[tuple[str, tuple[int, ...]], ...] = (
        ("map", question.map.order()), ("map_reversed", question.map.order()[::-1]), ("random", ()),
    )  # fmt: skip
    count = len(question.map.weights)
    falls = tuple(
        Fall(name, order, -np.arange(count + 1.0), np.zeros(count + 1), 1.0) for name, order in orders
    )
    tokens = tuple(f"▁{place}" for place in range(count))
    return Faithfulness(question.step, question.side, "▁une", tokens, np.arange(count + 1), falls, 0, 20)


def test_the_test_of_a_map_goes_with_what_is_in_view(qtbot: QtBot) -> None:
    session = session_of_words()
    trace = session.trace()
    assert trace is not None
    button = NumbersButton(session, Appearance("light"), 0)
    qtbot.addWidget(button)
    with qtbot.waitSignal(button.entries.trust_asked):
        button.entries.trust.trigger()
    questions = asked(session)
    dialog = TrustDialog(session, Appearance("light"))
    assert not questions  # until someone looks
    shown(qtbot, dialog)
    first: Any = questions[-1]
    assert isinstance(first, FaithfulnessOf)
    assert first.step == 1
    key = (first, Reading.of(trace))
    session.answers.progress(key, 30, 120)
    empty = dialog.curves.empty
    assert empty.sentence.text() == "Computing: 30 of 120"
    assert empty.button.text() == "Stop"
    empty.button.click()
    assert not session.answers.state(*key).waiting
    assert empty.sentence.text() == "Stopped."
    count = len(questions)
    empty.button.click()  # once more
    assert questions[count:] == [first]
    answered(session, first, answer_of(first))
    assert dialog.curves.shows
    spec = dialog.curves.view.spec
    assert spec is not None
    assert isinstance(spec.lines[0][0], Curves)
    assert "arXiv 1911.03429" in dialog.curves.notes.text()
    session.set_step(2)
    second: Any = questions[-1]
    assert second.step == 2
    session.select(kind=AttentionKind.DECODER_SELF)
    assert questions[-1].side == "target"
    with qtbot.waitSignal(dialog.export_asked):
        dialog.export.click()
    waiting = (questions[-1], Reading.of(trace))
    assert session.answers.state(*waiting).waiting
    dialog.reject()
    assert not session.answers.state(*waiting).waiting
    asks = len(questions)
    session.set_step(0)
    assert len(questions) == asks
