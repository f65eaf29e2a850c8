"""The Heads table drawer: what it asks, what it shows, and where a click goes."""

from __future__ import annotations

import csv
import dataclasses
import itertools
import json
import runpy
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt, QTranslator
from PySide6.QtGui import QGuiApplication, QImage, QMouseEvent, QPaintEvent, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from model.alignment.links import Gold
from model.heads.head_metrics import FACTS, METRICS, PLACE, Metric
from model.questions.head_questions import TraceHeads
from model.trace.exploration import Importance
from model.trace.trace import ArrayPatterns, AttentionKind
from tests.viewer.figure_samples import CROSS, DECODER, ENCODER, sample_trace
from tests.viewer.pages.look.heads_table.bench import CRO, DEC, ENC, Bench, corpus_scores, full, read
from viewer.document.document import Run
from viewer.document.messages.notice import Notice
from viewer.document.selection import Selection
from viewer.pages.look.heads_table import heads_model
from viewer.pages.look.heads_table.heads_model import (
    COLUMNS,
    HEAD,
    LAYER,
    METRIC_NAMES,
    ROLE,
)
from viewer.pages.look.heads_table.heads_words import meaning, metric_name
from viewer.pages.widgets.quiet_scroll import QuietScrollArea

# Tooltips and shown panels, without a screen.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class Painted(QObject):
    """Hears where something is drawn."""

    region = QRegion()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.region = self.region.united(event.region())
        return False


def test_it_asks_only_when_somebody_looks_and_nothing_is_made(bench: Bench) -> None:
    run = bench.add(live=True)
    assert bench.asked.waiting == []
    bench.shown()
    assert bench.asked.waiting == []
    assert "when the output is complete" in bench.panel.empty.sentence.text()
    bench.session.replace_run(run.but(live=False))
    assert bench.asked.waiting == [TraceHeads(run.trace)]
    assert "Measuring" in bench.panel.empty.sentence.text()
    bench.asked.answer()
    assert bench.panel.list.isVisible()
    on_paper = bench.panel.figure()
    assert on_paper is not None
    assert on_paper.body.title == "Heads table"
    bench.panel.show_grid(True)
    on_paper = bench.panel.figure()
    assert on_paper is not None
    assert on_paper.body.title.startswith("Heads table: ")
    bench.panel.show_grid(False)
    bench.session.set_step(2)
    bench.session.select(layer=0)
    assert bench.asked.waiting == []
    bench.panel.hide()
    bench.add("b")
    assert bench.asked.waiting == []


def test_traces_that_are_gone_are_let_go(bench: Bench) -> None:
    run = full(bench).session.run()
    assert run is not None
    bench.add("b")
    bench.asked.answer()
    assert bench.session.answers.get(TraceHeads(run.trace)) is not None
    bench.session.remove_run("a")
    assert bench.session.answers.get(TraceHeads(run.trace)) is None


def test_nothing_and_failure_are_one_sentence(bench: Bench) -> None:
    panel, pressed = bench.shown(), []
    panel.example_asked.connect(lambda: pressed.append(1))
    assert "Type a sentence above" in panel.empty.sentence.text()
    assert not panel.tools.export.isEnabled()
    QTest.mouseClick(panel.empty.button, Qt.MouseButton.LeftButton)
    assert pressed == [1]
    run = bench.add()
    question = bench.asked.waiting.pop()
    bench.session.answers.fail((question, None), Notice("file_missing", {"path": "x.trace"}))
    assert "x.trace" in panel.empty.sentence.text()
    QTest.mouseClick(panel.empty.button, Qt.MouseButton.LeftButton)
    assert bench.asked.waiting == [TraceHeads(run.trace)]


