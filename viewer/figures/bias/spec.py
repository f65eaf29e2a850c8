"""BiasSpec: a bias by distance (T5, Raffel et al. 2020, section 2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.canvas.numerals import format_number


@dataclass(frozen=True, eq=False)
class BiasSpec:
    """What every head adds to a score at each distance, and one head's numbers over queries and keys.

    Attributes:
        bias: float32 [head, offset].
        offsets: key position - query position of each column, ascending, int64.
        buckets: the bucket of each, int64.
        head: the one that is looked at.
        square: what it adds, float32 [query, key]; 0 where `masked`.
        masked: [query, key], True where a query cannot look.
        levels: value range of the colours, symmetrical about 0.
    """

    bias: Matrix
    offsets: npt.NDArray[np.int64]
    buckets: npt.NDArray[np.int64]
    head: int
    square: Matrix
    masked: Mask
    levels: tuple[float, float]
    title: str
    badges: tuple[str, ...] = ()

    @property
    def heads(self) -> int:
        """How many heads there are."""
        return len(self.bias)

    @property
    def boundaries(self) -> npt.NDArray[np.float64]:
        """Between which offsets another bucket begins, such as -8.5."""
        changes = np.flatnonzero(np.diff(self.buckets))
        return self.offsets[changes].astype(np.float64) + 0.5

    def column_of(self, offset: int) -> int:
        """Whose column counts for an offset: beyond the farthest, the farthest."""
        return int(np.clip(offset - self.offsets[0], 0, len(self.offsets) - 1))

    def offset_sentence(self, head: int, offset: int) -> str:
        """What there is to say of a head and an offset."""
        translate, column = QCoreApplication.translate, self.column_of(offset)
        if offset == 0:
            text = translate(
                "Figure", "Head {head}, key at the query's own position (bucket {bucket}): {value}"
            )
        elif offset < 0:
            text = translate(
                "Figure", "Head {head}, key {distance} before the query (bucket {bucket}): {value}"
            )
        else:
            text = translate(
                "Figure", "Head {head}, key {distance} after the query (bucket {bucket}): {value}"
            )
        return text.format(
            head=head + 1,
            distance=abs(offset),
            bucket=int(self.buckets[column]),
            value=added(float(self.bias[head, column])),
        )

    def cell_sentence(self, query: int, key: int) -> str:
        """What there is to say of a query and a key."""
        translate = QCoreApplication.translate
        if self.masked[query, key]:
            text = translate("Figure", "Query {query} cannot attend to key {key}")
            return text.format(query=query, key=key)
        text = translate("Figure", "Head {head}, query {query}, key {key}: {value}")
        value = added(float(self.square[query, key]))
        return text.format(head=self.head + 1, query=query, key=key, value=value)


def added_to_scores() -> str:
    """What the numbers are."""
    return QCoreApplication.translate(
        "Figure",
        "score = query · key + b(head, bucket of key position − query position), before the softmax, in "
        "every layer alike (T5: Raffel et al. 2020, section 2.1)",
    )


def added(value: float) -> str:
    """A number that is added, with its sign."""
    return f"+{format_number(value)}" if value > 0 else format_number(value)
