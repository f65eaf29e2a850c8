"""Trees written as a sequence: an arithmetic expression and its bracketed tree, the operator first."""

from __future__ import annotations

import random
from collections.abc import Iterator

from model.alignment.links import Links
from model.data.pairs.pair_files import Pair

OPERANDS = tuple("abcdefghijkl")
OPERATORS = ("+", "-", "*", "/")
FEWEST, MOST = 2, 6  # operands


def _draw_expressions(seed: int) -> Iterator[list[str]]:
    """Operands and operators in turn, without brackets; all lengths and words are equally likely."""
    draw = random.Random(f"trees {seed}")
    while True:
        words = [draw.choice(OPERANDS)]
        for _ in range(draw.randint(FEWEST, MOST) - 1):
            words += [draw.choice(OPERATORS), draw.choice(OPERANDS)]
        yield words


def tree_of(words: list[str]) -> list[tuple[str, int]]:
    """The tree of an expression: its words with their places there, and brackets with the place -1.

    `*` and `/` bind tighter than `+` and `-`; operators of one strength group from the left.
    """
    leaves: list[list[tuple[str, int]]] = [[(word, i)] for i, word in enumerate(words) if i % 2 == 0]
    operators = [(word, i) for i, word in enumerate(words) if i % 2]
    for strength in ("*/", "+-"):
        grouped, left = [leaves[0]], []
        for operator, leaf in zip(operators, leaves[1:]):
            if operator[0] in strength:
                grouped[-1] = [("(", -1), operator, *grouped[-1], *leaf, (")", -1)]
            else:
                grouped.append(leaf)
                left.append(operator)
        leaves, operators = grouped, left
    return leaves[0]


def draw_trees(seed: int) -> Iterator[Pair]:
    """Yields for ever expressions and their trees: `a - b * c` and `( - a ( * b c ) )`; they may repeat."""
    for words in _draw_expressions(seed):
        yield " ".join(words), " ".join(word for word, _ in tree_of(words))


def draw_tree_links(seed: int) -> Iterator[Links]:
    """Yields for ever (source, target) places of operands and operators; brackets come from no word."""
    for words in _draw_expressions(seed):
        yield tuple(sorted((i, j) for j, (_, i) in enumerate(tree_of(words)) if i >= 0))
