"""Value zeroing: how much an output turns when a token's value is nothing: the question and its answer.

Mohebbi et al. 2023, "Quantifying Context Mixing in Transformers" (arXiv 2301.12971): within one layer the
value vectors of token j are set to zero in all heads, attention weights unchanged, and the layer is computed
on from there, feed-forward network and norms included (a decoder's cross-attention too):

    c_ij ∝ 1 - cos(y_i, y_i with v_j = 0),  rows normalised to sum to 1.

Their rollout multiplies the layers of an encoder without adding an identity: the residual is in y_i already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from model.questions.causes.contributions import rolled
from model.questions.causes.method import Given, Method
from model.questions.causes.report import Report
from model.questions.causes.rows import checked_layer, map_rows, row_meaning
from model.questions.questions import Question, Urgency
from model.trace.trace import AttentionKind, Floats


@dataclass(frozen=True)
class ZeroingOf(Question, answered_by="model.causes.zeroing:zeroing_of"):
    """How much each layer's outputs turn without each token's values; answered by `Zeroing`."""

    urgency: ClassVar[Urgency] = "background"


@dataclass(frozen=True, eq=False)
class Zeroing:
    """Value zeroing of every layer.

    Attributes:
        layers: by family float32 [L, Q, K]; rows sum to 1.
    """

    layers: Mapping[AttentionKind, Floats]

    @cached_property
    def encoder_through(self) -> Floats:
        """[E + 1, S, S]: none, then the product of the encoder's first layers."""
        return rolled(self.layers[AttentionKind.ENCODER_SELF])


def report(answer: Zeroing, given: Given) -> Report:
    """A map of one layer; of the encoder without a layer, all of them multiplied.

    Raises:
        HeadscopeError: there is no such step or layer.
    """
    kind = given.get("kind") or AttentionKind.CROSS
    multiplied = kind is AttentionKind.ENCODER_SELF and given.get("layer") is None
    layer = checked_layer(given, kind)
    table = answer.encoder_through[-1] if multiplied else answer.layers[kind][layer]
    columns, rows = map_rows(given, kind, table)
    arrays = {str(each): layers for each, layers in answer.layers.items()}
    arrays["encoder_through"] = answer.encoder_through
    facts = {"kind": str(kind), "layer": layer, "layer_number": layer + 1, "multiplied": multiplied}
    return Report(facts, columns, rows, arrays, meaning=row_meaning(given, kind, table))


METHOD = Method(
    "zeroing",
    label="Value zeroing",
    formula="c_ij ∝ 1 − cos(y_i, y_i with v_j = 0), rows normalised to sum to 1",
    caveat="y_i is the layer's output behind its feed-forward network. The values of token j are set to zero "
    "in that layer alone, in all its heads, attention weights unchanged: how far the output turns, not how "
    "much of it token j makes up, and rows hide whether anything turned at all. "
    "Through the encoder's layers, shares are multiplied.",
    source="Mohebbi et al. 2023, arXiv 2301.12971",
    ask=lambda given: ZeroingOf(),
    report=report,
    takes=("step", "kind", "layer"),
)
"""Of every layer of both stacks; multiplied as in the paper, in the encoder."""
