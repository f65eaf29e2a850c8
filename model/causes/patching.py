"""Activation patching: every head, or every position, of A put into B by itself, many at a time.

Meng et al. 2022, "Locating and Editing Factual Associations in GPT" (arXiv 2202.05262, section 2), for the
two stacks of an encoder-decoder.

A place is patched in a row of a batch of its own; layers before it are not computed again.

Shapes: b batch, h heads, q queries, k keys, e width of a head, n tokens of a stack, d d_model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.alterations.effects import What
from model.causes.two_runs import TwoRuns
from model.decoding.carrying import Rows, with_rows, with_weights
from model.inspection.asked import Asked
from model.network.attention import AttentionSite
from model.questions.causes.patching import By, Doubles, Patched, PatchGrid, PatchOf
from model.trace.attention_shape import layers_of
from model.trace.trace import AttentionKind, Side

_NUMBERS = 2**22
"""What the rows of one batch may hold of a layer and of logits: small enough to answer quickly when something
more urgent wants the thread, large enough that the products run at full speed."""


@dataclass(frozen=True, eq=False)
class Variation:
    """What one row of a batch does otherwise: some heads, and the rows that are A's."""

    heads: slice
    rows: Rows


def patch_of(question: PatchOf, asked: Asked) -> Iterator[tuple[int, int] | Patched]:
    """See `PatchOf`.

    Yields:
        Places done and in all; at last the `Patched`.

    Raises:
        HeadscopeError: as `TwoRuns`.
    """
    runs = TwoRuns(question.measured, asked)
    runs.require_difference()
    by: By = "position" if question.what == "residual" else question.by
    grids = [PatchGrid(kind, by, _empty(runs, question.what, kind, by)) for kind in _kinds(question.what)]
    done, total = 0, sum(grid.m.size for grid in grids)
    yield done, total
    for grid in grids:
        for layer, cells in enumerate(grid.m):
            places = _places(runs, question.what, grid.kind, by, len(cells))
            for chunk in _chunks(runs, list(places)):
                cells[chunk] = patched(runs, question.what, grid.kind, layer, [places[at] for at in chunk])
                done += len(chunk)
                yield done, total
            done += len(cells) - len(places)
        grid.m.flags.writeable = False
    yield found(runs, question.what, tuple(grids))


def found(runs: TwoRuns, what: str, grids: tuple[PatchGrid, ...]) -> Patched:
    """The answer, without what is a path's own."""
    reader = runs.b.reader
    return Patched(
        what=what,
        step=runs.step,
        step_a=runs.step_a,
        word=runs.word,
        rival=runs.rival,
        word_token=runs.piece(runs.word),
        rival_token=runs.piece(runs.rival),
        m_a=runs.m_a,
        m_b=runs.m_b,
        grids=grids,
        source=runs.source,
        steps=runs.steps,
        source_tokens=reader.tokens("source"),
        step_tokens=reader.tokens("target"),
    )


# Entered for each batch and left before the caller goes on: see `Decoding.advance`.
@torch.inference_mode()
def patched(
    runs: TwoRuns, what: What, kind: AttentionKind, layer: int, variations: Sequence[Variation]
) -> list[float]:
    """m of B with each of these places of one layer carried over by itself."""
    b = runs.b
    tap = Carried(runs, what, AttentionSite(kind, layer), variations)
    x = b.entering(kind, layer).expand(len(variations), -1, -1)
    if kind is AttentionKind.ENCODER_SELF:
        memory = b.encode(x, layer, tap)
        rows = b.decode(b.entering(AttentionKind.DECODER_SELF, 0), 0, memory, tap)
    else:
        rows = b.decode(x, layer, b.memory, tap)
    values: list[float] = runs.m(rows[:, -1]).tolist()
    return values


