"""The whole window on tiny real models that `transformers` runs: written on, searched, branched, read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind, Trace
from tests.foreign_assets import quiet, write_bert, write_gpt2
from tests.viewer.driving import Driver, start
from viewer.document.messages.requests import Branch, ShowHypothesis
from viewer.pages.widgets.before_paint import ready_frame

PROMPT = "The cat sat on the"


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    yield driver
    driver.window.close()
    assert driver.program.ended


def shown(driver: Driver) -> Trace:
    trace = driver.session.trace()
    assert trace is not None
    return trace


def test_a_text_is_gone_on_with_searched_and_branched(driver: Driver, tmp_path: Path) -> None:
    folder = write_gpt2(tmp_path / "gpt2")
    driver.open(folder)
    assert driver.session.document.runs == ()
    driver.translate(PROMPT)

    from transformers import AutoModelForCausalLM, AutoTokenizer

    with quiet():
        network = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager").eval()
        ids = AutoTokenizer.from_pretrained(folder)(PROMPT)["input_ids"]
    trace = shown(driver)
    given = len(ids) - 1
    whole = [*ids, *trace.tgt_out_ids[given:].tolist()]
    assert trace.tgt_in_ids.tolist() == whole[:-1]
    with torch.no_grad():
        said = network(torch.tensor([whole[:-1]]), output_attentions=True)
    assert whole[len(ids) :] == said.logits[0, given:].argmax(-1).tolist()
    expected = torch.stack(said.attentions)[:, 0].numpy()
    for layer, heads in enumerate(expected):
        assert abs(trace.patterns.layer(AttentionKind.DECODER_SELF, layer) - heads).max() < 1e-5
    assert driver.session.notice is None  # that it does not end by itself is no mishap
    assert len(driver.page.sentence.output.chips) == trace.steps - given

    first = driver.session.run()
    driver.session.set_step(given + 1)
    token = int(trace.candidate_ids[given + 1, 1])
    assert first is not None
    driver.session.ask(Branch(first.id, given + 1, token))
    driver.wait(lambda: len(driver.session.document.runs) == 2 and driver.translated())
    branch = shown(driver)
    assert branch.tgt_out_ids[: given + 2].tolist() == [*trace.tgt_out_ids[: given + 1].tolist(), token]
    assert branch.prompt_length == len(ids)

    driver.session.set_decoding({"mode": "beam", "beam_size": 2})
    driver.translate(PROMPT)
    run = driver.session.run()
    assert run is not None
    assert run.search
    driver.page.drawer.show_panel(0)
    ready_frame(driver.window)
    tree = driver.page.drawer.view("branches").state.tree
    assert [tree.nodes[index].token for index in tree.path(run.id)] == run.trace.tgt_out_ids.tolist()
    dropped = next(one for one in run.search if one.fate == "pruned")
    runs = len(driver.session.document.runs)
    driver.session.ask(ShowHypothesis(run.id, dropped.id))
    driver.wait(lambda: len(driver.session.document.runs) == runs + 1)
    assert int(shown(driver).tgt_out_ids[-1]) == dropped.token


def test_a_text_is_read_with_a_word_masked(driver: Driver, tmp_path: Path) -> None:
    driver.open(write_bert(tmp_path / "bert"))
    sentence = driver.page.sentence
    driver.click(driver.page.panes[0].empty.button)
    driver.wait(driver.translated)
    assert "[MASK]" in driver.session.text
    trace = shown(driver)
    assert trace.only_reads
    assert "[MASK]" in trace.src_tokens
    assert sentence.output.isHidden()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageDown, Qt.Key.Key_Space, Qt.Key.Key_D):
        QTest.keyClick(driver.page.panes[0].map, key)
    assert driver.window.status.read_out.text() == "This model has no decoder."
    assert not driver.session.playing
