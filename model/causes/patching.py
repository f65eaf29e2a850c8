"""Activation patching: every head, or every position, of A put into B by itself, many at a time.

Meng et al. 2022, "Locating and Editing Factual Associations in GPT" (arXiv 2202.05262, section 2), for the
two stacks of an encoder-decoder.

A place is patched in a row of a batch of its own; layers before it are not computed again.

Shapes: b batch, h heads, q queries, k keys, e width of a head, n tokens of a stack, d d_model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from model.alterations.effects import What
from model.causes.hooked_runs import HookedRuns
from model.causes.paired import Paired, Variation
from model.causes.two_runs import TwoRuns
from model.decoding.carrying import with_rows, with_weights
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.network.attention import AttentionSite
from model.questions.causes.patching import By, Doubles, Patched, PatchGrid, PatchOf
from model.trace.trace import AttentionKind, Side

_NUMBERS = 2**22
"""What the rows of one batch may hold of a layer and of logits: small enough to answer quickly when something
more urgent wants the thread, large enough that the products run at full speed."""


def patch_of(question: PatchOf, asked: Asked) -> Iterator[tuple[int, int] | Patched]:
    """See `PatchOf`.

    Yields:
        Places done and in all; at last the `Patched`.

    Raises:
        HeadscopeError: as `Paired`; the model has nothing of what is to be carried.
    """
    hooked = asked.hooked
    runs = (
        TwoRuns(question.measured, asked) if hooked is None else HookedRuns(question.measured, asked, hooked)
    )
    runs.require_difference()
    by: By = "position" if question.what == "residual" else question.by
    grids = [
        PatchGrid(kind, by, _empty(runs, question.what, kind, by)) for kind in _kinds(runs, question.what)
    ]
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


def found(runs: Paired, what: str, grids: tuple[PatchGrid, ...]) -> Patched:
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


# `tapped` enters inference mode for each batch and leaves it before the caller goes on, as in
# `Decoding.advance`.
def patched(
    runs: Paired, what: What, kind: AttentionKind, layer: int, variations: Sequence[Variation]
) -> list[float]:
    """m of B with each of these places of one layer carried over by itself."""
    site = AttentionSite(kind, layer)
    values: list[float] = runs.tapped(Carried(runs, what, site, variations), site, len(variations)).tolist()
    return values


class Carried:
    """A tap that carries another place of A into each row of the batch, after B's own alterations."""

    def __init__(
        self, runs: Paired, what: What, site: AttentionSite, variations: Sequence[Variation]
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
        used: Tensor = self._altering.scaled(site, shown)
        return used

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


def _kinds(runs: Paired, what: What) -> list[AttentionKind]:
    """Kinds that the model has; raises `HeadscopeError` (`alteration_kind`) where it has none."""
    kinds = tuple(AttentionKind)
    if what == "cross":
        kinds = (AttentionKind.CROSS,)
    elif what == "residual":
        kinds = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF
    found = [kind for kind in kinds if runs.shape.layers(kind)]
    if not found:
        raise HeadscopeError("alteration_kind", kind=str(kinds[0]))
    return found


def _empty(runs: Paired, what: What, kind: AttentionKind, by: By) -> Doubles:
    """A grid in which nothing could be carried yet."""
    heads = runs.key_heads if what == "cross" else runs.shape.heads(kind)
    source = what == "cross" or kind is AttentionKind.ENCODER_SELF
    columns = heads if by == "head" else len(runs.source if source else runs.steps)
    return np.full((runs.shape.layers(kind), columns), np.nan)


def _places(runs: Paired, what: What, kind: AttentionKind, by: By, count: int) -> dict[int, Variation]:
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


def _chunks(runs: Paired, places: list[int]) -> Iterator[list[int]]:
    """Columns that are patched in one batch."""
    size = max(1, _NUMBERS // runs.row_size)
    for start in range(0, len(places), size):
        yield places[start : start + size]
