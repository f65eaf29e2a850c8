"""Abilities: what may be asked of a model. No torch."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib.util import find_spec

from model.errors import HeadscopeError


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
        CARRY: carry what it computes for one text into another, a place at a time (activation patching).
        WALK: tell of what stands between its layers, and carry it elsewhere (layer walk, two sentences,
            shares of the source, path patching, pruning).
    """

    WRITE = "write"
    ROUNDS = "rounds"
    FILL = "fill"
    ALTER = "alter"
    MEASURE = "measure"
    ARRANGE = "arrange"
    ANSWER = "answer"
    CARRY = "carry"
    WALK = "walk"


ALL_ABILITIES = frozenset(
    (
        *(Ability.WRITE, Ability.ALTER, Ability.MEASURE, Ability.ARRANGE, Ability.ANSWER),
        *(Ability.CARRY, Ability.WALK),
    )
)
"""Of a model that is loaded into our own Transformer."""

ROUND_ABILITIES = ALL_ABILITIES - {Ability.WRITE} | {Ability.ROUNDS}
"""Of one of these that writes all tokens at once."""

_COMPUTING = ("torch", "sentencepiece")


@cache
def can_compute() -> bool:
    """Whether this copy of Headscope can run a model; one without torch shows what was recorded."""
    return all(find_spec(name) is not None for name in _COMPUTING)


def computing_error(error: BaseException) -> HeadscopeError | None:
    """What to say of an import that failed because this copy computes nothing; None of any other error."""
    missing = isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] in _COMPUTING
    return HeadscopeError("cannot_compute") if missing else None