def test_a_line_a_head_with_true_numbers(bench: Bench) -> None:
    full(bench)
    assert bench.column("kind") == ["Encoder self"] * 4 + ["Decoder self"] * 4 + ["Cross"] * 4
    assert bench.column("layer") == ["1", "1", "2", "2"] * 3
    for row, matrix in ((2, ENCODER), (6, DECODER), (10, CROSS)):
        weights = matrix.astype(np.float64)
        entropy = -(weights * np.log(np.where(weights > 0, weights, 1))).sum(-1).mean()
        assert bench.cell(row, "entropy") == f"{entropy:.3f}"
        assert bench.cell(row, "maximum") == f"{weights.max(-1).mean():.3f}"
        end = "–" if row == 6 else f"{weights[:, 3].mean():.3f}"
        assert bench.cell(row, "end") == end
    model = bench.panel.list.model()
    tip = model.index(10, COLUMNS.index("entropy")).data(Qt.ItemDataRole.ToolTipRole)
    weights = CROSS.astype(np.float64)
    entropy = -(weights * np.log(np.where(weights > 0, weights, 1))).sum(-1).mean()
    assert tip.splitlines() == ["Decoder layer 2, head 1", f"Entropy: {entropy:.6g}"]
    header = model.headerData(
        COLUMNS.index("distance"), Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )
    assert "Σⱼ αᵢⱼ |i − j|" in header
    assert "1906.04284" in header


def test_columns_that_say_nothing_are_left_out(bench: Bench) -> None:
    table = full(bench).panel.list
    assert table.isColumnHidden(ROLE)
    assert table.isColumnHidden(COLUMNS.index("importance"))
    assert not table.isColumnHidden(COLUMNS.index("distance"))
    bench.panel.tools.kind.setCurrentIndex(3)
    bench.panel.tools.kind.activated.emit(3)
    assert bench.column("kind") == ["Cross"] * 4
    assert table.isColumnHidden(COLUMNS.index("distance"))
    assert table.isColumnHidden(COLUMNS.index("kind"))


def test_sorting_puts_what_has_no_number_last_both_ways(bench: Bench) -> None:
    table = full(bench).panel.list
    column = COLUMNS.index("distance")
    orders = []
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        table.sortByColumn(column, order)
        values = bench.column("distance")
        assert values[-4:] == ["–"] * 4
        orders.append([float(value) for value in values[:-4]])
    assert orders[0] == sorted(orders[0])
    assert orders[1] == sorted(orders[0], reverse=True)
    table.sortByColumn(LAYER, Qt.SortOrder.DescendingOrder)
    assert bench.column("layer") == ["2"] * 6 + ["1"] * 6


def test_a_row_goes_to_its_head_and_the_head_to_its_row(bench: Bench) -> None:
    table = full(bench).panel.list

    def marked() -> list[int]:
        return [index.row() for index in table.selectionModel().selectedRows()]

    assert marked() == [10]
    place = table.visualRect(table.model().index(10, HEAD)).center()
    QTest.keyClick(table, Qt.Key.Key_Up)
    selection = bench.session.selection()
    assert selection is not None
    assert (selection.kind, selection.layer, selection.head) == (CRO, 0, 1)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    bench.session.select(kind=ENC, layer=1, head=0)
    assert marked() == [2]
    bench.session.select(head=None)
    assert marked() == []
    table.sortByColumn(COLUMNS.index("entropy"), Qt.SortOrder.DescendingOrder)
    bench.session.select(kind=DEC, layer=1, head=1)
    (row,) = marked()
    assert (bench.cell(row, "kind"), bench.cell(row, "layer"), bench.cell(row, "head")) == (
        "Decoder self", "2", "2",
    )  # fmt: skip


def test_copying_takes_the_marked_rows_or_all(bench: Bench) -> None:
    table = full(bench).panel.list
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 13
    assert lines[0].split("\t")[:4] == ["Family", "Layer", "Head", "Entropy"]
    table.selectRow(10)
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [line.split("\t")[:3] for line in lines[1:]] == [["Cross", "2", "1"], ["Cross", "2", "2"]]


def test_importance_where_it_was_measured(bench: Bench) -> None:
    change = {kind: np.array([[-0.5, 0.25], [0.0, -1.0]], np.float32) for kind in AttentionKind}
    table = full(bench, importance=Importance(-2.0, change)).panel.list
    assert not table.isColumnHidden(COLUMNS.index("importance"))
    assert bench.column("importance") == ["−0.500", "0.250", "0.000", "−1.000"] * 3
    report = bench.panel.state.report
    assert report is not None
    assert report.to_json()["heads"][3]["importance"] == -1.0


