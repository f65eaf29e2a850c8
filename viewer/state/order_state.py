"""The order experiment: what was found out last, and what is still being done. QtCore only."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from viewer.state.exploring import OrderExperiment
from viewer.state.messages import PiecesSplit
from viewer.state.notice import Notice


class OrderState(QObject):
    """Held by the session as `orders`; the application writes it, the Learn page reads it.

    Signals:
        changed: any of the properties but `pieces` changed.
        pieces_changed: `pieces` changed.
    """

    changed = Signal()
    pieces_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._experiment: OrderExperiment | None = None
        self._busy = False
        self._problem: Notice | None = None
        self._pieces: PiecesSplit | None = None

    @property
    def experiment(self) -> OrderExperiment | None:
        """The last result; stays while the next is being worked out."""
        return self._experiment

    @property
    def busy(self) -> bool:
        """Whether one is being worked out."""
        return self._busy

    @property
    def problem(self) -> Notice | None:
        """Why the last try came to nothing; None when it did not fail."""
        return self._problem

    @property
    def pieces(self) -> PiecesSplit | None:
        """The pieces of the text typed last for the experiment; None while none are known."""
        return self._pieces

    def set_pieces(self, pieces: PiecesSplit | None) -> None:
        """The answer to `Wishes.order_pieces_asked`."""
        if pieces != self._pieces:
            self._pieces = pieces
            self.pieces_changed.emit()

    def begin(self) -> None:
        """A try has been asked for."""
        self._set(self._experiment, True, None)

    def finish(self, experiment: OrderExperiment) -> None:
        """The try came to this."""
        self._set(experiment, False, None)

    def fail(self, problem: Notice | None) -> None:
        """The try came to nothing; None for one that was cancelled."""
        self._set(self._experiment, False, problem)

    def clear(self) -> None:
        """Forget everything: another model was opened."""
        self.set_pieces(None)
        self._set(None, False, None)

    def _set(self, experiment: OrderExperiment | None, busy: bool, problem: Notice | None) -> None:
        before = (self._experiment, self._busy, self._problem)
        self._experiment, self._busy, self._problem = experiment, busy, problem
        if before != (experiment, busy, problem):
            self.changed.emit()
