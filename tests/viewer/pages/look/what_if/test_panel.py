"""The What if tab: what each control asks for, and what it shows of the answer."""

from __future__ import annotations

import itertools
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest

from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.trace.trace import AttentionKind
from tests.viewer.pages.look.what_if.samples import (
    BASE,
    CROSS,
    LIVE,
    Heard,
    altered_run,
    base_trace,
    model_info,
    session_with,
)
from viewer.document.document import Run
from viewer.document.job_status import JobStatus
from viewer.document.session import Session
from viewer.pages.look.what_if.head_section import HeadSection
from viewer.pages.look.what_if.held_model import bar_rect, points
from viewer.pages.look.what_if.row_section import RowSection
from viewer.pages.look.what_if.section import Section
from viewer.pages.look.what_if.source_section import SourceSection
from viewer.pages.look.what_if.what_if_panel import WhatIfPanel
from viewer.pages.look.what_if.word_chips import WordChip, WordChips
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import ready_frame

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

OFF = ScaleHead(CROSS, 1, 0)
ENCODER, DECODER = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF


def shown(qtbot: Any, session: Session) -> WhatIfPanel:
    panel = WhatIfPanel(session, Appearance("light"))
    qtbot.addWidget(panel)
    panel.resize(272, 900)
    panel.show()
    ready_frame(panel)
    return panel


S = TypeVar("S", bound=Section)


def section(panel: WhatIfPanel, kind: type[S]) -> S:
    return next(one for one in panel.sections if isinstance(one, kind))


def click_chip(chips: WordChips, index: int) -> None:
    QTest.mouseClick(chips, Qt.MouseButton.LeftButton, pos=chips.chip_rect(index).center().toPoint())


def choose(box: Any, index: int) -> None:
    box.setCurrentIndex(index)
    box.activated.emit(index)


def test_a_tab_that_was_left_before_its_frame_shows_everything_when_it_is_opened_again(qtbot: Any) -> None:
    panel = WhatIfPanel(session_with(), Appearance("light"))
    qtbot.addWidget(panel)
    panel.show()
    panel.hide()
    ready_frame(panel)
    assert not section(panel, SourceSection).tokens.chips
    panel.show()
    ready_frame(panel)
    assert section(panel, SourceSection).tokens.chips


def test_the_switches_ask_at_once(qtbot: Any) -> None:
    session = session_with()
    panel, heard = shown(qtbot, session), Heard(session)
    section(panel, HeadSection).head.switch.click()
    section(panel, HeadSection).layer.switch.click()
    assert heard.altered == [(BASE, (OFF,)), (BASE, (OFF, ScaleHead(CROSS, 1, None)))]
    assert section(panel, HeadSection).head.number.text() == "off"
    section(panel, HeadSection).head.switch.click()
    assert heard.altered[-1] == (BASE, (ScaleHead(CROSS, 1, None),))
    session.select_kind(ENCODER)
    section(panel, HeadSection).head.switch.click()
    assert heard.altered[-1][1] == (ScaleHead(CROSS, 1, None), ScaleHead(ENCODER, 1, 0))


def test_a_slider_asks_once_after_a_rest_for_the_head_it_was_moved_for(qtbot: Any) -> None:
    session = session_with()
    panel, heard = shown(qtbot, session), Heard(session)
    for value in (22, 26, 30):
        section(panel, HeadSection).head.slider.setValue(value)
    assert section(panel, HeadSection).head.number.text() == "× 1.50"
    assert heard.altered == []
    qtbot.waitUntil(lambda: bool(heard.altered))
    assert heard.altered == [(BASE, (ScaleHead(CROSS, 1, 0, 1.5),))]
    section(panel, HeadSection).head.slider.setValue(0)
    session.select_head(1, 1)
    assert heard.altered[1:] == [(BASE, (OFF,))], "for the head that was in view"
    assert section(panel, HeadSection).head.number.text() == "× 1.00"


def test_the_mean_has_only_its_layer_to_change(qtbot: Any) -> None:
    session = session_with()
    panel = shown(qtbot, session)
    session.select_mean()
    assert section(panel, HeadSection).head.isHidden()
    assert not section(panel, HeadSection).layer.isHidden()


