"""The Learn page with a real engine and a tiny real bundle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.alterations.change_positions import ChangePositions
from model.alterations.reorder import Reorder
from tests.assets import SENTENCE
from tests.viewer.services.bench import Bench
from viewer.engine.engine import Engine
from viewer.pages.learn.learn_page import LearnPage
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def bench(qtbot: QtBot, tiny_bundle: Path) -> Iterator[Bench]:
    bench = Bench(qtbot, Engine(threads=1))
    bench.open(str(tiny_bundle))
    yield bench
    assert bench.engine.close()


@pytest.fixture
def page(bench: Bench, qtbot: QtBot) -> LearnPage:
    page = LearnPage(bench.session, Appearance("light"))
    qtbot.addWidget(page)
    page.resize(1250, 690)
    page.show_lesson("order")
    page.show()
    return page


def test_from_a_typed_sentence_to_two_orders_and_on_to_look(bench: Bench, page: LearnPage) -> None:
    form = page.view("order").form
    form.box.setText(SENTENCE)
    bench.wait(lambda: form.pieces.isEnabled())
    QTest.mouseClick(form.reverse, Qt.MouseButton.LeftButton)
    order = form.pieces.order
    QTest.keyClick(form.box, Qt.Key.Key_Return)
    bench.wait(lambda: page.view("order").result.isVisible())

    experiment = page.view("order").orders.experiment
    assert experiment is not None
    assert (experiment.text, experiment.order) == (SENTENCE, order)
    assert experiment.largest[False].max() <= 1e-5
    QTest.mouseClick(page.view("order").cells[3].look, Qt.MouseButton.LeftButton)
    (run,) = bench.runs
    assert run.changes == (Reorder(order), ChangePositions("both", "none"))


def test_a_text_that_cannot_be_reordered_is_said_on_the_page(bench: Bench, page: LearnPage) -> None:
    form = page.view("order").form
    form.box.setText("我打你")
    QTest.keyClick(form.box, Qt.Key.Key_Return)
    bench.wait(lambda: page.view("order").orders.problem is not None)

    assert form.message.text() == page.view("order").orders.problem.sentence()  # type: ignore[union-attr]
    assert form.go.isEnabled()
    assert not page.view("order").result.isVisible()


def test_the_sentence_of_look_keeps_its_pieces(bench: Bench, page: LearnPage) -> None:
    bench.session.set_text("a")
    page.view("order").form.box.setText(SENTENCE)
    bench.wait(lambda: page.view("order").orders.pieces is not None)

    assert bench.session.text == "a"
    assert bench.session.pieces is None or bench.session.pieces.text == "a"
