"""Table of a contribution graph: one line an edge that carries anything to the word, counted from 0."""

from __future__ import annotations

from model.questions.causes.contribution_flow import KINDS
from model.trace.trace import AttentionKind
from viewer.figures.contributions.spec import ContributionsSpec, heads_at
from viewer.figures.table import Rows, exact

HEADER = (
    "step", "predicted_token", "kind", "layer", "layer_number", "query", "query_token", "key", "key_token",
    "from_layers", "contribution", "flow", "shown", "head", "head_number", "head_share", "residual_share",
)  # fmt: skip


def contributions_rows(spec: ContributionsSpec) -> Rows:
    """All edges, the strongest first; `shown` says which are drawn, `head` which head carries most of one.

    `from_layers`: how many layers what is read has passed. `flow`: the contribution times what flows on from
    its upper end; what ends in layer 0 sums to 1.
    """
    yield HEADER
    edges, shown = spec.flow.edges, len(spec.edges)
    said = (spec.step, spec.predicted[spec.step].raw)
    for place in range(len(edges)):
        kind = KINDS[int(edges.kind[place])]
        layer, query, key = (int(column[place]) for column in (edges.layer, edges.query, edges.key))
        upper = spec.source if kind is AttentionKind.ENCODER_SELF else spec.read
        lower = spec.read if kind is AttentionKind.DECODER_SELF else spec.source
        carried = heads_at(spec.heads, kind, layer, query, key)
        residual = next((share for head, share in carried if head is None), 0.0)
        head, share = next(((head, share) for head, share in carried if head is not None), (None, 0.0))
        yield (
            *said,
            str(kind),
            layer,
            layer + 1,
            query,
            upper[query].raw,
            key,
            lower[key].raw,
            int(edges.depth[place]),
            exact(edges.share[place]),
            exact(edges.flow[place]),
            int(place < shown),
            "" if head is None else head,
            "" if head is None else head + 1,
            exact(share),
            exact(residual),
        )