def test_tokens_are_blocked_and_let_again(qtbot: Any) -> None:
    session = session_with()
    panel, heard = shown(qtbot, session), Heard(session)
    chips = section(panel, SourceSection).tokens
    assert [chip.text for chip in chips.chips] == ["red", "app", "⋅les", "(end)"]
    click_chip(chips, 1)
    assert heard.altered == [(BASE, (BlockToken(1),))]
    assert [chip.state for chip in chips.chips] == ["same", "blocked", "same", "same"]
    chips.setFocus()
    QTest.keyClick(chips, Qt.Key.Key_Right)
    QTest.keyClick(chips, Qt.Key.Key_Space)
    assert heard.altered[-1][1] == (BlockToken(1), BlockToken(2))
    click_chip(chips, 1)
    assert heard.altered[-1][1] == (BlockToken(2),)


def test_positions_are_dropped_and_shuffled_anew(qtbot: Any) -> None:
    session = session_with()
    panel, heard = shown(qtbot, session), Heard(session)
    source = section(panel, SourceSection)
    assert source.shuffle.isHidden()
    assert not source.side.isEnabled()
    choose(source.how, 1)
    assert heard.altered[-1] == (BASE, (ChangePositions("both", "none"),))
    choose(source.side, 1)
    choose(source.how, 2)
    assert heard.altered[-1][1] == (ChangePositions("source", "shuffled", 0),)
    assert source.seed.text() == "seed 0"
    source.shuffle.click()
    (positions,) = heard.altered[-1][1]
    assert isinstance(positions, ChangePositions)
    assert positions.seed != 0
    assert source.seed.text() == f"seed {positions.seed}"
    choose(source.side, 2)  # a target's are those of the untouched translation
    base = session.document.run(BASE)
    assert base is not None
    steps = base.trace.steps
    assert heard.altered[-1][1] == (ChangePositions("target", "shuffled", positions.seed, steps),)
    choose(source.how, 0)
    assert heard.altered[-1] == (BASE, ())


def test_the_row_of_the_step_or_of_the_crosshair_is_set(qtbot: Any) -> None:
    session = session_with()
    panel, heard = shown(qtbot, session), Heard(session)
    row = section(panel, RowSection)
    assert "Row 2, reads “pommes” → predicts “rouges”" in row.row.text()
    texts = [row.choice.itemText(i) for i in range(row.choice.count())]
    assert texts == [
        "as the model computes it", "uniform",
        "only 1 “red”", "only 2 “app”", "only 3 “⋅les”", "only 4 “(end)”", "type values…",
    ]  # fmt: skip
    choose(row.choice, 4)
    assert heard.altered == [(BASE, (SetRow(CROSS, 1, 0, 1, key=2),))]
    session.set_crosshair(0, 3)
    choose(row.choice, 1)
    assert heard.altered[-1][1] == (SetRow(CROSS, 1, 0, 1, key=2), SetRow(CROSS, 1, 0, 0))
    choose(row.choice, 0)
    assert heard.altered[-1][1] == (SetRow(CROSS, 1, 0, 1, key=2),)
    session.set_crosshair(None, None)
    assert row.choice.currentText() == "only 3 “⋅les”"
    session.select_kind(ENCODER)
    assert row.choice.isHidden()
    assert "Click a cell" in row.row.text()
    session.select_kind(DECODER)
    assert row.choice.count() == 2 + 2 + 1, "a decoder's row reads no later step"


def test_typed_values_must_add_up_to_one(qtbot: Any) -> None:
    session = session_with()
    panel, heard = shown(qtbot, session), Heard(session)
    values = section(panel, RowSection).values
    assert values.isHidden()
    choose(section(panel, RowSection).choice, section(panel, RowSection).choice.count() - 1)
    assert not values.isHidden()
    assert values.weights() == [0.0, 0.25, 0.5, 0.25], "it begins with the row as it is"

    def put(row: int, text: str) -> None:
        item = values.table.item(row, 1)
        assert item is not None
        item.setText(text)

    put(0, "0,5")
    assert values.sum.text() == "Sum 1.5000"
    assert not values.apply.isEnabled()
    assert values.problem.text() == "The weights of a row must add up to 1."
    put(1, "a")
    assert "must be a number" in values.problem.text()
    put(1, "-0.25")
    assert "not negative" in values.problem.text()
    assert not values.scale.isEnabled()
    put(1, "0.25")
    values.scale.click()
    assert values.apply.isEnabled()
    assert values.weights() == pytest.approx([1 / 3, 1 / 6, 1 / 3, 1 / 6], abs=1e-6)
    for row, text in enumerate(("0.5", "0.25", "0.25", "0")):
        put(row, text)
    values.apply.click()
    assert heard.altered == [(BASE, (SetRow(CROSS, 1, 0, 1, weights=(0.5, 0.25, 0.25, 0.0)),))]


