"""`WrittenSection`: why a word of the step, or it rather than a rival: by heads, or by tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from model.abilities import Ability
from model.errors import HeadscopeError
from model.questions.causes.contrast import CONTRAST, GRADIENT, Contrast, ContrastOf
from model.questions.causes.logit import LOGIT, LogitOf, LogitParts
from model.questions.questions import Reading
from model.trace.trace import Trace
from viewer.document.explained import logit_question
from viewer.document.messages.notice import error_sentence
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.causes.contrast import contrast_figure
from viewer.figures.causes.logit import logit_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.spec import SheetSpec
from viewer.pages.look.causes.cause_view import CauseView
from viewer.pages.look.causes.obstacle import obstacle_of
from viewer.pages.look.next_word.candidates_model import Candidate
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import NarrowBox, label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded


class WrittenSection(Worded, QWidget):
    """Takes the place of the candidates: what is told of which words, the picture, and back.

    Attributes:
        back: leads to the candidates.
        what: what is told: what each head wrote, or what each token did.
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
        self.what, self.word, self.rival = (NarrowBox(6) for _ in range(3))
        self.what_label, self.word_label, self.rival_label = label("small"), label("small"), label("small")
        self.colour = QCheckBox()
        self.parts = CauseView(session, appearance, LOGIT, self._figure)
        self._lay_out()
        self.back.clicked.connect(self.closed)
        for method in (LOGIT, CONTRAST):
            self.what.addItem("", method.name)
        self.what.currentIndexChanged.connect(self._what_chosen)
        self.word.activated.connect(self._chosen)
        self.rival.activated.connect(self._chosen)
        self.colour.clicked.connect(self._colour_clicked)
        session.view_changed.connect(self._show_colour)
        self.retranslate()

    def _lay_out(self) -> None:
        choices = QGridLayout()
        choices.setSpacing(4)
        pairs: tuple[tuple[QLabel, QComboBox], ...] = (
            (self.what_label, self.what),
            (self.word_label, self.word),
            (self.rival_label, self.rival),
        )
        for row, (name, box) in enumerate(pairs):
            name.setBuddy(box)
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
        trace, selection, obstacle = (
            self._session.trace(),
            self._session.selection(),
            self._obstacle(),
        )
        if obstacle or trace is None or selection is None:
            self.parts.say(obstacle)
            return
        question = self._question(trace, selection)
        try:
            reading = Reading.of(trace)
        except HeadscopeError as error:
            self.parts.say(error_sentence(error))
            return
        if question is None:
            self.parts.say(self.tr("These words are no candidates of this step: choose others."))
        else:
            tokens = GRADIENT if getattr(question, "rival", None) is None else CONTRAST
            self.parts.ask(question, reading, tokens if self.of_tokens else LOGIT)

    @property
    def of_tokens(self) -> bool:
        """Whether it tells what each token did, and not what each head wrote."""
        return bool(self.what.currentData() == CONTRAST.name)

    def show_what(self, *, tokens: bool) -> None:
        """Choose what is told."""
        self.what.setCurrentIndex(int(tokens))

    def _obstacle(self) -> str:
        return obstacle_of(self._session, Ability.WALK if self.of_tokens else Ability.ANSWER)

    def _question(self, trace: Trace, selection: Selection) -> LogitOf | ContrastOf | None:
        logit = logit_question(trace, selection)
        if logit is None or not self.of_tokens:
            return logit
        return ContrastOf(logit.step, logit.word, logit.rival)

    def _what_chosen(self) -> None:
        self.colour.setVisible(not self.of_tokens)
        if self.isVisible():
            self.show_step(self._rows)

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

    def _figure(self, answer: LogitParts | Contrast) -> FigureSpec[SheetSpec]:
        run = self._session.run()
        assert run is not None
        make: Callable[..., FigureSpec[SheetSpec]] = contrast_figure if self.of_tokens else logit_figure
        return make(run.trace, answer, raw=self._session.view.raw_pieces, provenance=run.provenance)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.back.setText(self.tr("‹ Candidates"))
        self.back.setToolTip(plain(self.tr("Back to the candidates for the next word")))
        self.what_label.setText(self.tr("Show"))
        self.what.setAccessibleName(self.tr("What is told of the word"))
        self.what.setItemText(0, self.tr("what each head wrote"))
        self.what.setItemText(1, self.tr("what each token did"))
        self.word_label.setText(self.tr("For"))
        self.rival_label.setText(self.tr("rather than"))
        self.word.setAccessibleName(self.tr("Word that is explained"))
        self.rival.setAccessibleName(self.tr("Word that it is compared with"))
        self.colour.setText(self.tr("Colour the heads by it"))
        if self._rows:
            self._fill()
