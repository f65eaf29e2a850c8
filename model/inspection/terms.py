"""Terms of an attention, whoever's model it is part of, and what is worked out of them.

Everything in float64, so that what is shown adds up.
Shapes: H heads, Q queries, K keys, d d_model, e a head's width.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from model.alterations.outline import Outline
from model.decoding.altering import Altering
from model.inspection.plain import plain
from model.network.attention import AttentionSite
from model.questions.answers import RowArithmetic, Stages
from model.read_only import read_only
from model.trace.trace import AttentionKind, Floats


@dataclass(frozen=True, eq=False)
class AttentionTerms:
    """What one attention computes with, all heads.

    Attributes:
        queries: [H, Q, e]; keys: [H, K, e]; turned by their positions where the model turns them.
        values: [H, Q or 1, K, e]: as each query mixes them. by_query: whether queries differ in that.
        divided: scores are divided by √e; T5 leaves them as they are.
        added: [H, Q, K] what positions add to the scaled scores; None for nothing.
        allowed: bool, broadcasts to [Q, K]; None where attention is allowed everywhere.
        parts: [H, d, e] the columns of W_O by head. bias: [d] of W_O, zeros without one.
        positions: what acts in this attention, as `RowArithmetic` names it.
    """

    queries: Tensor
    keys: Tensor
    values: Tensor
    added: Tensor | None
    allowed: Tensor | None
    parts: Tensor
    bias: Tensor
    positions: str = ""
    divided: bool = True
    by_query: bool = False

    @property
    def rows_allowed(self) -> Tensor | None:
        """`allowed` with a row for every query."""
        return None if self.allowed is None else self.allowed.expand(self.queries.shape[1], -1)


class Attending(Protocol):
    """A reading whose attentions can be worked out."""

    outline: Outline
    altering: Altering

    def terms(self, kind: AttentionKind, layer: int) -> Generator[None, None, AttentionTerms]:
        """Those of a kind and layer; yields while something is still to be computed.

        Raises:
            HeadscopeError: a decoder's attention where there is no translation; or numbers overflow.
        """

    def rows(self, kind: AttentionKind) -> int:
        """How many rows the patterns of a kind have; 0 where nothing was written."""


class Softmax(NamedTuple):
    """Each stage, [..., K]."""

    scores: Tensor
    scaled: Tensor
    masked: Tensor
    pattern: Tensor
    forbidden: Tensor

    @classmethod
    def of(
        cls, q: Tensor, keys: Tensor, allowed: Tensor | None, added: Tensor | None, divided: bool
    ) -> Softmax:
        """Of q [..., q, e] and keys [..., K, e]; `allowed` broadcasts to [q, K], what is added has all."""
        scores = q @ keys.transpose(-1, -2)
        scaled = scores / math.sqrt(q.shape[-1]) if divided else scores
        if allowed is None:
            forbidden = torch.zeros(scores.shape, dtype=torch.bool, device=scores.device)
        else:
            forbidden = (~allowed).expand(scores.shape)
        compared = scaled if added is None else scaled + added
        masked = compared.masked_fill(forbidden, -math.inf)
        blind = forbidden.all(-1, keepdim=True)  # softmax of nothing is no number; such a row is zeros
        pattern = masked.softmax(-1).masked_fill(blind, 0.0)
        return cls(scores, scaled, masked, pattern, forbidden)


class Worked(NamedTuple):
    """What all heads of an attention do at one query; see `RowArithmetic`."""

    q: Tensor
    keys: Tensor
    values: Tensor
    stages: Softmax
    added: Tensor | None
    used: Tensor
    output: Tensor
    parts: Tensor
    shares: Tensor


def worked_out(
    terms: AttentionTerms, altering: Altering, site: AttentionSite, query: int, at: int | None = None
) -> Worked:
    """One query of every head.

    Args:
        at: which row of the terms it is, where they are not of all queries.
    """
    at = query if at is None else at
    row = slice(at, at + 1)
    q = terms.queries[:, row]
    added = None if terms.added is None else terms.added[:, row]
    values = terms.values[:, at if terms.by_query else 0]
    allowed = None if terms.rows_allowed is None else terms.rows_allowed[row]
    stages = Softmax.of(q, terms.keys, allowed, added, terms.divided)  # [H, 1, K]
    used = altering.used(site, stages.pattern[None], query)[0]
    output = used @ values
    shares = (terms.parts @ output.transpose(-1, -2))[..., 0]
    return Worked(q, terms.keys, values, stages, added, used, output, terms.parts, shares)


def row_arithmetic(
    terms: AttentionTerms, altering: Altering, site: AttentionSite, head: int, query: int
) -> RowArithmetic:
    """One query of one head."""
    worked = worked_out(terms, altering, site, query)
    own = Softmax(*(stage[head, 0] for stage in worked.stages))
    return RowArithmetic(
        site.kind,
        site.layer,
        head,
        query,
        q=plain(worked.q[head, 0]),
        keys=plain(worked.keys[head]),
        values=plain(worked.values[head]),
        scores=plain(own.scores),
        scaled=plain(own.scaled),
        masked=plain(own.masked, finite=False),
        forbidden=read_only(own.forbidden.numpy(force=True)),
        pattern=plain(own.pattern),
        used=plain(worked.used[head, 0]),
        output=plain(worked.output[head, 0]),
        projection=plain(worked.parts[head]),
        share=plain(worked.shares[head]),
        bias=plain(terms.bias),
        total=plain(worked.shares.sum(0) + terms.bias),
        share_norms=plain(worked.shares.norm(dim=-1)),
        positions=terms.positions,
        placed=None if worked.added is None else plain(worked.added[head, 0]),
        divided=terms.divided,
    )


def stages_arithmetic(terms: AttentionTerms, site: AttentionSite, head: int) -> Stages:
    """All rows of one head at each stage of the softmax."""
    added = None if terms.added is None else terms.added[head]
    stages = Softmax.of(terms.queries[head], terms.keys[head], terms.allowed, added, terms.divided)
    return Stages(
        site.kind,
        site.layer,
        head,
        scores=plain(stages.scores),
        scaled=plain(stages.scaled),
        masked=plain(stages.masked, finite=False),
        pattern=plain(stages.pattern),
        forbidden=read_only(stages.forbidden.numpy(force=True)),
        placed=None if added is None else plain(added),
        divided=terms.divided,
    )


def value_gram(terms: AttentionTerms) -> Floats:
    """Inner products of the values after W_O, [K, H, H]; [Q, K, H, H] where values depend on the query."""
    transformed = terms.values @ terms.parts[:, None].transpose(-1, -2)  # [H, Q, K, d]
    by_key = transformed.permute(1, 2, 0, 3)
    gram = by_key @ by_key.transpose(-1, -2)
    return plain(gram if terms.by_query else gram[0])
