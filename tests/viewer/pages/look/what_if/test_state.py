"""The pair of runs, their comparison, and edits of changes; oracles worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.registry import in_order
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.trace.exploration import Importance
from model.trace.trace import AttentionKind
from tests.viewer.fake_source import small_trace
from tests.viewer.pages.look.what_if.samples import BASE, CROSS, LIVE, altered_run, session_with
from viewer.document.alterations.block_token import with_block
from viewer.document.alterations.change_positions import with_positions
from viewer.document.alterations.edits import without
from viewer.document.alterations.scale_head import factor_of, with_factor
from viewer.document.alterations.set_row import row_keys, row_of, weights_sum, with_row
from viewer.document.document import Run
from viewer.document.what_if.what_if import Pair, held_logprob, held_tokens, marks, pair_of, total_logprob
from viewer.figures.heads.importance import (
    importance_levels,
    most_important,
    signed,
    summary_sentence,
    times_text,
)

ENCODER, DECODER = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF
OFF = ScaleHead(CROSS, 1, 0)


@pytest.mark.parametrize(
    ("before", "after", "first", "second"),
    [
        ([1, 2, 3], [1, 2, 3], "===", "==="),
        ([1, 2, 3], [1, 9, 3], "=≠=", "=≠="),
        ([1, 2, 3], [1, 3], "=-=", "=="),
        ([1, 3], [1, 2, 3], "==", "=+="),
        ([1, 2, 3, 4], [1, 8, 9, 4], "=≠≠=", "=≠≠="),
        ([], [5], "", "+"),
        ([7, 7, 7], [7, 7], "==-", "=="),
    ],
)
def test_tokens_are_marked(before: list[int], after: list[int], first: str, second: str) -> None:
    signs = {"same": "=", "changed": "≠", "removed": "-", "inserted": "+"}
    found = marks(before, after)
    assert "".join(signs[mark] for mark in found[0]) == first
    assert "".join(signs[mark] for mark in found[1]) == second


def test_a_frequent_token_of_a_long_translation_is_not_skipped() -> None:
    long = [7] * 300
    assert set(marks(long, long)[0]) == {"same"}


def test_held_probabilities_and_totals() -> None:
    pair = pair_of(session_with(altered_run(OFF)).document, altered_run(OFF))
    assert pair is not None
    rows = held_tokens(pair)
    assert [row.piece for row in rows] == ["▁pommes", "▁rouges", "</s>"]
    np.testing.assert_allclose([row.before for row in rows], [0.5, 0.25, 0.8], rtol=1e-6)
    np.testing.assert_allclose([row.after for row in rows], [0.25, 0.5, 0.8], rtol=1e-6)
    np.testing.assert_allclose([row.difference for row in rows], [-0.25, 0.25, 0], atol=1e-7)
    assert total_logprob(pair.baseline.trace) == pytest.approx(math.log(0.5 * 0.25 * 0.8), rel=1e-6)
    assert pair.altered is not None
    assert total_logprob(pair.altered.trace) == pytest.approx(math.log(0.5 * 0.1 * 0.9), rel=1e-6)
    assert held_logprob(pair) == pytest.approx(math.log(0.25 * 0.5 * 0.8), rel=1e-6)


def test_no_held_numbers_while_there_are_none_or_too_few() -> None:
    for held in (None, np.zeros(2, np.float32)):
        run = altered_run(OFF).but(held=held)
        pair = pair_of(session_with(run).document, run)
        assert pair is not None
        assert held_tokens(pair) == ()
        assert held_logprob(pair) is None


def test_the_baseline_is_the_nearest_untouched_run_above() -> None:
    kept = altered_run(OFF, run_id="kept")
    branch = altered_run(OFF, run_id="branch", parent="kept", branch_step=1)
    document = session_with(kept, branch).document
    for run_id in ("kept", "branch"):
        pair = pair_of(document, document.run(run_id))
        assert pair is not None
        assert pair.altered is not None
        assert (pair.baseline.id, pair.altered.id) == (BASE, run_id)
    base = pair_of(document, document.run(BASE))
    assert base is not None
    assert base.altered is None, "a kept run is not the one being worked on"
    worked = session_with(altered_run(OFF)).document
    beside = pair_of(worked, worked.run(BASE))
    assert beside is not None
    assert beside.altered is worked.run(LIVE)
    orphan = altered_run(OFF, parent="gone")
    assert pair_of(document, orphan) is None
    assert pair_of(document, None) is None


def test_factors_replace_each_other_and_one_takes_them_away() -> None:
    changes = with_factor((), CROSS, 1, 0, 0.0)
    assert changes == (OFF,)
    assert factor_of(changes, CROSS, 1, 0) == 0
    assert factor_of(changes, CROSS, 1, None) == factor_of(changes, CROSS, 0, 0) == 1
    changes = with_factor((*changes, BlockToken(0)), CROSS, 1, 0, 0.5)
    assert changes == (ScaleHead(CROSS, 1, 0, 0.5), BlockToken(0))
    assert with_factor(changes, CROSS, 1, 0, 1.0) == (BlockToken(0),)
    assert with_factor((), CROSS, 1, None, 2.0) == (ScaleHead(CROSS, 1, None, 2.0),)


def test_blocking_a_token_takes_rows_back_that_it_upsets() -> None:
    on_it, on_other = SetRow(CROSS, 0, 0, 0, key=2), SetRow(CROSS, 0, 0, 1, key=1)
    typed = SetRow(ENCODER, 0, 0, 0, weights=(0.5, 0.5))
    own, uniform = SetRow(DECODER, 0, 0, 1, weights=(0.5, 0.5)), SetRow(CROSS, 0, 0, 2)
    changes = with_block((on_it, on_other, typed, own, uniform), 2, True)
    assert changes == (on_other, own, uniform, BlockToken(2))
    assert with_block(changes, 2, True) == changes
    assert with_block((*changes, typed), 2, False) == (on_other, own, uniform)
    assert with_block((own, uniform), 1, True, prompted=True) == (uniform, BlockToken(1))
    assert with_block((own,), 2, True, prompted=True) == (own, BlockToken(2)), "it comes later"


def test_rows_positions_and_their_order() -> None:
    first = with_row((OFF,), SetRow(CROSS, 1, 0, 3, key=1))
    assert with_row(first, SetRow(CROSS, 1, 0, 3)) == (OFF, SetRow(CROSS, 1, 0, 3))
    assert row_of(first, CROSS, 1, 0, 3) == SetRow(CROSS, 1, 0, 3, key=1)
    assert row_of(first, CROSS, 1, None, 3) is None
    assert without(first, row_of(first, CROSS, 1, 0, 3)) == (OFF,)
    moved = with_positions((ChangePositions("source"), OFF), ChangePositions("target"))
    assert moved == (ChangePositions("target"), OFF)
    assert with_positions(moved, None) == (OFF,)
    mixed = (Reorder((1, 0)), SetRow(CROSS, 0, 0, 0), ChangePositions(), BlockToken(1), OFF)
    assert in_order(mixed) == (OFF, BlockToken(1), ChangePositions(), SetRow(CROSS, 0, 0, 0), Reorder((1, 0)))


def test_the_keys_of_a_row() -> None:
    assert row_keys(DECODER, 2, 5, (BlockToken(0),)) == (0, 1, 2)
    assert row_keys(DECODER, 2, 5, (BlockToken(0),), prompted=True) == (1, 2)
    assert row_keys(CROSS, 2, 4, (BlockToken(1),)) == (0, 2, 3)
    assert row_keys(ENCODER, 0, 3, ()) == (0, 1, 2)


def test_the_sum_of_typed_weights() -> None:
    assert weights_sum([0.1] * 10) == 1.0
    assert weights_sum([0.5, None]) is None
    assert weights_sum([1.5, -0.5]) is None
    assert weights_sum([math.nan, 1]) is None


def importance() -> Importance:
    cross = np.array([[0.5, -0.25], [-3.0, 0.0]], np.float32)
    encoder = np.array([[1.0, -2.0]], np.float32)
    return Importance(-4.0, {ENCODER: encoder, CROSS: cross})


def test_importance_has_one_scale_for_all_families_and_names_the_worst_loss() -> None:
    assert importance_levels(importance()) == (-3.0, 3.0)
    assert importance_levels(None) == (-1.0, 1.0)
    worth = most_important(importance())
    assert worth is not None
    assert (worth.kind, worth.layer, worth.head, worth.change) == (CROSS, 1, 0, -3.0)
    # e ** 3 = 20.0855...
    assert summary_sentence(importance()) == (
        "Without cross-attention of layer 2, head 1 the translation becomes 20.1 times less probable: −3.00"
    )
    none = Importance(-1.0, {CROSS: np.array([[0.1]], np.float32)})
    assert most_important(none) is None
    assert "no less probable" in summary_sentence(none)


def test_changes_of_log_probability_in_words() -> None:
    assert [signed(value) for value in (-3.214, 0.04, 0.0, -0.001)] == ["−3.21", "+0.04", "0.00", "0.00"]
    assert signed(-3.26, 1) == "−3.3"
    assert times_text(-math.log(2)) == "2"
    assert times_text(math.log(250)) == "250"
    assert times_text(-80) == "e^80.0"


def test_infinities_of_both_signs_in_a_session_have_no_sum() -> None:
    trace = small_trace(3)
    held = np.array([np.inf, -np.inf, -1.0], np.float32)
    base, altered = Run("a", trace), Run("a~what-if", trace, "a", held=held)
    total = held_logprob(Pair(base, altered))
    assert total is not None
    assert math.isnan(total)
