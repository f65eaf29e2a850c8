"""TokenTree: tokens that may follow one another; greedy search, beam search and sampling on it. No torch.

Node 0 is the root, what was written before; every parent stands before its children. A node without children
is a leaf: a hypothesis that ended, or that is followed no further.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from model.decoding.decode_config import DecodeConfig

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Rank = Callable[[float, int], float]
"""What hypotheses are ranked by: of a score and a number of tokens."""


@dataclass(frozen=True, eq=False)
class TokenTree:
    """A tree of tokens.

    Attributes:
        tokens: of each node; the root's is the last one before it, which may be the start token.
        parents: [n] -1 of the root.
        logprobs: [n] natural log probability of each token after its parent's; 0 of the root.
        ends: [n] whether it ends a sentence.
        before: how many tokens were produced before the root.
        before_score: the sum of their log probabilities.
        pieces: tokens are raw pieces of a tokenizer.
    """

    tokens: tuple[str, ...]
    parents: Ints
    logprobs: Doubles
    ends: npt.NDArray[np.bool_]
    before: int = 0
    before_score: float = 0.0
    pieces: bool = False

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Of each node, in order."""
        found: list[list[int]] = [[] for _ in self.tokens]
        for node, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                found[parent].append(node)
        return tuple(map(tuple, found))

    @cached_property
    def scores(self) -> Doubles:
        """[n] sum of the log probabilities of all tokens up to a node, those before the root included."""
        sums = np.full(len(self.tokens), self.before_score)
        for node, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                sums[node] = sums[parent] + self.logprobs[node]
        return sums

    @cached_property
    def lengths(self) -> Ints:
        """[n] how many tokens were produced up to a node, its own included."""
        counts = np.full(len(self.tokens), self.before)
        for node, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                counts[node] = counts[parent] + 1
        return counts

    @property
    def leaves(self) -> list[int]:
        """Nodes without children; of a root alone none."""
        return [node for node, below in enumerate(self.children) if not below and node > 0]

    def path(self, node: int) -> tuple[int, ...]:
        """The nodes on the way to one, the root left out."""
        found = []
        while node > 0:
            found.append(node)
            node = int(self.parents[node])
        return tuple(found[::-1])

    def tempered(self, temperature: float) -> Doubles:
        """[n] probability of each token among its siblings: p^(1/temperature), made to sum to 1.

        Where not all that may follow is in the tree, that is sampling from the most probable ones (top-k).
        """
        result = np.ones(len(self.tokens))
        for below in self.children:
            if below:
                scaled = self.logprobs[list(below)] / temperature
                weights = np.exp(scaled - scaled.max())
                result[list(below)] = weights / weights.sum()
        return result


@dataclass(frozen=True)
class Search:
    """What a search did.

    Attributes:
        kept: the nodes that it went on with, the root among them.
        ended: leaves that it arrived at, the best first.
    """

    kept: frozenset[int]
    ended: tuple[int, ...]


def greedy(tree: TokenTree) -> Search:
    """Always the most probable token; of equal ones the first."""
    node = 0
    while tree.children[node]:
        node = max(tree.children[node], key=lambda child: tree.logprobs[child])
    return Search(frozenset((0, *tree.path(node))), (node,))


def beam(tree: TokenTree, width: int, rank: Rank) -> Search:
    """As many hypotheses as the beam is wide; one that has ended gives up its place (Sutskever et al. 2014).

    Args:
        rank: orders those that ended.
    """
    live, kept = [0], {0}
    ended: list[int] = []
    while live and len(ended) < width:
        considered = [child for node in live for child in tree.children[node]]
        considered.sort(key=lambda child: -tree.scores[child])
        chosen = considered[: width - len(ended)]
        kept.update(chosen)
        ended += [node for node in chosen if not tree.children[node]]
        live = [node for node in chosen if tree.children[node]]
    ended.sort(key=lambda node: -rank(float(tree.scores[node]), int(tree.lengths[node])))
    return Search(frozenset(kept), tuple(ended))


def shares(tree: TokenTree, temperature: float) -> Doubles:
    """[n] exact probability that sampling passes through each node."""
    tempered = tree.tempered(temperature)
    result = np.ones(len(tree.tokens))
    for node, parent in enumerate(tree.parents.tolist()):
        if parent >= 0:
            result[node] = result[parent] * tempered[node]
    return result


def sampled(tree: TokenTree, temperature: float, count: int, seed: int) -> Ints:
    """[n] how many of so many samples pass through each node; token by token, the same for the same seed."""
    generator = np.random.default_rng(seed)
    tempered = tree.tempered(temperature)
    result = np.zeros(len(tree.tokens), np.int64)
    result[0] = count
    for node, below in enumerate(tree.children):
        if below:
            result[list(below)] = generator.multinomial(result[node], tempered[list(below)])
    return result


def ranking(formula: str, alpha: float) -> Rank:
    """What hypotheses are ranked by: the score over a power of the number of tokens T.

    Args:
        formula: `power` is this program's own, T^α; `gnmt` that of Wu et al. 2016, section 7,
            ((5 + T) / (5 + 1))^α, which Vaswani et al. 2017 (section 6.1) use with α = 0.6.
    """
    if formula == "power":
        return DecodeConfig(mode="beam", length_penalty=alpha).rank_score
    return lambda score, tokens: score / math.pow((5 + tokens) / 6, alpha)


def tree_of(nested: Mapping[str, Any], start: str = "<s>") -> TokenTree:
    """A tree from probabilities in one another: {token: p} of a leaf that ends, {token: (p, {…})} else."""
    tokens, parents, probabilities = [start], [-1], [1.0]
    waiting: list[tuple[int, Mapping[str, Any]]] = [(0, nested)]
    for parent, below in waiting:
        for token, one in below.items():
            p, further = one if isinstance(one, tuple) else (one, {})
            waiting.append((len(tokens), further))
            tokens.append(token)
            parents.append(parent)
            probabilities.append(p)
    ends = np.ones(len(tokens), np.bool_)
    ends[[0, *parents[1:]]] = False
    return TokenTree(tuple(tokens), np.array(parents), np.log(probabilities), ends)
