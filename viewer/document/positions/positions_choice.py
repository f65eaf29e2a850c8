"""Positions choice: whose table the page looks at, which position, offset and pair. QtCore only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QObject, Signal

from viewer.document.positions.positions_known import Bias, KnownPositions, Rotary, facts_of, known_of
from viewer.document.positions.positions_table import SLIP_BASE, PositionTable, chosen_table
from viewer.document.scene import number, whole
from viewer.document.session import Session

LOWEST_BASE, HIGHEST_BASE = 100.0, 100_000.0
LEAST_DIMENSIONS, MOST_DIMENSIONS = 8, 1024
MOST_POSITIONS = 1024
"""Positions that are compared with each other at once without a wait."""
LEAST_LENGTH, MOST_LENGTH = 2, 64
_CHOSEN_POSITIONS = 512
_WHOLE = ("which", "dimensions", "position", "offset", "pair", "head", "length")


class PositionsChoice(QObject):
    """One for the page; its views read it and change it. Numbers out of range are clamped.

    Signals:
        changed: anything of it; once for a `together` block.

    Attributes:
        exploring: whether the table is one of chosen numbers, not the model's.
        base, dimensions: the chosen numbers; the base is also the one shown beside the paper's.
        position, offset, pair: pos, k and i.
        count: how many positions are compared with each other.
        head, length: of a bias: the head that is looked at, and how many queries and keys are drawn.
        known: what there is to look at of the model, one of which is in view.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.known: tuple[KnownPositions, ...] = ()
        self.which = 0
        self._made: PositionTable | None = None
        self._held = False
        self.exploring = False
        self.base, self.dimensions = SLIP_BASE, 64
        self.position, self.offset, self.pair, self.count = 7, 3, 4, 128
        self.head, self.length = 0, 16
        session.model_changed.connect(self._model_changed)
        self._take_model()

    @property
    def shown(self) -> KnownPositions | None:
        """What is in view of the model; None where there is nothing to see."""
        return self.known[self.which] if self.known else None

    @property
    def own(self) -> PositionTable | None:
        """The model's table in view; None where it has none."""
        return self.shown if isinstance(self.shown, PositionTable) else None

    @property
    def rotary(self) -> Rotary | None:
        """The model's rotations in view; None where it has none."""
        return self.shown if isinstance(self.shown, Rotary) else None

    @property
    def bias(self) -> Bias | None:
        """The model's bias in view; None where it has none."""
        return self.shown if isinstance(self.shown, Bias) else None

    @property
    def table(self) -> PositionTable | None:
        """The table in view; None where the model has none."""
        own = self.own
        if own is None or not self.exploring:
            return own
        made = self._made
        if made is None or (made.base, made.dimensions, made.layout) != self._numbers:
            made = self._made = chosen_table(self.base, self.dimensions, _CHOSEN_POSITIONS, own.layout)
        return made

    @property
    def _numbers(self) -> tuple[float, int, str]:
        layout = "interleaved" if self.own is None else self.own.layout
        return self.base, self.dimensions, layout

    @property
    def most(self) -> int:
        """The most positions that `count` can be."""
        table = self.table
        return 1 if table is None else min(len(table.rows), MOST_POSITIONS)

    @property
    def last_position(self) -> int:
        """The last position there is."""
        if self.rotary is not None:
            return self.rotary.count - 1
        return 0 if self.table is None else len(self.table.rows) - 1

    @property
    def last_offset(self) -> int:
        """The farthest that one can go from the position."""
        return max(0, self.last_position - self.position)

    @property
    def last_pair(self) -> int:
        """The slowest pair."""
        known = self.rotary or self.table
        return 0 if known is None else max(0, known.pairs - 1)

    def look_at(self, which: int) -> None:
        """Look at another of what is known."""
        with self.together():
            self.which = which
            self._made = None

    def explore(self, on: bool) -> None:
        """Look at sinusoids of chosen numbers, or (False) at the model's table again."""
        with self.together():
            self.exploring = on

    def set_base(self, base: float) -> None:
        """Choose a base, 100 to 100,000."""
        with self.together():
            self.base = min(max(float(base), LOWEST_BASE), HIGHEST_BASE)

    def set_dimensions(self, dimensions: int) -> None:
        """Choose an even d_model, 8 to 1,024."""
        with self.together():
            self.dimensions = min(max(dimensions - dimensions % 2, LEAST_DIMENSIONS), MOST_DIMENSIONS)

    def set_position(self, position: int) -> None:
        """Go to a position."""
        with self.together():
            self.position = position

    def set_offset(self, offset: int) -> None:
        """Choose k."""
        with self.together():
            self.offset = offset

    def set_pair(self, pair: int) -> None:
        """Choose a pair."""
        with self.together():
            self.pair = pair

    def set_count(self, count: int) -> None:
        """Choose how many positions are compared."""
        with self.together():
            self.count = count

    def set_head(self, head: int) -> None:
        """Choose a head of the bias."""
        with self.together():
            self.head = head

    def set_length(self, length: int) -> None:
        """Choose for how many queries and keys the bias is drawn."""
        with self.together():
            self.length = length

    def to_json(self) -> dict[str, Any]:
        """What is chosen, as plain values for `take_json`."""
        numbers = {name: getattr(self, name) for name in _WHOLE}
        return {**numbers, "compared": self.count, "base": self.base, "exploring": self.exploring}

    def take_json(self, state: Mapping[str, Any]) -> None:
        """Choose what was chosen before; what the model in use does not have is clamped."""
        with self.together():
            for name in _WHOLE:
                setattr(self, name, whole(state, name, getattr(self, name)))
            self.count = whole(state, "compared", self.count)
            self.dimensions = min(max(self.dimensions // 2 * 2, LEAST_DIMENSIONS), MOST_DIMENSIONS)
            self.base = min(max(number(state, "base", self.base), LOWEST_BASE), HIGHEST_BASE)
            self.exploring, self._made = state.get("exploring") is True, None

    @contextmanager
    def together(self) -> Iterator[None]:
        """Changes that belong together: clamped and told once."""
        if self._held:
            yield
            return
        before = self._all()
        self._held = True
        try:
            yield
        finally:
            self._held = False
            self._clamp()
            if self._all() != before:
                self.changed.emit()

    def _all(self) -> tuple[object, ...]:
        numbers = (self.position, self.offset, self.pair, self.count)
        other = (self.base, self.dimensions, self.head, self.length)
        return (id(self.shown), self.exploring, *other, *numbers)

    def _clamp(self) -> None:
        self.which = min(max(0, self.which), max(0, len(self.known) - 1))
        self.length = min(max(LEAST_LENGTH, self.length), MOST_LENGTH)
        if self.bias is not None:
            self.head = min(max(0, self.head), self.bias.heads - 1)
        if self.table is None and self.rotary is None:
            return  # what is chosen waits for the next model
        self.position = min(max(0, self.position), self.last_position)
        self.offset = min(max(0, self.offset), self.last_offset)
        self.pair = min(max(0, self.pair), self.last_pair)
        if self.table is not None:
            self.count = min(max(2, self.count), self.most)

    def _model_changed(self) -> None:
        self._take_model()
        self.changed.emit()

    def _take_model(self) -> None:
        info = self._session.model
        self.known = () if info is None else known_of(facts_of(info), info.name, info.sha256)
        self.which, self._made, self.exploring = 0, None, False
        if self.own is not None:
            self.dimensions = min(max(self.own.dimensions // 2 * 2, LEAST_DIMENSIONS), MOST_DIMENSIONS)
        self._clamp()
