"""`TrustDialog`: whether the map in view ranks what its word depends on: curves beside random orders."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QVBoxLayout, QWidget

from model.abilities import Ability
from model.errors import HeadscopeError
from model.questions.causes.faithfulness import FAITHFULNESS, Faithfulness
from model.questions.questions import Question, Reading
from viewer.document.answers import Key
from viewer.document.messages.notice import error_sentence
from viewer.document.session import Session
from viewer.figures.causes.trust import trust_figure, trust_question
from viewer.figures.figure import FigureSpec
from viewer.figures.known import Missing
from viewer.figures.sheet.spec import SheetSpec
from viewer.pages.look.causes.cause_view import CauseView
from viewer.pages.look.causes.obstacle import obstacle_of
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.worded import Worded

_WIDE, _HIGH = 620, 720


class TrustDialog(Worded, QDialog):
    """Goes with the active pane from map to map and step to step; not modal, so that they are tried in turn.

    Attributes:
        curves: the picture, its progress and why there is none.
        export: opens the window's export with this picture chosen.

    Signals:
        export_asked: `export` was pressed.
    """

    export_asked = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._needed: Key | None = None  # what the map's own numbers wait for
        self.curves = CauseView(session, appearance, FAITHFULNESS, self._figure)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.export = QPushButton()
        buttons.addButton(self.export, QDialogButtonBox.ButtonRole.ActionRole)
        column = QVBoxLayout(self)
        column.addWidget(self.curves, 1)
        column.addWidget(buttons)
        buttons.rejected.connect(self.close)
        self.export.clicked.connect(self.export_asked)
        session.answers.changed.connect(self._answer_changed)
        for signal in (
            session.pane_changed, session.panes_changed, session.runs_changed, session.run_grew,
            session.model_changed,
        ):  # fmt: skip
            signal.connect(self.refresh)
        self.resize(_WIDE, _HIGH)
        self.retranslate()

    def refresh(self) -> None:
        """Show the map in view, once someone looks."""
        if not self.isVisible():
            return
        trace, selection, obstacle = (
            self._session.trace(),
            self._session.selection(),
            obstacle_of(self._session, Ability.WALK),
        )
        self._needed = None
        self.export.setEnabled(not obstacle)
        if obstacle or trace is None or selection is None:
            self.curves.say(obstacle)
            return
        try:
            question, reading = trust_question(trace, selection, self._session.answers.get), Reading.of(trace)
        except Missing as missing:
            self._wait_for(missing)
        except HeadscopeError as error:
            self.curves.say(error_sentence(error))
        else:
            self.curves.ask(question, reading)

    def _wait_for(self, missing: Missing) -> None:
        self._needed = (missing.question, missing.reading)
        answers = self._session.answers
        answers.ask(*self._needed)
        problem = answers.state(*self._needed).problem
        self.curves.say(self.tr("Computing the map's numbers…") if problem is None else problem.sentence())

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        if self._needed == (question, reading):
            self.refresh()

    def _figure(self, answer: Faithfulness) -> FigureSpec[SheetSpec]:
        run, selection = self._session.run(), self._session.selection()
        assert run is not None
        assert selection is not None
        raw = self._session.view.raw_pieces
        return trust_figure(run.trace, selection, answer, raw=raw, provenance=run.provenance)

    def showEvent(self, event: QShowEvent) -> None:
        """Now someone looks."""
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """What nobody waits for is not worked out."""
        super().hideEvent(event)
        self.curves.leave()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setWindowTitle(self.tr("Can this map be trusted?"))
        self.export.setText(self.tr("&Export…"))
        self.refresh()
