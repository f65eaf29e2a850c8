"""The output never passes for the translation of another sentence; two translations stand side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.alterations.scale_head import ScaleHead
from model.trace.trace import AttentionKind
from tests.assets import SENTENCE
from tests.viewer.driving import Driver, start
from tests.viewer.exploring_samples import session_with
from tests.viewer.pages.look.what_if.samples import BASE, LIVE, altered_run
from tests.viewer.pages.look.what_if.samples import session_with as altered_session
from viewer.document.session import Session
from viewer.pages.look.sentence.sentence_panel import SentencePanel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import ready_frame

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")

OFF = ScaleHead(AttentionKind.CROSS, 1, 0, 0.0)


def show(qtbot: QtBot, session: Session) -> SentencePanel:
    panel = SentencePanel(session, Appearance("light"))
    qtbot.addWidget(panel)
    panel.resize(1200, 190)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path, tiny_bundle: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    driver.open(tiny_bundle)
    driver.translate(SENTENCE)
    yield driver
    driver.window.close()
    assert driver.program.ended


def test_while_another_sentence_is_typed_the_output_says_whose_it_is(qtbot: QtBot) -> None:
    session = session_with(altered_run().trace)
    trace = session.trace()
    assert trace is not None
    session.set_text(f" {trace.src_text} ")  # a space more is no other sentence
    panel = show(qtbot, session)
    assert not panel.earlier.isVisible()
    assert not panel.output.faded
    assert panel.output.accessibleName() == "Output"
    bright = panel.output.grab().toImage()

    panel.box.setFocus()
    panel.box.selectAll()
    QTest.keyClicks(panel.box, "a cat & <b>")
    assert panel.earlier.isVisible()
    assert panel.earlier.text() == f"From “{trace.src_text}”:"
    assert panel.output.accessibleName() == f"From “{trace.src_text}”:"
    assert panel.output.faded
    assert panel.output.grab().toImage() != bright
    assert [chip.text for chip in panel.output.chips]  # still there, to be looked at

    QTest.mouseClick(panel.earlier, Qt.MouseButton.LeftButton)
    assert panel.box.text() == trace.src_text
    assert not panel.earlier.isVisible()
    assert not panel.output.faded


def test_of_an_input_without_a_text_nothing_is_quoted(qtbot: QtBot) -> None:
    session = session_with(replace(altered_run().trace, src_text=""))
    session.set_text("a cat")
    panel = show(qtbot, session)
    assert panel.earlier.text() == "From an earlier text:"


def test_a_text_that_is_refused_leaves_no_output_that_passes_for_its_own(driver: Driver) -> None:
    panel, session = driver.page.sentence, driver.session
    assert not panel.earlier.isVisible()
    run = session.run()
    assert run is not None
    for text in ("", "cat " * 3000):  # nothing at all, and more than the model reads
        session.set_notice(None)
        session.set_text(text)
        QTest.keyClick(panel.box, Qt.Key.Key_Return)
        driver.wait(lambda: session.notice is not None and not session.job.busy)
        assert session.run() is run
        assert panel.earlier.isVisible()
        assert panel.output.faded
    driver.translate("the old man")
    assert not panel.earlier.isVisible()
    assert not panel.output.faded


def test_the_altered_translation_stands_below_the_untouched_one(qtbot: QtBot) -> None:
    session = altered_session(altered_run(OFF))
    base = session.document.run(BASE)
    assert base is not None
    session.set_text(base.trace.src_text)
    panel = show(qtbot, session)
    # The altered one is in view, the untouched one below it.
    assert [chip.text for chip in panel.output.chips] == ["pommes", "vertes", "(end)"]
    assert panel.beside.isVisible()
    assert panel._names["beside"].text() == "Original"
    assert [chip.text for chip in panel.beside.chips] == ["pommes", "rouges", "(end)"]
    session.show_run(BASE)
    assert panel._names["beside"].text() == "Altered"
    assert [chip.text for chip in panel.beside.chips] == ["pommes", "vertes", "(end)"]
    assert [chip.changed for chip in panel.beside.chips] == [False, True, False]
    session.open_second_pane()
    session.show_run(LIVE, 1)
    session.activate_pane(0)
    session.set_step(2, 1)
    ready_frame(panel)
    QTest.mouseClick(panel.beside, Qt.MouseButton.LeftButton, pos=panel.beside.chip_center(1))
    other, here = session.selection(1), session.selection(0)
    assert other is not None
    assert here is not None
    assert (other.step, here.step) == (1, 1)
    session.set_text("another")
    assert panel.beside.faded
    session.remove_run(LIVE)
    ready_frame(panel)
    assert not panel.beside.isVisible()
    assert panel.beside.chips == ()
    assert not panel._names["beside"].isVisible()
