"""A tiny model with a translation open, the lessons asked about it, and the same model in plain torch."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.bundle.bundle import Bundle, load_bundle
from model.inspection.answering import answer
from model.lessons.lesson import Lesson, Numbers, Subject, taken_values
from model.questions.questions import Reading
from model.trace.trace import AttentionKind
from tests.model.oracle import Oracle

START, END = 2, 3


@functools.cache
def loaded(folder: Path) -> Bundle:
    return load_bundle(folder)


def subject_of(folder: Path, text: str, target: str, **changes: Any) -> Subject:
    """A text and its translation, at the second cross-attention head of the last layer."""
    bundle = loaded(folder)
    source = bundle.source_tokenizer.source_ids(text)
    out = bundle.target_tokenizer.target_ids(target) if target else []
    a = bundle.config.architecture
    piece = bundle.source_tokenizer.piece
    layers = {
        AttentionKind.ENCODER_SELF: a.encoder_layers,
        AttentionKind.DECODER_SELF: a.decoder_layers,
        AttentionKind.CROSS: a.decoder_layers,
    }
    subject = Subject(
        Reading(bundle.sha256, tuple(source), tuple(out), text=text),
        tuple(map(piece, source)),
        tuple(map(piece, [START, *out][: len(out)])),
        tuple(map(piece, out)),
        layers,
        a.n_heads,
        AttentionKind.CROSS,
        a.decoder_layers - 1,
        1,
    )
    return replace(subject, **changes)


def asked(folder: Path, lesson: Lesson, subject: Subject | None, **settings: object) -> Numbers:
    """The lesson's numbers; and no grad or inference mode is left behind at any yield."""
    values = taken_values(lesson.controls(subject), settings)
    ask = lesson.asks(values, subject)
    assert ask is not None
    told: list[Any] = []
    for each in answer(loaded(folder), *ask):
        told.append(each)
        assert not torch.is_inference_mode_enabled()
        assert torch.is_grad_enabled()
    return lesson.numbers(values, told[-1], subject)


def found(numbers: Numbers, name: str) -> Any:
    return next(one for one in numbers.findings if one.name == name)


class Changed(Oracle):
    """The bundle in torch.nn, with masks as asked for."""

    def read(self, source: Tensor, real: Tensor | None, read: Tensor, *, causal: bool = True) -> Tensor:
        """Log softmax [b, T, vocab]."""
        plain = self.plain
        memory = plain.encode(source, real)
        n = read.shape[1]
        hidden = plain.decoder(
            plain._embed("target_embedding.weight", read, None),
            memory,
            tgt_mask=torch.ones(n, n, dtype=torch.bool).triu(1) if causal else None,
            memory_key_padding_mask=None if real is None else ~real,
        )
        return plain.project(hidden).log_softmax(-1)
