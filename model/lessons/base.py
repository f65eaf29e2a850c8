"""BASE: sinusoidal positions with another base than the paper's, and the open model without any. No torch.

Vaswani et al. 2017, section 3.5: PE(pos, 2i) = sin(pos / b^(2i/d)), PE(pos, 2i+1) = cos(the same), b = 10000.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from model.lessons.control import Choice, Control, Slider
from model.lessons.lesson import Ask, Finding, Lesson, Numbers, Subject, Values
from model.positions.positions import (
    PAPER_BASE,
    SLIP_BASE,
    exact_similarity,
    similarity_by_offset,
    sinusoidal_distances,
    sinusoidal_table,
    wavelengths,
)
from model.questions.questions import Question
from model.trace.trace import Floats

Doubles = npt.NDArray[np.float64]
LOW, HIGH = 10.0, 100_000.0
SHOWN = 64
"""Positions whose encodings are shown."""
_BASES = 31
SAME = 1e-5
"""Encoder outputs that differ by no more are the same, rounded differently."""
_ROUNDED = 1e-5  # of d/2: what float32 leaves of a product of two rows


@dataclass(frozen=True)
class WithoutPositions(Question, answered_by="model.lessons.answers.base:without_positions"):
    """The order experiment on what is read; answered by `TwoOrders`.

    Attributes:
        shifted: the other order begins with the second piece; else it is the reverse.
    """

    urgency = "interactive"

    shifted: bool = False


@dataclass(frozen=True, eq=False)
class TwoOrders:
    """The same n pieces in two orders, with positions (True) and without (False).

    Attributes:
        pieces: raw, in their own order; order: where in them the other order's pieces come from.
        distance, largest: float32 [2, n]: of each piece its encoder outputs' Euclidean distance between the
            orders, and the largest difference of a number; row 0 with positions, row 1 without.
        translations: raw pieces produced, in the order own, other (with), own, other (without).
        logprobs: [4] natural log probability of each.
        positions: `sinusoidal`, `learned` or `none`; base: of sinusoids, else 0; d_model: the model's.
    """

    pieces: tuple[str, ...]
    order: tuple[int, ...]
    distance: Floats
    largest: Floats
    translations: tuple[tuple[str, ...], ...]
    logprobs: Doubles
    positions: str
    base: float
    d_model: int


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """Base, width and length; of a model, which other order."""
    own: tuple[Control, ...] = (
        Slider("base", LOW, HIGH, PAPER_BASE, log=True),
        Choice("d_model", ("4", "8", "16", "32", "64", "128", "256", "512"), "128"),
        Slider("length", 2, 512, 64, whole=True, log=True),
    )
    if subject is None:
        return (Choice("of", ("bases",), "bases"), *own)
    return (
        Choice("of", ("bases", "without"), "bases"),
        *own,
        Choice("order", ("reversed", "shifted"), "reversed"),
    )


def _asks(values: Values, subject: Subject | None) -> Ask | None:
    if subject is None or values["of"] != "without":
        return None
    return WithoutPositions(values["order"] == "shifted"), subject.reading


def numbers(values: Values, answer: TwoOrders | None, subject: Subject | None) -> Numbers:
    """Of a base, or of two orders."""
    if answer is not None:
        return _orders(answer)
    return _bases(float(values["base"]), int(values["d_model"]), int(values["length"]))


@lru_cache(maxsize=64)
def nearest_of(length: int, d_model: int, base: float) -> tuple[float, int]:
    """The smallest distance between the encodings of two of `length` positions; how far apart they stand."""
    distances = sinusoidal_distances(length, d_model, base)[1:]
    apart = int(distances.argmin())
    return float(distances[apart]), apart + 1


@lru_cache(maxsize=8)
def _smallest_by_base(length: int, d_model: int) -> tuple[Doubles, Doubles]:
    bases = np.geomspace(LOW, HIGH, _BASES)
    return bases, np.array([nearest_of(length, d_model, float(base))[0] for base in bases])


def _bases(base: float, d_model: int, length: int) -> Numbers:
    waves = {each: wavelengths(d_model, each) for each in (base, SLIP_BASE, PAPER_BASE)}
    nearest = {each: nearest_of(length, d_model, each) for each in waves}
    unfinished = {each: int((wave > length).sum()) for each, wave in waves.items()}
    table = sinusoidal_table(SHOWN, d_model, base=base)
    products = similarity_by_offset(table)
    spread = float((products.high - products.low).max())
    longest = float(waves[base][-1])
    least, apart = nearest[base]
    bases, smallest = _smallest_by_base(length, d_model)
    findings = (
        Finding(
            "longest_wave",
            longest,
            bool(longest < 2 * np.pi * base and np.isclose(waves[base][0], 2 * np.pi)),
            {"limit": 2 * np.pi * base, "shortest": float(waves[base][0])},
        ),
        Finding(
            "unfinished",
            unfinished[base],
            None,
            {
                "pairs": d_model // 2,
                "length": length,
                "slip": unfinished[SLIP_BASE],
                "paper": unfinished[PAPER_BASE],
            },
        ),
        Finding(
            "nearest",
            least,
            least > SAME,
            {
                "apart": apart,
                "length": length,
                "slip": nearest[SLIP_BASE][0],
                "paper": nearest[PAPER_BASE][0],
            },
        ),
        Finding("offset_only", spread, spread <= _ROUNDED * d_model, {"positions": SHOWN}),
    )
    data = {
        "of": "bases",
        "base": base,
        "d_model": d_model,
        "length": length,
        "table": table,
        "offsets": np.arange(SHOWN),
        "similarity": {each: exact_similarity(SHOWN, d_model, each) for each in waves},
        "wavelengths": waves,
        "unfinished": unfinished,
        "nearest": {each: found[0] for each, found in nearest.items()},
        "bases": bases,
        "smallest": smallest,
    }
    return Numbers(findings, data)


def _orders(answer: TwoOrders) -> Numbers:
    own, without = (float(row.max()) for row in answer.largest)
    said, other, bare, bare_other = answer.translations
    counts = answer.positions != "none"
    findings = (
        Finding("with", own, own > SAME if counts else None, {"positions": answer.positions}),
        Finding("without", without, without <= SAME),
        Finding("translations", "same" if bare == bare_other else "differ", bare == bare_other),
        Finding("translations_with", "same" if said == other else "differ", None),
        Finding(
            "model_base",
            answer.base,
            None,
            {"positions": answer.positions, "d_model": answer.d_model},
        ),
    )
    data = {
        "of": "without",
        "pieces": list(answer.pieces),
        "order": list(answer.order),
        "distance": answer.distance,
        "largest": answer.largest,
        "translations": [list(one) for one in answer.translations],
        "logprobs": answer.logprobs,
        "base": answer.base,
        "positions": answer.positions,
    }
    return Numbers(findings, data)


BASE = Lesson(
    "base",
    controls,
    numbers,
    _asks,
    unused=lambda values: frozenset(("order",) if values["of"] == "bases" else ("base", "d_model", "length")),
    stations=lambda subject: (
        {"of": "bases", "base": PAPER_BASE, "d_model": "128", "length": 64},
        {"of": "bases", "base": SLIP_BASE},
        {"of": "bases", "base": LOW},
        {"of": "bases", "base": PAPER_BASE, "length": 512},
        *(() if subject is None else ({"of": "without", "order": "reversed"},)),
    ),
)
