"""What if: the encoder layer that is read, and how much of the source is heard."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint

from model.alterations.detach import Detach
from model.alterations.read_layer import ReadLayer
from model.questions.causes.decoder_lens import LayerRow, LayersOf, LayersRead
from model.questions.causes.without_source import SourceWorth, WithoutSource
from tests.viewer.pages.look.what_if.samples import BASE, BEFORE, LIVE, Heard, altered_run, session_with
from tests.viewer.pages.look.what_if.test_panel import section, shown
from viewer.document.alterations.alteration_text import change_texts
from viewer.document.session import Session
from viewer.pages.look.what_if.detach_section import DetachSection
from viewer.pages.look.what_if.layer_section import LayerSection
from viewer.pages.look.what_if.text_rows import TextTable

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


class Wanted:
    """Stands for the engine."""

    def __init__(self, session: Session) -> None:
        self.keys: list[Any] = []
        session.answers.wanted.connect(lambda question, reading, topic: self.keys.append((question, reading)))


def cells(table: TextTable) -> list[tuple[str, ...]]:
    return list(table.shown.rows)


def test_the_slider_asks_for_a_layer_and_the_switch_takes_it_back(qtbot: Any) -> None:
    session = session_with()
    panel, heard = shown(qtbot, session), Heard(session)
    layer = section(panel, LayerSection).layer
    assert (layer.slider.maximum(), layer.switch.isChecked()) == (2, False)
    layer.slider.setValue(0)
    assert layer.number.text() == "embeddings"
    qtbot.waitUntil(lambda: heard.altered == [(BASE, (ReadLayer(0),))])
    layer.switch.click()
    assert heard.altered[-1] == (BASE, ())


def test_a_list_of_layers_grows_and_a_line_makes_its_run(qtbot: Any) -> None:
    session = session_with()
    panel, heard, wanted = shown(qtbot, session), Heard(session), Wanted(session)
    part = section(panel, LayerSection)
    part.every.click()
    ((question, reading),) = wanted.keys
    assert isinstance(question, LayersOf)
    assert reading.alterations == ()
    rows = tuple(
        LayerRow(
            layer, f"text {layer}", ("a", "</s>"), np.array([-0.5, -1.0], np.float32), True, -3.25 + layer
        )
        for layer in range(3)
    )
    session.answers.grow((question, reading), LayersRead(rows[:1], 2))
    assert cells(part.table) == [("0", "−0.75", "text 0", "−3.25")]
    assert part.cancel.isVisible()
    session.answers.finish((question, reading), LayersRead(rows, 2))
    assert [row[3] for row in cells(part.table)] == ["−3.25", "−2.25", "−1.25"]
    assert not part.cancel.isVisible()
    part.table.row_chosen.emit(1)
    assert heard.altered == [(BASE, (ReadLayer(1),))]


def test_the_list_is_stopped_and_goes_when_something_else_is_changed(qtbot: Any) -> None:
    session = session_with()
    panel, wanted = shown(qtbot, session), Wanted(session)
    part = section(panel, LayerSection)
    part.every.click()
    part.cancel.click()
    assert not session.answers.state(*wanted.keys[0]).waiting
    assert part.every.isVisible()
    part.every.click()
    panel.editor.ask((Detach(0.5),))
    assert not session.answers.state(*wanted.keys[1]).waiting


def test_all_cross_attention_at_once(qtbot: Any) -> None:
    session = session_with(altered_run(Detach(0.5)))
    panel, heard = shown(qtbot, session), Heard(session)
    part = section(panel, DetachSection)
    assert part.factor.number.text() == "× 0.50"
    part.factor.switch.click()
    assert heard.altered == [(BASE, (Detach(0.0),))]
    run = session.document.run(LIVE)
    assert run is not None
    assert change_texts(run.alterations) == ["all cross-attention × 0.5"]


def test_words_with_and_without_the_source(qtbot: Any) -> None:
    session = session_with(altered_run(Detach(0.5), ReadLayer(1)))
    panel, wanted = shown(qtbot, session), Wanted(session)
    part = section(panel, DetachSection)
    assert not part.table.isVisible()
    part.words.click()
    ((question, reading),) = wanted.keys
    assert isinstance(question, WithoutSource)
    assert reading.alterations == (ReadLayer(1),)  # the others are in force in both
    without = BEFORE - np.array([2.0, -0.5, 0.0], np.float32)
    session.answers.finish((question, reading), SourceWorth(BEFORE, without))
    assert [row[1:] for row in cells(part.table)] == [
        ("−0.69", "−2.69", "+2.00"),
        ("−1.39", "−0.89", "−0.50"),
        ("−0.22", "−0.22", "+0.00"),
    ]
    assert "−2.30 with the source, −3.80 without" in part.note.text()
    view = panel.scroll_area.viewport()
    qtbot.waitUntil(
        lambda: view.rect().intersects(part.table.rect().translated(part.table.mapTo(view, QPoint())))
    )
    assert "made up" in part.caveat.text()