def test_the_error_rate_of_the_sentence_s_own_gold_links(bench: Bench) -> None:
    # Words: red apples | pommes rouges. Layer 1, head 0 joins pommes with red, rouges with apples.
    table = full(bench, gold=Gold(sure=((0, 0), (0, 1)))).panel.list
    assert not table.isColumnHidden(COLUMNS.index("aer"))
    # Layer 0 looks at the first word alone: both links right. An even head: "apples" has two pieces of four.
    assert bench.column("aer") == ["–"] * 8 + ["0.000", "0.000", "0.500", "1.000"]
    bench.session.set_view(alignment_rule="reads")
    bench.asked.answer()
    report = bench.panel.state.report
    assert report is not None
    assert report.rule == "reads"
    bench.panel.hide()


def test_the_grid_shows_a_metric_and_goes_to_heads(bench: Bench) -> None:
    panel = full(bench).panel
    panel.tools.show()
    panel.tools.grid.click()
    grid = panel.grid
    assert grid.isVisible()
    box = panel.tools.metric_box
    assert [box.itemData(place) for place in range(box.count())] == list(METRIC_NAMES)
    box.setCurrentIndex(2)
    box.activated.emit(2)
    assert (grid.chosen, grid.levels) == ("maximum", (0.0, 1.0))
    image = grid.grab().toImage()
    block = grid.blocks()[2]
    assert (block.kind, block.layers, block.heads) == (CRO, 2, 2)
    full_weight, even = (block.rect_of(*place).topLeft() + QPointF(4, 4) for place in ((0, 0), (1, 1)))
    dark, light = (image.pixelColor(point.toPoint()).lightness() for point in (full_weight, even))
    assert dark < 70 < 150 < light  # weights of 1 beside weights of a quarter
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=grid.blocks()[0].rect_of(1, 1).center().toPoint())
    assert panel.state.place == (ENC, 1, 1)
    QTest.keyClick(grid, Qt.Key.Key_Right)
    assert panel.state.place == (DEC, 1, 0)
    QTest.keyClick(grid, Qt.Key.Key_Up)
    assert panel.state.place == (DEC, 0, 0)
    QTest.keyClick(grid, Qt.Key.Key_Left)
    assert panel.state.place == (ENC, 0, 1)
    point = QPointF(block.rect_of(1, 0).center())
    hover = QMouseEvent(
        QEvent.Type.MouseMove,
        point,
        grid.mapToGlobal(point),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(grid, hover)
    maximum = CROSS.max(-1).mean(dtype=np.float64)
    assert grid.tip((CRO, 1, 0)) == f"Decoder layer 2, head 1\nMaximum: {maximum:.6g}"
    QTest.keyClick(grid, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[6] == "Maximum, Cross"
    assert lines[8].split("\t")[0] == f"{maximum:.6g}"
    assert grid.place_at(1.0, 1.0) is None


def test_a_corpus_with_progress_roles_and_what_random_weights_do(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = full(bench).panel
    panel.tools.scopes[1].click()
    assert "Choose a file of sentences" in panel.empty.sentence.text()
    panel.corpus.limit.setValue(345)
    question = read(bench, monkeypatch)
    assert (question.path, question.limit, question.gold) == ("/somewhere/pairs.tsv", 345, "")
    answers = bench.session.answers
    answers.progress((question, None), 100, 690)
    assert panel.corpus.progress.isVisible()
    assert (panel.corpus.progress.value(), panel.corpus.progress.maximum()) == (100, 690)
    assert "100 of 690" in panel.corpus.counted.text()
    assert not panel.corpus.limit.isEnabled()
    answers.finish((question, None), corpus_scores())
    assert not panel.corpus.progress.isVisible()
    assert not panel.list.isColumnHidden(ROLE)
    roles = bench.column("role")
    assert roles[2] == "previous token 0.75 (random 0.12)"
    assert set(roles[:2] + roles[3:]) == {""}
    note = panel.corpus.counted.text()
    assert not panel.note.isVisible()
    assert "pairs.tsv, model tiny: 345 sentences, up to 1,234 rows" in note
    assert "2 too long" in note
    tip = panel.list.model().index(0, COLUMNS.index("entropy")).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.splitlines()[-1] == "this head with random weights: 0.125"
    panel.tools.scopes[0].click()
    assert panel.list.isColumnHidden(ROLE)
    assert "No roles are named" in panel.note.text()
    panel.tools.scopes[1].click()  # the result is kept
    assert bench.column("role") == roles
    assert bench.asked.waiting == []


def test_cancelling_keeps_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = full(bench).panel
    question = read(bench, monkeypatch)
    QTest.mouseClick(panel.corpus.cancel, Qt.MouseButton.LeftButton)
    assert bench.asked.dropped == [question]
    assert "Choose a file" in panel.empty.sentence.text()
    assert panel.corpus.start.isVisible()
    QTest.mouseClick(panel.corpus.start, Qt.MouseButton.LeftButton)
    assert bench.asked.waiting == [question]


def test_a_corpus_that_fails_says_why(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = full(bench).panel
    question = read(bench, monkeypatch)
    bench.session.answers.fail((question, None), Notice("corpus_empty", {"path": "pairs.tsv"}))
    assert "pairs.tsv" in panel.empty.sentence.text()
    read(bench, monkeypatch, "/other.tsv")
    assert panel.state.corpus is not None
    assert panel.state.corpus.path == "/other.tsv"


def test_gold_links_add_a_column(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = full(bench).panel
    read(bench, monkeypatch)
    bench.session.answers.finish((panel.state.corpus, None), corpus_scores())
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("/gold.pharaoh", ""))
    panel.corpus.gold.file_action.trigger()
    question = bench.asked.waiting.pop()
    assert question.gold == "/gold.pharaoh"
    aer = np.array([[0.125, 0.5], [0.75, np.nan]])
    found = corpus_scores(aer=aer, random_aer=np.full((2, 2), 0.875), gold="/gold.pharaoh", rule="predicts")
    bench.session.answers.finish((question, None), found)
    assert bench.column("aer") == ["–"] * 8 + ["0.125", "0.500", "0.750", "–"]
    assert bench.column("role")[8] == "alignment 0.88 (random 0.12)"
    assert "aer" in [panel.tools.metric_box.itemData(n) for n in range(panel.tools.metric_box.count())]


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_files_are_what_is_shown(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    panel = full(bench).panel
    path = tmp_path / "table"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    panel.tools.actions_[kind].trigger()
    text = path.with_suffix(f".{kind}").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines())) if kind == "csv" else json.loads(text)["heads"]
    assert len(rows) == 12
    assert float(rows[10]["maximum"]) == pytest.approx(CROSS.max(-1).mean())
    assert f"table.{kind}" in panel.note.text()
    panel.export(str(tmp_path / "none" / "x.csv"), as_csv=True)
    assert bench.session.notice is not None
    assert bench.session.notice.code == "file_unwritable" or "none" in bench.session.notice.sentence()


class Shouting(QTranslator):
    """Another language: everything in capitals."""

    def translate(self, context: str, text: str, *_: Any) -> str:  # type: ignore[override]
        return text.upper() if "{" not in text else text

    def isEmpty(self) -> bool:
        return False


def test_another_language_reaches_everything(bench: Bench, qapp: Any) -> None:
    panel = full(bench).panel
    panel.tools.show()
    other = Shouting()
    QApplication.installTranslator(other)
    try:
        QApplication.sendPostedEvents()
        model = panel.list.model()
        names = [model.headerData(n, Qt.Orientation.Horizontal) for n in range(len(COLUMNS))]
        assert all(name == name.upper() for name in names)
        assert panel.note.text().isupper()
        assert bench.cell(0, "kind") == "ENCODER SELF"
        assert panel.tools.kind.itemText(0) == "ALL"
        assert panel.tools.scopes[0].text() == "SENTENCE"
        assert panel.tools.metric_box.itemText(0) == "ENTROPY"
        assert panel.corpus.limit_name.text().isupper()
    finally:
        QApplication.removeTranslator(other)
        QApplication.sendPostedEvents()
    assert bench.cell(0, "kind") == "Encoder self"


def test_in_large_type_the_tools_put_away_what_has_no_room(bench: Bench) -> None:
    tools = full(bench).panel.tools
    tools.show()
    parts = (*tools.scopes, tools.grid, tools.kind, tools.export, tools.draw, tools.circuits)
    first = sum(part.sizeHint().width() for part in parts[:4]) + tools.more.sizeHint().width()
    for width, shown in ((1400, 8), (first + 20, 4), (first - 20, 3)):
        tools.resize(width, 34)
        assert [part.isVisible() for part in parts] == [True] * shown + [False] * (8 - shown), width
        assert set(tools.away) == set(parts[shown:])
        assert tools.more.isVisible() is (shown < len(parts))


def test_a_model_without_some_families(bench: Bench) -> None:
    patterns = ArrayPatterns({ENC: np.full((3, 3, 4, 4), 0.25, np.float32)})
    trace = dataclasses.replace(sample_trace(), patterns=patterns)
    bench.session.add_run(Run("e", trace), Selection(ENC, 0, 2, 0))
    panel = bench.shown()
    bench.asked.answer()
    assert bench.column("kind") == ["Encoder self"] * 9
    panel.show_grid(True)
    (block,) = panel.grid.blocks()
    assert (block.kind, block.layers, block.heads) == (ENC, 3, 3)
    panel.grid.grab()
    free = panel.grid.height() - block.rect.bottom()
    assert 30 < block.first.height() <= block.first.width()  # the cells take what room there is
    assert 0 <= free < block.first.height() / 2


def test_kinds_stand_below_each_other_where_that_makes_the_cells_larger(bench: Bench) -> None:
    panel = full(bench).panel
    panel.show_grid(True)
    grid = panel.grid

    def shown(width: int, height: int) -> list[tuple[AttentionKind, float, float]]:
        panel.resize(width, height)
        QApplication.processEvents()
        places = [(block.kind, block.first.left(), block.first.top()) for block in grid.blocks()]
        rects = [block.rect for block in grid.blocks()]
        assert all(grid.rect().contains(rect.toAlignedRect()) for rect in rects)
        assert not any(a.intersects(b) for a, b in itertools.combinations(rects, 2))
        return places

    low, high = shown(700, 260), shown(300, 900)
    assert [kind for kind, *_ in low] == [kind for kind, *_ in high] == [ENC, DEC, CRO]
    assert len({top for *_, top in low}) == 1
    assert low[0][1] < low[1][1] < low[2][1]
    assert len({left for _, left, _ in high}) == 1
    assert high[0][2] < high[1][2] < high[2][2]
    grid.setFocus()
    panel.state.go_to((ENC, 1, 1))
    went = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Right):
        QTest.keyClick(grid, key)
        went.append(panel.state.place)
    assert went == [(DEC, 0, 1), (DEC, 1, 1), (CRO, 0, 1), (DEC, 1, 1), (CRO, 1, 0)]
    panel.state.go_to((CRO, 1, 1))
    QTest.keyClick(grid, Qt.Key.Key_Down)
    assert panel.state.place == (CRO, 1, 1)


def test_many_heads_scroll_in_a_low_drawer(bench: Bench) -> None:
    patterns = ArrayPatterns({ENC: np.full((24, 16, 4, 4), 0.25, np.float32)})
    trace = dataclasses.replace(sample_trace(), patterns=patterns)
    bench.session.add_run(Run("e", trace), Selection(ENC, 23, 15, 0))
    panel = bench.shown()
    bench.asked.answer()
    panel.show_grid(True)
    QApplication.processEvents()
    grid = panel.grid
    last = grid.blocks()[0].rect_of(23, 15)
    assert last.height() >= 14
    assert grid.rect().contains(QPoint(int(last.right()), int(last.bottom())))
    QTest.keyClick(grid, Qt.Key.Key_Down)  # the head in view is the last: it stays, and is seen
    assert grid.visibleRegion().contains(last.center().toPoint())
    grid.setFocus()
    QApplication.processEvents()
    for layer in range(22, -1, -1):
        QTest.keyClick(grid, Qt.Key.Key_Up)
        assert panel.state.place == (ENC, layer, 15)
        QApplication.processEvents()
        cell = grid.rect_of((ENC, layer, 15))
        seen = grid.visibleRegion().boundingRect()
        assert cell is not None
        assert seen.contains(cell.toAlignedRect())
    area = next(each for each in panel.findChildren(QuietScrollArea) if each.widget() is grid)
    area.verticalScrollBar().setValue(50)
    bench.session.set_step(1)  # the head in view is the same
    assert area.verticalScrollBar().value() == 50


def test_the_ring_of_focus_goes_around_what_is_seen(bench: Bench, qtbot: QtBot) -> None:
    patterns = ArrayPatterns({ENC: np.full((24, 16, 4, 4), 0.25, np.float32)})
    bench.session.add_run(
        Run("e", dataclasses.replace(sample_trace(), patterns=patterns)), Selection(ENC, 15, 0, 0)
    )
    panel = bench.shown()
    bench.asked.answer()
    panel.show_grid(True)
    QApplication.processEvents()
    grid = panel.grid
    seen = grid.visibleRegion().boundingRect()
    assert 0 < seen.top() < seen.bottom() < grid.height() - 1

    def picture() -> QImage:
        return panel.grab(QRect(grid.mapTo(panel, seen.topLeft()), seen.size())).toImage()

    panel.activateWindow()
    grid.clearFocus()
    plain = picture()
    grid.setFocus()
    assert grid.hasFocus()
    ringed = picture()
    for row in (1, seen.height() - 2):
        other = [plain.pixel(x, row) != ringed.pixel(x, row) for x in range(8, seen.width() - 8)]
        assert sum(other) > len(other) / 4, row
    # Qt moves the picture that there is, and the ring with it, unless all that is seen is drawn anew.
    painted = Painted()
    grid.installEventFilter(painted)
    area = next(each for each in panel.findChildren(QuietScrollArea) if each.widget() is grid)
    bar = area.verticalScrollBar()
    for change in (partial(bar.setValue, 20), partial(panel.resize, 970, 200)):
        QApplication.processEvents()
        painted.region = QRegion()
        change()
        qtbot.waitUntil(lambda: grid.visibleRegion().subtracted(painted.region).isEmpty())


def test_another_step_or_cell_leaves_the_columns_alone(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    table, fitted = full(bench).panel.list, []
    monkeypatch.setattr(table, "fit_columns", lambda: fitted.append(1))
    bench.session.set_step(1)
    bench.session.select(query=0, key=1)
    assert fitted == []
    bench.session.select(layer=0, head=1)
    assert fitted == []
    bench.panel.state.choose_kind(CRO)
    assert fitted == [1]


def test_each_metric_has_the_column_that_its_row_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it stands among the metrics: one more is neither lost nor shown under another's name."""
    monkeypatch.setitem(FACTS, Metric.SAME_TOP, dataclasses.replace(FACTS[Metric.SAME_TOP], tabled=True))
    monkeypatch.setitem(FACTS, Metric.MAXIMUM, dataclasses.replace(FACTS[Metric.MAXIMUM], tabled=False))
    table = runpy.run_path(heads_model.__file__)
    names = [str(metric) for metric in METRICS if FACTS[metric].tabled]
    general = ["copying", "repeated_previous", "duplicate", "induction"]
    assert list(table["NUMBERS"]) == ["likeness", *names, "importance", "aer", *general]
    scores = np.zeros((1, 1, len(METRICS)))
    for metric in METRICS:
        scores[..., PLACE[metric]] = PLACE[metric]
    report = SimpleNamespace(
        scores=SimpleNamespace(values={AttentionKind.CROSS: scores}, added=()),
        corpus=None,
        importance=None,
        aer=None,
        likeness=None,
        general=None,
    )
    (row,) = table["rows_of"](report)
    values = [float(PLACE[Metric(name)]) for name in names]
    assert row.values == (None, *values, None, None, *[None] * len(general))
    assert metric_name("same_top") == "same top"
    assert FACTS[Metric.SAME_TOP].formula in meaning("same_top")
