"""PatchOf and PathOf: what one reading computes, carried into another, and what that does to a word.

No torch.

Activation patching (Vig et al. 2020, arXiv 2004.12265; Meng et al. 2022, arXiv 2202.05262), path patching
(Wang et al. 2022, arXiv 2211.00593, section 3.1; Goldowsky-Dill et al. 2023, arXiv 2304.05969, section 2).

Shapes: L layers, H heads (of queries, or of keys and values), S source tokens and T rows of B's decoder.
Layers, heads, positions and steps count from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from model.alterations.carry import Carry
from model.alterations.effects import What
from model.questions.questions import Question, Reading
from model.tokens.pairing import Pairing, align
from model.trace.trace import AttentionKind

Doubles = npt.NDArray[np.float64]

By = Literal["head", "position"]
Part = Literal["q", "k", "v", "final"]

PARTS: tuple[Part, ...] = ("q", "k", "v", "final")

LEAST_DIFFERENCE = 0.01
"""The least |m_A − m_B| that effects are a share of: a thousand times the rounding of float32."""

FORMULA = "effect = (m_patched − m_B) / (m_A − m_B), m = log p(word) − log p(rival)"
CAVEAT = (
    "A cell says what this one place does when it alone is carried over, with these two sentences. "
    "Effects do not add up, and a place whose work others take over shows little."
)
SOURCE = "Meng et al. 2022, arXiv 2202.05262; Vig et al. 2020, arXiv 2004.12265"
PATH_CARRIED = "a head's output, directly"
PATH_CAVEAT = (
    "The head's output reaches the receiver directly only: every other head and feed-forward holds what"
    " it computes in B, norms are computed anew. Ways through other heads are not counted, and effects "
    "do not add up."
)
PATH_SOURCE = "Wang et al. 2022, arXiv 2211.00593; Goldowsky-Dill et al. 2023, arXiv 2304.05969"

_WORDS = {
    "heads": "each head's output before W_O is A's",
    "patterns": "each head's attention weights are A's, its values stay",
    "residual": "what leaves a layer is A's",
    "cross": "keys and values that cross-attention reads are A's",
}


def what_carried(what: What) -> str:
    """One phrase in English: what is A's in a patched computation."""
    return _WORDS[what]


@dataclass(frozen=True)
class HeadPlace:
    """A head."""

    kind: AttentionKind
    layer: int
    head: int


@dataclass(frozen=True)
class Receiver:
    """Where a path ends: a head's queries, keys or values, or (`final`, place None) the last residual sum."""

    part: Part
    place: HeadPlace | None = None


@dataclass(frozen=True)
class Measured:
    """What m is; shared by both questions.

    Attributes:
        source: the reading that is carried from (A); the question is about B.
        step: of B; None for the first at which the two translations differ.
        word, rival: ids of pieces; None for what A and B write there. If they are the same word, m is its log
            probability.
    """

    source: Reading
    step: int | None = None
    word: int | None = None
    rival: int | None = None


@dataclass(frozen=True)
class PatchOf(Question, answered_by="model.causes.patching:patch_of"):
    """Every place carried from A into B by itself; answered by `Patched`.

    Attributes:
        what: what is carried. by: cells are heads or positions; the residual stream has positions alone.
    """

    measured: Measured
    what: What = "heads"
    by: By = "head"


@dataclass(frozen=True)
class PathOf(Question, answered_by="model.causes.path_patching:path_of"):
    """A head's output carried to each receiver along the direct path; answered by `Patched`.

    Attributes:
        into: receivers that are carried into together, for one number; empty for every receiver by itself.
    """

    measured: Measured
    sender: HeadPlace
    into: tuple[Receiver, ...] = ()


@dataclass(frozen=True, eq=False)
class PatchGrid:
    """One grid of cells.

    Attributes:
        kind: of attention; of the residual stream `encoder_self` and `decoder_self` stand for the stacks.
        by: what the columns are.
        part: of path patching, what of the receiver is reached; empty otherwise.
        m: float64 [L, H], [L, S] or [L, T]; NaN where nothing could be carried.
    """

    kind: AttentionKind
    by: By
    m: Doubles
    part: str = ""


@dataclass(frozen=True, eq=False)
class Patched:
    """What carrying over did.

    Attributes:
        what: see `PatchOf`; of a path `path`.
        step, step_a: the row of B that is measured, and A's.
        word, rival: ids; the rival None where m is the log probability of one word.
        word_token, rival_token: their pieces.
        m_a, m_b: m of A and of B as they are.
        grids: see `PatchGrid`.
        source, steps: A's token for each of B's source tokens, and A's row for each of B's up to `step`;
            negative where there is none.
        source_tokens, step_tokens: pieces of B: what the encoder reads, and what each row of the decoder
            reads.
        sender: of a path.
        into, together: of a path into chosen receivers, and m with all of them reached; else empty and None.
    """

    what: str
    step: int
    step_a: int
    word: int
    rival: int | None
    word_token: str
    rival_token: str
    m_a: float
    m_b: float
    grids: tuple[PatchGrid, ...]
    source: tuple[int, ...]
    steps: tuple[int, ...]
    source_tokens: tuple[str, ...]
    step_tokens: tuple[str, ...]
    sender: HeadPlace | None = None
    into: tuple[Receiver, ...] = ()
    together: float | None = None

    def effect(self, m: Doubles | float) -> Doubles:
        """(m − m_B) / (m_A − m_B)."""
        shares: Doubles = (np.asarray(m, np.float64) - self.m_b) / (self.m_a - self.m_b)
        return shares


@dataclass(frozen=True)
class Matched:
    """Which token of A stands for which of B.

    Attributes:
        source, read: A's token for each of B's; negative where A has none.
        differs: the first step of B, behind a prompt, whose words differ; None if none does.
    """

    source: tuple[int, ...]
    read: tuple[int, ...]
    differs: int | None


def matched(first: Reading, second: Reading, start: int = -1) -> Matched:
    """A (`first`) and B aligned by their ids, as Compare aligns them.

    Args:
        start: the id that both decoders begin with.
    """
    source = align(_keys(first.src_ids), _keys(second.src_ids), moved=True)
    read = align(
        *(_keys(one.in_ids if one.prompt else (start, *one.out_ids[:-1])) for one in (first, second))
    )
    written = zip(first.out_ids[first.given :], second.out_ids[second.given :])
    differs = next((second.given + i for i, (a, b) in enumerate(written) if a != b), None)
    return Matched(_across(source, len(second.src_ids)), _across(read, len(second.out_ids)), differs)


def carry_of(question: PatchOf, found: Patched, grid: PatchGrid, row: int, column: int) -> Carry:
    """The change that makes the translation of a cell: the same place held at A's numbers.

    Rows of the decoder after the step that was measured have no counterpart.
    """
    a = question.measured.source
    by_head = grid.by == "head"
    return Carry(
        question.what,
        grid.kind,
        row,
        column if by_head else None,
        None if by_head else column,
        a.src_ids,
        a.out_ids,
        found.source,
        found.steps,
        a.text,
    )


def _keys(ids: Sequence[int]) -> list[str]:
    return [str(number) for number in ids]


def _across(pairing: Pairing, count: int) -> tuple[int, ...]:
    found = (pairing.across(1, index) for index in range(count))
    return tuple(-1 if at is None else at for at in found)
