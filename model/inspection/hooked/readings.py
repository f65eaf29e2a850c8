"""`HookedReadings`: what a model that `transformers` runs computed for recent readings, seen through hooks.

Shapes: S source tokens, T target tokens, n tokens of a stack, d width of its residual stream.
"""

from __future__ import annotations

from collections.abc import Generator

import torch

from model.decoding.altering import Altering
from model.errors import HeadscopeError
from model.foreign.foreign_model import ForeignModel
from model.foreign.inside.tapping import heads_of
from model.inspection.hooked.hooked_pass import HookedPass, passed
from model.inspection.reading import check_ids
from model.inspection.readings import KEPT_BYTES, LARGEST_BYTES
from model.inspection.terms import AttentionTerms
from model.lru_cache import LruCache
from model.network.attention import AttentionSite
from model.questions.questions import Reading
from model.trace.trace import AttentionKind, Side


class HookedReadings:
    """Answers' memory of one model of others; see `model.inspection.readings.Readings`.

    Args:
        most, alone: bytes that are kept at most, and of one reading by itself.

    Raises:
        HeadscopeError: `source_cannot`: its modules are not known.
    """

    def __init__(self, model: ForeignModel, most: int = KEPT_BYTES, alone: int = LARGEST_BYTES) -> None:
        if model.inside is None or model.outline is None:
            raise HeadscopeError("source_cannot", name=model.name)
        self.model = model
        self._kept: LruCache[HookedPass] = LruCache(most, alone)

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self._kept.size

    def reader(self, reading: Reading) -> HookedReader:
        """What reads it; raises `HeadscopeError` when that cannot be read."""
        return HookedReader(self, reading)

    def passed(self, reader: HookedReader) -> Generator[None, None, HookedPass]:
        """What the model computes, the whole of it in one go; yields before it is computed."""
        found = self._kept.get(reader.reading)
        if found is None:
            yield None
            found = self._kept.get(reader.reading) or passed(reader)
            self._kept.put(reader.reading, found, found.size)
        return found


class HookedReader:
    """A model of others about to read a `Reading`; see `model.inspection.terms.Attending`.

    Attributes:
        source_ids, target_ids: int64 [1, S] and [1, T], as they are read; the latter is the start token
            alone where nothing was written.
        out_ids: what follows each of the target's tokens; nothing of what was not written.

    Raises:
        HeadscopeError: there is nothing to read, a token does not exist, a text is longer than the model
            reads, or the model or the sentence has no place for an alteration.
    """

    def __init__(self, readings: HookedReadings, reading: Reading) -> None:
        model = self.model = readings.model
        assert model.inside is not None
        assert model.outline is not None
        self.inside, self.outline = model.inside, model.outline
        self.reading = reading
        self.out_ids = reading.out_ids
        self._readings = readings
        prompted = self.outline.prompted
        if not (reading.in_ids if prompted else reading.src_ids):
            raise HeadscopeError("empty_text")
        if not all(change.by_hooks for change in reading.alterations):
            raise HeadscopeError("others_cannot_be", name=model.name)
        start = model.target_tokenizer.start_id
        target = reading.in_ids if prompted else (start, *reading.out_ids[:-1])
        for ids, limit in ((reading.src_ids, model.source_limit), (target, model.target_limit)):
            if len(ids) > limit:
                raise HeadscopeError("too_long", tokens=len(ids), limit=limit)
            check_ids(ids, model.source_tokenizer.vocab_size)
        check_ids(reading.out_ids, model.target_tokenizer.vocab_size)
        device = self.inside.network.device
        self.source_ids = torch.tensor([reading.src_ids], dtype=torch.int64, device=device)
        self.target_ids = torch.tensor([target], dtype=torch.int64, device=device)
        length = reading.prompt if prompted else len(reading.src_ids)
        self.altering = Altering(reading.alterations, self.outline, source_length=length, device=device)

    def rows(self, kind: AttentionKind) -> int:
        """See `Attending`."""
        if kind is AttentionKind.ENCODER_SELF:
            return self.source_ids.shape[1]
        return self.target_ids.shape[1] if self.out_ids else 0

    def tokens(self, side: Side) -> tuple[str, ...]:
        """Raw pieces that a stack reads."""
        tokenizer = self.model.source_tokenizer if side == "source" else self.model.target_tokenizer
        ids = self.source_ids if side == "source" else self.target_ids
        return tuple(map(tokenizer.piece, ids[0].tolist()))

    def passed(self) -> Generator[None, None, HookedPass]:
        """What the model computes; see `HookedReadings.passed`."""
        return (yield from self._readings.passed(self))

    def terms(self, kind: AttentionKind, layer: int) -> Generator[None, None, AttentionTerms]:
        """See `Attending`."""
        found = yield from self.passed()
        return self.terms_in(found, AttentionSite(kind, layer))

    @torch.inference_mode()
    def terms_in(self, found: HookedPass, site: AttentionSite) -> AttentionTerms:
        """The terms of an attention that was seen."""
        sight = found.sights[site]
        heads, rows = sight.queries.shape[1], self.rows(site.kind)
        values = heads_of(sight.values, heads)[0].double()
        matrix = self.inside.output_matrix(site).double()
        bias = self.inside.output_bias(site)
        added = None if sight.bias is None else sight.bias[0].double()[:, :rows]
        allowed = None if sight.allowed is None else sight.allowed[0, 0]
        anatomy = self.inside.anatomy
        acts = site.kind is not AttentionKind.CROSS and (anatomy.positions == "rotary" or added is not None)
        return AttentionTerms(
            queries=sight.queries[0].double()[:, :rows],
            keys=heads_of(sight.keys, heads)[0].double(),
            values=values[:, None],
            added=None if added is None else added.expand(heads, -1, -1),
            allowed=allowed,
            parts=matrix.view(len(matrix), heads, -1).transpose(0, 1),
            bias=matrix.new_zeros(len(matrix)) if bias is None else bias.double(),
            positions=anatomy.positions if acts else "",
            divided=anatomy.scores == "root",
        )
