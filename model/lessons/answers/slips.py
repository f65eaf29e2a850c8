"""Slips on the open model: each is a plain pass under other rules; the model itself is never touched."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.config import ADDED, Architecture
from model.inspection.asked import Asked
from model.inspection.plain import check_head, plain
from model.lessons.answers.plain_pass import (
    PAPER,
    PaddedBatch,
    PassRules,
    PlainPass,
    greedy,
    greedy_without_cache,
    largest_change,
    of_produced,
    read_of,
)
from model.lessons.slips import SlipOf, Slipped
from model.network.attention import AttentionSite
from model.questions.questions import Partial
from model.read_only import read_only
from model.trace.trace import AttentionKind

MOST = 60
"""Tokens of a translation, at most."""

RULES: dict[str, PassRules] = {
    "divided": replace(PAPER, divided="after"),
    "zero": replace(PAPER, hidden=0.0),
    "hundred": replace(PAPER, hidden=-100.0),
    "axis": replace(PAPER, over="queries"),
    "embedding": replace(PAPER, scales_embedding=False),
    "padding": replace(PAPER, masks_padding=False),
    "positions": replace(PAPER, positions=2),
}


def slip_of(question: SlipOf, asked: Asked) -> Iterator[Slipped | Partial | None]:
    """Read the right translation both ways, then translate the wrong way; yields what there is in between.

    Raises:
        HeadscopeError: the source cannot be read, there is no such head, or numbers overflow.
    """
    bundle, reading = asked.bundle, asked.reading
    asked.readings.reader(reading)  # refuses ids that do not exist
    architecture = bundle.config.architecture
    check_head(architecture, question.kind, question.layer, question.head)
    rules = RULES[question.slip]
    extra = min(question.padding, bundle.source_limit - len(reading.src_ids))
    batch = PaddedBatch.of([reading.src_ids], bundle, extra)
    out = yield from greedy(bundle, reading.src_ids, MOST)
    site = AttentionSite(question.kind, question.layer)
    right, right_seen = yield from _read(bundle, PAPER, batch, out, _Watched(site, question.head))
    wrong, wrong_seen = yield from _read(bundle, rules, batch, out, _Watched(site, question.head))
    piece = bundle.target_tokenizer.piece
    read = tuple(map(piece, read_of(bundle, out)[0].tolist()))
    source = tuple(map(bundle.source_tokenizer.piece, batch.ids[0].tolist()))
    rows = len(reading.src_ids) if question.kind is AttentionKind.ENCODER_SELF else len(read)
    slipped = Slipped(
        read=read,
        out=tuple(map(piece, out)),
        wrong_out=(),
        ended=False,
        queries=(source if question.kind is AttentionKind.ENCODER_SELF else read)[:rows],
        keys=read if question.kind is AttentionKind.DECODER_SELF else source,
        right=of_produced(right, out),
        wrong=of_produced(wrong, out),
        largest=largest_change(right, wrong),
        right_map=plain(right_seen.weights[:rows]),
        wrong_map=plain(wrong_seen.weights[:rows]),
        forbidden=read_only((~right_seen.allowed[:rows]).numpy(force=True)),
        hidden_weight=wrong_seen.hidden_weight,
        width=architecture.d_model // architecture.n_heads,
        padding=extra,
        applies=_applies(architecture, question.slip),
    )
    yield Partial(slipped)
    for wrong_out in greedy_without_cache(bundle, rules, batch, MOST):
        slipped = replace(slipped, wrong_out=tuple(map(piece, wrong_out)))
        yield Partial(slipped)
    yield replace(slipped, ended=True)


def _applies(architecture: Architecture, slip: str) -> bool:
    if slip == "embedding":
        return architecture.scale_embedding
    return slip != "positions" or architecture.positions in ADDED


class _Watched:
    """What is kept of the patterns of a pass.

    Attributes:
        weights, allowed: [q, k] of the head looked at.
        hidden_weight: largest weight of any head on what is to be masked.
    """

    def __init__(self, site: AttentionSite, head: int) -> None:
        self._site, self._head = site, head
        self.weights = torch.zeros(0)
        self.allowed = torch.zeros(0, dtype=torch.bool)
        self.hidden_weight = 0.0

    def look(self, site: AttentionSite, pattern: Tensor, allowed: Tensor) -> None:
        """Keep what is asked for."""
        hidden = (~allowed).expand(pattern.shape)
        if bool(hidden.any()):
            self.hidden_weight = max(self.hidden_weight, float(pattern[hidden].max()))
        if site == self._site:
            self.weights = pattern[0, self._head]
            self.allowed = allowed.expand(pattern.shape)[0, self._head]


def _read(
    bundle: Bundle, rules: PassRules, batch: PaddedBatch, out: Sequence[int], watched: _Watched
) -> Generator[None, None, tuple[Tensor, _Watched]]:
    """Log probabilities [T, vocab] of a translation, and what was seen."""
    computed = PlainPass(bundle.transformer, rules, watched.look)
    memory = computed.encode(batch.ids, batch.real)
    yield None
    logprobs = computed.logprobs(read_of(bundle, out), memory, batch.real)[0]
    yield None
    return logprobs, watched
