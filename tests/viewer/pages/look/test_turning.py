"""Another layer, head or cell: what does not hear of it shows what it would show if it were asked anew."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import sample_trace
from viewer.document.document import Run
from viewer.document.session import Session
from viewer.document.text.input_text import input_text
from viewer.pages.look.look_page import LookPage
from viewer.pages.widgets.appearance import Appearance

# Of the platform without a screen, of any tooltip.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")


@pytest.fixture
def page(qtbot: QtBot) -> LookPage:
    session = Session()
    page = LookPage(session, Appearance("light"))
    qtbot.addWidget(page)
    session.add_run(Run("long", sample_trace()))
    page.resize(1280, 800)
    page.show()
    QApplication.processEvents()
    page.inspector.view("next_word")
    page.show_next_word(True)
    QApplication.processEvents()
    return page


def test_a_badge_takes_the_room_that_another_text_leaves_it(page: LookPage) -> None:
    panel, session = page.sentence, page.kind_row._session
    trace = sample_trace(decoding={"mode": "forced"})
    session.add_run(Run("stopped", trace, cancelled=True), keep_others=False)
    page.resize(900, 800)
    shown = []
    for text in (input_text(trace), "something else", input_text(trace)):
        session.set_text(text)
        QApplication.processEvents()
        shown.append(panel.badge.text())
        panel.show_output()
        assert panel.badge.text() == shown[-1]
    assert shown[0] == shown[2] != shown[1]


TURNS: dict[str, dict[str, Any]] = {
    "layer": {"layer": 0},
    "head": {"head": 1},
    "mean": {"head": None},
    "cell": {"query": 1, "key": 2},
    "heads": {"more_heads": (1,)},
}


@pytest.mark.parametrize("turn", TURNS)
def test_what_is_not_told_of_a_turn_shows_nothing_of_it(page: LookPage, turn: str) -> None:
    session = page.kind_row._session
    session.select(kind=AttentionKind.CROSS, layer=1, head=0)
    parts: dict[str, QWidget] = {
        "kind": page.kind_row,
        "sentence": page.sentence,
        "steps": page.sentence.steps,
        "next word": page.next_word,
    }

    def pictures() -> dict[str, QImage]:
        QApplication.processEvents()
        return {name: part.grab().toImage() for name, part in parts.items()}

    assert [name for name, part in parts.items() if not part.isVisible()] == []
    session.select(**TURNS[turn])
    before = pictures()
    for name in ("kind_row", "next_word"):
        getattr(page, name).refresh()
    page.sentence.steps.refresh()
    page.sentence.show_output()
    after = pictures()
    assert [name for name in parts if before[name] != after[name]] == []
    session.first_step()
    moved = pictures()
    assert [name for name in parts if moved[name] == after[name]] == []
