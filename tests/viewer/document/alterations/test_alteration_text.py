"""What was changed in a model, in words; expected words written out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.registry import all_to_json
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import sample_trace
from viewer.document.alterations.alteration_text import (
    altered_badges,
    blocked_keys,
    change_text,
    output_badge,
    run_state_text,
    set_rows,
)

CROSS, ENCODER, DECODER = AttentionKind.CROSS, AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (ScaleHead(CROSS, 1, 2), "cross-attention of layer 2, head 3 off"),
        (ScaleHead(ENCODER, 0, None, 0.5), "encoder self-attention of layer 1, every head × 0.5"),
        (ScaleHead(DECODER, 3, 0, 2.0), "decoder self-attention of layer 4, head 1 × 2"),
        (BlockToken(1), "source token 2 “app” blocked"),
        (ChangePositions(), "no positions"),
        (ChangePositions("target"), "no positions in the target"),
        (ChangePositions("source", "shuffled", 7), "positions of the source shuffled (seed 7)"),
        (
            ChangePositions("target", "shuffled", 7, steps=3),
            "positions of the target shuffled among steps 1 to 3 (seed 7)",
        ),
        (
            ChangePositions("both", "shuffled", 7, steps=12),
            "positions shuffled, the target's among steps 1 to 12 (seed 7)",
        ),
        (
            ChangePositions("target", "shuffled", 7),  # as earlier versions write it
            "positions of the target shuffled among all possible ones (seed 7)",
        ),
        (
            SetRow(CROSS, 0, 1, 1, key=0),
            "cross-attention of layer 1, head 2: row 2 “rouges” reads only 1 “red”",
        ),
        (SetRow(ENCODER, 0, None, 2), "encoder self-attention of layer 1, every head: row 3 “⋅les” uniform"),
        (
            SetRow(DECODER, 1, 0, 1, weights=(0.25, 0.75)),
            "decoder self-attention of layer 2, head 1: row 2 “rouges” set by hand",
        ),
        (Reorder((2, 0, 1)), "pieces read in the order 3 1 2"),
    ],
)
def test_every_type_has_words_and_counts_from_one(change: Alteration, words: str) -> None:
    assert change_text(change, sample_trace()) == words
    assert change_text(change.to_json(), sample_trace()) == words


def test_without_a_trace_tokens_are_numbers_and_one_beyond_it_too() -> None:
    assert change_text(BlockToken(1)) == "source token 2 blocked"
    assert change_text(BlockToken(40), sample_trace()) == "source token 41 blocked"


@pytest.mark.parametrize(
    ("strange", "shown"),
    [
        ({"type": "freeze", "layer": 2}, '{"type": "freeze", "layer": 2}'),
        ({"type": "scale", "kind": "cross", "layer": "two"}, '"layer": "two"'),
        ({"type": "scale", "kind": "sideways", "layer": 1}, "sideways"),
        ({"type": "block"}, '{"type": "block"}'),
        ({"label": "temperature 2"}, "temperature 2"),
        ("head 3\n silenced", "head 3 silenced"),
        (["a", 1], '["a", 1]'),
        (None, "null"),
    ],
)
def test_what_is_not_known_is_shown_as_it_is_written(strange: Any, shown: str) -> None:
    assert shown in change_text(strange, sample_trace())


def test_a_long_unknown_change_is_cut() -> None:
    assert len(change_text({"type": "x" * 500})) == 80


def altered(*changes: Alteration) -> Any:
    return sample_trace(alterations=all_to_json(changes))


def test_the_badges_hold_every_change_a_line_each() -> None:
    changes = [ScaleHead(CROSS, 0, head) for head in range(5)]
    badges = altered_badges(altered(*changes))
    assert all(badge.startswith("model altered: ") and len(badge) < 120 for badge in badges)
    told = "; ".join(badge.removeprefix("model altered: ") for badge in badges)
    assert told == "; ".join(f"cross-attention of layer 1, head {n} off" for n in range(1, 6))
    assert altered_badges(sample_trace()) == []


def test_two_panes_runs_are_told_apart() -> None:
    assert run_state_text(sample_trace()) == "original"
    assert (
        run_state_text(altered(ScaleHead(CROSS, 1, 2))) == "altered: cross-attention of layer 2, head 3 off"
    )


def test_what_a_map_says_of_its_own_head() -> None:
    trace = altered(ScaleHead(CROSS, 1, 0), ScaleHead(DECODER, 0, 1, 0.5), ScaleHead(DECODER, 0, None, 0.5))
    assert output_badge(trace, CROSS, 1, 0) == "this head is switched off; its attention is still shown"
    assert output_badge(trace, CROSS, 1, 1) == ""
    assert output_badge(trace, CROSS, 0, 0) == ""
    assert "multiplied by 0.25" in output_badge(trace, DECODER, 0, 1)
    assert "multiplied by 0.5" in output_badge(trace, DECODER, 0, 0)
    counted = "the mean includes heads whose output was changed"
    assert output_badge(trace, DECODER, 0, None) == output_badge(trace, CROSS, 1, None) == counted
    assert output_badge(trace, CROSS, 0, None) == ""
    alike = altered(*(ScaleHead(CROSS, 0, head, 0.5) for head in range(trace.heads(CROSS))))
    assert "every head here is multiplied by 0.5" in output_badge(alike, CROSS, 0, None)


def test_rows_and_tokens_of_a_map() -> None:
    trace = altered(SetRow(CROSS, 1, 0, 2), SetRow(CROSS, 1, None, 0, key=1), BlockToken(3), BlockToken(99))
    assert set_rows(trace, CROSS, 1, 0) == (0, 2)
    assert set_rows(trace, CROSS, 1, 1) == (0,)
    assert set_rows(trace, CROSS, 1, None) == (0, 2)
    assert set_rows(trace, CROSS, 0, 0) == set_rows(trace, DECODER, 1, 0) == ()
    assert blocked_keys(trace, CROSS) == (3,), "a token that the source does not have blocks nothing"
