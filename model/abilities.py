"""Abilities: what may be asked of a model. No torch."""

from __future__ import annotations

from enum import StrEnum


class Ability(StrEnum):
    """Something that not every model can do.

    Attributes:
        WRITE: produce tokens one after the other (greedy, sampling, forced, beam search, branches).
        ROUNDS: write all tokens at once, in rounds.
        FILL: say what stands at masked words.
        ALTER: compute with changed heads, rows or source tokens (What if).
        MEASURE: tell what each head is worth to what it wrote.
        ARRANGE: compute with other positions, or with its pieces in another order.
        ANSWER: tell of what its attention computes beyond the patterns (arithmetic, gradients, value norms).
        WALK: tell of what stands between its layers, and carry it elsewhere (layer walk, two sentences,
            shares of the source, patching, pruning).
    """

    WRITE = "write"
    ROUNDS = "rounds"
    FILL = "fill"
    ALTER = "alter"
    MEASURE = "measure"
    ARRANGE = "arrange"
    ANSWER = "answer"
    WALK = "walk"


ALL_ABILITIES = frozenset(
    (Ability.WRITE, Ability.ALTER, Ability.MEASURE, Ability.ARRANGE, Ability.ANSWER, Ability.WALK)
)
"""Of a model that is loaded into our own Transformer."""

ROUND_ABILITIES = ALL_ABILITIES - {Ability.WRITE} | {Ability.ROUNDS}
"""Of one of these that writes all tokens at once."""
