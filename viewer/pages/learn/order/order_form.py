"""`OrderForm`: what the order experiment is to read: a sentence, and its pieces in another order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from model.abilities import Ability
from model.trace.exploration import other_order
from viewer.document.order_state import OrderState
from viewer.document.scene import text, wholes
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.model_samples import sample_language
from viewer.pages.learn.order.piece_order import PieceOrder
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.sentence_box import SentenceBox
from viewer.pages.widgets.worded import Worded
from viewer.resources import bundled_model, samples

NOTES_SENTENCE, NOTES_MODEL = "你打我", "zh-en"
_TYPING_PAUSE_MS = 120
_ORDER = "order"


def preset(language: str) -> str:
    """A sentence of a source language that says something else in another order; empty if none is known."""
    groups = samples(language)
    sentences = (
        groups.get(_ORDER) or groups.get("short") or [text for group in groups.values() for text in group]
    )
    return sentences[0] if sentences else ""


class OrderForm(Worded, QFrame):
    """Sentence, pieces, buttons.

    Signals:
        path_asked: open this model.
    """

    path_asked = Signal(str)

    def __init__(
        self, session: Session, orders: OrderState, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._session = session
        self._orders = orders
        self._appearance = appearance
        self._preset = ""
        self._wished: tuple[int, ...] | None = None  # of a scene that is shown again
        self._tries = False
        self._offered = ""
        self.box = SentenceBox()
        self.pieces = PieceOrder(appearance)
        self.reverse, self.shuffle, self.go, self.offer = (QPushButton() for _ in range(4))
        self.go.setProperty("role", "primary")
        self._sentence, self._order, self.message = label("muted"), label("muted"), label("muted")
        self.message.setWordWrap(True)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_PAUSE_MS)
        self._lay_out()
        self._connect()
        self.retranslate()
        self._model_changed()

    def _lay_out(self) -> None:
        first, second, last = QHBoxLayout(), OverflowRow(self._appearance, spacing=8), QHBoxLayout()
        for row in (first, last):
            row.setSpacing(8)
        first.addWidget(self._sentence)
        first.addWidget(self.box, 1)
        first.addWidget(self.go)
        second.add(self._order, rank=STAYS)
        second.add(self.pieces, 1, rank=STAYS)
        second.add(self.reverse)
        second.add(self.shuffle)
        last.addWidget(self.message, 1)
        last.addWidget(self.offer)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(8)
        column.addLayout(first)
        column.addWidget(second)
        column.addLayout(last)

    def _connect(self) -> None:
        session = self._session
        self.box.entered.connect(self._try)
        self.box.textChanged.connect(self._text_changed)
        self.go.clicked.connect(self._try)
        self.reverse.clicked.connect(self.pieces.reverse)
        self.shuffle.clicked.connect(self.pieces.shuffle)
        self.offer.clicked.connect(self._open_offered)
        self._typing.timeout.connect(self._ask_pieces)
        session.destroyed.connect(self._typing.stop)  # nothing is left to ask
        session.model_changed.connect(self._model_changed)
        self._orders.changed.connect(self._state_changed)
        self._orders.pieces_changed.connect(self._pieces_changed)

    @property
    def _ready(self) -> bool:
        """Whether the pieces shown are those of the text in the box."""
        pieces = self._orders.pieces
        return pieces is not None and pieces.text == self.box.text() and bool(pieces.pieces)

    def scene(self) -> dict[str, Any]:
        """Sentence, order, and whether it was tried, for `show_scene`."""
        experiment = self._orders.experiment
        tried = experiment is not None and experiment.text == self.box.text()
        return {"text": self.box.text(), "order": list(self.pieces.order), "tried": tried}

    def show_scene(self, state: Mapping[str, Any]) -> None:
        """Put a sentence in its order again, as soon as there is a model to read it, and try it."""
        self.box.setText(text(state, "text"))
        self._wished, self._tries = wholes(state, "order"), state.get("tried") is True
        self._typing.stop()
        if self._ready:
            self._pieces_changed()
        else:
            self._ask_pieces()

    def _wished_order(self, count: int) -> tuple[int, ...] | None:
        """The order of the scene that is shown again, once."""
        wished, self._wished = self._wished, None
        return wished if wished is not None and sorted(wished) == list(range(count)) else None

    def _try(self) -> None:
        if self.go.isEnabled():
            order = self.pieces.order if self._ready else None
            self._orders.try_order(self.box.text(), order)

    def _text_changed(self) -> None:
        self._wished, self._tries = None, False
        self._typing.start()
        self._refresh()

    def _ask_pieces(self) -> None:
        if self._session.model is not None and self.box.text().strip():
            self._orders.split(self.box.text())

    def _pieces_changed(self) -> None:
        pieces = self._orders.pieces
        if pieces is not None and self._ready:
            order = self._wished_order(len(pieces.pieces)) or other_order(pieces.pieces)
            self.pieces.show_pieces(pieces.pieces, order)
        self._refresh()
        if self._ready and self._tries:
            self._try_again()
            return
        untried = self._orders.experiment is None and self._orders.problem is None
        if untried and self._ready and self.box.text() == self._preset:
            self._try()  # the shipped sample shows what there is to see; an own sentence waits

    def _try_again(self) -> None:
        """What a scene had tried, unless it is what was tried last."""
        self._tries = False
        experiment = self._orders.experiment
        shown = None if experiment is None else (experiment.text, tuple(experiment.order))
        if shown != (self.box.text(), self.pieces.order) and not cannot(self._session.model, Ability.ARRANGE):
            self._orders.try_order(self.box.text(), self.pieces.order)

    def _model_changed(self) -> None:
        """Another model reads other pieces and, perhaps, another language."""
        info = self._session.model
        if info is not None and self.box.text() in ("", self._preset):
            # A model that learned from Chinese is asked the notes' own question.
            self._preset = preset(sample_language(info))
            self.box.setText(self._preset)
        self._typing.start()
        self._refresh()

    def _state_changed(self) -> None:
        experiment = self._orders.experiment
        if experiment is not None and experiment.text == self.box.text() and not self._ready:
            self.pieces.show_pieces(experiment.pieces, experiment.order)
        self._refresh()

    def _refresh(self) -> None:
        session = self._session
        able = session.model is not None and not cannot(session.model, Ability.ARRANGE)
        self.go.setEnabled(able and bool(self.box.text().strip()) and not self._orders.busy)
        if session.model is None or not self.box.text().strip():
            self.pieces.show_pieces((), ())
        self.pieces.setEnabled(self._ready)
        for button in (self.reverse, self.shuffle):
            button.setEnabled(self._ready)
        self._refresh_message()

    def _refresh_message(self) -> None:
        session, text, offered = self._session, "", ""
        problem, info = self._orders.problem, session.model
        if self._orders.busy:
            text = self.tr("Reading the pieces in four ways…")
        elif problem is not None:
            text, offered = problem.sentence(), str(problem.values.get("offer", ""))
        elif obstacle := cannot(info, Ability.ARRANGE):
            text, offered = obstacle, NOTES_MODEL
        elif info is None:
            text, offered = self.tr("The experiment needs a model."), NOTES_MODEL
        elif not info.languages[0].lower().startswith("zh"):
            text = self.tr("The classic is 你打我 (you hit me); it needs a model that reads Chinese.")
            offered = NOTES_MODEL
        elif self._orders.experiment is None:
            text = self.tr("Press Try to read the sentence in both orders, with positions and without.")
        folder = bundled_model(offered) if offered else None
        self._offered = "" if folder is None else str(folder)
        self.message.setProperty(
            "role", "problem" if problem is not None and not self._orders.busy else "muted"
        )
        self.message.style().polish(self.message)
        self.message.setText(text)
        self.message.setVisible(bool(text))
        self.offer.setText(self.tr("Open {model}").format(model=offered))
        self.offer.setVisible(bool(self._offered))

    def _open_offered(self) -> None:
        # What the offered model is to read; an own sentence stays only if it is why the model was offered.
        if self._orders.problem is None:
            self._preset = NOTES_SENTENCE
            self.box.setText(NOTES_SENTENCE)
        self.box.setFocus()  # the button goes when the model is open
        self.path_asked.emit(self._offered)

    def retranslate(self) -> None:
        """Take the language in force."""
        self._sentence.setText(self.tr("Sentence"))
        self._order.setText(self.tr("Other order"))
        self.box.setPlaceholderText(self.tr("Type a short sentence and press Enter"))
        self.box.setAccessibleName(self.tr("Sentence"))
        self.pieces.setAccessibleName(self.tr("Other order"))
        self.pieces.setToolTip(
            self.tr("Drag a piece to another place, or choose it with ← → and move it with Shift")
        )
        self.reverse.setText(self.tr("Reverse"))
        self.shuffle.setText(self.tr("Shuffle"))
        self.go.setText(self.tr("Try"))
        self.go.setToolTip(self.tr("Read the sentence in both orders, with and without positions (Enter)"))
        self._refresh()
