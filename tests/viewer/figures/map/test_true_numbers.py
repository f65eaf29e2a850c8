"""A number under the pointer is the number in the trace: tooltip, status line, clipboard, CSV, speech."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot
from safetensors.numpy import load_file

from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace, save_trace
from tests.viewer.figure_samples import sample_trace, trace_of
from viewer.document.document import Run, ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.document.session import Session
from viewer.figures.map.accessible_text import (
    accessible_cell,
    accessible_number,
    exact_cell,
    exact_note,
    exact_sentence,
    row_table,
)
from viewer.figures.map.build import map_figure
from viewer.figures.map.spec import MapSpec
from viewer.figures.map.table import write_map_csv
from viewer.figures.words.spec import Axis
from viewer.pages.look.map.cell_view import CellView
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.widgets.appearance import Appearance

C = AttentionKind.CROSS
SHAPE = (2, 3, 5, 7)
pytestmark = [
    pytest.mark.usefixtures("qapp"),
    # Of the platform without a screen, of any tooltip.
    pytest.mark.qt_log_ignore("propagateSizeHints", "raise"),
]


def random_trace(seed: int) -> Trace:
    """Weights of every size, from 1 down to what float32 just holds."""
    draw = np.random.default_rng(seed)
    weights = draw.standard_exponential(SHAPE) ** 9
    weights = (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
    source = tuple(f"▁s{n}" for n in range(SHAPE[3]))
    return trace_of({C: weights}, source, tuple(f"▁t{n}" for n in range(SHAPE[2])))


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Trace, np.ndarray]:
    """A trace opened from its file, and its weights as another program reads them there."""
    path = tmp_path / "random.trace"
    save_trace(random_trace(7), path)
    return open_trace(path), load_file(path)["cross"]


def spec_of(trace: Trace, **changes: object) -> MapSpec:
    selection = Selection(kind=C, layer=1, head=2, step=trace.steps - 1).but(**changes)
    body = map_figure(trace, selection, ViewOptions()).body
    assert isinstance(body, MapSpec)
    return body


def cells_in_csv(spec: MapSpec, path: Path, column: str) -> dict[tuple[int, int], str]:
    write_map_csv(spec, path)
    with path.open(encoding="utf-8", newline="") as file:
        return {(int(line["query"]), int(line["key"])): line[column] for line in csv.DictReader(file)}


def test_sentence_tooltip_csv_and_trace_agree_to_the_digit(
    saved: tuple[Trace, np.ndarray], tmp_path: Path
) -> None:
    trace, weights = saved
    spec = spec_of(trace)
    written = cells_in_csv(spec, tmp_path / "map.csv", "weight")
    assert len(written) == SHAPE[2] * SHAPE[3]
    for (query, key), text in written.items():
        true = weights[1, 2, query, key]
        assert text == f"{true:.9g}" == exact_cell(spec, query, key)
        assert np.float32(text) == true
        assert exact_sentence(spec, query, key).endswith(f"reads “s{key}” {text}")
        rounded = float(spec.sentence_at(query, key).rsplit(" ", 1)[1])
        assert abs(rounded - float(true)) <= (0.0005 if true >= 0.001 else 0.05 * float(true))
        note = exact_note(spec, query, key)
        assert note == ("" if rounded == float(text) else f"exactly {text}")


def test_numbers_that_are_no_weights_agree_too(saved: tuple[Trace, np.ndarray], tmp_path: Path) -> None:
    trace, weights = saved
    spec = spec_of(trace, numbers=Numbers.MAX_HEADS)
    written = cells_in_csv(spec, tmp_path / "max.csv", "value")
    largest = weights[1].max(axis=0)
    for (query, key), text in written.items():
        assert text == f"{largest[query, key]:.9g}"
        assert exact_sentence(spec, query, key).endswith(f" {text}")


def test_there_is_no_number_where_there_is_none() -> None:
    spec = spec_of(sample_trace(), layer=1, head=0, step=0)
    assert exact_cell(spec, 2, 0) == ""
    assert exact_sentence(spec, 2, 0) == spec.sentence_at(2, 0)
    assert exact_cell(spec, 0, 3) == "0"
    assert exact_note(spec, 0, 3) == ""


# In the window.


@pytest.fixture
def pane(qtbot: QtBot) -> MapPane:
    session = Session()
    pane = MapPane(session, Appearance("light"), 0)
    qtbot.addWidget(pane)
    session.add_run(Run("one", random_trace(7)))
    session.select(0, kind=C, layer=1, head=2, step=4)
    pane.resize(900, 600)
    pane.show()
    QApplication.processEvents()
    QGuiApplication.clipboard().clear()
    return pane


def true_number(query: int, key: int) -> str:
    return f"{random_trace(7).patterns.pattern(C, 1, 2)[query, key]:.9g}"


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def shown(pane: MapPane, view: str) -> CellView:
    pane._session.select(0, view=view)
    QApplication.processEvents()
    widget = pane.shown
    assert isinstance(widget, CellView)
    return widget


def test_the_map_says_the_true_number_in_tooltip_and_status_line(pane: MapPane) -> None:
    said: list[str] = []
    pane.map.read_out.connect(said.append)
    place = pane.map.geometry_now()
    assert place is not None
    for query, key in ((0, 0), (3, 5), (4, 6)):
        QTest.mouseMove(pane.map, place.rect_of(query, key).center().toPoint())
        exact = true_number(query, key)
        assert said[-1].endswith(f"reads “s{key}” {exact}")
        tip = QToolTip.text().split("\n")
        assert tip[0] == pane.map.spec.sentence_at(query, key)  # type: ignore[union-attr]
        assert tip[1] == f"exactly {exact}"


def test_flow_and_words_say_the_same_number(pane: MapPane) -> None:
    said: list[str] = []
    pane._session.set_view(threshold=0.0)
    flow = shown(pane, "flow")
    flow.read_out.connect(said.append)
    pane._session.select(0, query=3, key=5)
    QApplication.processEvents()
    assert said[-1].endswith(f"reads “s5” {true_number(3, 5)}")
    words = shown(pane, "words")
    words.read_out.connect(said.append)
    place = pane.views["words"].rect_of(Axis.KEY, 1)
    assert place is not None
    QTest.mouseMove(words, place.center().toPoint())
    assert said[-1].endswith(f"predicting “t3” reads “s1” {true_number(3, 1)}")
    assert QToolTip.text().endswith(f"exactly {true_number(3, 1)}")


@pytest.mark.parametrize("view", ["map", "flow"])
def test_keys_copy_the_number_and_the_row(pane: MapPane, view: str) -> None:
    widget = shown(pane, view)
    pane._session.select(0, query=2, key=4)
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(widget, Qt.Key.Key_C, control)
    assert clipboard() == true_number(2, 4)
    QTest.keyClick(widget, Qt.Key.Key_C, control | shift)
    lines = clipboard().splitlines()
    assert lines[0] == "Decoder layer 2, head 3: reads t1, predicts t2\tweight"
    assert lines[1:] == [f"s{key}\t{true_number(2, key)}" for key in range(SHAPE[3])]


def test_without_a_cell_nothing_is_copied(pane: MapPane) -> None:
    QTest.keyClick(pane.map, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard() == ""


def test_a_row_of_a_later_step_has_no_numbers() -> None:
    assert row_table(spec_of(random_trace(7), step=0), 3).splitlines()[1:] == []


def entries(menu: QMenu) -> list[str]:
    return [action.text().split("\t")[0].replace("&", "") for action in menu.actions() if action.text()]


def test_the_context_menu_does_the_same_for_the_cell_under_the_pointer(pane: MapPane) -> None:
    asked: list[str] = []
    pane.map.picture_asked.connect(lambda: asked.append("picture"))
    pane.map.arithmetic_asked.connect(lambda: asked.append("arithmetic"))
    place = pane.map.geometry_now()
    assert place is not None
    QTest.mouseMove(pane.map, place.rect_of(1, 3).center().toPoint())
    menu = pane.map.cell_menu()
    assert entries(menu) == ["Copy number", "Copy row", "Copy picture", "Arithmetic of this cell"]
    actions = [action for action in menu.actions() if action.text()]
    actions[0].trigger()
    assert clipboard() == true_number(1, 3)
    actions[1].trigger()
    assert clipboard().startswith("Decoder layer 2, head 3: reads t0, predicts t1\t")
    actions[2].trigger()
    actions[3].trigger()
    assert asked == ["picture", "arithmetic"]
    selection = pane._session.selection(0)
    assert selection is not None
    assert (selection.query, selection.key) == (1, 3)


def test_the_context_menu_without_a_cell_copies_the_picture_only(pane: MapPane) -> None:
    QTest.mouseMove(pane.map, QPointF(2, 2).toPoint())
    enabled = [action.isEnabled() for action in pane.map.cell_menu().actions() if action.text()]
    assert enabled == [False, False, True, False]


# For the ear.


def test_a_cell_is_spoken_without_signs() -> None:
    spec = spec_of(sample_trace(), layer=1, head=0, step=1)
    assert accessible_cell(spec, 0, 0) == "decoder layer 2, head 1: predicting pommes, reads red, 0.70"
    assert accessible_cell(spec, 2, 0) == "decoder layer 2, head 1: this row belongs to a later step"
    encoder = spec_of(sample_trace(), kind=AttentionKind.ENCODER_SELF, layer=1, head=0)
    assert accessible_cell(encoder, 1, 0) == "encoder layer 2, head 1: app reads red, 0.90"
    masked = spec_of(sample_trace(), kind=AttentionKind.DECODER_SELF, layer=1, head=0, step=2)
    said = accessible_cell(masked, 0, 1)
    assert said == "decoder layer 2, head 1: predicting pommes, cannot read pommes"
    most = spec_of(sample_trace(), layer=1, numbers=Numbers.MAX_HEADS)
    assert accessible_cell(most, 0, 0).endswith("0.70")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0"),
        (0.614, "0.61"),
        (1.0, "1.00"),
        (0.00334, "0.0033"),
        (1e-6, "nearly 0"),
        (-2.5, "minus 2.50"),
    ],
)
def test_numbers_for_the_ear(value: float, said: str) -> None:
    assert accessible_number(value) == said


@pytest.mark.parametrize("view", ["map", "flow", "words"])
def test_a_screen_reader_hears_the_cell_that_keys_choose(pane: MapPane, view: str) -> None:
    widget = shown(pane, view)
    pane._session.select(0, query=2, key=4)
    QApplication.processEvents()
    QTest.keyClick(widget, Qt.Key.Key_Down if view != "words" else Qt.Key.Key_Right)
    QApplication.processEvents()  # the next frame
    heard = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Description)
    key = 4
    if view == "words":  # they tell of the key that is read most
        key = int(random_trace(7).patterns.pattern(C, 1, 2)[3].argmax())
    number = accessible_number(float(true_number(3, key)))
    assert heard == f"decoder layer 2, head 3: predicting t3, reads s{key}, {number}"


def test_a_screen_reader_is_told_at_once(pane: MapPane, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Listening:
        @staticmethod
        def isActive() -> bool:
            return True

        @staticmethod
        def updateAccessibility(event: object) -> None:
            told.append(event.message())  # type: ignore[attr-defined]

    monkeypatch.setattr("viewer.pages.widgets.figure_view.QAccessible", Listening)
    monkeypatch.setattr(pane.map, "hasFocus", lambda: True)
    pane._session.select(0, query=3, key=3)
    QTest.keyClick(pane.map, Qt.Key.Key_Right)
    QApplication.processEvents()  # the next frame
    assert told[-1].startswith("decoder layer 2, head 3: predicting t3, reads s4, ")
    monkeypatch.setattr(pane.map, "hasFocus", lambda: False)
    count = len(told)
    pane._session.select(0, key=1)
    QApplication.processEvents()
    assert len(told) == count, "what is chosen elsewhere is said there"
