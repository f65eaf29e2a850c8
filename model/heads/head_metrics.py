"""Head metrics: the name, formula, range and source of each. No torch.

α is the head's pattern, row i a query, column j a key, counted from 0. N(i) are the keys that query i may
see, n(i) how many they are. A metric is the mean over the rows that count in it, in a corpus over the rows of
all sentences alike. A row that is masked as a whole (zeros) counts in none; each metric names further ones.

What sources define differently: Voita et al. leave the end token out of the maximum (their "confidence");
Zhang et al. measure self-attention, where Q = K cancels out; Clark et al. look at [SEP], full stops and
commas in an encoder, Xiao et al. at the first token.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

_VIG = "Vig and Belinkov 2019 (arXiv 1906.04284)"
_VOITA = "Voita et al. 2019 (arXiv 1905.09418)"
_CLARK = "Clark et al. 2019 (arXiv 1906.04341)"
_ZHANG = "Zhang et al. 2020 (arXiv 2011.04906)"
_XIAO = "Xiao et al. 2023 (arXiv 2309.17453)"
_ELHAGE = "Elhage et al. 2021 (transformer-circuits.pub/2021/framework)"
_OLSSON = "Olsson et al. 2022 (arXiv 2209.11895)"


class Metric(StrEnum):
    """Metrics of a pattern, in the order of tables and files; the value is the name in JSON and CSV."""

    ENTROPY = "entropy"
    NORMALISED_ENTROPY = "normalised_entropy"
    MAXIMUM = "maximum"
    DISTANCE = "distance"
    DIAGONALITY = "diagonality"
    PREVIOUS = "previous"
    NEXT = "next"
    SAME = "same"
    END = "end"
    START = "start"
    PUNCTUATION = "punctuation"
    PREVIOUS_TOP = "previous_top"
    NEXT_TOP = "next_top"
    SAME_TOP = "same_top"


class General(StrEnum):
    """Metrics of a head in general: of the model alone, whatever sentence is in view."""

    COPYING = "copying"
    REPEATED_PREVIOUS = "repeated_previous"
    DUPLICATE = "duplicate"
    INDUCTION = "induction"


METRICS = tuple(Metric)
GENERAL = tuple(General)
PLACE = {metric: place for place, metric in enumerate(METRICS)}


@dataclass(frozen=True)
class MetricFacts:
    """What is to be known of a metric.

    Attributes:
        formula: of one row; the metric is the mean over the rows that count.
        least, most: its range; `most` None where that depends on the lengths.
        source: where it is defined, or used to judge heads.
        tabled: whether tables of heads have a column for it; else it only judges roles.
    """

    formula: str
    least: float
    most: float | None
    source: str
    tabled: bool = True


FACTS: dict[Metric, MetricFacts] = {
    Metric.ENTROPY: MetricFacts("−Σⱼ αᵢⱼ ln αᵢⱼ, in nats", 0.0, None, _CLARK),
    Metric.NORMALISED_ENTROPY: MetricFacts("−Σⱼ αᵢⱼ ln αᵢⱼ / ln n(i); rows with n(i) > 1", 0.0, 1.0, _CLARK),
    Metric.MAXIMUM: MetricFacts("maxⱼ αᵢⱼ", 0.0, 1.0, _VOITA),
    Metric.DISTANCE: MetricFacts("Σⱼ αᵢⱼ |i − j|, in tokens; self-attention", 0.0, None, _VIG),
    Metric.DIAGONALITY: MetricFacts(
        "1 − Σⱼ αᵢⱼ d(i, j) / max d(i, j) over N(i), with d(i, j) = |i / (Q − 1) − j / (K − 1)| for "
        "Q queries and K keys; rows whose maximum is not 0",
        0.0,
        1.0,
        _ZHANG,
    ),
    Metric.PREVIOUS: MetricFacts("α(i, i − 1); self-attention, rows that have it", 0.0, 1.0, _VOITA),
    Metric.NEXT: MetricFacts("α(i, i + 1); encoder self-attention, rows that have it", 0.0, 1.0, _VOITA),
    Metric.SAME: MetricFacts("α(i, i), in the decoder the token just read; self-attention", 0.0, 1.0, _CLARK),
    Metric.END: MetricFacts(
        "Σⱼ αᵢⱼ over end tokens; sentences that have one among the keys", 0.0, 1.0, _CLARK
    ),
    Metric.START: MetricFacts(
        "Σⱼ αᵢⱼ over start tokens; sentences that have one among the keys",
        0.0,
        1.0,
        _XIAO,
    ),
    Metric.PUNCTUATION: MetricFacts(
        "Σⱼ αᵢⱼ over keys that are punctuation (Unicode category P) alone; sentences that have one",
        0.0,
        1.0,
        _CLARK,
    ),
    Metric.PREVIOUS_TOP: MetricFacts(
        "1 if α(i, i − 1) is the row's largest weight (the first of equal ones), else 0",
        0.0,
        1.0,
        _VOITA,
        tabled=False,
    ),
    Metric.NEXT_TOP: MetricFacts("the same of α(i, i + 1)", 0.0, 1.0, _VOITA, tabled=False),
    Metric.SAME_TOP: MetricFacts("the same of α(i, i)", 0.0, 1.0, _VOITA, tabled=False),
}

_REPEATED = "over the rows i of the second copy of n random tokens written twice"

GENERAL_FACTS: dict[General, MetricFacts] = {
    General.COPYING: MetricFacts(
        "Σ Re λ / Σ |λ| over the eigenvalues λ of the OV circuit from words to the same words",
        -1.0,
        1.0,
        _ELHAGE,
    ),
    General.REPEATED_PREVIOUS: MetricFacts(f"α(i, i − 1) {_REPEATED}; self-attention", 0.0, 1.0, _OLSSON),
    General.DUPLICATE: MetricFacts(f"α(i, i − n) {_REPEATED}; self-attention", 0.0, 1.0, _OLSSON),
    General.INDUCTION: MetricFacts(f"α(i, i − n + 1) {_REPEATED}; decoder self-attention", 0.0, 1.0, _OLSSON),
}
