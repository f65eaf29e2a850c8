"""Pieces are put into another order by dragging, by keys, all at once; none is lost."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from viewer.pages.learn.order.piece_order import PieceOrder
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def chips(qtbot: QtBot) -> PieceOrder:
    chips = PieceOrder(Appearance("light"))
    qtbot.addWidget(chips)
    chips.resize(600, chips.height())
    chips.show_pieces(("▁Tom", "▁loves", "▁Mary", "."), (0, 1, 2, 3))
    chips.show()
    return chips


def heard(chips: PieceOrder) -> list[tuple[int, ...]]:
    orders: list[tuple[int, ...]] = []
    chips.reordered.connect(lambda: orders.append(chips.order))
    return orders


def drag(chips: PieceOrder, start: int, to: QPoint) -> None:
    QTest.mousePress(chips, LEFT, pos=chips.chip_center(start).toPoint())
    QTest.mouseMove(chips, to)
    QTest.mouseRelease(chips, LEFT, pos=to)


def test_a_chip_is_dragged_to_another_place(chips: PieceOrder) -> None:
    orders = heard(chips)
    drag(chips, 0, chips.chip_center(2).toPoint() + QPoint(8, 0))

    assert orders == [(1, 2, 0, 3)]


def test_a_drag_back_to_the_front(chips: PieceOrder) -> None:
    drag(chips, 3, chips.chip_center(0).toPoint() - QPoint(8, 0))

    assert chips.order == (3, 0, 1, 2)


def test_a_click_moves_nothing(chips: PieceOrder) -> None:
    orders = heard(chips)
    QTest.mouseClick(chips, LEFT, pos=chips.chip_center(1).toPoint())
    QTest.mouseClick(chips, LEFT, pos=QPoint(590, 2))

    assert orders == []


def test_arrows_choose_and_with_shift_they_move(chips: PieceOrder) -> None:
    orders = heard(chips)
    QTest.keyClick(chips, Qt.Key.Key_Right)
    QTest.keyClick(chips, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(chips, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(chips, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)  # it is at the end
    QTest.keyClick(chips, Qt.Key.Key_Left)
    QTest.keyClick(chips, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)

    assert orders == [(0, 2, 1, 3), (0, 2, 3, 1), (0, 3, 2, 1)]


def test_reverse_and_shuffle(chips: PieceOrder) -> None:
    chips.reverse()
    assert chips.order == (3, 2, 1, 0)
    for _ in range(20):
        before = chips.order
        chips.shuffle()
        assert chips.order != before
        assert sorted(chips.order) == [0, 1, 2, 3]


def test_one_piece_or_none_has_no_other_order(chips: PieceOrder) -> None:
    for pieces in (("a",), ()):
        chips.show_pieces(pieces, range(len(pieces)))
        orders = heard(chips)
        chips.reverse()
        chips.shuffle()
        QTest.keyClick(chips, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        assert orders == []


def test_many_pieces_take_more_lines(chips: PieceOrder) -> None:
    low = chips.height()
    chips.show_pieces(tuple(f"▁word{i}" for i in range(30)), range(30))

    assert chips.height() > 2 * low
    assert all(chips.chip_center(place).x() < 600 for place in range(30))


def test_a_screen_reader_hears_the_order(chips: PieceOrder) -> None:
    chips.reverse()

    assert chips.accessibleDescription() == ". Mary loves Tom"


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.tuples(st.integers(-2, 6), st.integers(-2, 6)), max_size=8))
def test_no_piece_is_ever_lost(chips: PieceOrder, moves: list[tuple[int, int]]) -> None:
    for place, to in moves:
        chips.move_piece(place, to)
        assert sorted(chips.order) == [0, 1, 2, 3]
