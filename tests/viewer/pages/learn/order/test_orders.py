"""The order experiment, asked of the real engine with a model of numpy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from model.questions.orders import TextPieces
from tests.viewer.services.bench import FakeBench, fake_bench
from viewer.document.messages.requests import Cancel, Translate
from viewer.document.order_state import OrderState


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[FakeBench]:
    with fake_bench(qtbot) as bench:
        yield bench


@pytest.fixture
def orders(bench: FakeBench) -> OrderState:
    return OrderState(bench.session.answers, lambda: bench.session.model, bench)


def test_each_change_is_said_once(bench: FakeBench, orders: OrderState) -> None:
    said = list[tuple[bool, bool, bool]]()
    orders.changed.connect(
        lambda: said.append((orders.busy, orders.experiment is not None, orders.problem is not None))
    )
    orders.try_order("a b", None)
    bench.idle()
    orders.try_order("", None)
    bench.idle()
    assert orders.experiment is not None, "the last result stays"
    orders.try_order("a b", None)  # which is known
    orders.clear()
    orders.clear()
    assert said == [
        (True, False, False), (False, True, False), (True, True, False), (False, True, True),
        (False, True, False), (False, False, False),
    ]  # fmt: skip


def test_pieces_are_said_by_themselves(bench: FakeBench, orders: OrderState) -> None:
    said = list[str]()
    orders.changed.connect(lambda: said.append("changed"))
    orders.pieces_changed.connect(lambda: said.append("pieces"))
    for _ in range(2):
        orders.split("a b")
        bench.idle()
    assert orders.pieces == TextPieces("a b", ("a", "b"))
    orders.clear()

    assert said == ["pieces", "pieces"]
    assert orders.pieces is None


def test_pieces_are_told_while_a_sentence_is_translated(bench: FakeBench, orders: OrderState) -> None:
    bench.gate.shut(2)
    bench.session.ask(Translate({"mode": "greedy"}))
    orders.split("a b")
    bench.gate.let(1)
    bench.wait(lambda: orders.pieces is not None)
    assert bench.session.job.state == "decoding"
    bench.gate.let()
    bench.idle()


def test_orders_are_tried_and_told(bench: FakeBench, orders: OrderState) -> None:
    orders.try_order("you hit me", (2, 1, 0))
    assert orders.busy
    assert (bench.session.job.state, bench.session.job.what) == ("asking", "ordering")
    bench.idle()
    experiment = orders.experiment
    assert experiment is not None
    assert (experiment.pieces, experiment.order) == (("you", "hit", "me"), (2, 1, 0))
    assert not orders.busy


def test_orders_that_cannot_be_tried_tell_why(bench: FakeBench, orders: OrderState) -> None:
    orders.try_order("", None)
    bench.idle()
    problem = orders.problem
    assert problem is not None
    assert problem.code == "empty_text"
    assert bench.session.notice is None


def test_orders_are_cancelled_and_tried_anew(bench: FakeBench, orders: OrderState) -> None:
    bench.gate.shut(1)
    orders.try_order("first one", None)
    orders.try_order("second one", None)
    assert orders.busy
    bench.gate.let()
    bench.idle()
    assert orders.experiment is not None
    assert orders.experiment.text == "second one"
    bench.gate.shut(1)
    orders.try_order("third one", None)
    bench.session.ask(Cancel())
    bench.gate.let()
    bench.idle()
    assert (orders.busy, orders.problem) == (False, None)
