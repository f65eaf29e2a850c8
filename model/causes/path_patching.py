"""Path patching: a head's output of A reaches a receiver in B directly, and everything in between stays B's.

Wang et al. 2022 (arXiv 2211.00593, section 3.1) and Goldowsky-Dill et al. 2023 (arXiv 2304.05969, section 2):
on the way from sender to receiver every other head and feed-forward holds what it computes in B; norms, which
stand between them on the residual stream, are computed anew. The receiver's queries, keys or values are
worked out from what arrives there, and B goes on from them as usual.

Shapes: b batch, h heads, g heads of keys and values, n tokens, e width of a head, d d_model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from model.alterations.alteration import Case
from model.alterations.place import check_there
from model.causes.patching import found
from model.causes.two_runs import TwoRuns
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.reading import Sublayer
from model.network.attention import AttentionSite
from model.questions.causes.patching import HeadPlace, Patched, PatchGrid, PathOf, Receiver
from model.questions.causes.places import receiver_words
from model.trace.attention_shape import layers_of
from model.trace.trace import AttentionKind, Side

Arrived = dict[tuple[AttentionSite, str], Tensor]
"""By attention and part (`q`, `k`, `v`): what its projection gives of what arrives, [1, h or g, n, e]."""

Put = dict[tuple[AttentionSite, str], tuple[list[int], Tensor]]
"""Which heads of an attention get what arrived, by part."""

_PARTS = ("q", "k", "v")


def path_of(question: PathOf, asked: Asked) -> Iterator[tuple[int, int] | Patched]:
    """See `PathOf`.

    Yields:
        Receivers done and in all; at last the `Patched`.

    Raises:
        HeadscopeError: as `TwoRuns`; there is no such head, or a receiver is not reached directly.
    """
    runs = TwoRuns(question.measured, asked)
    runs.require_difference()
    reader, sender = runs.b.reader, question.sender
    case = Case(reader.bundle.outline, len(reader.source_ids))
    for place in (sender, *(one.place for one in question.into if one.place is not None)):
        check_there(place.kind, place.layer, place.head, case)
    path = Reach(runs, sender)
    if question.into:
        answer = found(runs, "path", ())
        together = path.together(question.into)
        yield replace(answer, sender=sender, into=question.into, together=together)
        return
    grids = _grids(path)
    done, total = 0, sum(grid.m.size for grid in grids)
    yield done, total
    for grid in grids:
        for layer, cells in enumerate(grid.m):
            cells[:] = path.layer(AttentionSite(grid.kind, layer), grid.part, len(cells))
            done += len(cells)
            yield done, total
        grid.m.flags.writeable = False
    yield replace(found(runs, "path", grids), sender=sender)


class Reach:
    """What arrives where when the sender's output is A's."""

    @torch.inference_mode()
    def __init__(self, runs: TwoRuns, sender: HeadPlace) -> None:
        self.runs, self.sender = runs, sender
        self._reader = runs.b.reader
        self.arrived: Arrived = {}
        self.final: Tensor | None = None
        self._walk()

    def layer(self, site: AttentionSite, part: str, heads: int) -> list[float]:
        """m with each head of an attention reached by itself; NaN where nothing arrives."""
        if part == "final":
            return [np.nan if self.final is None else self._finally()]
        arrived = self.arrived.get((site, part))
        if arrived is None:
            return [np.nan] * heads
        return self._onward([{(site, part): ([head], arrived)} for head in range(heads)])

    def together(self, into: Sequence[Receiver]) -> float:
        """m with all of these reached at once.

        Raises:
            HeadscopeError: `patch_receiver`: one is not reached directly; `patch_final`: it is not alone.
        """
        if any(one.place is None for one in into):
            if len(into) > 1:
                raise HeadscopeError("patch_final")
            if self.final is None:
                self._refuse(into[0])
            return self._finally()
        put: Put = {}
        for one in into:
            assert one.place is not None
            key = AttentionSite(one.place.kind, one.place.layer), one.part
            if key not in self.arrived:
                self._refuse(one)
            head = one.place.head
            if one.part != "q":
                head //= self._reader.architecture.n_heads // self._reader.architecture.key_heads
            put.setdefault(key, ([], self.arrived[key]))[0].append(head)
        return self._onward([put])[0]

    def _refuse(self, one: Receiver) -> None:
        raise HeadscopeError("patch_receiver", receiver=receiver_words(one), sender=_head_text(self.sender))

    @torch.inference_mode()
    def _finally(self) -> float:
        assert self.final is not None
        b = self.runs.b
        return float(self.runs.m(b.closed(self.final[None], b.memory, self._pointer())[:, -1])[0])

    def _pointer(self) -> Tensor | None:
        """The pattern that words are copied by, as B uses it; None where none are."""
        if not self._reader.architecture.copying:
            return None
        last = self._reader.architecture.decoder_layers - 1
        return self.runs.b.kept.used[AttentionSite(AttentionKind.CROSS, last)]

    @torch.inference_mode()
    def _onward(self, puts: Sequence[Put]) -> list[float]:
        """m with what arrived at these heads put there, a row of the batch each."""
        runs, b = self.runs, self.runs.b
        tap = _Arrives(runs, puts)
        kinds = {site.kind for put in puts for site, _ in put}
        encoder, own = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF
        inside = encoder in kinds
        first = min(site.layer for put in puts for site, _ in put if not inside or site.kind is encoder)
        if inside:
            x = b.entering(encoder, first).expand(len(puts), -1, -1)
            memory = b.encode(x, first, tap)
            rows = b.decode(b.entering(own, 0), 0, memory, tap)
        else:
            rows = b.decode(b.entering(own, first).expand(len(puts), -1, -1), first, b.memory, tap)
        values: list[float] = runs.m(rows[:, -1]).tolist()
        return values

    # What arrives, sub-layer by sub-layer.

    def _walk(self) -> None:
        reader, own = self._reader, AttentionKind.ENCODER_SELF
        memory = reader.embed("source").total
        x = memory
        moved: Tensor | None = None
        outputs = [x]
        for index in range(reader.architecture.encoder_layers):
            sublayers = reader.encoder_layer(index, x, reader.altering.tap)
            moved = self._through("source", sublayers, moved)
            x = sublayers[-1].after
            outputs.append(x if moved is None else moved)
        if self.sender.kind is own:
            self._reach_memory(reader.memory(outputs))
            return
        x, moved = reader.embed("target").total, None
        memory = self.runs.b.memory[0]
        for index in range(reader.architecture.decoder_layers):
            sublayers_ = reader.decoder_layer(index, x, memory, reader.altering.tap)
            moved = self._through("target", sublayers_, moved)
            x = sublayers_[-1].after
        self.final = moved

    def _reach_memory(self, memory: Tensor) -> None:
        """The encoder's heads are read by cross-attention's keys and values."""
        reader = self._reader
        for layer in range(reader.architecture.decoder_layers):
            site = AttentionSite(AttentionKind.CROSS, layer)
            k, v = reader.attention(*site).project_memory(reader.read_by(memory, layer)[None])
            self.arrived[site, "k"], self.arrived[site, "v"] = k, v

    def _through(self, side: Side, sublayers: Sequence[Sublayer], moved: Tensor | None) -> Tensor | None:
        """What leaves a layer when `moved` (None: nothing else than B's) enters it, [n, d]."""
        for sublayer in sublayers:
            kind = _kind(side, sublayer.name)
            if moved is not None and kind is not None:
                self._reach(AttentionSite(kind, sublayer.layer), replace(sublayer, before=moved).reads)
            here = kind is self.sender.kind and sublayer.layer == self.sender.layer
            if moved is not None:
                moved = replace(sublayer, before=moved).after
            elif here:
                moved = replace(sublayer, output=self._sent(sublayer.output)).after
        return moved

    def _sent(self, output: Tensor) -> Tensor:
        """The sub-layer's output [n, d] with the sender's part of it A's."""
        sender, runs = self.sender, self.runs
        site = AttentionSite(sender.kind, sender.layer)
        attention = self._reader.attention(*site)
        rows = runs.rows(sender.kind)
        z, own = (run.kept.outputs[site][0, sender.head] for run in (runs.a, runs.b))
        change = z[rows[1]] - own[rows[0]]
        width = attention.width
        columns = attention.out_proj.weight[:, sender.head * width : (sender.head + 1) * width]
        result = output.clone()
        result[rows[0]] += change @ columns.t()
        return result

    def _reach(self, site: AttentionSite, reads: Tensor) -> None:
        attention = self._reader.attention(*site)
        if site.kind is AttentionKind.CROSS:
            self.arrived[site, "q"] = attention.project_query(reads[None])
            return
        parts = attention.project_self(reads[None], self._reader.spots(site.kind))
        self.arrived.update({(site, part): made for part, made in zip(_PARTS, parts)})


class _Arrives:
    """A tap that puts what arrived at some heads there, in each row of the batch, after B's alterations."""

    def __init__(self, runs: TwoRuns, puts: Sequence[Put]) -> None:
        self._altering, self._puts = runs.b.reader.altering, puts
        self.carrying = self

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """See `model.network.attention.Tap`."""
        return self._altering.tap(site, pattern)

    def inputs(self, site: AttentionSite, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See `model.network.carrying.Carrying`."""
        parts = []
        for part, own in zip(_PARTS, (q, k, v)):
            changed = own
            for row, put in enumerate(self._puts):
                if (site, part) in put:
                    heads, arrived = put[site, part]
                    if changed is own:
                        changed = own.expand(len(self._puts), -1, -1, -1).clone()
                    changed[row, heads] = arrived[0, heads]
            parts.append(changed)
        return parts[0], parts[1], parts[2]

    def output(self, site: AttentionSite, mixed: Tensor) -> Tensor:
        """See `model.network.carrying.Carrying`."""
        return mixed

    def stream(self, side: Side, layer: int, x: Tensor) -> Tensor:
        """See `model.network.carrying.Carrying`."""
        return x


def _grids(path: Reach) -> tuple[PatchGrid, ...]:
    """Those that anything arrives in, and the final residual sum."""
    a = path.runs.b.reader.architecture
    grids = []
    for kind in AttentionKind:
        for part in _PARTS:
            if any((AttentionSite(kind, layer), part) in path.arrived for layer in range(layers_of(a, kind))):
                heads = a.n_heads if part == "q" else a.key_heads
                grids.append(PatchGrid(kind, "head", np.full((layers_of(a, kind), heads), np.nan), part))
    if path.final is not None:
        grids.append(PatchGrid(AttentionKind.DECODER_SELF, "head", np.full((1, 1), np.nan), "final"))
    return tuple(grids)


def _kind(side: Side, name: str) -> AttentionKind | None:
    if name == "cross":
        return AttentionKind.CROSS
    if name != "self_attention":
        return None
    return AttentionKind.ENCODER_SELF if side == "source" else AttentionKind.DECODER_SELF


def _head_text(place: HeadPlace) -> str:
    return f"{place.kind}:{place.layer + 1}:{place.head + 1}"
