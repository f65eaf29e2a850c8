"""The whole window on a tiny real model: held up, stopped, gone on with, forced, drawn, branched."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.assets import SENTENCE
from tests.viewer.desk import Desk
from tests.viewer.driving import Driver
from viewer.document.decoding_settings import ONE_BY_ONE
from viewer.document.document import Run


@pytest.fixture
def driver(desk: Desk) -> Driver:
    return desk


def shown(driver: Driver) -> Run:
    run = driver.session.run()
    assert run is not None
    return run


def type_sentence(driver: Driver, text: str) -> None:
    driver.page.sentence.box.selectAll()
    QTest.keyClicks(driver.page.sentence.box, text)
    QTest.keyClick(driver.page.sentence.box, Qt.Key.Key_Return)


def test_one_token_at_a_time_then_stop_then_go_on(driver: Driver) -> None:
    sentence = driver.page.sentence
    driver.translate(SENTENCE)
    whole = shown(driver).trace
    driver.session.set_pace(ONE_BY_ONE)

    type_sentence(driver, SENTENCE)
    driver.wait(lambda: shown(driver).live and driver.session.job.paused)
    assert shown(driver).trace.steps == 1
    driver.key(Qt.Key.Key_PageDown)
    driver.wait(lambda: shown(driver).trace.steps == 2 and driver.session.job.paused)
    driver.key(Qt.Key.Key_P)
    driver.wait(lambda: shown(driver).trace.steps == 3 and driver.session.job.paused)

    driver.click(sentence.translate)
    driver.wait(lambda: not driver.session.job.busy)
    stopped = shown(driver)
    assert stopped.cancelled
    driver.wait(lambda: sentence.badge.text() == "stopped after 3 tokens")

    driver.session.set_pace(0.0)
    driver.click(sentence.continue_)
    driver.wait(lambda: driver.translated() and shown(driver).id != stopped.id)
    assert shown(driver).trace.tgt_text == whole.tgt_text
    assert shown(driver).trace.tgt_out_ids.tolist() == whole.tgt_out_ids.tolist()
    driver.wait(lambda: not sentence.badge.isVisible())


def test_a_click_on_a_candidate_branches(driver: Driver) -> None:
    driver.translate(SENTENCE)
    first, panel = shown(driver), driver.page.next_word
    driver.session.set_step(4)
    row = next(i for i, row in enumerate(panel.model.rows) if not row.chosen and row.token_id > 3)
    token = panel.model.rows[row].token_id

    driver.click(panel.table.viewport(), panel.table.visualRect(panel.model.index(row, 0)).center())
    driver.wait(lambda: driver.translated() and shown(driver).id != first.id)

    branch = shown(driver)
    assert (branch.parent, branch.branch_step) == (first.id, 4)
    assert branch.trace.tgt_out_ids[:5].tolist() == [*first.trace.tgt_out_ids[:4].tolist(), token]
    assert driver.page.sentence.output.chips[4].forks == 1
    assert np.allclose(branch.trace.candidate_logprobs[:5], first.trace.candidate_logprobs[:5], atol=1e-5)


def test_a_forced_target_is_read_token_by_token(driver: Driver) -> None:
    sentence = driver.page.sentence
    type_sentence(driver, SENTENCE)
    driver.wait(driver.translated)
    free = shown(driver)
    sentence.decoding.modes["forced"].trigger()
    QTest.keyClicks(sentence.target.box, "La petite fille")
    QTest.keyClick(sentence.target.box, Qt.Key.Key_Return)
    driver.wait(lambda: driver.translated() and shown(driver).id != free.id)

    trace = shown(driver).trace
    assert trace.tgt_text == "La petite fille"
    assert sentence.badge.text() == "forced target"
    assert trace.step_rank is not None
    assert sentence.output.chips[0].tip.startswith("Step 1: ")
    assert f"rank {int(trace.step_rank[0]):,}" in sentence.output.chips[0].tip


def test_samples_show_their_filters(driver: Driver) -> None:
    """The drawn column against the definition, from the model's own column."""
    panel = driver.page.next_word
    before = len(driver.session.document.runs)
    driver.session.set_decoding({"mode": "sample", "temperature": 0.7, "top_k": 3, "seed": 5}, 3)

    type_sentence(driver, SENTENCE)
    driver.wait(lambda: driver.translated() and len(driver.session.document.runs) >= before + 3)
    driver.session.set_step(2)

    rows = [row for row in panel.model.rows if row.token_id >= 0]
    model = np.exp([row.logprob for row in rows[:3]])
    expected = model ** (1 / 0.7) / (model ** (1 / 0.7)).sum()
    assert np.allclose([row.drawn_share for row in rows[:3]], expected, atol=1e-5)
    assert all(row.cut for row in rows[3:])
    assert "temperature 0.7, top-k 3: 3 of" in panel.note.text()
    assert panel.table.horizontalHeader().isVisible()


def test_from_a_word_of_a_forced_target_the_model_goes_its_own_way(driver: Driver) -> None:
    sentence, panel = driver.page.sentence, driver.page.next_word
    type_sentence(driver, SENTENCE)
    driver.wait(driver.translated)
    sentence.decoding.modes["forced"].trigger()
    QTest.keyClicks(sentence.target.box, "La petite fille")
    QTest.keyClick(sentence.target.box, Qt.Key.Key_Return)
    driver.wait(lambda: driver.translated() and shown(driver).trace.decoding["mode"] == "forced")
    forced = shown(driver)
    driver.session.set_step(1)
    row = next(place for place, row in enumerate(panel.model.rows) if row.chosen)

    place = panel.table.visualRect(panel.model.index(row, 0)).center()
    driver.click(panel.table.viewport(), place)
    driver.wait(lambda: driver.translated() and shown(driver).id != forced.id)

    own = shown(driver)
    assert (own.parent, own.branch_step) == (forced.id, 1)
    assert own.trace.tgt_out_ids[:2].tolist() == forced.trace.tgt_out_ids[:2].tolist()
    greedy = own.trace.candidate_ids[2:, 0]
    assert own.trace.tgt_out_ids[2:].tolist() == greedy.tolist()


def test_the_sentence_goes_along_with_what_is_undone(driver: Driver) -> None:
    box, actions = driver.page.sentence.box, driver.window.actions_
    driver.translate(SENTENCE)
    first = shown(driver)
    driver.translate("Another one .")
    actions["undo"].trigger()
    assert (shown(driver).id, box.text()) == (first.id, SENTENCE)
    actions["redo"].trigger()
    assert box.text() == "Another one ."

    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "typed since")
    actions["undo"].trigger()
    assert (shown(driver).id, box.text()) == (first.id, "typed since")
