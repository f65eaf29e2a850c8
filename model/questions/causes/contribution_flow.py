"""ContributionFlow: from one word that is written back to the tokens it is made of, edge by edge. No torch.

A contribution c says what share of a token in one layer is another's in the layer before. Followed from the
last decoder layer's state at one step, which has all of the flow (1), an edge carries c times what flows on
from its upper end, and what enters a token is what leaves it. At the lower ends, source tokens and tokens
that the decoder reads, it is what `Contributions` multiplies through both stacks.

Shapes: E encoder layers, D decoder layers, S source tokens, T steps. All count from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from model.questions.causes.contributions import Contributions
from model.trace.trace import AttentionKind

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

KINDS = tuple(AttentionKind)


class Edges(NamedTuple):
    """Edges of a flow, one an entry.

    Attributes:
        kind: place in `KINDS`; layer: of its attention.
        query, key: the tokens at its upper and its lower end.
        depth: at how many encoder layers its lower end stands; of a decoder's own, decoder layers.
        share: the contribution, 0 to 1; flow: that times what flows on from the upper end.
    """

    kind: Places
    layer: Places
    query: Places
    key: Places
    depth: Places
    share: Numbers
    flow: Numbers

    def __len__(self) -> int:  # of a tuple it would be 7
        return len(self.flow)

    def where(self, chosen: npt.NDArray[Any]) -> Edges:
        """Some of them, by a mask or by places."""
        return Edges(*(column[chosen] for column in self))


@dataclass(frozen=True, eq=False)
class ContributionFlow:
    """What flows to one step's word.

    Attributes:
        step: which.
        encoder: [E + 1, S] through each source token as it enters the encoder and leaves each layer.
        decoder: [D + 1, T] the same of the tokens that the decoder reads.
        edges: all that carry anything, the strongest first.
    """

    step: int
    encoder: Numbers
    decoder: Numbers
    edges: Edges

    @property
    def source_share(self) -> float:
        """What comes from source tokens; the rest is of those that the decoder reads."""
        return float(self.encoder[0].sum())

    def hidden_below(self, threshold: float) -> float:
        """The share of all that edges carry which is carried by edges weaker than this."""
        whole = float(self.edges.flow.sum())
        return float(self.edges.flow[self.edges.flow < threshold].sum()) / whole if whole else 0.0


def flow_to(contributions: Contributions, step: int) -> ContributionFlow:
    """The flow to the word of a step.

    Raises:
        IndexError: there is no such step.
    """
    layers, steps, tokens = contributions.cross.shape
    if not 0 <= step < steps:
        raise IndexError(step)
    depths = len(contributions.encoder) + 1
    encoder, decoder = np.zeros((depths, tokens)), np.zeros((layers + 1, steps))
    decoder[layers, step] = 1.0
    found: list[Edges] = []
    for layer in reversed(range(layers)):
        above = decoder[layer + 1][:, None]
        own = contributions.kept[layer][:, None].astype(np.float64) * contributions.own[layer]
        found.append(_edges(AttentionKind.DECODER_SELF, layer, layer, own, above))
        decoder[layer] = (above * own).sum(0)
        for depth in np.flatnonzero(contributions.read[layer].any(-1)).tolist():
            brought = contributions.cross[layer] * contributions.read[layer, depth].astype(np.float64)
            found.append(_edges(AttentionKind.CROSS, layer, depth, brought, above))
            encoder[depth] += (above * brought).sum(0)
    for layer in reversed(range(depths - 1)):
        above, shares = encoder[layer + 1][:, None], contributions.encoder[layer].astype(np.float64)
        found.append(_edges(AttentionKind.ENCODER_SELF, layer, layer, shares, above))
        encoder[layer] += (above * shares).sum(0)
    columns = [np.concatenate(parts) for parts in zip(*found, strict=True)]
    edges = Edges(*columns)
    return ContributionFlow(step, encoder, decoder, edges.where(np.argsort(-edges.flow, kind="stable")))


def _edges(kind: AttentionKind, layer: int, depth: int, shares: Numbers, above: Numbers) -> Edges:
    """Those of one block that carry anything: shares [Q, K], and what flows on from each query [Q, 1]."""
    flow = shares * above
    query, key = np.nonzero(flow > 0)
    same = np.ones(len(query), np.int64)
    return Edges(
        KINDS.index(kind) * same, layer * same, query, key, depth * same, shares[query, key], flow[query, key]
    )