def test_typed_values_begin_without_what_is_blocked_and_can_be_applied(qtbot: Any) -> None:
    session = session_with(altered_run(BlockToken(2)))
    session.show_run(BASE)
    panel, heard = shown(qtbot, session), Heard(session)
    values = section(panel, RowSection).values
    choose(section(panel, RowSection).choice, section(panel, RowSection).choice.count() - 1)
    assert values.weights() == [0.0, 0.5, 0.5], "of 0, 0.25, 0.5 (blocked), 0.25"
    assert values.apply.isEnabled()
    values.apply.click()
    wanted = (BlockToken(2), SetRow(CROSS, 1, 0, 1, weights=(0.0, 0.5, 0.5)))
    assert heard.altered == [(BASE, wanted)]


def test_changes_in_force_are_listed_and_taken_back(qtbot: Any) -> None:
    session = session_with(altered_run(OFF, BlockToken(0)))
    panel, heard = shown(qtbot, session), Heard(session)
    names = [remover.accessibleName() for remover in panel.changes.removers]
    assert names == [
        "Remove: cross-attention of layer 2, head 1 off",
        "Remove: source token 1 “red” blocked",
    ]
    panel.changes.removers[0].click()
    assert heard.altered == [(BASE, (BlockToken(0),))]
    assert len(panel.changes.removers) == 1
    panel.reset.click()
    assert heard.altered[-1] == (BASE, ())
    assert panel.reset.isHidden()
    assert panel.changes.removers == []


def test_what_was_asked_counts_until_the_engine_has_answered(qtbot: Any) -> None:
    session = session_with(altered_run(OFF))
    panel = shown(qtbot, session)
    session.set_job(JobStatus("decoding", 1))
    click_chip(section(panel, SourceSection).tokens, 0)
    assert [remover.accessibleName() for remover in panel.changes.removers][1:] == [
        "Remove: source token 1 “red” blocked"
    ]
    session.set_job(JobStatus())  # it came to nothing
    assert panel.editor.changes == (OFF,)


def test_before_and_after(qtbot: Any) -> None:
    session = session_with(altered_run(OFF))
    panel = shown(qtbot, session)
    outcome = panel.outcome
    assert [(c.shown, c.state) for c in outcome.before.chips] == [
        ("pommes", "same"), ("≠ rouges", "changed"), ("(end)", "same"),
    ]  # fmt: skip
    assert [c.shown for c in outcome.after.chips] == ["pommes", "≠ vertes", "(end)"]
    # log(0.5 * 0.25 * 0.8) = log 0.1; log(0.5 * 0.1 * 0.9) = log 0.045; held: log(0.25 * 0.5 * 0.8) = log 0.1
    assert "−2.30 before, −3.10 after" in outcome.totals.text()
    assert "Together −2.30 before, −2.30 after" in outcome.held_title.text()
    assert panel.summary.text() == "1 token differs; log probability −2.30 → −3.10"
    model = outcome.model
    cells = [[model.data(model.index(r, c)) for c in range(4)] for r in range(model.rowCount())]
    assert cells == [
        ["pommes", "50 %", "25 %", "−25"],
        ["rouges", "25 %", "50 %", "+25"],
        ["(end)", "80 %", "80 %", "0"],
    ]
    outcome.table.clicked.emit(model.index(2, 0))
    selection = session.selection()
    assert selection is not None
    assert selection.step == 2


def test_the_untouched_pane_shows_the_same_comparison(qtbot: Any) -> None:
    session = session_with(altered_run(OFF))
    panel = shown(qtbot, session)
    session.show_run(BASE)
    assert panel.editor.changes == (OFF,)
    assert [c.shown for c in panel.outcome.after.chips] == ["pommes", "≠ vertes", "(end)"]


def test_keep_is_for_the_run_being_worked_on(qtbot: Any) -> None:
    session = session_with(altered_run(OFF))
    panel, heard = shown(qtbot, session), Heard(session)
    panel.outcome.keep.click()
    assert heard.kept == [LIVE]
    kept = shown(qtbot, session_with(altered_run(OFF, run_id="kept")))
    assert not kept.outcome.keep.isEnabled()
    live = shown(qtbot, session_with(altered_run(OFF, live=True)))
    assert not live.outcome.keep.isEnabled()
    assert "Translating" in live.summary.text()


