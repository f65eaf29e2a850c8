"""The Masked word tab: numbers true to the trace, and other sentences to be read."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.model.trace.reading_trace import reading_trace
from tests.viewer.heard_requests import heard
from tests.viewer.pages.look.masked.reading_samples import TEXT, reading_info, reading_session
from viewer.document.messages.requests import ReadText
from viewer.document.session import Session
from viewer.pages.look.masked.masked_panel import MaskedPanel
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

MASK, SAT = 2, 3
ENTER = Qt.Key.Key_Return


def show(qtbot: QtBot, session: Session) -> MaskedPanel:
    panel = MaskedPanel(session, Appearance("light"))
    qtbot.addWidget(panel)
    panel.resize(300, 520)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def rows(panel: MaskedPanel) -> list[tuple[str, str]]:
    return [(row.text, f"{row.share:.4f}") for row in panel.model.rows]


def click(panel: MaskedPanel, row: int, *, twice: bool = False) -> None:
    viewport, place = panel.table.viewport(), panel.table.visualRect(panel.model.index(row, 0)).center()
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    QTest.mouseClick(viewport, left, none, place)
    if twice:
        QTest.mouseDClick(viewport, left, none, place)
        QTest.mouseRelease(viewport, left, none, place)


def test_it_begins_with_the_first_mask(qtbot: QtBot) -> None:
    panel = show(qtbot, reading_session())
    assert panel.place == MASK
    assert [share for _, share in rows(panel)] == ["0.5000", "0.2500", "0.1250", "0.1250"]
    assert [row.raw for row in panel.model.rows] == ["w0", "w1", "##w2", ""]
    assert not any(row.chosen for row in panel.model.rows)
    assert panel.context.text() == "[MASK] at token 3, sentence A: what the model expects here"
    assert "87 %" in panel.note.text()
    assert panel.strip.chips[MASK].text == "[MASK]"
    QAbstractItemModelTester(panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal)


def test_a_text_without_a_mask_begins_with_its_first_word(qtbot: QtBot) -> None:
    assert show(qtbot, reading_session(reading_trace(("[CLS]", "a", "b", "[SEP]")))).place == 1


def test_a_token_that_stands_there_is_the_chosen_row(qtbot: QtBot) -> None:
    session = reading_session()
    panel = show(qtbot, session)
    session.set_crosshair(SAT, 0)
    assert panel.place == SAT
    chosen = [row for row in panel.model.rows if row.chosen]
    assert [(row.text, row.rank) for row in chosen] == [("sat", 1)]
    assert len(panel.model.rows) == 4
    assert panel.context.text() == "sat at token 4, sentence A: the model gives it 50 % here (rank 1)"
    assert "masked, it has to be guessed" in panel.note.text()
    tip = panel.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "probability 0.5" in tip
    assert "the token in the text" in tip


def test_a_token_that_is_no_candidate_has_a_row_of_its_own(qtbot: QtBot) -> None:
    trace = reading_trace()
    ids, logprobs, ranks = trace.src_ids.copy(), np.array(trace.src_logprob), np.array(trace.src_rank)
    ids[SAT], logprobs[SAT], ranks[SAT] = 999, math.log(0.01), 41
    session = reading_session(replace(trace, src_ids=ids, src_logprob=logprobs, src_rank=ranks))
    panel = show(qtbot, session)
    session.set_crosshair(SAT, 0)
    row = panel.model.rows[3]
    assert (row.text, row.token_id, row.chosen, row.rank) == ("sat", 999, True, 41)
    assert row.share == pytest.approx(0.01)
    assert panel.model.rows[4].share == pytest.approx(1 - 0.875 - 0.01)
    assert "(rank 41)" in panel.context.text()
    assert "rank 41" in panel.model.index(3, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_a_click_on_a_chip_puts_the_crosshair_there(qtbot: QtBot) -> None:
    session = reading_session()
    panel = show(qtbot, session)
    panel.strip.chosen.emit(5)
    selection = session.selection()
    assert selection is not None
    assert (selection.query, selection.key) == (5, 5)
    panel.strip.chosen.emit(1)
    selection = session.selection()
    assert selection is not None
    assert (selection.query, selection.key) == (1, 5)
    assert panel.place == 1
    assert "sentence A" in panel.context.text()


def test_chips_are_as_deep_as_their_words_are_likely(qtbot: QtBot) -> None:
    trace = reading_trace(src_logprob=np.log(np.linspace(0.1, 0.8, 8)).astype(np.float32))
    chips = show(qtbot, reading_session(trace)).strip.chips
    shades = [chip.shade for chip in chips]
    assert shades[SAT] == pytest.approx(0.4)
    assert shades[MASK] == 0.0  # what a mask's own sign is worth says nothing
    assert chips[1].tip.startswith("sentence A")
    assert chips[5].tip.startswith("sentence B")


def test_the_button_puts_the_marked_word_in_the_sentence(qtbot: QtBot) -> None:
    session = reading_session()
    panel, requests = show(qtbot, session), heard(session, ReadText)
    assert panel.change.text() == "Insert “w0” into the sentence"
    panel.change.click()
    click(panel, 1)
    assert requests == [ReadText("a", TEXT.replace("[MASK]", "w0"), MASK)], "a click alone only marks"
    assert panel.change.text() == "Insert “w1” into the sentence"
    panel.change.click()
    assert requests[1:] == [ReadText("a", TEXT.replace("[MASK]", "w1"), MASK)]


def test_a_long_word_makes_the_tab_no_wider(qtbot: QtBot) -> None:
    session = reading_session(reading_trace(first={MASK: "Donaudampfschifffahrtsgesellschaft"}))
    panel = show(qtbot, session)
    assert panel.change.text().startswith("Insert “Donaudampf")
    assert panel.change.text().endswith("…”")
    assert panel.minimumSizeHint().width() <= 300
    panel.resize(700, 520)
    qtbot.waitUntil(lambda: panel.change.text().endswith("into the sentence"))


def test_a_double_click_and_enter_put_the_word_in(qtbot: QtBot) -> None:
    session = reading_session()
    panel, requests = show(qtbot, session), heard(session, ReadText)
    click(panel, 2, twice=True)
    assert requests == [ReadText("a", "thew2 sat [SEP] its", MASK)]  # ##w2 goes on with the word before it
    QTest.keyClick(panel.table, Qt.Key.Key_Up)
    QTest.keyClick(panel.table, ENTER)
    assert requests[1:] == [ReadText("a", TEXT.replace("[MASK]", "w1"), MASK)]


def test_the_rest_of_the_vocabulary_is_no_word(qtbot: QtBot) -> None:
    session = reading_session()
    panel, requests = show(qtbot, session), heard(session, ReadText)
    click(panel, 3, twice=True)
    assert not panel.change.isEnabled()
    panel.change.click()
    assert requests == []


def test_another_mask_is_another_place(qtbot: QtBot) -> None:
    tokens = ("[CLS]", "[MASK]", "a", "[MASK]", "[SEP]")
    session = reading_session(reading_trace(tokens, {3: "cat"}, src_text="[MASK] a [MASK]"))
    panel, requests = show(qtbot, session), heard(session, ReadText)
    session.set_crosshair(3, 0)
    panel.change.click()
    assert requests == [ReadText("a", "[MASK] a cat", 3)]


def test_a_word_is_masked_as_a_whole(qtbot: QtBot) -> None:
    session = reading_session()
    panel, requests = show(qtbot, session), heard(session, ReadText)
    session.set_crosshair(6, 0)  # ##s of "its"
    assert panel.change.text() == "Mask this word"
    panel.change.click()
    assert requests == [ReadText("a", "the [MASK] sat [SEP] [MASK]", 5)], "5 is where the mask will stand"
    click(panel, 0, twice=True)
    assert len(requests) == 1, "no word replaces a word"


@pytest.mark.parametrize("place", [0, 4, 7])
def test_what_is_no_word_cannot_be_masked(qtbot: QtBot, place: int) -> None:
    session = reading_session()
    panel = show(qtbot, session)
    session.set_crosshair(place, 0)
    assert not panel.change.isEnabled()


@pytest.mark.parametrize("info", [None, {"sha256": "other"}, {"can": frozenset()}])
def test_without_its_model_it_only_shows(qtbot: QtBot, info: dict[str, Any] | None) -> None:
    session = reading_session(model=False)
    if info is not None:
        session.set_model(reading_info(**info))
    panel, requests = show(qtbot, session), heard(session, ReadText)
    assert len(panel.model.rows) == 4
    click(panel, 1, twice=True)
    session.set_crosshair(SAT, 0)
    panel.change.click()
    assert requests == []
    assert ("open the model that read it" in panel.note.text()) == (info is not None)


def test_a_model_without_candidates_says_so(qtbot: QtBot) -> None:
    nothing: dict[str, Any] = dict.fromkeys(
        ("src_candidate_ids", "src_candidate_logprobs", "src_logprob", "src_rank")
    )
    panel = show(qtbot, reading_session(reading_trace(**nothing, src_candidate_tokens=())))
    assert panel.place is None
    assert "does not say which words" in panel.context.text()
    assert panel.table.isHidden()
    assert panel.change.isHidden()
    assert panel.strip.isHidden()
    assert panel.note.text() == ""


def test_the_menu_copies_and_puts_in(qtbot: QtBot) -> None:
    session = reading_session()
    panel, requests = show(qtbot, session), heard(session, ReadText)
    menu = panel.menu(1)
    put, copy = menu.actions()
    copy.trigger()
    assert QGuiApplication.clipboard().text() == "w1\t25 %"
    put.trigger()
    assert requests == [ReadText("a", TEXT.replace("[MASK]", "w1"), MASK)]
    menu.deleteLater()
    session.set_crosshair(SAT, 0)
    menu = panel.menu(1)
    assert not menu.actions()[0].isEnabled()
    menu.deleteLater()


def test_another_language_is_taken_at_once(qtbot: QtBot) -> None:
    panel = show(qtbot, reading_session())
    panel.table.setAccessibleName("")
    QApplication.sendEvent(panel, QEvent(QEvent.Type.LanguageChange))
    assert panel.table.accessibleName() == "Candidates for the masked word"
