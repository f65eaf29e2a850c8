"""What a head does in general, in its dialog: what it asks, shows, exports and refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.abilities import Ability
from model.errors import HeadscopeError
from model.questions.causes.circuits import Circuit, CircuitOf, Entry
from model.trace.trace import AttentionKind
from tests.viewer.exploring_samples import session_with, step_trace
from viewer.dialogs.circuits_dialog import CircuitsDialog
from viewer.document.messages.notice import Notice
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")
PLACE = (AttentionKind.CROSS, 0, 1)


def circuit(asked: CircuitOf) -> Circuit:
    lists = {
        "promotes": [Entry(4, "▁red", 9, "▁rouge", 2.5), Entry(4, "▁red", 8, "▁vert", 1.25)],
        "suppresses": [Entry(4, "▁red", 7, "▁bleu", -1.5)],
        "sought_by": [Entry(6, "▁pomme", 4, "▁red", 0.75)],
    }
    return Circuit(asked, "▁red", "", 1, lists, -0.25, "sinusoidal", False, 0)  # type: ignore[arg-type]


def test_a_typed_word_is_asked_of_and_its_words_are_shown(qtbot: QtBot) -> None:
    session = session_with(step_trace(0))
    assert session.model is not None
    session.set_model(replace(session.model, can=frozenset(Ability)))
    asked: list[CircuitOf] = []
    session.answers.wanted.connect(lambda question, reading, topic: asked.append(question))
    dialog = CircuitsDialog(session, PLACE, Appearance(), None)
    qtbot.addWidget(dialog)
    dialog.show()
    trace = session.trace()
    assert trace is not None
    # The word that the head looks at most, of the row in view.
    row = trace.pattern(*PLACE)[session.selection().step]  # type: ignore[union-attr]
    assert asked[-1].word == int(trace.src_ids[int(row.argmax())])
    assert not dialog.export.isEnabled()
    assert dialog.exported() is None
    dialog.word.setEditText("red")
    QTest.keyClick(dialog.word.typed, Qt.Key.Key_Return)
    assert (asked[-1].kind, asked[-1].layer, asked[-1].head, asked[-1].word) == (*PLACE, "red")
    session.answers.finish((asked[-1], None), circuit(asked[-1]))
    figure = dialog.view.figure
    assert figure is not None
    bars = {part.heading: part for line in figure.body.lines for part in line}
    assert list(bars) == ["Promotes", "Suppresses", "“red” is looked for by"]
    assert list(bars["Promotes"].rows()) == [("", "rouge", 2.5), ("", "vert", 1.25)]
    assert "copying score −0.25" in figure.body.badges
    for said in ("U_v", "Σ Re λ", "direct path alone", "Elhage", "Model"):
        assert said in figure.caption
    assert "Elhage" in dialog.notes.text()
    page = dialog.exported()
    assert page is not None
    assert page.table is not None
    assert page.table[0][-1] == "notes"
    assert page.table[1][:7] == ("promotes", 1, 4, "▁red", 9, "▁rouge", 2.5)
    place = ("--view=circuits", "--kind=cross", "--layer=1", "--head=2")
    assert page.command == (*place, "--read-word=▁red")
    dialog.word.setEditText("")
    QTest.keyClick(dialog.word.typed, Qt.Key.Key_Return)
    assert asked[-1].word is None
    assert dialog.isVisible()  # Enter asks, and closes nothing
    session.answers.fail((asked[-1], None), Notice.of(HeadscopeError("no_model")))
    assert "No model" in dialog.empty.sentence.text()
