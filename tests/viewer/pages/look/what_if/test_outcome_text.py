"""What a change did, in a sentence: also that it did nothing, and why where nothing could come of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.registry import all_to_json
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.trace.trace import AttentionKind
from tests.viewer.pages.look.what_if.samples import BASE, BEFORE, LIVE, base_trace
from viewer.document.document import Run
from viewer.document.what_if.what_if import Pair
from viewer.document.what_if.what_if_text import outcome_sentence

ENCODER, DECODER, CROSS = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS
ONE = "the row that was set can attend to one token only."
NOTHING = "Same translation, and no probability changes: "


def pair(*changes: Alteration, by: float = 0.0, held: float = 0.0) -> Pair:
    """The same words; each log probability another by so much, and that of the untouched words read again."""
    alterations = all_to_json(changes)
    numbers = (BEFORE + np.float32(by)).astype(np.float32)
    trace = replace(base_trace(), alterations=alterations, step_logprob=numbers)
    again = (BEFORE + np.float32(held)).astype(np.float32)
    altered = Run(LIVE, trace, parent=BASE, alterations=alterations, held=again)
    return Pair(Run(BASE, base_trace()), altered)


@pytest.mark.parametrize(
    ("change", "positions", "reason"),
    [
        (ScaleHead(CROSS, 1, 0, 1.0), "", "a factor of 1 leaves a head as it is."),
        (ScaleHead(CROSS, 1, 0, 0.0), "", "this has no effect here."),
        (BlockToken(1), "", "this has no effect here."),
        (ChangePositions("both", "none"), "none", "this model adds no positions to its tokens."),
        (ChangePositions("both", "none"), "sinusoidal", "this has no effect here."),
        (SetRow(DECODER, 0, 0, 0, key=0), "", ONE),
        (SetRow(DECODER, 0, 0, 1, key=0), "", "this has no effect here."),
        (SetRow(CROSS, 0, 0, 3, key=0), "", "the translation ends before the row that was set."),
        (SetRow(ENCODER, 0, 0, 3, key=0), "", "this has no effect here."),
        (Reorder((0, 1, 2)), "", "this has no effect here."),
    ],
)  # fmt: skip
def test_a_change_that_does_nothing_says_so(change: Alteration, positions: str, reason: str) -> None:
    assert outcome_sentence(pair(change), positions) == NOTHING + reason


def test_of_several_changes_all_must_be_without_effect() -> None:
    idle, other = SetRow(DECODER, 0, 0, 0, key=0), SetRow(CROSS, 0, 0, 3, key=0)
    assert outcome_sentence(pair(idle, other)).endswith(
        "the row that was set can attend to one token only; the translation ends before the row that was set."
    )
    assert outcome_sentence(pair(idle, BlockToken(0))) == NOTHING + "this has no effect here."


@pytest.mark.parametrize(
    ("by", "held", "said"),
    [
        # Three tokens: the sum is another by three times as much.
        (-0.25, 0.0, "by −0.75"),
        (0.002, 0.0, "by +0.006"),
        (-0.5, 0.0, "by −1.50"),
        (0.0001, 0.0, "by less than 0.001"),
        (0.0, 0.1, "by less than 0.001"),  # the words alone are the same, what it thinks of them is not
    ],
)
def test_the_same_words_with_other_probabilities(by: float, held: float, said: str) -> None:
    sentence = outcome_sentence(pair(BlockToken(0), by=by, held=held))
    assert sentence == f"Same translation; its log probability changes {said}"


def test_while_there_is_nothing_to_compare_nothing_is_said() -> None:
    assert outcome_sentence(Pair(Run(BASE, base_trace()), None)) == ""
