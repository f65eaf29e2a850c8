"""Ablation: what takes the place of the output of heads that are off, before the output projection W_O.

`zero`: nothing. `mean`: the head's mean output over all tokens of a file (encoder heads: source tokens;
decoder heads: target tokens read with the right ones before them). `resample`: its output at a token of
another sentence, drawn once for every token of every sentence; all heads that are off take theirs there.

Shapes: b rows, h heads, q queries, e width of a head, n tokens that are kept of a stack.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from model.causes.heads_off import Head
from model.causes.pair_batches import PairBatch, PairBatches, pair_logprobs
from model.errors import HeadscopeError
from model.network.attention import AttentionSite
from model.network.transformer import Transformer
from model.questions.causes.pruning import With
from model.trace.trace import AttentionKind, Side

Places = npt.NDArray[np.int64]

KEPT = 2048
"""Tokens of a stack whose outputs are kept to be drawn from; of more, so many are drawn first."""


@dataclass(frozen=True, eq=False)
class Outputs:
    """Heads' outputs over pairs.

    Attributes:
        means: [h, e] of every site over all tokens.
        kept: [n, h, e] of every site at some tokens, in the order of their sentences.
        drawn: by side, int64 [sentence, token]: which of `kept` each token takes, always another sentence's;
            empty where there is only one.
    """

    means: dict[AttentionSite, Tensor]
    kept: dict[AttentionSite, Tensor]
    drawn: dict[Side, Tensor]


def side_of(kind: AttentionKind) -> Side:
    """The stack whose tokens are the queries of a kind."""
    return "source" if kind is AttentionKind.ENCODER_SELF else "target"


class HeadsOff:
    """A tap under which heads are off; told which sentences a batch's rows are, see `reading`.

    Args:
        outputs: what takes their place; None for nothing.
        replaced: see the module.
    """

    def __init__(
        self, heads: Sequence[Head], n_heads: int, replaced: With = "zero", outputs: Outputs | None = None
    ) -> None:
        self._off: dict[AttentionSite, list[int]] = {}
        for kind, layer, head in heads:
            self._off.setdefault(AttentionSite(kind, layer), []).append(head)
        self._factors = {site: _factors(off, n_heads) for site, off in self._off.items()}
        self._outputs, self._replaced = outputs, replaced
        self._rows: Sequence[int] = ()
        self._steps = 0  # target tokens known to the decoder layer that is being computed
        self.carrying = None if replaced == "zero" else self
        self.encoder_as_usual = not any(kind is AttentionKind.ENCODER_SELF for kind, _, _ in heads)

    def reading(self, rows: Sequence[int]) -> None:
        """Which sentences the rows of the batch are that is read next."""
        self._rows = rows

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """See `model.network.attention.Tap`."""
        if site.kind is AttentionKind.DECODER_SELF:
            self._steps = pattern.shape[-1]
        if self._replaced != "zero" or site not in self._factors:
            return None
        return pattern * self._factors[site].to(pattern)

    # See `model.network.carrying`.

    def inputs(self, site: AttentionSite, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """As they are."""
        return q, k, v

    def stream(self, side: Side, layer: int, x: Tensor) -> Tensor:
        """As it is."""
        return x

    def output(self, site: AttentionSite, mixed: Tensor) -> Tensor:
        """The heads' outputs [b, h, q, e], those that are off replaced."""
        off = self._off.get(site)
        if off is None:
            return mixed
        assert self._outputs is not None
        result = mixed.clone()
        if self._replaced == "mean":
            result[:, off] = self._outputs.means[site][off][:, None].to(mixed)
            return result
        queries, side = mixed.shape[2], side_of(site.kind)
        first = 0 if side == "source" else self._steps - queries
        drawn = self._outputs.drawn[side][list(self._rows), first : first + queries]
        elsewhere = self._outputs.kept[site][drawn][:, :, off]  # [b, q, off, e]
        result[:, off] = elsewhere.transpose(1, 2).to(mixed)
        return result


def _factors(off: Sequence[int], n_heads: int) -> Tensor:
    factors = torch.ones(n_heads, 1, 1)
    factors[list(off)] = 0.0
    return factors


