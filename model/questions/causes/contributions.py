"""Contributions: what each token is made of, layer by layer and through both stacks: questions, answers.

ALTI (Ferrando et al. 2022, "Measuring the Mixing of Contextual Information in the Transformer", arXiv
2203.04212) for the encoder, ALTI+ (Ferrando et al. 2022, "Towards Opening the Black Box of Neural Machine
Translation", arXiv 2205.11631) for both stacks. The output y_i of an attention block, with the residual and
the norm, is a sum of transformed vectors T_i(x_j), one of each token that is read, and biases, with the norm
kept at its recorded deviation; the residual is in T_i(x_i). What x_j contributes is

    c_ij ∝ max(0, ‖y_i‖₁ - ‖y_i - T_i(x_j)‖₁),  rows normalised to sum to 1.

Biases have no share, though y_i holds them. Layers are multiplied; feed-forward networks act on one token at
a time and are passed through. In a decoder's cross-attention the residual carries the prefix, the memory the
source.

Shapes: E encoder layers, D decoder layers, H heads, S source tokens, T steps. All count from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from model.questions.causes.meaning import most
from model.questions.causes.method import Given, Method
from model.questions.causes.report import Report
from model.questions.causes.rows import checked_layer, checked_step, map_rows, read_tokens, row_meaning
from model.questions.questions import Question
from model.read_only import read_only
from model.trace.trace import AttentionKind, Floats, Trace


@dataclass(frozen=True)
class ContributionsOf(Question, answered_by="model.causes.contributions:contributions_of"):
    """What every token of both stacks is made of; answered by `Contributions`."""


@dataclass(frozen=True)
class HeadContributionsOf(Question, answered_by="model.causes.contributions:heads_of"):
    """Which heads carry each of these contributions; answered by `HeadContributions`."""


@dataclass(frozen=True, eq=False)
class Contributions:
    """Contributions of one layer each, float32, and multiplied through the layers.

    Attributes:
        encoder: [E, S, S] of a layer's inputs to its attention block's outputs.
        own: [D, T, T] of the inputs to the outputs of a decoder layer's self-attention block.
        cross: [D, T, S] of memory tokens to the outputs of its cross-attention block.
        kept: [D, T] of the residual there, which is the prefix's; with `cross` rows sum to 1.
        read: [D, E + 1, S] of the embedding sum and each encoder layer to what a decoder layer reads of a
            source token; the last layer alone unless another `wiring` is set.
        copies: whether words are also copied from the source, which contributions do not count.
    """

    encoder: Floats
    own: Floats
    cross: Floats
    kept: Floats
    read: Floats
    copies: bool = False

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        """[Q, K] of one layer alone, not multiplied."""
        found: Floats = self._by_kind((self.encoder, self.own, self.cross), kind)[layer]
        return found

    def up_to(self, kind: AttentionKind, layer: int) -> Floats:
        """[Q, K] of source or prefix tokens to what leaves a layer; in a decoder both sum to 1 together."""
        stacks = (self.encoder_through[1:], self.prefix_through, self.source_through)
        found: Floats = self._by_kind(stacks, kind)[layer]
        return found

    @staticmethod
    def _by_kind(arrays: tuple[Floats, Floats, Floats], kind: AttentionKind) -> Floats:
        return dict(zip(AttentionKind, arrays, strict=True))[kind]

    @cached_property
    def encoder_through(self) -> Floats:
        """[E + 1, S, S] of source tokens to what enters the encoder (each its own) and leaves each layer."""
        return rolled(self.encoder)

    @cached_property
    def source_through(self) -> Floats:
        """[D, T, S] of source tokens to what leaves each decoder layer."""
        return self._through[0]

    @cached_property
    def prefix_through(self) -> Floats:
        """[D, T, T] of the tokens that the decoder reads to what leaves each of its layers."""
        return self._through[1]

    @cached_property
    def source_shares(self) -> Floats:
        """[D, T] the source's share of what leaves each decoder layer; the rest is the prefix's."""
        return read_only(self.source_through.sum(-1, dtype=np.float64).astype(np.float32))

    @cached_property
    def _through(self) -> tuple[Floats, Floats]:
        layers, steps, tokens = self.cross.shape
        encoder = self.encoder_through.astype(np.float64)
        source, prefix = np.zeros((steps, tokens)), np.eye(steps)
        sources, prefixes = np.zeros((layers, steps, tokens)), np.zeros((layers, steps, steps))
        for layer in range(layers):
            memory = np.einsum("ls,lsj->sj", self.read[layer].astype(np.float64), encoder)
            stays = self.kept[layer, :, None].astype(np.float64) * self.own[layer]
            source = stays @ source + self.cross[layer].astype(np.float64) @ memory
            prefix = stays @ prefix
            sources[layer], prefixes[layer] = source, prefix
        return read_only(sources.astype(np.float32)), read_only(prefixes.astype(np.float32))


@dataclass(frozen=True, eq=False)
class HeadContributions:
    """What each head, and the residual, carries of a contribution: the same measure for its part alone.

    No paper defines it head by head. Shares of a contribution sum to 1, or to 0 where no part by itself comes
    nearer to the output than nothing does.

    Attributes:
        heads: by family float32 [L, H, Q, K].
        residual: by family [L, Q]: of a token to itself; zeros in cross-attention, where it is no token's.
    """

    heads: Mapping[AttentionKind, Floats]
    residual: Mapping[AttentionKind, Floats]


def rolled(layers: Floats) -> Floats:
    """[L + 1, n, n] of layers' own contributions [L, n, n]: none, then the product of the first 1 … L."""
    through = [np.eye(layers.shape[1])]
    for layer in layers:
        through.append(layer.astype(np.float64) @ through[-1])
    return read_only(np.stack(through).astype(np.float32))


