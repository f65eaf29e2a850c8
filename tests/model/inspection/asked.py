"""Readings to ask about, the same said to the oracle, and the asking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.bundle.bundle import Bundle
from model.inspection.answering import answer
from model.inspection.readings import Readings
from model.questions.questions import Question, Reading
from model.trace.trace import AttentionKind
from tests.model.inspection.watched import WatchedPlain

SOURCE, OUT = (4, 9, 17, 5, 11, 3), (11, 20, 8, 14, 3)
S, T, LAYERS, HEADS = len(SOURCE), len(OUT), {"encoder_self": 2, "decoder_self": 3, "cross": 3}, 2
ENCODER, DECODER, CROSS = AttentionKind

CHANGES: tuple[Alteration, ...] = (
    BlockToken(1),
    ChangePositions("target", "none"),
    ScaleHead(ENCODER, 1, 1, 0.5),
    ScaleHead(CROSS, 0, 0, 2.0),
    SetRow(ENCODER, 0, 1, 2, key=3),
    SetRow(DECODER, 1, 0, 2, weights=(0.5, 0.25, 0.25)),
    SetRow(CROSS, 2, None, 3, key=0),
)
CHANGED: dict[str, Any] = {
    "blocked": [1],
    "target_positions": [-1] * T,
    "scales": {("encoder_self", 1, 1): 0.5, ("cross", 0, 0): 2.0},
    "rows": {
        ("encoder_self", 0, 1, 2): [0, 0, 0, 1.0],
        ("decoder_self", 1, 0, 2): [0.5, 0.25, 0.25],
        ("cross", 2, 0, 3): [1.0],
        ("cross", 2, 1, 3): [1.0],
    },
}


def reading(*changes: Alteration, source: tuple[int, ...] = SOURCE, out: tuple[int, ...] = OUT) -> Reading:
    return Reading("", source, out, changes)


def ask(bundle: Bundle, question: Question, about: Reading, readings: Readings | None = None) -> Any:
    """The answer; and no grad or inference mode is left behind at any yield."""
    told: list[Any] = []
    for found in answer(bundle, question, about, readings):
        assert not torch.is_inference_mode_enabled()
        assert torch.is_grad_enabled()
        told.append(found)
    assert all(each is None for each in told[:-1])
    return told[-1]


def oracle(folder: Path, out: tuple[int, ...] = OUT, source: tuple[int, ...] = SOURCE, **changed: Any) -> Any:
    """One that has read."""
    plain = WatchedPlain(folder, **changed)
    plain.read(source, out)
    return plain
