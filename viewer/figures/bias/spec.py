"""BiasSpec: a bias by distance (T5, Raffel et al. 2020, section 2.1; ALiBi), or vectors' lengths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from model.positions.position_facts import BiasSort
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.canvas.numerals import format_number


@dataclass(frozen=True)
class BiasWords:
    """What the numbers are called; `{head}` is the row's number.

    Attributes:
        sentence: what they are.
        row: what each row of the map of all is.
        by_distance, square, curves: headings of its parts.
        quantity: what one number is.
        before, here, after: one number with its offset; `cell`: with query and key.
    """

    sentence: str
    row: str
    by_distance: str
    square: str
    curves: str
    quantity: str
    before: str
    here: str
    after: str
    cell: str


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
        levels: value range of the colours, symmetrical about 0; of `lengths` from 0 on.
        sort: see `model.positions.position_facts.RelativeBias`; of `lengths` a row is a layer, no head.
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
    sort: BiasSort = "buckets"

    @property
    def words(self) -> BiasWords:
        """What the numbers are called."""
        return _words(self.sort)

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
        words, column = self.words, self.column_of(offset)
        text = words.here if offset == 0 else words.before if offset < 0 else words.after
        value = float(self.bias[head, column])
        return text.format(
            head=head + 1,
            distance=abs(offset),
            bucket=int(self.buckets[column]),
            value=format_number(value) if self.sort == "lengths" else added(value),
        )

    def cell_sentence(self, query: int, key: int) -> str:
        """What there is to say of a query and a key."""
        translate = QCoreApplication.translate
        if self.masked[query, key]:
            text = translate("Figure", "Query {query} cannot attend to key {key}")
            return text.format(query=query, key=key)
        number = float(self.square[query, key])
        value = format_number(number) if self.sort == "lengths" else added(number)
        return self.words.cell.format(head=self.head + 1, query=query, key=key, value=value)


def _words(sort: BiasSort) -> BiasWords:
    translate = QCoreApplication.translate
    if sort == "lengths":
        return BiasWords(
            sentence=translate(
                "Figure",
                "score = query · (key + a) ÷ √d with a learned vector a for each clipped distance, the same "
                "in all heads of a layer; drawn is how long a is, for what it adds depends on the query "
                "(Shaw et al. 2018)",
            ),
            row=translate("Figure", "layer"),
            by_distance=translate("Figure", "Length of the vector added to keys"),
            square=translate("Figure", "Layer {head}, query × key"),
            curves=translate("Figure", "Layer {head}, and the other layers in grey"),
            quantity=translate("Figure", "length of the vector"),
            before=translate(
                "Figure", "Layer {head}, key {distance} before the query: a vector {value} long"
            ),
            here=translate("Figure", "Layer {head}, key at the query's own position: a vector {value} long"),
            after=translate("Figure", "Layer {head}, key {distance} after the query: a vector {value} long"),
            cell=translate("Figure", "Layer {head}, query {query}, key {key}: a vector {value} long"),
        )
    shared = {
        "row": translate("Figure", "head"),
        "by_distance": translate("Figure", "Added to the scores, by head and distance"),
        "square": translate("Figure", "Head {head}, query × key"),
        "curves": translate("Figure", "Head {head}, and the other heads in grey"),
        "quantity": translate("Figure", "added to the score"),
        "cell": translate("Figure", "Head {head}, query {query}, key {key}: {value}"),
    }
    if sort == "slopes":
        return BiasWords(
            sentence=translate(
                "Figure",
                "score = query · key ÷ √d − slope of the head × distance, before the softmax, in every layer "
                "alike (ALiBi: Press et al. 2022, section 3)",
            ),
            before=translate("Figure", "Head {head}, key {distance} before the query: {value}"),
            here=translate("Figure", "Head {head}, key at the query's own position: {value}"),
            after=translate("Figure", "Head {head}, key {distance} after the query: {value}"),
            **shared,
        )
    return BiasWords(
        sentence=translate(
            "Figure",
            "score = query · key + b(head, bucket of key position − query position), before the softmax, in "
            "every layer alike (T5: Raffel et al. 2020, section 2.1)",
        ),
        before=translate("Figure", "Head {head}, key {distance} before the query (bucket {bucket}): {value}"),
        here=translate("Figure", "Head {head}, key at the query's own position (bucket {bucket}): {value}"),
        after=translate("Figure", "Head {head}, key {distance} after the query (bucket {bucket}): {value}"),
        **shared,
    )


def added(value: float) -> str:
    """A number that is added, with its sign."""
    return f"+{format_number(value)}" if value > 0 else format_number(value)
