"""Added scores: head metrics of other packages, of every head of one trace. No torch."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from model.extensions.found import Extension, extensions
from model.extensions.kinds import METRICS, Head, HeadMetric
from model.extensions.troubles import Refused, tell
from model.heads.head_metrics import General, Metric
from model.trace.trace import AttentionKind, Floats

_ROUNDING = 1e-6
OWN = frozenset(
    {
        *map(str, (*Metric, *General)),
        "likeness",
        "kind",
        "layer",
        "head",
        "rows",
        "damaged_rows",
        "importance",
        "aer",
        "rule",
        "roles",
    }
    | {"role", "role_scores", "random", "notes", *(f"random_{metric}" for metric in (*Metric, "aer"))}
)
"""Names that JSON and CSV have already."""


@dataclass(frozen=True, eq=False)
class Added:
    """A metric that another package measures.

    Attributes:
        values: by kind float64 [L, H]; NaN where there is nothing to measure.
    """

    extension: Extension
    values: Mapping[AttentionKind, npt.NDArray[np.float64]] = field(default_factory=dict)

    @property
    def metric(self) -> HeadMetric:
        """What it is."""
        metric: HeadMetric = self.extension.thing
        return metric


def added_metrics() -> tuple[Extension, ...]:
    """What other packages measure of a head."""
    return tuple(extensions(METRICS, OWN).values())


class AddedTally:
    """Collects metrics of other packages, head by head; one that fails is measured no more.

    Args:
        sizes: layers and heads by kind.
    """

    def __init__(
        self, extensions: Iterable[Extension], sizes: Mapping[AttentionKind, tuple[int, int]]
    ) -> None:
        self._going = {
            one: {kind: np.full(size, np.nan) for kind, size in sizes.items()} for one in extensions
        }

    def add(self, weights: Floats, head: Head) -> None:
        """Measure a head."""
        for one, values in list(self._going.items()):
            try:
                values[head.kind][head.layer, head.head] = _measured(one.thing, weights, head)
            except (Exception, SystemExit) as error:  # whatever another's code does
                tell(one.name, one.package, error)
                del self._going[one]

    def added(self) -> tuple[Added, ...]:
        """Those that did not fail."""
        return tuple(Added(one, values) for one, values in self._going.items())


def _measured(metric: HeadMetric, weights: Floats, head: Head) -> float:
    told = metric.measure(weights, head)
    if np.ndim(told):
        raise Refused(f"it measured an array of the shape {np.shape(told)} where one number is needed")
    value = float(told)
    most = math.inf if metric.most is None else metric.most
    if not math.isnan(value) and not metric.least - _ROUNDING <= value <= most + _ROUNDING:
        raise Refused(f"it measured {value:g}, which is beyond its own range")
    if math.isinf(value):
        raise Refused("it measured an infinite number")
    return value