class Carried:
    """A tap that carries another place of A into each row of the batch, after B's own alterations."""

    def __init__(
        self, runs: TwoRuns, what: What, site: AttentionSite, variations: Sequence[Variation]
    ) -> None:
        self._runs, self._what, self._site, self._variations = runs, what, site, variations
        self._altering, self._kept = runs.b.reader.altering, runs.a.kept
        self.carrying = self

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """See `model.network.attention.Tap`; pattern [b, h, q, k]."""
        shown = self._altering.shown(site, pattern)
        if self._what == "patterns" and site == self._site:
            keys, other = self._runs.keys(site.kind), self._kept.patterns[site][0]
            shown = shown.clone()
            for row, one in enumerate(self._variations):
                shown[row, one.heads] = with_weights(shown[row, one.heads], other[one.heads], one.rows, keys)
        return self._altering.scaled(site, shown)

    def inputs(self, site: AttentionSite, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See `model.network.carrying.Carrying`."""
        if self._what != "cross" or site != self._site:
            return q, k, v
        others = self._kept.memory[site.layer]
        k, v = (self._each(own, other[0]) for own, other in zip((k, v), others))
        return q, k, v

    def output(self, site: AttentionSite, mixed: Tensor) -> Tensor:
        """See `model.network.carrying.Carrying`."""
        if self._what != "heads" or site != self._site:
            return mixed
        return self._each(mixed, self._kept.outputs[site][0])

    def stream(self, side: Side, layer: int, x: Tensor) -> Tensor:
        """See `model.network.carrying.Carrying`."""
        here = "source" if self._site.kind is AttentionKind.ENCODER_SELF else "target"
        if self._what != "residual" or (side, layer) != (here, self._site.layer):
            return x
        other = self._kept.streams[side, layer][0]
        return torch.stack([with_rows(x[row], other, one.rows) for row, one in enumerate(self._variations)])

    def _each(self, own: Tensor, other: Tensor) -> Tensor:
        """Own numbers [b or 1, h, n, e] with those of A, [h, m, e], in each row's heads and places."""
        result = own.expand(len(self._variations), -1, -1, -1).clone()
        for row, one in enumerate(self._variations):
            result[row, one.heads] = with_rows(result[row, one.heads], other[one.heads], one.rows)
        return result


def _kinds(what: What) -> tuple[AttentionKind, ...]:
    if what == "cross":
        return (AttentionKind.CROSS,)
    if what == "residual":
        return AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF
    return tuple(AttentionKind)


def _empty(runs: TwoRuns, what: What, kind: AttentionKind, by: By) -> Doubles:
    """A grid in which nothing could be carried yet."""
    a = runs.b.reader.architecture
    heads = a.key_heads if what == "cross" else a.n_heads
    source = what == "cross" or kind is AttentionKind.ENCODER_SELF
    columns = heads if by == "head" else len(runs.source if source else runs.steps)
    return np.full((layers_of(a, kind), columns), np.nan)


def _places(runs: TwoRuns, what: What, kind: AttentionKind, by: By, count: int) -> dict[int, Variation]:
    """What can be carried of a layer, by column."""
    rows_kind = AttentionKind.ENCODER_SELF if what == "cross" else kind
    if what == "patterns" and not len(runs.keys(kind)[0]):
        return {}
    every = slice(None)
    made = {
        at: Variation(slice(at, at + 1), runs.rows(rows_kind))
        if by == "head"
        else Variation(every, runs.rows(rows_kind, at))
        for at in range(count)
    }
    return {at: one for at, one in made.items() if len(one.rows[0])}


def _chunks(runs: TwoRuns, places: list[int]) -> Iterator[list[int]]:
    """Columns that are patched in one batch."""
    reader = runs.b.reader
    a, longest = reader.architecture, max(len(reader.source_ids), len(reader.target_ids))
    row = longest * (4 * a.d_model + a.d_ff) + a.n_heads * longest**2 + a.target_vocab
    size = max(1, _NUMBERS // row)
    for start in range(0, len(places), size):
        yield places[start : start + size]
