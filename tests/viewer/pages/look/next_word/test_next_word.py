"""The Next word tab: numbers true to the trace, and other words to go on with by mouse, keys and typing."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from model.alterations.block_token import BlockToken
from model.trace.trace import Trace
from tests.viewer.exploring_samples import SHARES, sampled_trace, session_with, step_trace
from tests.viewer.heard_requests import heard
from viewer.document.document import Run
from viewer.document.messages.requests import Branch, Continue
from viewer.document.session import Session
from viewer.pages.look.next_word.candidates_model import DRAWN, MODEL, WORD, CandidatesModel
from viewer.pages.look.next_word.next_word import NextWordPanel
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

ENTER = Qt.Key.Key_Return


def show(qtbot: QtBot, session: Session) -> NextWordPanel:
    panel = NextWordPanel(session, Appearance("light"))
    qtbot.addWidget(panel)
    panel.resize(280, 500)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def click(panel: NextWordPanel, row: int, *, twice: bool = False) -> None:
    viewport, place = panel.table.viewport(), panel.table.visualRect(panel.model.index(row, 0)).center()
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    QTest.mouseClick(viewport, left, none, place)
    if twice:
        QTest.mouseDClick(viewport, left, none, place)
        QTest.mouseRelease(viewport, left, none, place)


def texts(panel: NextWordPanel, row: int) -> list[str]:
    model = panel.model
    return [str(model.index(row, column).data()) for column in range(model.columnCount())]


def test_a_click_goes_on_with_that_word(qtbot: QtBot) -> None:
    session = session_with(step_trace(0))
    panel, requests = show(qtbot, session), heard(session, Branch, Continue)

    click(panel, 2)

    assert requests == [Branch("a", 1, 12)]


def test_a_double_click_asks_once(qtbot: QtBot) -> None:
    session = session_with(step_trace(0))
    panel, requests = show(qtbot, session), heard(session, Branch, Continue)

    click(panel, 2, twice=True)

    assert len(requests) == 1


def test_a_click_whose_rows_changed_under_it_asks_nothing(qtbot: QtBot) -> None:
    """While a sentence is decoded, the table follows the newest step."""
    session = session_with(step_trace(0))
    panel, requests = show(qtbot, session), heard(session, Branch, Continue)
    viewport, place = panel.table.viewport(), panel.table.visualRect(panel.model.index(2, 0)).center()
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton

    QTest.mousePress(viewport, left, none, place)
    run = session.run()
    assert run is not None
    session.replace_run(run.but(trace=step_trace(3)))
    QTest.mouseRelease(viewport, left, none, place)

    assert requests == []


def test_arrow_keys_and_enter_go_on_with_a_word(qtbot: QtBot) -> None:
    session = session_with(step_trace(0))
    panel, requests = show(qtbot, session), heard(session, Branch, Continue)
    panel.activateWindow()
    panel.table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(panel.table.hasFocus)

    QTest.keyClick(panel.table, Qt.Key.Key_Down)
    QTest.keyClick(panel.table, ENTER)

    assert requests == [Branch("a", 1, 11)]


def test_other_keys_are_the_windows(qtbot: QtBot) -> None:
    """Else a table that has the focus would search for letters and page through its rows."""
    session = session_with(step_trace(0))
    panel = show(qtbot, session)
    panel.activateWindow()
    panel.table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(panel.table.hasFocus)
    for key in (Qt.Key.Key_E, Qt.Key.Key_Left, Qt.Key.Key_PageDown, Qt.Key.Key_Space, Qt.Key.Key_P):
        left: list[int] = []
        panel.keyPressEvent = lambda event, left=left: left.append(event.key())  # type: ignore[method-assign]
        QTest.keyClick(panel.table, key)
        assert left == [key]


def test_the_word_that_is_chosen_already_asks_nothing(qtbot: QtBot) -> None:
    session = session_with(step_trace(2))
    panel, requests = show(qtbot, session), heard(session, Branch, Continue)

    click(panel, 2)

    assert requests == []
    assert [row.chosen for row in panel.model.rows[:5]] == [False, False, True, False, False]


def test_all_other_words_lead_to_the_field(qtbot: QtBot) -> None:
    session = session_with(step_trace(0))
    panel, requests = show(qtbot, session), heard(session, Branch, Continue)
    panel.activateWindow()

    click(panel, 5)

    assert requests == []
    qtbot.waitUntil(panel.box.hasFocus)


def test_a_typed_continuation_is_asked_for_but_not_while_composing(qtbot: QtBot) -> None:
    session = session_with(step_trace(0))
    panel, requests = show(qtbot, session), heard(session, Branch, Continue)
    QTest.keyClicks(panel.box, " grand homme ")
    QApplication.sendEvent(panel.box, QInputMethodEvent("ni", []))

    QTest.keyClick(panel.box, ENTER)
    assert requests == []
    QApplication.sendEvent(panel.box, QInputMethodEvent("", []))
    QTest.keyClick(panel.box, ENTER)

    assert requests == [Continue("a", 1, "grand homme")]
    assert panel.box.text() == " grand homme "  # to be corrected, should it be refused
    session.add_run(Run("b", step_trace(0), parent="a"))
    assert panel.box.text() == ""
    QTest.keyClick(panel.box, ENTER)
    assert len(requests) == 1


def test_what_heads_wrote_is_compared_with_a_word_and_not_with_a_space(qtbot: QtBot) -> None:
    trace = step_trace(0)
    session = session_with(trace)
    panel = show(qtbot, session)
    chosen = next(row for row in panel.model.rows if row.chosen)
    others = [row for row in panel.model.rows if not row.chosen and row.token_id >= 0]
    blank = replace(others[0], raw="\u2581")
    panel.model.rows = (chosen, blank, *others[1:])
    panel.explain = lambda word, rival, **_: asked.append((word, rival))  # type: ignore[method-assign]
    asked: list[tuple[str, str]] = []
    panel.why.setEnabled(True)
    panel.why.click()
    assert asked == [("", others[1].raw)]


def test_without_the_model_that_made_it_nothing_can_be_gone_on_with(qtbot: QtBot) -> None:
    session = session_with(step_trace(0, model_sha256="of another"))
    panel, requests = show(qtbot, session), heard(session, Branch, Continue)

    click(panel, 2)

    assert requests == []
    assert not panel.box.isEnabled()
    assert panel.note.text().endswith("open the model that wrote this.")
    assert "Click" not in str(panel.model.index(2, 0).data(Qt.ItemDataRole.ToolTipRole))


def test_the_pointer_says_what_a_click_does(qtbot: QtBot) -> None:
    session = session_with(step_trace(0))
    panel = show(qtbot, session)
    rows = [panel.table.visualRect(panel.model.index(row, 0)).center() for row in (2, 0)]

    QTest.mouseMove(panel.table.viewport(), rows[0])
    qtbot.waitUntil(lambda: panel.context.text() == "Click to continue with “du”")
    assert panel.table.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor

    QTest.mouseMove(panel.table.viewport(), rows[1])
    qtbot.waitUntil(lambda: panel.context.text() == "Step 2 · click a word to try it")
    assert panel.table.viewport().cursor().shape() == Qt.CursorShape.ArrowCursor


@pytest.mark.parametrize(
    ("chosen", "model", "text"),
    [
        (0, True, "Step 2 · click a word to try it"),
        (0, False, "Step 2"),
        (2, True, "Step 2 · chosen: rank 3 of 8,000"),
        (5, True, "Step 2 · chosen: rank 7 of 8,000"),
        (5, False, "Step 2 · chosen: rank 7"),
    ],
)
def test_the_rank_is_said_when_it_is_not_the_first(qtbot: QtBot, chosen: int, model: bool, text: str) -> None:
    panel = show(qtbot, session_with(step_trace(chosen), model=model))

    assert panel.context.text() == text


def test_a_chosen_word_beyond_the_candidates_has_a_row(qtbot: QtBot) -> None:
    panel = show(qtbot, session_with(step_trace(5)))

    assert texts(panel, 5) == ["rare", "1.0 %"]
    assert panel.model.rows[5].chosen
    rest = 1 - sum(SHARES) - 0.01
    assert panel.model.rows[6].share == pytest.approx(rest, abs=1e-6)


def test_before_and_after_the_filters(qtbot: QtBot) -> None:
    """Three words of 1/2, 1/4, 1/8 share 7/8 among them: 4/7, 2/7, 1/7."""
    panel = show(qtbot, session_with(sampled_trace()))

    assert [texts(panel, row) for row in range(6)] == [
        ["une", "50 %", "57 %"],
        ["la", "25 %", "29 %"],
        ["du", "12 %", "14 %"],
        ["⋅e", "6.2 %", "left out"],
        ["un", "3.1 %", "left out"],
        ["all other words", "3.1 %", "left out"],
    ]
    assert panel.table.horizontalHeader().isVisible()
    assert [panel.model.headerData(c, Qt.Orientation.Horizontal) for c in (WORD, MODEL, DRAWN)] == [
        "Word",
        "Model",
        "When sampled",
    ]
    shares = [row.drawn_share for row in panel.model.rows[:3]]
    assert np.allclose(shares, (4 / 7, 2 / 7, 1 / 7), atol=1e-6)
    assert "sampling probability 0.285714" in str(panel.model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole))
    assert panel.note.text().endswith("Drawn with temperature 1, top-k 3: 3 of 8,000 words are left.")


def test_a_drawn_word_beyond_the_candidates_keeps_their_ratio(qtbot: QtBot) -> None:
    """Of two kept words p and q, temperature T draws with a ratio of (p / q) ** (1 / T)."""
    temperature = 2.0
    drawn = np.log(np.array(SHARES)) / temperature - 1.5
    trace = step_trace(
        5,
        decoding={"mode": "sample", "temperature": temperature},
        candidate_drawn=np.tile(drawn.astype(np.float32), (3, 1)),
        drawn_count=np.full(3, 8000, np.int64),
    )
    panel = show(qtbot, session_with(trace))

    row = panel.model.rows[5]

    assert row.drawn_share / math.exp(drawn[0]) == pytest.approx((0.01 / 0.5) ** 0.5, rel=1e-5)
    left = panel.model.rows[6].drawn_share
    assert left == pytest.approx(1 - np.exp(drawn).sum() - row.drawn_share, abs=1e-6)


def of_five(*kept: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """What the five candidates of every step are drawn with; the rest are left out."""
    with np.errstate(divide="ignore"):
        return np.tile(np.log([*kept, *[0.0] * (5 - len(kept))]).astype(np.float32), (3, 1))


def test_a_typed_word_that_the_filters_leave_out_was_drawn_with_nothing(qtbot: QtBot) -> None:
    """Of a branch's own words, and of a prompt's, nothing was drawn."""
    sampled = {"mode": "sample", "temperature": 1.0, "top_k": 2, "seed": 4}
    given = {"candidate_drawn": of_five(0.7, 0.3), "drawn_count": np.full(3, 2, np.int64)}
    prefix = step_trace(5, decoding={**sampled, "prefix_ids": [99, 99]}, **given)
    prompt = step_trace(5, decoding=sampled, extra={"prompt_length": "3"}, **given)
    for trace in (prefix, prompt):
        row = show(qtbot, session_with(trace)).model.rows[5]
        assert (row.chosen, row.token_id, row.cut) == (True, 99, True)


def test_a_word_that_a_rule_alone_left_was_drawn_surely(qtbot: QtBot) -> None:
    rule = {"mode": "sample", "temperature": 1.0, "forced_end": True, "seed": 4}
    trace = step_trace(5, decoding=rule, candidate_drawn=of_five(), drawn_count=np.ones(3, np.int64))
    rows = show(qtbot, session_with(trace)).model.rows
    assert rows[5].drawn_share == 1.0
    assert all(row.cut for row in rows if row is not rows[5])


def test_the_first_candidate_may_be_one_that_is_never_produced(qtbot: QtBot) -> None:
    """A banned word on top: the ratio is taken to the first that can be drawn."""
    drawn = of_five(0.0, 0.5, 0.25, 0.1, 0.05)
    count = np.full(3, 7999, np.int64)
    rule = {"mode": "sample", "temperature": 1.0, "seed": 4}
    trace = step_trace(5, decoding=rule, candidate_drawn=drawn, drawn_count=count)
    rows = show(qtbot, session_with(trace)).model.rows
    assert rows[5].drawn_share == pytest.approx(0.5 * 0.01 / SHARES[1], rel=1e-5)


def test_the_numbers_are_the_traces(qtbot: QtBot) -> None:
    trace = sampled_trace()
    panel = show(qtbot, session_with(trace))

    assert trace.candidate_drawn is not None
    for place, row in enumerate(panel.model.rows[:5]):
        assert row.logprob == float(trace.candidate_logprobs[1, place])
        assert row.drawn == float(trace.candidate_drawn[1, place])
        tip = str(panel.model.index(place, 0).data(Qt.ItemDataRole.ToolTipRole))
        assert f"log probability {trace.candidate_logprobs[1, place]:.6f}" in tip


def test_an_altered_model_is_not_called_the_model_itself(qtbot: QtBot) -> None:
    altered = replace(step_trace(0), alterations=(BlockToken(0).to_json(),))
    panel = show(qtbot, session_with(altered))

    assert panel.note.text().startswith("The altered model's probabilities")


def test_the_menu_of_a_row(qtbot: QtBot) -> None:
    session = session_with(sampled_trace())
    panel, requests = show(qtbot, session), heard(session, Branch, Continue)

    go_on, *_, copy = panel.menu(0).actions()
    assert go_on.isEnabled()
    go_on.trigger()
    copy.trigger()

    assert requests == [Branch("a", 1, 10)]
    assert QGuiApplication.clipboard().text() == "une\t50 %\t57 %"


@pytest.mark.parametrize(
    ("mode", "facts", "leads_on"),
    [
        ("greedy", {}, False),
        ("greedy", {"cancelled": True}, True),
        ("greedy", {"live": True}, False),
        ("sample", {}, True),
        ("forced", {}, True),
        ("beam", {}, True),
    ],
)
def test_the_chosen_word_leads_on_where_the_run_did_not_go_greedily(
    qtbot: QtBot, mode: str, facts: dict[str, bool], leads_on: bool
) -> None:
    session = session_with(step_trace(0, decoding={"mode": mode}), **facts)
    session.set_step(1)
    panel, requests = show(qtbot, session), heard(session, Branch, Continue)
    row = next(place for place, row in enumerate(panel.model.rows) if row.chosen)

    click(panel, row)

    assert panel.menu(row).actions()[0].isEnabled() is leads_on
    assert bool(requests) is leads_on


def test_nothing_comes_after_the_end(qtbot: QtBot) -> None:
    trace = step_trace(0, decoding={"mode": "forced"})
    session = session_with(trace)
    session.set_step(trace.steps - 1)
    panel = show(qtbot, session)
    row = next(place for place, row in enumerate(panel.model.rows) if row.chosen)

    assert trace.finished
    assert not panel.menu(row).actions()[0].isEnabled()


def test_screen_readers_hear_word_and_numbers(qtbot: QtBot) -> None:
    panel = show(qtbot, session_with(sampled_trace()))

    said = panel.model.index(3, 0).data(Qt.ItemDataRole.AccessibleTextRole)

    assert said == "e 6.2 % left out"
    assert panel.table.accessibleName()
    assert panel.box.accessibleName()


@pytest.mark.parametrize("trace", [step_trace(0), step_trace(5), sampled_trace()])
def test_the_model_keeps_qts_rules(qtbot: QtBot, trace: Trace) -> None:
    model = CandidatesModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)

    model.show_step(trace, 1, False)
    model.show_step(step_trace(1), 0, True)
    model.show_step(None, 0, False)

    assert model.rowCount(QModelIndex()) == 0
    assert tester.model() is model
