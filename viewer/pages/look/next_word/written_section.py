"""`WrittenSection`: what each head wrote for a word of the step, or for it rather than for a rival."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from model.abilities import Ability
from model.errors import HeadscopeError
from model.questions.causes.logit import LOGIT, LogitParts
from model.questions.questions import Reading
from model.trace.trace import AttentionKind
from viewer.document.explained import logit_question
from viewer.document.messages.notice import error_sentence
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.figures.causes.logit import logit_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.spec import SheetSpec
from viewer.pages.look.causes.cause_view import CauseView
from viewer.pages.look.next_word.candidates_model import Candidate
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded


def why_not(session: Session) -> str:
    """Why nothing can be said of the words of the run in view, in a sentence; empty if it can."""
    run, model = session.run(), session.model
    if obstacle := cannot(model, Ability.ANSWER):
        return obstacle
    translate = QCoreApplication.translate
    if run is None or AttentionKind.CROSS not in run.trace.kinds or not run.trace.steps:
        return translate("WrittenSection", "Translate a sentence to see what each head wrote.")
    if run.live:
        return translate("WrittenSection", "This is computed once the translation is complete.")
    if model is None or not run.trace.may_be_of(model.name, model.sha256):
        return translate("WrittenSection", "Open the model that wrote this to see what its heads wrote.")
    return ""


class WrittenSection(Worded, QWidget):
    """Takes the place of the candidates: two choices of words, the picture, and back.

    Attributes:
        back: leads to the candidates.
        word, rival: which word is explained, and which it is compared with.
        colour: whether the overview of heads is coloured by it.
        parts: the picture.

    Signals:
        closed: `back` was pressed.
    """

    closed = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._rows: Sequence[Candidate] = ()
        self.back = QPushButton()
        self.word, self.rival = QComboBox(), QComboBox()
        self.word_label, self.rival_label = label("small"), label("small")
        self.colour = QCheckBox()
        self.parts = CauseView(session, appearance, LOGIT, self._figure)
        self._lay_out()
        self.back.clicked.connect(self.closed)
        self.word.activated.connect(self._chosen)
        self.rival.activated.connect(self._chosen)
        self.colour.clicked.connect(self._colour_clicked)
        session.view_changed.connect(self._show_colour)
        self.retranslate()

    def _lay_out(self) -> None:
        choices = QGridLayout()
        choices.setSpacing(4)
        pairs: tuple[tuple[QLabel, QComboBox], ...] = (
            (self.word_label, self.word),
            (self.rival_label, self.rival),
        )
        for row, (name, box) in enumerate(pairs):
            name.setBuddy(box)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(6)
            choices.addWidget(name, row, 0)
            choices.addWidget(box, row, 1)
        choices.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 10, 2, 6)
        column.setSpacing(6)
        column.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(choices)
        column.addWidget(self.colour)
        column.addWidget(self.parts, 1)

    def show_step(self, rows: Sequence[Candidate]) -> None:
        """Show what was written at the step in view, whose candidates these are."""
        self._rows = [row for row in rows if row.token_id >= 0]
        self._fill()
        self._show_colour()
        trace, selection, obstacle = self._session.trace(), self._session.selection(), why_not(self._session)
        if obstacle or trace is None or selection is None:
            self.parts.say(obstacle)
            return
        question = logit_question(trace, selection)
        try:
            reading = Reading.of(trace)
        except HeadscopeError as error:
            self.parts.say(error_sentence(error))
            return
        if question is None:
            self.parts.say(self.tr("These words are no candidates of this step: choose others."))
        else:
            self.parts.ask(question, reading)

    def _fill(self) -> None:
        """The step's candidates, and what is chosen of them."""
        selection = self._session.selection()
        chosen = "" if selection is None else selection.word
        rival = "" if selection is None else selection.rival
        self.word.clear()
        self.rival.clear()
        self.rival.addItem(self.tr("no other word"), "")
        for row in self._rows:
            self.word.addItem(row.text, "" if row.chosen else row.raw)
            if row.raw != chosen and not (row.chosen and not chosen):
                self.rival.addItem(row.text, row.raw)
        self.word.setCurrentIndex(max(0, self.word.findData(chosen)))
        self.rival.setCurrentIndex(max(0, self.rival.findData(rival)))

    def _chosen(self) -> None:
        word, rival = self.word.currentData() or "", self.rival.currentData() or ""
        own = word or next((row.raw for row in self._rows if row.chosen), "")
        self._session.select(word=word, rival="" if rival == own else rival)

    def _colour_clicked(self) -> None:
        on = self.colour.isChecked()
        self._session.set_view(attribution=on, importance=False)

    def _show_colour(self) -> None:
        self.colour.setChecked(self._session.view.attribution)

    def _figure(self, answer: LogitParts) -> FigureSpec[SheetSpec]:
        run = self._session.run()
        assert run is not None
        return logit_figure(run.trace, answer, raw=self._session.view.raw_pieces, provenance=run.provenance)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.back.setText(self.tr("‹ Candidates"))
        self.back.setToolTip(plain(self.tr("Back to the candidates for the next word")))
        self.word_label.setText(self.tr("For"))
        self.rival_label.setText(self.tr("rather than"))
        self.word.setAccessibleName(self.tr("Word that is explained"))
        self.rival.setAccessibleName(self.tr("Word that it is compared with"))
        self.colour.setText(self.tr("Colour the heads by it"))
        if self._rows:
            self._fill()
