"""ContributionsSpec: what one output word is made of, edge by edge, through decoder and encoder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from model.questions.causes.contribution_flow import KINDS, ContributionFlow, Edges
from model.questions.causes.contributions import HeadContributions
from model.trace.trace import AttentionKind
from viewer.document.text.token_text import TokenText
from viewer.figures.contributions.text import edge_words, heads_words

MOST_EDGES = 1000
"""More than these would be one grey area, and slow."""


@dataclass(frozen=True, eq=False)
class ContributionsSpec:
    """A graph: tokens of every layer, and edges by how much of the word flows along them.

    Attributes:
        source, read, predicted: tokens of the encoder, of the decoder, and what each of its steps predicts.
        layers: of encoder and decoder.
        flow: what flows to the word of its step.
        heads: which heads carry each contribution.
        threshold: edges of less flow are left out; hidden: the share of all edges' flow that these carry.
        notes: formula, caveat and source, a sentence each.
        causal: whether a step reads no later token.
    """

    source: tuple[TokenText, ...]
    read: tuple[TokenText, ...]
    predicted: tuple[TokenText, ...]
    layers: tuple[int, int]
    flow: ContributionFlow
    heads: HeadContributions
    threshold: float
    hidden: float
    title: str
    badges: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    causal: bool = True

    @property
    def step(self) -> int:
        """The step whose word it is."""
        return self.flow.step

    @cached_property
    def edges(self) -> Edges:
        """Those that are drawn, the strongest first."""
        edges = self.flow.edges
        return edges.where((edges.flow >= self.threshold).nonzero()[0][:MOST_EDGES])

    def kind_of(self, edge: int) -> AttentionKind:
        """The attention that an edge drawn goes through."""
        return KINDS[int(self.edges.kind[edge])]

    def place_of(self, edge: int) -> tuple[AttentionKind, int, int, int]:
        """Kind, layer, query and key of an edge drawn."""
        edges = self.edges
        return self.kind_of(edge), int(edges.layer[edge]), int(edges.query[edge]), int(edges.key[edge])

    def heads_of(self, edge: int) -> list[tuple[int | None, float]]:
        """What heads, and the residual connection (None), carry of an edge, the most first; 0 is left out."""
        return heads_at(self.heads, *self.place_of(edge))

    def sentence_of(self, edge: int) -> str:
        """What an edge is, what flows along it, and which head carries most of it."""
        kind, layer, query, key = self.place_of(edge)
        upper = self.source if kind is AttentionKind.ENCODER_SELF else self.read
        lower = self.read if kind is AttentionKind.DECODER_SELF else self.source
        share, flow = float(self.edges.share[edge]), float(self.edges.flow[edge])
        said = edge_words(kind, layer, upper[query].marked, lower[key].marked, share, flow)
        return f"{said} {heads_words(self.heads_of(edge)[:1])}".rstrip()

    def nearest(self, place: tuple[AttentionKind, int, int, int]) -> int | None:
        """The edge drawn at a place; None if it is not drawn."""
        kind, layer, query, key = place
        edges = self.edges
        at = (edges.kind == KINDS.index(kind)) & (edges.layer == layer)
        found = (at & (edges.query == query) & (edges.key == key)).nonzero()[0]
        return int(found[0]) if len(found) else None


def heads_at(
    heads: HeadContributions, kind: AttentionKind, layer: int, query: int, key: int
) -> list[tuple[int | None, float]]:
    """Shares of the heads, and of the residual connection (None), in a contribution; 0 is left out."""
    shares = heads.heads[kind][layer, :, query, key]
    found: list[tuple[int | None, float]] = [(head, float(share)) for head, share in enumerate(shares)]
    if kind is not AttentionKind.CROSS and query == key:
        found.append((None, float(heads.residual[kind][layer, query])))
    return sorted((one for one in found if one[1] > 0), key=lambda one: -one[1])
