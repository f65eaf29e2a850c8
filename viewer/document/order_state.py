"""OrderState: what the order experiment asks, what was found out last, and what is still being done."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from model.questions.orders import OrdersOf, PiecesOf, TextPieces
from model.questions.questions import Question, Reading
from model.trace.exploration import OrderExperiment
from viewer.document.answers import Answers
from viewer.document.messages.messages import ModelInfo
from viewer.document.messages.notice import Notice

_ORDERS, _PIECES = "orders", "order pieces"


class OrderState(QObject):
    """Asks `Session.answers` for the Learn page, and follows the answers.

    Args:
        model: the model in use, which is asked.

    Signals:
        changed: any of the properties but `pieces` changed.
        pieces_changed: `pieces` changed.
    """

    changed = Signal()
    pieces_changed = Signal()

    def __init__(
        self, answers: Answers, model: Callable[[], ModelInfo | None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._answers = answers
        self._model = model
        self._tried: OrdersOf | None = None
        self._split: PiecesOf | None = None
        self._experiment: OrderExperiment | None = None
        self._busy = False
        self._problem: Notice | None = None
        self._pieces: TextPieces | None = None
        answers.changed.connect(self._answer_changed)

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
    def pieces(self) -> TextPieces | None:
        """The pieces of the text typed last for the experiment; None while none are known."""
        return self._pieces

    def split(self, text: str) -> None:
        """Ask for the pieces of a text that is being typed."""
        model = self._model()
        if model is not None:
            self._split = PiecesOf(model.sha256, text)
            self._answers.ask(self._split, topic=_PIECES)
            self._follow_pieces()

    def try_order(self, text: str, order: tuple[int, ...] | None) -> None:
        """Read a text's pieces in two orders, with and without positions.

        Args:
            order: as in `model.alterations.reorder.Reorder`; None leaves it to the experiment.
        """
        model = self._model()
        if model is None:
            return
        question = OrdersOf(model.sha256, text, order)
        if self._answers.state(question).problem is not None:
            self._answers.forget(question)
        self._tried = question
        self._answers.ask(question, topic=_ORDERS)
        self._follow()

    def clear(self) -> None:
        """Forget everything: another model was opened."""
        tried, self._tried, self._split = self._tried, None, None
        if tried is not None:
            self._answers.stop(tried)
        self._set_pieces(None)
        self._set(None, False, None)

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        if question == self._tried:
            self._follow()
        elif question == self._split:
            self._follow_pieces()

    def _follow(self) -> None:
        if self._tried is not None:
            state = self._answers.state(self._tried)
            found = self._answers.get(self._tried)
            self._set(self._experiment if found is None else found, state.waiting, state.problem)

    def _follow_pieces(self) -> None:
        found = None if self._split is None else self._answers.get(self._split)
        if found is not None:
            self._set_pieces(found)

    def _set_pieces(self, pieces: TextPieces | None) -> None:
        if pieces != self._pieces:
            self._pieces = pieces
            self.pieces_changed.emit()

    def _set(self, experiment: OrderExperiment | None, busy: bool, problem: Notice | None) -> None:
        before = (self._experiment, self._busy, self._problem)
        self._experiment, self._busy, self._problem = experiment, busy, problem
        if before != (experiment, busy, problem):
            self.changed.emit()
