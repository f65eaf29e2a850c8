"""The window with models of others: what their families lack, what they cannot do, what is not verified."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from model.abilities import Ability
from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import sample_trace
from tests.viewer.foreign.samples import info_of, prompt_trace, reading_trace
from tests.viewer.heard_requests import heard
from viewer.app import build_window
from viewer.dialogs.model_info import ModelInfoDialog
from viewer.document.document import Run
from viewer.document.job_status import Loading
from viewer.document.messages.messages import ModelInfo
from viewer.document.messages.requests import Branch
from viewer.document.selection import Numbers
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.window.main_window import MainWindow
from viewer.window.settings import Settings

Open = Callable[[ModelInfo], tuple[MainWindow, Session]]


@pytest.fixture
def open_window(qtbot: QtBot, tmp_path: Path) -> Open:
    """A shown window with a model open."""

    def build(info: ModelInfo) -> tuple[MainWindow, Session]:
        session = Session()
        window = build_window(session, Settings(str(tmp_path / "settings.ini")), theme="light", language="en")
        qtbot.addWidget(window)
        window.resize(1440, 900)
        session.set_model(info)
        window.show()
        qtbot.waitExposed(window)
        return window, session

    return build


def tabs(window: MainWindow) -> dict[AttentionKind, str]:
    row = window.look_page.kind_row
    return {kind: tab.text() for kind, tab in row.tabs.items() if not tab.isHidden()}


def test_a_decoder_alone_has_one_family_and_says_so(open_window: Open) -> None:
    window, session = open_window(info_of("decoder_only"))
    assert tabs(window) == {AttentionKind.DECODER_SELF: "Self-attention (causal)"}

    session.add_run(Run("a", prompt_trace()))
    row = window.look_page.kind_row
    assert tabs(window) == {AttentionKind.DECODER_SELF: "Self-attention (causal)"}
    assert row.absent.text() == "no encoder"
    assert not row.absent.isHidden()
    for key in (Qt.Key.Key_E, Qt.Key.Key_C):
        QTest.keyClick(window.look_page.panes[0].map, key)
        assert window.status.read_out.text() == "This model has no encoder."
        selection = session.selection()
        assert selection is not None
        assert selection.kind is AttentionKind.DECODER_SELF

    session.add_run(Run("b", sample_trace()))
    assert len(tabs(window)) == 3
    assert row.absent.isHidden()
    assert row.tabs[AttentionKind.DECODER_SELF].text() == "Decoder self-attention"


def test_an_encoder_alone_writes_nothing(open_window: Open) -> None:
    window, session = open_window(info_of("encoder_only"))
    sentence = window.look_page.sentence
    assert sentence.translate.text() == "Read"
    assert "[MASK]" in sentence.box.placeholderText()
    assert not sentence.decoding.isEnabled()
    assert sentence.decoding.toolTip() == cannot(session.model, Ability.WRITE)
    assert sentence.steps.isHidden()
    assert sentence.output.isHidden()
    assert window.look_page.panes[0].empty.button.text() == "Try a sample"

    session.add_run(Run("a", reading_trace()))
    assert tabs(window) == {AttentionKind.ENCODER_SELF: "Self-attention"}
    assert window.look_page.kind_row.absent.text() == "no decoder"
    drawer = window.look_page.drawer
    drawer.show_panel(0)
    assert drawer.view("branches").empty.sentence.text() == cannot(session.model, Ability.WRITE)

    session.set_model(info_of("encoder_decoder"))
    session.add_run(Run("b", sample_trace()))
    assert sentence.decoding.isEnabled()
    assert not sentence.output.isHidden()
    assert sentence.translate.text() == "Generate"


def test_a_continuation_begins_behind_its_prompt(open_window: Open) -> None:
    window, session = open_window(info_of("decoder_only"))
    trace, sentence = prompt_trace(), window.look_page.sentence
    session.add_run(Run("a", trace))
    session.set_text("red app")
    session.last_step()

    assert [chip.text for chip in sentence.pieces.chips] == ["red", "app"]
    assert [chip.text for chip in sentence.output.chips] == ["⋅les", "grow", "(end)"]
    sentence.output.chosen.emit(0)
    assert session.selection() is not None
    assert session.selection().step == 1  # type: ignore[union-attr]
    assert [chip.pending for chip in sentence.output.chips] == [False, True, True]
    sentence.pieces.chosen.emit(0)
    assert session.selection().step == 0  # type: ignore[union-attr]
    assert all(chip.pending for chip in sentence.output.chips)
    assert sentence.steps.where.text() == "Prompt: 1 of 4"

    # Home is the first token that was produced, then that of the prompt.
    steps = []
    for key in (Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_Home, Qt.Key.Key_PageDown):
        QTest.keyClick(window.look_page.panes[0].map, key)
        steps.append(session.selection().step)  # type: ignore[union-attr]
    assert steps == [3, 1, 0, 1]

    # In a prompt no other word can be taken.
    asked = heard(session, Branch)
    panel = window.look_page.next_word
    session.set_step(0)
    assert not panel.box.isEnabled()
    assert "given the next token" in panel.note.text()
    session.set_step(2)
    assert panel.box.isEnabled()
    assert "given" not in panel.note.text()
    assert asked == []


def test_what_transformers_runs_can_only_be_looked_at(open_window: Open) -> None:
    window, session = open_window(info_of())
    session.add_run(Run("a", sample_trace()))
    said, look = cannot(session.model, Ability.ALTER), window.look_page
    look.inspector.show_tab(2)
    assert look.inspector.view("what_if").obstacle.text() == said
    assert {section.isHidden() for section in look.inspector.view("what_if").sections} == {True}
    look.inspector.show_tab(1)
    assert look.inspector.view("arithmetic").empty.sentence.text() == said
    session.set_view(importance=True)
    assert look.heads.importance.sentence.text() == said
    assert look.heads.importance.measure.isHidden()
    choices = look.panes[0].numbers.entries.choices
    for numbers in (Numbers.VALUE_WEIGHTED, Numbers.GRADIENT, Numbers.SCORES):
        assert not choices[numbers].isEnabled()
    assert choices[Numbers.VALUE_WEIGHTED].toolTip().startswith(said)
    assert choices[Numbers.MAX_HEADS].isEnabled()
    session.select(numbers=Numbers.VALUE_WEIGHTED)
    assert look.panes[0].map.waiting == said
    window.pages.show_page(2)
    learn = window.pages.learn
    assert learn.view("walk").empty.sentence.text() == said
    learn.show_lesson("two_sentences")
    assert learn.view("two_sentences").form.message.text() == said
    assert not learn.view("two_sentences").form.go.isEnabled()
    learn.show_lesson("order")
    assert learn.view("order").form.message.text() == said
    assert not learn.view("order").form.go.isEnabled()


def test_the_top_says_what_is_not_verified_and_how_far_a_loading_is(open_window: Open) -> None:
    window, session = open_window(info_of("decoder_only", verified=False, model_type="newkind"))
    top = window.top
    assert not top.badge.isHidden()
    assert top.badge.text() == "not verified"
    assert "newkind" in top.badge.toolTip()
    session.add_run(Run("a", prompt_trace(extra={"prompt_length": "2", "verified": "false"})))
    assert "not verified" in window.look_page.panes[0].badges.text()
    session.set_model(info_of("decoder_only"))
    assert top.badge.isHidden()

    assert top.model.text() == "tiny · 2 layers, 3 heads"
    session.set_loading(Loading("opus-mt-en-fr", stoppable=True))
    assert top.model.text() == "opus-mt-en-fr · loading"
    session.set_loading(Loading("opus-mt-en-fr", True, 135_900_000, 299_100_000))
    assert top.model.text() == "opus-mt-en-fr · loading 45 %"
    assert "135 of 300 MB" in top.model.toolTip()
    session.set_loading(Loading("opus-mt-en-fr", True, 850_000, 1_700_000))
    assert top.model.text() == "opus-mt-en-fr · loading 50 %"
    assert "0.8 of 1.7 MB" in top.model.toolTip()
    assert not top.stop.isHidden()
    session.set_loading(Loading("a" * 20 + "b" * 60 + "c" * 20))
    assert len(top.model.text()) < 60
    assert "b" * 60 in top.model.toolTip()
    assert top.stop.isHidden()
    session.set_loading(None)
    assert top.model.text() == "tiny · 2 layers, 3 heads"


@pytest.mark.parametrize("family", ["encoder_decoder", "decoder_only", "encoder_only"])
def test_the_model_dialog_of_each_family(qtbot: QtBot, family: str) -> None:
    grouped = info_of(
        family,
        verified=False,
        architecture={
            "n_heads": 32, "kv_heads": 8, "decoder_layers": 16, "encoder_layers": 4, "d_model": 64,
            "positions": "rotary", "activation": "silu", "ignored_rules": ["repetition_penalty"],
        },
    )  # fmt: skip
    for info in (grouped, info_of(family, architecture={})):
        dialog = ModelInfoDialog(info)
        qtbot.addWidget(dialog)
        texts = [label.text() for label in dialog.findChildren(QLabel)]
        assert "und → und" not in texts
        assert "Languages" not in texts
        assert ("Verified" in texts) is not info.verified
        if info is grouped:
            assert "8 heads, shared by 32 query heads (grouped-query attention)" in texts
            assert "rotary (RoPE)" in texts
            assert "silu" in texts
            assert any("repetition_penalty" in text for text in texts)