def report(answer: Contributions, given: Given) -> Report:
    """Through both stacks up to a layer, one line a step and token; of a kind, one layer alone.

    Raises:
        HeadscopeError: there is no such step or layer.
    """
    trace, kind = given.trace, given.get("kind")
    arrays = {
        "encoder": answer.encoder,
        "decoder_self": answer.own,
        "cross": answer.cross,
        "kept": answer.kept,
        "read": answer.read,
        "encoder_through": answer.encoder_through,
        "source_through": answer.source_through,
        "prefix_through": answer.prefix_through,
    }
    notes = (COPIES,) if answer.copies else ()
    if kind is not None:
        layer = checked_layer(given, kind)
        columns, rows = map_rows(given, kind, answer.layer(kind, layer))
        facts: dict[str, Any] = {
            "kind": str(kind),
            "layer": layer,
            "layer_number": layer + 1,
            "multiplied": False,
        }
        if kind is AttentionKind.CROSS:
            facts["kept"] = {step: float(answer.kept[layer, step]) for step in checked_step(given, kind)}
        return Report(
            facts, columns, rows, arrays, notes, meaning=row_meaning(given, kind, answer.layer(kind, layer))
        )
    layer = checked_layer(given, AttentionKind.CROSS)
    steps = checked_step(given, AttentionKind.CROSS)
    parts = (
        ("source", trace.src_tokens, answer.up_to(AttentionKind.CROSS, layer)),
        ("prefix", read_tokens(trace), answer.up_to(AttentionKind.DECODER_SELF, layer)),
    )
    table = [
        (
            step,
            step + 1,
            trace.tgt_out_tokens[step],
            name,
            place,
            place + 1,
            token,
            float(shares[step, place]),
        )
        for step in steps
        for name, tokens, shares in parts
        for place, token in enumerate(tokens)
        if name == "source" or place <= step or not trace.is_causal
    ]
    shares = answer.source_shares[layer]
    facts = {
        "layer": layer,
        "layer_number": layer + 1,
        "multiplied": True,
        "source_share": {step: float(shares[step]) for step in steps},
        "prefix_share": {step: 1.0 - float(shares[step]) for step in steps},
    }
    columns = ("step", "step_number", "predicts", "part", "position", "position_number", "token", "share")
    return Report(facts, columns, table, arrays, notes, meaning=_meaning(trace, steps, parts, shares))


def _meaning(
    trace: Trace, steps: Sequence[int], parts: Iterable[tuple[str, Sequence[str], Floats]], source: Floats
) -> tuple[str, ...]:
    """Of a step what it is made of; of all the range of the source's share."""
    if not steps:
        return ()
    named = [f"{trace.tgt_out_tokens[step]} (step {step + 1})" for step in range(trace.steps)]
    if len(steps) == 1:
        (step,) = steps
        tokens = [f"{token} ({name})" for name, tokens, _ in parts for token in tokens]
        shares = np.concatenate([shares[step] for _, _, shares in parts])
        share = 100 * float(source[step])
        return (
            f"{named[step]}: {share:.0f} % from the source, {100 - share:.0f} % from what was written "
            f"before; most of {most(tokens, shares)}.",
        )
    low, high = int(np.argmin(source)), int(np.argmax(source))
    return (
        f"The source's share goes from {100 * float(source[low]):.0f} % at {named[low]} to "
        f"{100 * float(source[high]):.0f} % at {named[high]}; the rest is what was written before.",
    )


COPIES = "This model also copies words from the source: what a word's probability has of that is not counted."
"""What must be said besides of a model with a copy mechanism."""

METHOD = Method(
    "alti",
    label="Contributions (ALTI+)",
    formula="c_ij ∝ max(0, ‖y_i‖₁ − ‖y_i − T_i(x_j)‖₁), rows normalised to sum to 1",
    caveat="T_i(x_j) is what token j brings to y_i, the output of an attention block, with the norm kept at "
    "its recorded deviation and the residual in T_i(x_i). Biases have no share, what points away from y_i "
    "counts as nothing, and feed-forward networks are passed through; through several layers, shares are "
    "multiplied.",
    source="Ferrando et al. 2022, arXiv 2203.04212; Ferrando et al. 2022, arXiv 2205.11631",
    ask=lambda given: ContributionsOf(),
    report=report,
    takes=("step", "kind", "layer"),
)
"""ALTI in the encoder, ALTI+ in both stacks."""
