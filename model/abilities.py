"""Abilities: what may be asked of a model. No torch."""

from __future__ import annotations

from enum import StrEnum


class Ability(StrEnum):
    """Something that not every model can do.

    Attributes:
        WRITE: produce tokens one after the other (greedy, sampling, forced, beam search, branches).
        ROUNDS: write all tokens at once, in rounds.
        FILL: say what stands at masked words.
        ALTER: compute with changed heads, rows or source tokens (What if, heads' importance, order of words).
        ANSWER: tell of what it computes beyond the patterns (arithmetic, layer walk, gradients, value norms,
            shares, heads over a corpus).
    """

    WRITE = "write"
    ROUNDS = "rounds"
    FILL = "fill"
    ALTER = "alter"
    ANSWER = "answer"


ALL_ABILITIES = frozenset((Ability.WRITE, Ability.ALTER, Ability.ANSWER))
"""Of a model that is loaded into our own Transformer."""

ROUND_ABILITIES = ALL_ABILITIES - {Ability.WRITE} | {Ability.ROUNDS}
"""Of one of these that writes all tokens at once."""
