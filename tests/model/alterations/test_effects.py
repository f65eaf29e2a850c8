"""What changes do together, as pictures read it; worked out by hand."""

from __future__ import annotations

from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.effects import EVERY, NO_POSITION, Effects
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.trace.trace import AttentionKind

ENCODER, DECODER, CROSS = AttentionKind


def test_factors_of_one_head_multiply_and_others_stay() -> None:
    effects = Effects.of(
        [ScaleHead(CROSS, 1, 0, 0.5), ScaleHead(CROSS, 1, None, 0.5), ScaleHead(DECODER, 1, 1, 0.0)]
    )

    assert effects.factors(CROSS, 1, 3) == [0.25, 0.5, 0.5]
    assert effects.factors(DECODER, 1, 3) == [1.0, 0.0, 1.0]
    assert effects.factors(ENCODER, 1, 2) == [1.0, 1.0]


def test_rows_of_a_head_of_the_mean_and_of_every_row() -> None:
    effects = Effects.of([SetRow(CROSS, 0, 1, 4), SetRow(CROSS, 0, None, 2), SetRow(CROSS, 1, 1, 0)])

    assert effects.rows(CROSS, 0, 1, 9) == (2, 4)
    assert effects.rows(CROSS, 0, 0, 9) == (2,)
    assert effects.rows(CROSS, 0, None, 9) == (2, 4)
    assert effects.rows(DECODER, 0, 1, 9) == ()
    effects.rewrite(DECODER, 0, 1, None, lambda pattern, first, allowed: pattern)
    assert effects.rows(DECODER, 0, 1, 3) == (0, 1, 2)


def test_the_last_positions_of_a_side_win() -> None:
    effects = Effects.of([ChangePositions("both"), ChangePositions("target", "shuffled", 3, steps=4)])

    assert list(effects.positions["source"].ids(3)) == [NO_POSITION] * 3
    assert effects.positions["source"].count == EVERY
    assert sorted(effects.positions["target"].ids(4)) == [0, 1, 2, 3]
    assert effects.positions["target"].count == 4


def test_tokens_and_orders_add_up() -> None:
    effects = Effects.of([BlockToken(2), Reorder((1, 0)), BlockToken(0), Reorder((0, 1))])

    assert effects.blocked == {0, 2}
    assert effects.orders == [(1, 0), (0, 1)]
