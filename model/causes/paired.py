"""`Paired`: a reading A and a reading B, their tokens matched, and what is measured of both.

Shapes: b batch, V words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import torch
from torch import Tensor

from model.alterations.effects import Effects
from model.decoding.carrying import Kept, Rows, rows_of
from model.errors import HeadscopeError
from model.network.attention import AttentionSite, Tap
from model.questions.causes.patching import LEAST_DIFFERENCE, Doubles, Measured, matched
from model.questions.questions import Reading
from model.tokens.tokenizer import Tokenizer
from model.trace.attention_shape import AttentionShape
from model.trace.trace import AttentionKind

_MOST_MEGABYTES = 512


@dataclass(frozen=True, eq=False)
class Variation:
    """What one row of a batch does otherwise: some heads, and the rows that are A's."""

    heads: slice
    rows: Rows


class Run(Protocol):
    """One of the two.

    Attributes:
        reader: what reads it, with `altering` and `tokens`. kept: all that it computed, for a batch of 1.
    """

    @property
    def reader(self) -> Any:
        """What reads it."""

    @property
    def kept(self) -> Kept:
        """Its numbers."""


class Paired(ABC):
    """A and B up to the step that is measured, whoever computes them.

    Raises:
        HeadscopeError: the two are of different models, or too long; there is no such step, or A has none for
            it; the two hardly differ.

    Attributes:
        readings: A and B up to that step.
        a, b: the two. step, step_a: what is measured of B and of A. word, rival: see `Patched`.
        m_a, m_b: m of each as it is.
        source, steps: see `Patched`.
        shape: layers and heads; key_heads: heads of keys and values that cross-attention reads.
        row_size: about how many numbers one row of a batch holds at a time.
    """

    a: Run
    b: Run
    m_a: float
    m_b: float
    shape: AttentionShape
    key_heads: int
    row_size: int

    def __init__(
        self, measured: Measured, second: Reading, tokenizer: Tokenizer, device: torch.device
    ) -> None:
        first = measured.source
        if first.model_sha256 and second.model_sha256 and first.model_sha256 != second.model_sha256:
            raise HeadscopeError("patch_models")
        if not first.out_ids or not second.out_ids:
            raise HeadscopeError("inspection_nothing")
        pairs = matched(first, second, tokenizer.start_id)
        step = pairs.differs if measured.step is None else measured.step
        if step is None:
            raise HeadscopeError("patch_same")
        if not 0 <= step < len(second.out_ids):
            raise HeadscopeError("patch_step", step=step + 1, count=len(second.out_ids))
        self.step, self.step_a = step, pairs.read[step]
        if self.step_a < 0:
            raise HeadscopeError("patch_apart", step=step + 1)
        self.source, self.steps = pairs.source, pairs.read[: step + 1]
        self._take_words(measured, first, second)
        self._tokenizer, self._device = tokenizer, device
        self.readings = _until(first, self.step_a), _until(second, step)
        self.blocked = Effects.of(second.alterations).blocked
        self._prompted = bool(second.prompt)

    @abstractmethod
    def tapped(self, tap: Tap, site: AttentionSite, batch: int) -> Doubles:
        """m of B for a batch, float64 [b], while a tap that carries (see `model.network.carrying`) changes
        nothing before the site.
        """

    def _take_words(self, measured: Measured, first: Reading, second: Reading) -> None:
        self.word: int = first.out_ids[self.step_a] if measured.word is None else measured.word
        self.rival: int | None = measured.rival
        if measured.word is None and measured.rival is None:
            self.rival = second.out_ids[self.step]
        if self.rival == self.word:
            self.rival = None

    def check_words(self, vocab: int) -> None:
        """Refuse words that do not exist."""
        for token in (self.word, self.rival):
            if token is not None and not 0 <= token < vocab:
                raise HeadscopeError("token_id", id=token, vocab=vocab)

    def check_size(self, lengths: Iterable[tuple[int, int]]) -> None:
        """Refuse texts whose patterns would take gigabytes: all heads of both are held at once.

        Args:
            lengths: S and T of each.
        """
        numbers = 0
        for s, t in lengths:
            cells = {
                AttentionKind.ENCODER_SELF: s * s,
                AttentionKind.DECODER_SELF: t * t,
                AttentionKind.CROSS: t * s,
            }
            for kind, count in cells.items():
                numbers += self.shape.layers(kind) * self.shape.heads(kind) * count
        megabytes = numbers * 4 // 2**20
        if megabytes > _MOST_MEGABYTES:
            raise HeadscopeError("patch_large", size=megabytes, limit=_MOST_MEGABYTES)

    def require_difference(self) -> None:
        """Raise `HeadscopeError` (`patch_small`) where m of A and of B are too close to divide by."""
        if abs(self.m_a - self.m_b) < LEAST_DIFFERENCE:
            raise HeadscopeError(
                "patch_small",
                step=self.step + 1,
                measure=self.measure,
                first=f"{self.m_a:.4g}",
                second=f"{self.m_b:.4g}",
            )

    @property
    def measure(self) -> str:
        """What m is, in signs."""
        word = f"log p({self.piece(self.word)})"
        return word if self.rival is None else f"{word} − log p({self.piece(self.rival)})"

    def piece(self, token: int | None) -> str:
        """A piece of the target vocabulary; empty for none."""
        return "" if token is None else self._tokenizer.piece(token)

    def m_of(self, logits: Tensor) -> Doubles:
        """m of logits of the measured step, [b, V]: float64 [b]."""
        logprobs = logits.double().log_softmax(-1)
        said = logprobs[:, self.word]
        said = said if self.rival is None else said - logprobs[:, self.rival]
        if not bool(said.isfinite().all()):
            raise HeadscopeError("model_overflow")
        found: Doubles = said.numpy(force=True)
        return found

    def rows(self, kind: AttentionKind, only: int | None = None) -> Rows:
        """Rows of a kind's queries that A has too, or the one of them that is named, if A has it."""
        across = self.source if kind is AttentionKind.ENCODER_SELF else self.steps
        if only is not None:
            across = tuple(at if i == only else -1 for i, at in enumerate(across))
        return rows_of(across, device=self._device)

    def keys(self, kind: AttentionKind) -> Rows:
        """Columns of a kind that A has too; none that is blocked in B."""
        own = kind is AttentionKind.DECODER_SELF
        if own and not self._prompted:
            return self.rows(kind)
        across = self.steps if own else self.source
        across = tuple(-1 if token in self.blocked else at for token, at in enumerate(across))
        return rows_of(across, device=self._device)


def _until(reading: Reading, step: int) -> Reading:
    """No more than what leads to a step."""
    count = step + 1
    return replace(
        reading,
        out_ids=reading.out_ids[:count],
        in_ids=reading.in_ids[:count],
        prompt=min(reading.prompt, count),
    )
