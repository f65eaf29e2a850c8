"""The Compare drawer and the panes' choice of run, with hand-made runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind
from tests.viewer.export_samples import sample_trace
from viewer.document.document import Run
from viewer.document.run_names import run_names, short_run_name
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.difference.comparing import comparing
from viewer.pages.look.compare.compare_panel import ComparePanel
from viewer.pages.look.compare.pane_link import PaneLink
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.widgets.appearance import Appearance

# Tooltips and shown panels, without a screen.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

A = ("<s>", "▁La", "▁petite", "▁fille", "</s>")
B = ("<s>", "▁La", "▁très", "▁grande", "▁fille", "</s>")


def with_runs(*, pinned: bool = True) -> Session:
    session = Session()
    logprobs = {"a": [-0.5, -1.0, -0.25, -0.125], "b": [-1.0, -2.0, -3.0, -0.5, -0.125]}
    for name, target in (("a", A), ("b", B)):
        trace = sample_trace(
            target=target,
            seed=len(target),
            model_sha256=name,
            step_logprob=np.array(logprobs[name], np.float32),
            tgt_text=name,
        )
        session.add_run(Run(name, trace), Selection(AttentionKind.CROSS, 1, 2, 3))
    if pinned:
        session.pin("a")
    return session


@pytest.fixture
def appearance(qapp: Any) -> Appearance:
    return Appearance(qapp)


def panel_of(qtbot: QtBot, session: Session, appearance: Appearance) -> ComparePanel:
    panel = ComparePanel(session, appearance)
    qtbot.addWidget(panel)
    panel.resize(1200, 330)
    panel.show()
    return panel


def test_nothing_pinned_says_what_to_do_and_its_button_does_it(qtbot: QtBot, appearance: Appearance) -> None:
    session = Session()
    panel = panel_of(qtbot, session, appearance)
    assert panel.empty.isVisible()
    assert panel.empty.button.isHidden()
    session = with_runs(pinned=False)
    session.remove_run("a")
    panel = panel_of(qtbot, session, appearance)
    QTest.mouseClick(panel.empty.button, Qt.MouseButton.LeftButton)
    assert session.document.pinned == "b"
    qtbot.waitUntil(lambda: panel.hint.isVisible())  # B is the pinned one itself
    assert "choose another" in panel.hint.text()
    session.undo()
    assert session.document.pinned == ""


def test_what_is_pinned_in_view_is_compared_with_its_nearest_relative(qapp: object) -> None:
    session = with_runs(pinned=False)

    def b_of(run_id: str) -> str:
        session.pin(run_id)
        session.show_run(run_id)
        found = comparing(session.document)
        assert found is not None
        assert (found.first.id, found.pane, found.same) == (run_id, 0, False)
        assert found.selection == found.selection.within(found.second.trace)
        assert found.possible
        return found.second.id

    assert (b_of("b"), b_of("a")) == ("a", "b")
    for name, parent in (("c", "a"), ("d", None), ("e", "a")):
        trace = sample_trace(target=A[:3], seed=5, layers=2, model_sha256="a")
        session.add_run(Run(name, trace, parent=parent), Selection(AttentionKind.CROSS, 1, 0, 1))
    assert (b_of("a"), b_of("b"), b_of("c"), b_of("d")) == ("e", "e", "a", "e")


def test_b_is_the_run_in_view_or_the_one_beside_it(qapp: object) -> None:
    session = with_runs()
    found = comparing(session.document)
    assert found is not None
    assert (found.first.id, found.second.id, found.pane) == ("a", "b", 0)
    session.open_second_pane()
    session.show_run("a", 0)
    session.activate_pane(0)  # the active pane shows A
    found = comparing(session.document)
    assert found is not None
    assert (found.second.id, found.pane, found.same) == ("b", 1, False)


def test_summary_and_table_give_the_tokens_their_probabilities_and_sums(
    qtbot: QtBot, appearance: Appearance
) -> None:
    panel = panel_of(qtbot, with_runs(), appearance)
    text = panel.summary.text()
    assert text.startswith("3 tokens agree of 4 in A, 5 in B; log probability −1.88 → −6.62")
    model = panel.tokens

    def row(number: int) -> list[str]:
        return [model.data(model.index(number, column)) for column in range(6)]

    assert row(0) == ["La", "61 %", "La", "37 %", "−0.50", "−23.9"]
    assert row(1) == ["petite", "37 %", "très", "14 %", "–", "–"]
    assert row(2) == ["", "", "grande", "5.0 %", "–", "–"]
    assert row(5) == ["Σ ln p", "−1.88", "", "−6.62", "−4.75", ""]
    marked = [
        model.data(model.index(number, 0), Qt.ItemDataRole.BackgroundRole) is not None for number in range(5)
    ]
    assert marked == [False, True, True, False, False]
    assert "two different tokens" in model.data(model.index(1, 0), Qt.ItemDataRole.ToolTipRole)
    # Step 4 of B reads "grande" and predicts "fille".
    assert panel.table.currentIndex().row() == 3


def test_a_narrow_panel_keeps_room_for_the_map(qtbot: QtBot, appearance: Appearance) -> None:
    panel = panel_of(qtbot, with_runs(), appearance)
    assert not panel.table.isColumnHidden(4)
    panel.resize(920, 260)
    assert panel.table.isColumnHidden(4)
    wide = appearance.px(400)
    qtbot.waitUntil(lambda: panel.table.width() < wide - 50)
    panel.resize(1200, 260)
    assert not panel.table.isColumnHidden(4)
    qtbot.waitUntil(lambda: panel.table.width() >= wide)


def test_a_click_puts_the_crosshair_on_the_same_tokens_in_both_panes(
    qtbot: QtBot, appearance: Appearance
) -> None:
    session = with_runs()
    panel = panel_of(qtbot, session, appearance)
    panel.sides.beside.click()
    assert [pane.run_id for pane in session.document.panes] == ["a", "b"]
    assert session.selection(0) == Selection(AttentionKind.CROSS, 1, 2, 3)
    spec = panel.map.spec
    geometry = panel.map.geometry_now()
    assert spec is not None
    assert geometry is not None
    row, column = spec.rows_of.place_of(1, 4), spec.columns_of.place_of(1, 2)  # B's step 5 reads "fille"
    assert row is not None
    assert column is not None
    said: list[str] = []
    panel.read_out.connect(said.append)
    point = geometry.rect_of(row, column).center().toPoint()
    QTest.mouseMove(panel.map, point)
    QTest.mouseClick(panel.map, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
    first, second = session.selection(0), session.selection(1)
    assert first is not None
    assert second is not None
    assert (first.step, first.query, first.key) == (3, 3, 2)
    assert (second.step, second.query, second.key) == (4, 4, 2)
    assert panel.map.spec is not None
    assert panel.map.spec.crosshair == (row, column)
    weight_a = session.document.runs[0].trace.pattern(AttentionKind.CROSS, 1, 2)[3, 2]
    weight_b = session.document.runs[1].trace.pattern(AttentionKind.CROSS, 1, 2)[4, 2]
    assert panel.map.spec.weights_at(row, column) == (weight_a, weight_b)
    QTest.keyClick(panel.map, Qt.Key.Key_Right)
    moved = session.selection(1)
    assert moved is not None
    assert (moved.query, moved.key) == (4, 3)
    QTest.mouseMove(panel.map, QPoint(1, 1))


def test_swapping_exchanges_the_runs_in_one_step_back(qtbot: QtBot, appearance: Appearance) -> None:
    session = with_runs()
    panel = panel_of(qtbot, session, appearance)
    panel.sides.swap.click()
    assert session.document.pinned == "b"
    assert session.document.panes[0].run_id == "a"
    session.undo()
    assert session.document.pinned == "a"
    panel.sides.unpin.click()
    assert comparing(session.document) is None


def test_linked_panes_show_the_same_head_and_the_step_of_the_same_token(qapp: object) -> None:
    session = with_runs()
    link = PaneLink(session)
    assert not link.applies
    session.open_second_pane()
    session.show_run("a", 0)
    assert link.applies
    session.activate_pane(1)
    session.select_head(0, 1)
    session.set_step(4)  # reads "fille", as A does at its step 3 (from 0)
    first = session.selection(0)
    assert first is not None
    assert (first.layer, first.head, first.step) == (0, 1, 3)
    session.activate_pane(0)
    session.select_kind(AttentionKind.ENCODER_SELF)
    session.set_crosshair(2, 3)
    second = session.selection(1)
    assert second is not None
    assert (second.kind, second.query, second.key) == (AttentionKind.ENCODER_SELF, 2, 3)
    link.set_on(False)
    session.select_layer(1)
    assert session.selection(1) == second
    link.set_on(True)
    second = session.selection(1)
    assert second is not None
    assert second.layer == 1


def test_two_panes_of_one_run_are_free(qapp: object) -> None:
    session = with_runs()
    link = PaneLink(session)
    session.open_second_pane()
    session.select_layer(0)
    first = session.selection(0)
    assert first is not None
    assert first.layer == 1
    assert link.on


def test_a_pane_names_its_run_where_there_are_several_and_offers_the_others(
    qtbot: QtBot, appearance: Appearance
) -> None:
    session = with_runs(pinned=False)
    pane = MapPane(session, appearance, 0)
    qtbot.addWidget(pane)
    pane.show()
    assert pane.runs.isVisible()
    assert pane.runs.run_id == "b"
    menu = pane.runs.menu()
    menu.aboutToShow.emit()
    assert [action.data() for action in menu.actions()] == ["a", "b"]
    assert [action.isChecked() for action in menu.actions()] == [False, True]
    menu.actions()[0].trigger()
    assert session.document.panes[0].run_id == "a"
    assert pane.runs.run_id == "a"
    pane.pin.click()
    assert session.document.pinned == "a"
    assert pane.pin.isChecked()
    pane.pin.click()
    assert session.document.pinned == ""
    session.remove_run("b")
    assert pane.runs.isHidden()


def test_no_two_runs_have_the_same_name(qapp: object) -> None:
    session = Session()
    trace = sample_trace(tgt_text="La fille & moi")
    for name in ("a", "b", "c"):
        branch: dict[str, Any] = {"parent": "a", "branch_step": 2} if name == "c" else {}
        session.add_run(Run(name, trace, **branch))
    names = run_names(session.document)
    assert names["a"] == "La fille & moi"
    assert names["b"] == "La fille & moi (2)"
    assert names["c"] == "branch: fille · La fille & moi"

    beam = sample_trace(tgt_text="La fille & moi", decoding={"mode": "beam", "beam_size": 4})
    session.add_run(Run("d", beam, provenance={"source": "decoded"}))
    session.add_run(Run("e", trace, provenance={"source": "hypothesis", "hypothesis": 2}))
    short = {run.id: short_run_name(session.document, run.id) for run in session.document.runs}
    assert (short["a"], short["b"]) == ("La fille & moi", "… (2)")
    assert (short["c"], short["d"], short["e"]) == ("branch: fille", "beam 4", "hypothesis 3")


def test_of_runs_that_begin_alike_the_short_names_say_where_they_part(qapp: object) -> None:
    session = Session()
    texts = ("La jeune femme", "La jeune fille aime", "La jeune filleule", "他喜欢红苹果", "他喜欢绿苹果")
    for number, text in enumerate(texts):
        session.add_run(Run(str(number), sample_trace(tgt_text=text)))
    short = {run.id: short_run_name(session.document, run.id) for run in session.document.runs}
    assert list(short.values()) == ["… femme", "… fille aime", "… filleule", "… 红苹果", "… 绿苹果"]
