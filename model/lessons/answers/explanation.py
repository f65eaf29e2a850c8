"""swaps_of: a step's row of cross-attention swapped for uniform, permuted and adversarial ones.

The adversarial row maximises the Jensen-Shannon divergence from the model's own, as long as the log
probability of the step's token moves by no more than epsilon. It is searched for among permutations and rows
with all weight on one key, and from the best of these on by gradient steps on the logits of rows. Draws are
of fixed seed, and steps are counted, so that the same question has the same answer.

Shapes: b rows tried at once, n heads whose row is swapped, H heads, S source tokens, K of them allowed, V
size of the vocabulary.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from model.alterations.set_row import SetRow
from model.bundle.bundle import Bundle
from model.decoding.altering import Altering
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.backwards import recording
from model.inspection.gradients import differentiable, gradients_of
from model.inspection.plain import check_head, check_step, plain
from model.inspection.value_norms import grams_of
from model.lessons.explanation import DRAWS, OWN, Swaps, SwapsOf
from model.network.attention import AttentionSite, Tap
from model.questions.answers import Gradients, ValueGrams
from model.questions.questions import GradientOf, Partial, Reading, ValueNorms
from model.read_only import read_only
from model.trace.trace import AttentionKind, Floats, Ids
from model.training.adamw import AdamW

Answer = TypeVar("Answer")

_SEED = 0
_STARTS = 6
_STEPS = 40
_RATE = 0.3
_BATCH = 32
_ONE_KEY = 64  # rows with all weight on one key, at most
_CHECKED = 8  # of the furthest rows found
_TOP = 5


def swaps_of(question: SwapsOf, asked: Asked) -> Iterator[tuple[int, int] | Partial | Swaps | None]:
    """All variants of the row; first those that need no search, and last with the adversarial one.

    Raises:
        HeadscopeError: there is no such step, layer or head; `source_cannot`; or numbers overflow.
    """
    bundle, reading = asked.bundle, asked.reading
    bundle.transformer.require_left_to_right()
    check_head(bundle.config.architecture, AttentionKind.CROSS, question.layer, question.head or 0)
    reader = asked.readings.reader(reading)
    check_step(reader, question.step)
    grams = yield from _last(grams_of(ValueNorms(), asked), ValueGrams)
    slopes = yield from _last(gradients_of(GradientOf(question.step), asked), Gradients)
    memory = (yield from asked.readings.source(reader)).memory
    step = _Step(bundle, replace(reading, out_ids=reading.out_ids[: question.step + 1]), memory, question)
    variants = [step.own, step.uniform, *_permuted(step.own)]
    said = [step.distribution(None)]
    for row in variants[1:]:
        said.append(step.distribution(row))
        yield None
    measured = _Measured(step, grams, slopes)
    yield Partial(measured.told(variants, said, 0))
    tries = _Tries(step, question.epsilon)
    for row in (yield from tries.furthest(variants[1:])):
        found = step.distribution(row)
        if abs(float(found[step.token] - said[OWN][step.token])) <= question.epsilon:
            break
    else:
        row, found = step.own, said[OWN]
    yield measured.told([*variants, row], [*said, found], tries.count)


def _permuted(own: Tensor) -> list[Tensor]:
    """A row [n, K] permuted in `DRAWS` ways, all heads alike."""
    draw = torch.Generator().manual_seed(_SEED)
    return [own[:, torch.randperm(own.shape[1], generator=draw).to(own.device)] for _ in range(DRAWS)]


def _last(steps: Iterator[object], kind: type[Answer]) -> Generator[None, None, Answer]:
    """What another question is answered by at last."""
    for found in steps:
        if isinstance(found, kind):
            return found
        yield None
    raise AssertionError(f"no {kind.__name__}")


class _Step:
    """The row of a step, to be swapped.

    Attributes:
        heads: whose row it is.
        allowed: bool [S] where it may attend to.
        own: [n, K] as the model has it; uniform: [n, K].
        token: what the step produced.
    """

    def __init__(self, bundle: Bundle, reading: Reading, memory: Tensor, question: SwapsOf) -> None:
        self._bundle, self._reading = bundle, reading
        self.site = AttentionSite(AttentionKind.CROSS, question.layer)
        n_heads = bundle.config.architecture.n_heads
        self.heads = list(range(n_heads)) if question.head is None else [question.head]
        self.question, self.token = question, reading.out_ids[-1]
        device = memory.device
        self.target_in = torch.tensor(
            [[bundle.target_tokenizer.start_id, *reading.out_ids[:-1]]], device=device
        )
        with recording():
            self.memory = memory.detach().clone()[None]
        altering = self.altering()
        mask = altering.source_mask
        self.allowed = torch.ones(len(memory), dtype=torch.bool, device=device) if mask is None else mask[0]
        self.own = self._recorded(altering)
        self.uniform = torch.full_like(self.own, 1 / self.own.shape[1])

    def altering(self, rows: Tensor | None = None) -> Altering:
        """What is changed in the reading, and the row besides."""
        changes = (
            []
            if rows is None
            else [
                SetRow(self.site.kind, self.site.layer, head, self.question.step, weights=tuple(row.tolist()))
                for head, row in zip(self.heads, rows, strict=True)
            ]
        )
        return Altering(
            (*self._reading.alterations, *changes),
            self._bundle.config.architecture,
            source_length=self.memory.shape[1],
            device=self.memory.device,
        )

    @torch.no_grad()
    def _recorded(self, altering: Altering) -> Tensor:
        taken: list[Tensor] = []

        def tap(site: AttentionSite, pattern: Tensor) -> Tensor | None:
            if site == self.site:
                taken.append(altering.shown(site, pattern)[0, self.heads, -1])
            return altering.tap(site, pattern)

        self.logprobs(self._bundle, altering, tap, 1)
        own = taken[0][:, self.allowed].double()
        return own / own.sum(-1, keepdim=True).clamp(min=1e-30)

    @torch.no_grad()
    def distribution(self, rows: Tensor | None) -> Tensor:
        """Log probabilities of the next token, float64 [V]; with `rows` [n, K] set by `SetRow`."""
        altering = self.altering(rows)
        found = self.logprobs(self._bundle, altering, altering.tap, 1)[0]
        if not bool(found.isfinite().all()):
            raise HeadscopeError("model_overflow")
        return found

    def logprobs(self, bundle: Bundle, altering: Altering, tap: Tap, rows: int) -> Tensor:
        """The same for `rows` readings at once, [rows, V]."""
        model, steps = bundle.transformer, self.target_in.shape[1]
        hidden = model.decode(
            self.target_in.expand(rows, steps),
            self.memory.expand(rows, *self.memory.shape[1:]),
            memory_mask=altering.source_mask,
            position_ids=altering.target_positions(0, steps),
            tap=tap,
        )
        result: Tensor = model.project(hidden[:, -1]).double().log_softmax(-1)
        return result

    def piece(self, token_id: int) -> str:
        """The raw piece of a target id."""
        return self._bundle.target_tokenizer.piece(token_id)

    def differentiable(self) -> Bundle:
        """The bundle, to be differentiated through."""
        return differentiable(self._bundle)


class _Tries:
    """Rows that are tried.

    Attributes:
        count: rows tried so far.
    """

    def __init__(self, step: _Step, epsilon: float) -> None:
        self._step, self._epsilon = step, epsilon
        self.count = 0
        self._bundle = step.differentiable()
        self._altering = step.altering()
        self._before = float(step.distribution(None)[step.token])
        self._found: list[tuple[float, Tensor]] = []

    def furthest(self, others: Sequence[Tensor]) -> Generator[None, None, list[Tensor]]:
        """The rows found that move the log probability by no more than epsilon, furthest first; few.

        Args:
            others: rows to be tried first.
        """
        one_key = torch.eye(self._step.own.shape[1], dtype=torch.float64, device=self._step.own.device)
        alone = [row.expand_as(self._step.own) for row in one_key[:_ONE_KEY]]
        first = torch.stack([*others, *alone])
        order = []
        for start in range(0, len(first), _BATCH):
            rows = first[start : start + _BATCH]
            with recording(), torch.no_grad():
                moved, far = self._tried(rows)
            self._note(rows, moved, far)
            # The furthest that nearly stay are where gradient steps begin.
            order += (far - (moved / self._epsilon - 1).clamp(min=0)).tolist()
            yield None
        starts = first[torch.tensor(order).argsort(descending=True, stable=True)[:_STARTS]]
        with recording():
            logits = (starts + 1e-3).log().clone().requires_grad_()
            adam = AdamW([logits], lr=_RATE)  # without decay
        for _ in range(_STEPS):
            with recording():
                rows = logits.softmax(-1)
                moved, far = self._tried(rows)
                loss = ((moved / self._epsilon - 0.9).clamp(min=0) - far / math.log(2)).sum()
                (logits.grad,) = torch.autograd.grad(loss, [logits])
                adam.step()
                self._note(rows.detach(), moved.detach(), far.detach())
            yield None
        return [row for _, row in self._found]

    def _note(self, rows: Tensor, moved: Tensor, far: Tensor) -> None:
        self.count += len(rows)
        self._found += [
            (float(distance), row)
            for row, change, distance in zip(rows, moved, far, strict=True)
            if float(change) <= self._epsilon
        ]
        self._found = sorted(self._found, key=lambda one: -one[0])[:_CHECKED]

    def _tried(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """By how much rows [b, n, K] move the log probability, and how far they are, [b] each."""
        step, altering = self._step, self._altering
        whole = rows.new_zeros(*rows.shape[:2], len(step.allowed))
        whole[:, :, step.allowed] = rows

        def tap(site: AttentionSite, pattern: Tensor) -> Tensor:
            shown = altering.shown(site, pattern)
            if site == step.site:
                shown = shown.clone()
                shown[:, step.heads, -1] = whole.to(shown.dtype)
            return altering.scaled(site, shown)

        logprobs = step.logprobs(self._bundle, altering, tap, len(rows))
        return (logprobs[:, step.token] - self._before).abs(), _divergence(rows, step.own).mean(-1)


def _divergence(rows: Tensor, own: Tensor) -> Tensor:
    """Jensen-Shannon divergence of rows [b, n, K] from [n, K] in nats, [b, n]."""
    middle = (rows + own) / 2
    parts = (torch.special.xlogy(one, one.clamp(min=1e-30) / middle.clamp(min=1e-30)) for one in (rows, own))
    return 0.5 * torch.stack(list(parts)).sum((0, -1))


class _Measured:
    """A step's measures, to be told with its variants."""

    def __init__(self, step: _Step, grams: ValueGrams, slopes: Gradients) -> None:
        self._step = step
        layer, kind = step.site.layer, step.site.kind
        weights = self._spread([step.own])[0].astype(np.float64)
        gram = grams.grams[kind][layer].astype(np.float64)[:, step.heads][:, :, step.heads]  # [S, n, n]
        lengths = np.sqrt(np.maximum(np.einsum("hs,shg,gs->s", weights, gram, weights), 0.0))
        self._norms = read_only(lengths.astype(np.float32))
        self._gradients = read_only(slopes.gradients[kind][layer][step.heads, step.question.step])

    def _spread(self, variants: Sequence[Tensor]) -> Floats:
        """Rows [n, K] over all keys, [variants, n, S]."""
        allowed = self._step.allowed.numpy(force=True)
        rows = np.zeros((len(variants), len(self._step.heads), len(allowed)), np.float32)
        rows[:, :, allowed] = plain(torch.stack(list(variants)))
        return rows

    def told(self, variants: Sequence[Tensor], said: Sequence[Tensor], tried: int) -> Swaps:
        """The answer from every variant and the log probabilities [V] that follow from it."""
        step, logprobs = self._step, torch.stack(list(said)).numpy(force=True)
        shares = np.exp(logprobs)
        ids: Ids = np.unique(np.argsort(-logprobs, axis=1, kind="stable")[:, :_TOP])
        ids = ids[np.argsort(-shares[OWN, ids], kind="stable")]
        return Swaps(
            rows=read_only(self._spread(variants)),
            logprobs=read_only(logprobs[:, step.token].copy()),
            moved=read_only(np.abs(shares - shares[OWN]).sum(axis=1) / 2),
            ids=read_only(ids),
            tokens=tuple(step.piece(int(one)) for one in ids),
            probabilities=read_only(shares[:, ids]),
            top=read_only(logprobs.argmax(axis=1)),
            norms=self._norms,
            gradients=self._gradients,
            searched=tried,
        )