def outputs_of(
    network: Transformer, pairs: PairBatches, longest: int, seed: int
) -> Generator[None, None, Outputs]:
    """What every head gives on over pairs; yields after each batch.

    Args:
        longest: target tokens that any translation may come to.
        seed: of what is drawn.

    Raises:
        HeadscopeError: `prune_few`: of a single sentence nothing can be drawn from another; `model_overflow`.
    """
    if len(pairs.pairs) < 2:
        raise HeadscopeError("prune_few")
    generator = np.random.Generator(np.random.PCG64(seed))
    lengths: dict[Side, list[int]] = {
        "source": [len(pair.source) for pair in pairs.pairs],
        "target": [len(pair.out) for pair in pairs.pairs],
    }
    widths: dict[Side, int] = {
        "source": max(lengths["source"]),
        "target": max(longest, *lengths["target"]),
    }
    chosen = {side: _chosen(each, generator) for side, each in lengths.items()}
    drawn = {side: _drawn(chosen[side][0], len(pairs.pairs), widths[side], generator) for side in lengths}
    gathering = _Gathering(chosen)
    for batch in pairs.batches:
        gathering.read(network, batch)
        yield None
    return gathering.outputs({side: each.to(network.device) for side, each in drawn.items()})


def _chosen(lengths: Sequence[int], generator: np.random.Generator) -> tuple[Places, Places]:
    """Sentence and token of those that are kept, in their order; both int64 [n]."""
    sentences = np.repeat(np.arange(len(lengths)), lengths)
    tokens = np.concatenate([np.arange(length) for length in lengths])
    if len(tokens) > KEPT:
        # One of each sentence at least, so that there is always another sentence to draw from.
        order = generator.permutation(len(tokens))
        firsts = np.unique(sentences[order], return_index=True)[1]
        rest = np.setdiff1d(np.arange(len(tokens)), firsts, assume_unique=True)
        places = np.sort(order[np.concatenate([firsts, rest])[: max(KEPT, len(firsts))]])
        sentences, tokens = sentences[places], tokens[places]
    return sentences, tokens


def _drawn(sentences: Places, count: int, width: int, generator: np.random.Generator) -> Tensor:
    """int64 [count, width]: for every token of every sentence a place among those kept, of another one."""
    first = np.searchsorted(sentences, np.arange(count), "left")[:, None]
    own = np.searchsorted(sentences, np.arange(count), "right")[:, None] - first
    others = len(sentences) - own
    drawn = (generator.random((count, width)) * others).astype(np.int64)
    return torch.from_numpy(np.where(drawn < first, drawn, drawn + own))


class _Gathering:
    """Means over all tokens, and the outputs at those that are chosen; itself a tap."""

    def __init__(self, chosen: dict[Side, tuple[Places, Places]]) -> None:
        self._chosen = chosen
        self._sums: dict[AttentionSite, Tensor] = {}
        self._counts: dict[AttentionSite, int] = {}
        self._kept: dict[AttentionSite, Tensor] = {}
        self._batch: PairBatch | None = None
        self.carrying = self

    @torch.inference_mode()
    def read(self, network: Transformer, batch: PairBatch) -> None:
        """Add what the heads give on over a batch."""
        self._batch = batch
        pair_logprobs(network, batch, self)

    def outputs(self, drawn: dict[Side, Tensor]) -> Outputs:
        """All of it."""
        means = {site: (total / self._counts[site]).float() for site, total in self._sums.items()}
        return Outputs(means, self._kept, drawn)

    def __call__(self, site: AttentionSite, pattern: Tensor) -> None:
        """See `model.network.attention.Tap`."""

    def inputs(self, site: AttentionSite, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """As they are."""
        return q, k, v

    def stream(self, side: Side, layer: int, x: Tensor) -> Tensor:
        """As it is."""
        return x

    def output(self, site: AttentionSite, mixed: Tensor) -> Tensor:
        """As it is; noted."""
        assert self._batch is not None
        side, batch = side_of(site.kind), self._batch
        real = batch.source_mask if side == "source" else batch.target_mask
        tokens = mixed.transpose(1, 2)  # [b, q, h, e]
        total = tokens[real].double().sum(0)
        self._sums[site] = self._sums[site] + total if site in self._sums else total
        self._counts[site] = self._counts.get(site, 0) + int(real.sum())
        sentences, places = self._chosen[side]
        if site not in self._kept:
            self._kept[site] = mixed.new_zeros(len(sentences), *tokens.shape[2:])
        row_of = {sentence: row for row, sentence in enumerate(batch.places)}
        here = np.flatnonzero(np.isin(sentences, batch.places))
        rows = [row_of[int(sentence)] for sentence in sentences[here]]
        self._kept[site][here] = tokens[rows, places[here]]
        return mixed