def test_a_change_to_a_kept_run_begins_with_its_changes(qtbot: Any) -> None:
    session = session_with(altered_run(OFF, run_id="kept"))
    panel, heard = shown(qtbot, session), Heard(session)
    click_chip(section(panel, SourceSection).tokens, 3)
    assert heard.altered == [(BASE, (OFF, BlockToken(3)))]


def test_without_its_changes_a_kept_run_is_the_untouched_one(qtbot: Any) -> None:
    session = session_with(altered_run(OFF, run_id="kept"))
    panel, heard = shown(qtbot, session), Heard(session)
    panel.reset.click()
    run = session.run()
    assert run is not None
    assert run.id == BASE
    assert heard.altered == []
    assert panel.editor.changes == ()


def test_what_stands_in_the_way_is_said(qtbot: Any) -> None:
    panel = shown(qtbot, Session())
    assert panel.obstacle.text().startswith("Translate a sentence")
    assert section(panel, HeadSection).isHidden()
    no_model = shown(qtbot, session_with(model=False))
    assert "A model must be open" in no_model.obstacle.text()
    assert not section(no_model, HeadSection).isEnabled()
    session = session_with()
    other = shown(qtbot, session)
    assert other.obstacle.isHidden()
    session.set_model(model_info("f" * 64))
    assert "Another model" in other.obstacle.text()
    orphan = Session()
    orphan.set_model(model_info(base_trace().model_sha256))
    orphan.add_run(altered_run(OFF, parent="gone"))
    alone, heard = shown(qtbot, orphan), Heard(orphan)
    assert "altered before it was opened" in alone.obstacle.text()
    assert len(alone.changes.removers) == 1
    alone.editor.reset()
    assert heard.altered == []
    growing = Session()
    growing.set_model(model_info(base_trace().model_sha256))
    growing.add_run(Run("r", base_trace(), live=True))
    assert "Translating" in shown(qtbot, growing).obstacle.text()


def test_a_hidden_tab_catches_up(qtbot: Any) -> None:
    session = session_with()
    panel = shown(qtbot, session)
    panel.hide()
    session.add_run(altered_run(OFF))
    assert panel.outcome.after.chips == ()
    panel.show()
    assert len(panel.outcome.after.chips) == 3


def test_chips_wrap_and_give_their_lines_room(qtbot: Any) -> None:
    chips = WordChips(Appearance("light"))
    qtbot.addWidget(chips)
    chips.resize(120, 10)
    chips.show_chips(tuple(WordChip(f"word{i}") for i in range(9)))
    places = [chips.chip_rect(i) for i in range(9)]
    assert all(place.right() <= 120 for place in places)
    assert places[-1].bottom() <= chips.height()
    for one, next_one in itertools.pairwise(places):
        assert next_one.left() > one.right() or next_one.top() > one.bottom() - 1
    assert chips._at(QPointF(places[4].center())) == 4
    several_lines = chips.height()
    chips.show()
    chips.resize(1000, 10)
    assert chips.height() < several_lines


def test_differences_diverge_from_the_middle() -> None:
    assert bar_rect(100, 40, 10, 8, 0.5).getRect() == (100, 6, 20, 8)
    assert bar_rect(100, 40, 10, 8, -0.25).getRect() == (90, 6, 10, 8)
    assert [points(v) for v in (0.351, -0.004, 0.0001, -1.0)] == ["+35", "−0.4", "0", "−100"]


def test_the_wheel_is_for_scrolling(qtbot: Any) -> None:
    session = session_with()
    panel, heard = shown(qtbot, session), Heard(session)
    for widget in (
        section(panel, HeadSection).head.slider,
        section(panel, RowSection).choice,
        section(panel, SourceSection).how,
    ):
        point = QPointF(widget.rect().center())
        event = QWheelEvent(
            point, widget.mapToGlobal(point), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        widget.event(event)
        assert not event.isAccepted(), "left to the column"
    assert heard.altered == []
    assert (
        section(panel, RowSection).choice.currentIndex()
        == section(panel, SourceSection).how.currentIndex()
        == 0
    )
    assert section(panel, HeadSection).head.slider.value() == 20


@pytest.mark.parametrize("factor", [0.0, 0.35, 2.0])
def test_a_factor_from_the_engine_is_shown(qtbot: Any, factor: float) -> None:
    panel = shown(qtbot, session_with(altered_run(ScaleHead(CROSS, 1, 0, factor))))
    row = section(panel, HeadSection).head
    assert row.slider.value() == round(20 * factor)
    assert row.switch.isChecked() == (factor != 0)
    assert row.number.text() == (f"× {factor:.2f}" if factor else "off")
