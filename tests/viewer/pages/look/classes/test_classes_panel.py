"""The inspector's Classes tab: what a model that sorts texts says of the one in view."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from model.trace.trace import Trace
from tests.model.trace.reading_trace import reading_trace
from tests.viewer.pages.look.masked.reading_samples import reading_info
from viewer.document.document import Run
from viewer.document.session import Session
from viewer.pages.look.inspector import Inspector
from viewer.pages.look.next_word.candidates_model import CHOSEN_ROLE, MODEL, SHARE_ROLE, WORD
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

LOGITS = np.array([0.5, 3.0, -1.0], np.float32)
NAMES = ("negative", "neutral", "好")


def sorted_trace(rule: str = "softmax", **changes: Any) -> Trace:
    bare: dict[str, Any] = dict.fromkeys(
        ("src_candidate_ids", "src_candidate_logprobs", "src_logprob", "src_rank")
    ) | {"src_candidate_tokens": ()}
    extra = {"token_style": "wordpiece", "class_rule": rule}
    values = {"class_logits": LOGITS, "class_names": NAMES, "extra": extra}
    return reading_trace(**bare | values | changes)


def show(qtbot: QtBot, trace: Trace | None, **architecture: Any) -> tuple[Session, Inspector]:
    session = Session()
    session.set_model(reading_info(can=frozenset(), architecture=architecture))
    if trace is not None:
        session.add_run(Run("a", trace, provenance={"source": "file"}))
    inspector = Inspector(session, Appearance("light"))
    qtbot.addWidget(inspector)
    inspector.resize(320, 500)
    inspector.show()
    qtbot.waitExposed(inspector)
    return session, inspector


def cells(inspector: Inspector, role: int = Qt.ItemDataRole.DisplayRole) -> list[tuple[Any, Any]]:
    model = inspector.view("next_word").classes.model
    return [
        (model.index(row, WORD).data(role), model.index(row, MODEL).data(role))
        for row in range(model.rowCount())
    ]


def test_every_class_is_there_the_most_probable_first(qtbot: QtBot) -> None:
    _, inspector = show(qtbot, sorted_trace())
    assert (inspector.tabs[0].text(), inspector.view("next_word").sorts) == ("Classes", True)
    panel = inspector.view("next_word").classes
    assert panel.isVisible()
    shares = np.exp(LOGITS) / np.exp(LOGITS).sum()
    assert [name for name, _ in cells(inspector)] == ["neutral", "negative", "好"]
    assert cells(inspector)[0][1] == f"{100 * shares[1]:.0f} %"
    np.testing.assert_allclose(
        [share for _, share in cells(inspector, SHARE_ROLE)], shares[[1, 0, 2]], rtol=1e-6
    )
    assert [chosen for chosen, _ in cells(inspector, CHOSEN_ROLE)] == [True, False, False]
    assert "100" in panel.note.text()
    assert "probability 0.9" in panel.model.index(0, WORD).data(Qt.ItemDataRole.ToolTipRole)
    panel.menu(0).actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == "neutral\t" + cells(inspector)[0][1]


def test_labels_of_their_own_and_numbers_are_called_so(qtbot: QtBot) -> None:
    session, inspector = show(qtbot, sorted_trace("sigmoid"))
    apart = 1 / (1 + np.exp(-LOGITS))
    np.testing.assert_allclose(
        [share for _, share in cells(inspector, SHARE_ROLE)], apart[[1, 0, 2]], rtol=1e-6
    )
    assert [chosen for chosen, _ in cells(inspector, CHOSEN_ROLE)] == [True, True, False]
    note = inspector.view("next_word").classes.note
    assert "independent for each class" in note.text()
    number = {"class_logits": np.array([-7.25], np.float32), "class_names": ("LABEL_0",)}
    session.add_run(Run("b", sorted_trace("none", **number)))
    assert cells(inspector) == [("LABEL_0", "-7.25")]
    assert cells(inspector, SHARE_ROLE) == [(None, None)]
    assert "not probabilities" in note.text()


def test_the_run_in_view_decides_and_an_open_classifier_says_what_will_be_there(qtbot: QtBot) -> None:
    session, inspector = show(qtbot, None, classes=list(NAMES))
    assert inspector.view("next_word").sorts
    assert "appear here" in inspector.view("next_word").classes.context.text()
    assert inspector.view("next_word").classes.table.isHidden()
    session.add_run(Run("read", reading_trace()))
    assert (inspector.tabs[0].text(), inspector.view("next_word").reads) == ("Masked word", True)
    session.add_run(Run("sorted", sorted_trace()))
    assert inspector.view("next_word").sorts
    inspector.view("next_word").set_plain(True)
    assert inspector.view("next_word").classes.note.isHidden()


def test_a_head_that_is_not_shown_is_named(qtbot: QtBot) -> None:
    bare = sorted_trace(class_logits=None, class_names=())
    _, inspector = show(qtbot, bare, unshown_head="BertForTokenClassification")
    assert inspector.view("next_word").reads
    assert "BertForTokenClassification" in inspector.view("next_word").masked.context.text()
