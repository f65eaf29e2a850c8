"""Carry over: what it asks, what a click asks for, and what it says beside the grids."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.abilities import Ability
from model.alterations.carry import Carry
from model.alterations.scale_head import ScaleHead
from model.questions.causes.patching import Patched, PatchGrid, PatchOf, PathOf
from model.trace.trace import AttentionKind
from tests.viewer.export_samples import sample_trace
from tests.viewer.figures.effects.samples import patched
from tests.viewer.foreign.samples import info_of
from viewer.document.document import Run
from viewer.document.messages.requests import Alter, KeepAltered
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.document.what_if.what_if import LIVE_SUFFIX
from viewer.pages.look.compare.carry_panel import CarryPanel
from viewer.pages.look.compare.carrying import carried_into
from viewer.pages.look.compare.compare_panel import ComparePanel
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
ENCODER, DECODER, CROSS = AttentionKind
HEADS = (PatchGrid(CROSS, "head", np.array([[-3.0, np.nan], [1.0, -1.0]])),)


def run(name: str, target: tuple[str, ...], **changes: Any) -> Run:
    return Run(name, sample_trace(target=target, seed=len(target), tgt_text=f"text {name}", **changes))


class Bench:
    """A panel over two runs of one model, and what it asks for."""

    def __init__(self, qtbot: QtBot, qapp: Any) -> None:
        self.session = Session()
        self.asked: list[Any] = []
        self.session.serve({Alter: self.asked.append, KeepAltered: self.asked.append})
        for one in (run("a", ("<s>", "▁La", "▁fille", "</s>")), run("b", ("<s>", "▁Le", "▁fils", "</s>"))):
            self.session.add_run(one, Selection(CROSS, 1, 0, 0))
        self.session.pin("a")
        self.panel = CarryPanel(self.session, Appearance(qapp))
        qtbot.addWidget(self.panel)
        self.panel.resize(700, 300)

    @property
    def question(self) -> PatchOf | PathOf:
        assert self.panel._asked is not None
        return self.panel._asked.question

    def answer(self, **changes: Any) -> Patched:
        asked = self.panel._asked
        assert asked is not None
        tokens = tuple(asked.second.trace.src_tokens)
        own = {"grids": HEADS, "source_tokens": tokens, "source": (0,) * len(tokens), **changes}
        found = replace(patched("heads"), **own)
        self.session.answers.finish((asked.question, asked.reading), found)
        return found


@pytest.fixture
def bench(qtbot: QtBot, qapp: Any) -> Bench:
    return Bench(qtbot, qapp)


def test_the_choosers_say_what_is_asked(bench: Bench) -> None:
    panel = bench.panel
    assert bench.question == PatchOf(bench.question.measured, "heads", "head")
    assert bench.question.measured.step is None
    panel.what.setCurrentIndex(1)
    panel.by.setCurrentIndex(1)
    panel.step.setCurrentIndex(1)
    assert bench.question == PatchOf(bench.question.measured, "patterns", "position")
    assert bench.question.measured.step == 0
    panel.what.setCurrentIndex(2)
    assert not panel.by.isEnabled()
    panel.what.setCurrentIndex(4)
    assert isinstance(bench.question, PathOf)
    sender = bench.question.sender
    assert (sender.kind, sender.layer, sender.head) == (CROSS, 1, 0)  # the head in view


def test_a_click_asks_for_the_translation_of_the_cell_and_shows_it(bench: Bench) -> None:
    panel, session = bench.panel, bench.session
    assert panel.figure is None
    bench.answer()
    assert panel.figure is not None
    panel._pick((0, 0, 1))
    assert bench.asked == []  # nothing could be carried there
    panel._pick((0, 1, 0))
    (asked,) = bench.asked
    assert (asked.run, len(asked.changes)) == ("b", 1)
    change = asked.changes[0]
    assert isinstance(change, Carry)
    place = change.what, change.kind, change.layer, change.head, change.position
    assert place == ("heads", CROSS, 1, 0, None)
    assert change.src_ids == tuple(map(int, session.document.run("a").trace.src_ids))  # type: ignore[union-attr]
    made = run("b" + LIVE_SUFFIX, ("<s>", "▁La", "</s>"), alterations=(change.to_json(),))
    session.add_run(made.but(parent="b", alterations=(change.to_json(),)))
    assert carried_into(session.document, session.document.runs[-1]).id == "b"
    panel.refresh()
    assert panel.figure.body.chosen == (0, 1, 0)
    assert panel.texts[2].text().startswith("B altered: text b" + LIVE_SUFFIX)
    assert "head 1 carried in" in panel.texts[2].text()
    panel.back.click()
    assert bench.asked[-1] == Alter("b", ())


def test_arrows_go_from_cell_to_cell_and_enter_asks(bench: Bench) -> None:
    view, said = bench.panel.view, []
    view.read_out.connect(said.append)
    grids = (*HEADS, PatchGrid(CROSS, "head", np.array([[0.5], [0.5]]), "q"))
    bench.answer(grids=grids)
    keys = Qt.Key
    for key, cell in (
        (keys.Key_Right, (0, 0, 0)),
        (keys.Key_Down, (0, 1, 0)),
        (keys.Key_Right, (0, 1, 1)),
        (keys.Key_Right, (1, 1, 0)),
        (keys.Key_Down, (1, 1, 0)),
        (keys.Key_Left, (0, 1, 1)),
    ):
        QTest.keyClick(view, key)
        assert view.spot == cell
    assert said[-1].endswith("effect 0.50 (measured −1.00)")
    assert view.accessibleDescription() == said[-1]
    QTest.keyClick(view, keys.Key_Return)
    assert bench.asked[0].changes[0].head == 1
    place = view.geometry_now()
    assert place is not None
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place.rect_of((0, 1, 0)).center().toPoint())
    assert bench.asked[1].changes[0].head == 0


def test_a_model_of_others_has_cells_but_no_translation_of_them(bench: Bench) -> None:
    panel = bench.panel
    can = frozenset((Ability.WRITE, Ability.ALTER, Ability.ANSWER, Ability.MEASURE, Ability.CARRY))
    bench.session.set_model(info_of(can=can))
    assert panel._obstacle() == ""
    bench.answer()
    panel.refresh()
    assert panel.texts[2].text().startswith("This model is run by transformers")
    place = panel.view.geometry_now()
    assert place is not None
    QTest.mouseClick(panel.view, Qt.MouseButton.LeftButton, pos=place.rect_of((0, 1, 0)).center().toPoint())
    assert bench.asked == []
    panel.what.setCurrentIndex(4)
    assert "not worked out of such models" in panel.sentence.text()
    assert panel._obstacle() != ""


def test_an_altered_a_keeps_no_translation_and_says_so(bench: Bench) -> None:
    off = (ScaleHead(CROSS, 0, 0).to_json(),)
    bench.session.add_run(run("c", ("<s>", "▁La", "</s>"), alterations=off).but(alterations=off))
    bench.session.pin("c")
    bench.session.show_run("b")
    bench.panel.refresh()
    bench.answer()
    said: list[Any] = []
    bench.panel.failed.connect(said.append)
    bench.panel._pick((0, 1, 0))
    assert [error.code for error in said] == ["carry_altered"]
    assert bench.asked == []


def test_stopped_it_is_not_asked_again_by_itself(bench: Bench, qtbot: QtBot) -> None:
    panel, session = bench.panel, bench.session
    wanted: list[Any] = []
    session.answers.wanted.connect(lambda *asked: wanted.append(asked))
    asked = panel._asked
    assert asked is not None
    session.answers.ask(asked.question, asked.reading)
    panel.refresh()
    assert not panel._going.isHidden()
    panel.cancel.click()
    panel.refresh()
    assert panel._going.isHidden()
    assert not panel.again.isHidden()
    assert len(wanted) == 1


def test_the_panel_is_a_page_of_its_own_for_export(bench: Bench, qtbot: QtBot, qapp: Any) -> None:
    compare = ComparePanel(bench.session, Appearance(qapp))
    qtbot.addWidget(compare)
    assert compare.exported() is None
    compare.carry_over.click()
    compare.refresh()
    bench.answer()
    page = compare.exported()
    assert page is not None
    assert page.figure is compare.figure()
    assert page.table is not None
    assert len(page.table) == 5


def test_copy_as_command_says_the_question_and_a(bench: Bench) -> None:
    panel, session = bench.panel, bench.session

    def command() -> tuple[str, ...]:
        bench.answer()
        page = panel.exported()
        assert page is not None
        return page.command

    assert command() == ()  # no model that would decode A
    session.set_model(info_of(sha256=session.document.runs[0].trace.model_sha256))
    a = "--from=The little girl gave apples ."
    assert command() == ("--view=effects", "--what=heads", "--by=head", a)
    panel.what.setCurrentIndex(2)
    panel.step.setCurrentIndex(1)
    assert command() == ("--view=effects", "--what=residual", "--step=1", a)
    panel.what.setCurrentIndex(4)
    assert command() == ("--view=effects", "--path=cross:2:1", "--step=1", a)
    session.show_run("a")  # B is no longer the run in view, which the command would take
    panel.refresh()
    assert command() == ()
