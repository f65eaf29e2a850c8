"""`Curves`: what a run measured at each step and at each evaluation, as growing columns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from model.training.progress.events import EvalEvent, StepEvent

Column = npt.NDArray[np.float64]
Series = tuple[Column, Column]

_FIRST_ROOM = 256


class _Table:
    """Rows of a step and its measures, ascending by step; what was read from it never changes.

    Args:
        names: of the measures.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self._room = np.empty((1 + len(names), _FIRST_ROOM))
        self._rows = 0

    def column(self, name: str) -> Series:
        """Steps and one measure, read-only."""
        steps, values = self._room[0, : self._rows], self._room[1 + self.names.index(name), : self._rows]
        for view in (steps, values):
            view.flags.writeable = False
        return steps, values

    def add(self, rows: Column) -> None:
        """Append rows [1 + names, n]; the room doubles, so that adding one costs the same at any length."""
        need = self._rows + rows.shape[1]
        if need > self._room.shape[1]:
            room = np.empty((len(self._room), max(need, 2 * self._room.shape[1])))
            room[:, : self._rows] = self._room[:, : self._rows]
            self._room = room
        self._room[:, self._rows : need] = rows
        self._rows = need

    def keep_until(self, step: float) -> None:
        """Drop the rows beyond a step."""
        if not self._rows or self._room[0, self._rows - 1] <= step:
            return
        self._rows = int(np.searchsorted(self._room[0, : self._rows], step, side="right"))
        # New room: series that were given out before keep their numbers.
        self._room = self._room.copy()


class Curves:
    """`loss`, `lr`, `grad_norm`, `tokens_per_second` by step; `heldout_loss` and `bleu` by evaluation.

    A step that is not above the last one (a run that was killed goes on from an earlier save) takes the place
    of it and of all beyond, evaluations among them. What is not a number stays in the column as NaN; an
    evaluation that measured no BLEU has no row there.
    """

    NAMES = ("loss", "lr", "grad_norm", "tokens_per_second", "heldout_loss", "bleu")

    def __init__(self) -> None:
        self._steps = _Table(self.NAMES[:4])
        self._losses = _Table(self.NAMES[4:5])
        self._bleus = _Table(self.NAMES[5:])
        self._tables = {name: table for table in self._all for name in table.names}

    @property
    def _all(self) -> tuple[_Table, ...]:
        return self._steps, self._losses, self._bleus

    def series(self, name: str) -> Series:
        """Steps and values of one column, ascending; read-only views, empty when nothing was measured.

        Raises:
            KeyError: no such column.
        """
        return self._tables[name].column(name)

    def add_step(self, event: StepEvent) -> None:
        """Take a step's measures."""
        for table in self._all:
            table.keep_until(event.step - 1)
        self._steps.add(_row(event.step, event.loss, event.lr, event.grad_norm, event.tokens_per_second))

    def add_evaluation(self, event: EvalEvent) -> None:
        """Take an evaluation's measures."""
        for table in (self._losses, self._bleus):
            table.keep_until(event.step - 1)
        self._losses.add(_row(event.step, event.heldout_loss))
        if event.bleu is not None:
            self._bleus.add(_row(event.step, event.bleu))

    def add_steps(self, steps: npt.ArrayLike, columns: Mapping[str, npt.ArrayLike]) -> None:
        """Take the measures of many steps at once.

        Args:
            steps: [n] ascending, all above the last step there is.
            columns: [n] numbers for each of `loss`, `lr`, `grad_norm`, `tokens_per_second`; NaN for one that
                is absent.
        """
        where = np.asarray(steps, np.float64)
        absent = np.full(len(where), np.nan)
        values = [np.asarray(columns.get(name, absent), np.float64) for name in self._steps.names]
        self._steps.add(np.stack([where, *values]))

    def keep_until(self, step: int) -> None:
        """Forget all that was measured beyond a step."""
        for table in self._all:
            table.keep_until(step)


def _row(*values: float) -> Column:
    return np.array(values, np.float64)[:, None]
