"""The order experiment's state says each change once."""

from __future__ import annotations

from tests.viewer.learn.order_samples import experiment
from viewer.state.messages import PiecesSplit
from viewer.state.notice import Notice
from viewer.state.order_state import OrderState


def test_a_try_from_beginning_to_end() -> None:
    state, said = OrderState(), list[tuple[bool, bool, bool]]()
    state.changed.connect(
        lambda: said.append((state.busy, state.experiment is not None, state.problem is not None))
    )
    found = experiment()
    state.begin()
    state.begin()
    state.finish(found)
    state.begin()
    assert state.experiment is found
    state.fail(Notice("order_short"))
    state.begin()
    state.fail(None)
    state.clear()
    state.clear()

    assert said == [
        (True, False, False), (False, True, False), (True, True, False), (False, True, True),
        (True, True, False), (False, True, False), (False, False, False),
    ]  # fmt: skip


def test_pieces_are_said_by_themselves() -> None:
    state, said = OrderState(), list[str]()
    state.changed.connect(lambda: said.append("changed"))
    state.pieces_changed.connect(lambda: said.append("pieces"))
    pieces = PiecesSplit(1, "a b", ("▁a", "▁b"), 3, 64)
    state.set_pieces(pieces)
    state.set_pieces(pieces)
    assert state.pieces is pieces
    state.clear()

    assert said == ["pieces", "pieces"]
    assert state.pieces is None
