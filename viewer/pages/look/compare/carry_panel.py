"""`CarryPanel`: Carry over: what each place of A does inside B, and the translation that it makes."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from model.abilities import Ability
from model.errors import HeadscopeError
from model.questions.causes.patching import Patched
from model.questions.questions import Question, Reading
from viewer.document.alterations.alteration_text import change_texts
from viewer.document.messages.notice import error_sentence
from viewer.document.messages.requests import KeepAltered
from viewer.document.session import Session
from viewer.document.text.lists import clauses
from viewer.document.text.model_text import cannot
from viewer.document.what_if.what_if import LIVE_SUFFIX
from viewer.figures.difference.comparing import comparing
from viewer.figures.effects.build import effects_figure
from viewer.figures.effects.layout import Cell
from viewer.figures.effects.spec import EffectsSpec
from viewer.figures.effects.text import head_name, what_text
from viewer.figures.figure import FigureSpec
from viewer.figures.request import Page
from viewer.figures.rows import figure_rows
from viewer.pages.look.compare.carrying import PATH, Carrying, Wanted
from viewer.pages.look.compare.effects_view import EffectsView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import NarrowBox, elastic, label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

_TOPIC = "carry over"
_LEAST_VIEW = 124
_WHAT = ("heads", "patterns", "residual", "cross", PATH)


class CarryPanel(Worded, QWidget):
    """Choosers, the grids, and below them A, B and what the chosen cell makes of B.

    Signals:
        read_out: a sentence of what is under the pointer.
        failed: a `HeadscopeError`.
    """

    read_out = Signal(str)
    failed = Signal(object)

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._appearance = session, appearance
        self._asked: Carrying | None = None
        self._stopped: tuple[Question, Reading] | None = None
        self.what, self.by, self.step = (NarrowBox(8) for _ in range(3))
        self.view = EffectsView(appearance, self._make)
        self.sentence = label("muted")
        self.progress, self.cancel, self.again = QProgressBar(), QPushButton(), QPushButton()
        self.badges, self.caveat = elastic(label("badge")), elastic(label("muted"))
        self.texts = [elastic(label()) for _ in range(3)]
        self.back = QPushButton()
        self._lay_out()
        for chooser in (self.what, self.by, self.step):
            chooser.currentIndexChanged.connect(self.refresh)
        self.view.picked.connect(self._pick)
        self.view.read_out.connect(self.read_out)
        self.view.failed.connect(self.failed, Qt.ConnectionType.QueuedConnection)
        self.cancel.clicked.connect(self._stop)
        self.again.clicked.connect(self._start_again)
        self.back.clicked.connect(self._take_back)
        session.answers.changed.connect(self._answer_changed)
        self.remeasure()
        self.retranslate()

    def remeasure(self) -> None:
        """As high as the type in force needs."""
        self.view.setMinimumHeight(self._appearance.px(_LEAST_VIEW))

    def _lay_out(self) -> None:
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.progress.setTextVisible(False)
        self.back.setProperty("role", "link")
        kept = self.back.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(kept)
        row = QHBoxLayout()
        row.setSpacing(6)
        for chooser in (self.what, self.by, self.step):
            row.addWidget(chooser, 1)
        waiting = QWidget()
        going = QVBoxLayout(waiting)
        self._going = QWidget()
        bar = QHBoxLayout(self._going)
        bar.addWidget(self.progress, 1)
        bar.addWidget(self.cancel)
        going.addStretch(1)
        going.addWidget(self.sentence)
        going.addWidget(self._going)
        going.addWidget(self.again, 0, Qt.AlignmentFlag.AlignCenter)
        going.addStretch(1)
        self._middle = QStackedWidget()
        self._middle.addWidget(self.view)
        self._middle.addWidget(waiting)
        both = QHBoxLayout()
        both.setSpacing(12)
        for line in self.texts[:2]:
            both.addWidget(line, 1)
        made = QHBoxLayout()
        made.addWidget(self.texts[2], 1)
        made.addWidget(self.back)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.badges)
        column.addWidget(self._middle, 1)
        column.addWidget(self.caveat)
        column.addLayout(both)
        column.addLayout(made)

    def retranslate(self) -> None:
        """Take the language in force."""
        translated = (
            (self.what, [what_text(what) for what in _WHAT]),
            (self.by, [self.tr("by head"), self.tr("by position")]),
            (self.step, [self.tr("first difference"), self.tr("step in view")]),
        )
        for chooser, words in translated:
            with QSignalBlocker(chooser):
                chosen = max(0, chooser.currentIndex())
                chooser.clear()
                chooser.addItems(words)
                chooser.setCurrentIndex(chosen)
        self.what.setAccessibleName(self.tr("What is carried"))
        self.by.setAccessibleName(self.tr("What cells are"))
        self.step.setAccessibleName(self.tr("Where it is measured"))
        self.step.setToolTip(
            self.tr("At which step of B the words that A and B write there are set against each other")
        )
        self.view.setAccessibleName(self.tr("Effects of carrying over"))
        self.progress.setAccessibleName(self.tr("Progress"))
        self.cancel.setText(self.tr("Cancel"))
        self.again.setText(self.tr("Work it out"))
        self.back.setText(self.tr("Take back"))
        self.view.retranslate()
        self.refresh()

    @property
    def wanted(self) -> Wanted:
        """What is chosen."""
        what = _WHAT[max(0, self.what.currentIndex())]
        return Wanted(what, self.by.currentIndex() == 1, self.step.currentIndex() == 1)

    @property
    def figure(self) -> FigureSpec[EffectsSpec] | None:
        """What it shows, for paper."""
        return self.view.figure

    def exported(self) -> Page | None:
        """The same with its table, and the command that draws it where B is the run in view."""
        figure, asked, run = self.figure, self._asked, self._session.run()
        if figure is None or asked is None:
            return None
        model = self._session.model
        in_view = model is not None and run is not None and asked.second.id == run.id
        command = asked.command(model.name) if in_view and model is not None else ()
        return Page(figure, "carried-over", tuple(figure_rows(figure)), command, of_trace=True)

    def refresh(self) -> None:
        """Show the two runs as they are now; ask for what is not known, if it is in view."""
        found = comparing(self._session.document)
        wanted = self.wanted
        self.view.makes = not cannot(self._session.model, Ability.WALK)
        self.by.setEnabled(wanted.what not in ("residual", PATH))
        try:
            document = self._session.document
            self._asked = None if found is None or found.same else Carrying.of(document, found, wanted)
            problem = ""
        except HeadscopeError as error:
            self._asked, problem = None, error_sentence(error)
        if self._asked is not None and self.isVisible():
            self._ask(self._asked)
        self.view.mark_dirty()
        answer = self._answer()
        self._middle.setCurrentIndex(1 if answer is None else 0)
        self._say_waiting(problem)
        self._say_badges()
        self._say_texts(answer)

    def _ask(self, asked: Carrying) -> None:
        model, key = self._session.model, (asked.question, asked.reading)
        ready = model is not None and not self._obstacle()
        live = asked.first.live or asked.second.live
        if ready and not live and key != self._stopped:
            self._session.answers.ask(*key, topic=_TOPIC)

    def _obstacle(self) -> str:
        """Why what is chosen cannot be worked out, a sentence; empty if it can."""
        model = self._session.model
        ability = Ability.WALK if self.wanted.what == PATH else Ability.CARRY
        return cannot(model, ability) or cannot(model, Ability.WRITE)

    def _answer(self) -> Patched | None:
        asked = self._asked
        found = None if asked is None else self._session.answers.get(asked.question, asked.reading)
        return found if isinstance(found, Patched) else None

    def _make(self) -> FigureSpec[EffectsSpec] | None:
        asked, found = self._asked, self._answer()
        if asked is None or found is None:
            return None
        chosen = asked.chosen(self._session.document, found)
        own = asked.first.provenance, asked.second.provenance
        return effects_figure(found, asked.first.trace, asked.second.trace, chosen=chosen, provenances=own)

    def _say_waiting(self, problem: str) -> None:
        asked = self._asked
        state = None if asked is None else self._session.answers.state(asked.question, asked.reading)
        waiting = state is not None and state.waiting
        self._going.setVisible(waiting)
        self.again.setVisible(
            asked is not None and not waiting and self._stopped == (asked.question, asked.reading)
        )
        if state is not None:
            self.progress.setRange(0, max(0, state.total))
            self.progress.setValue(state.done)
        obstacle = self._obstacle()
        if state is not None and state.problem is not None:
            problem = state.problem.sentence()
        elif obstacle:
            problem = obstacle
        elif not problem and waiting:
            problem = self.tr("Each place of A is put into B by itself…")
        elif not problem and asked is None:
            problem = self.tr("Choose two different runs of one model: A is carried into B.")
        elif not problem and asked is not None and (asked.first.live or asked.second.live):
            problem = self.tr("This is worked out once both translations are complete.")
        self.sentence.setText(problem)

    def _say_badges(self) -> None:
        figure = self.view.figure
        badges = () if figure is None else figure.body.badges
        self.badges.setText("  ·  ".join(badges))
        self.badges.setToolTip(plain("\n".join(badges)))
        self.badges.setVisible(bool(badges))
        notes = () if figure is None else figure.body.notes
        self.caveat.setText(" ".join(notes))
        self.caveat.setToolTip(plain("\n".join(notes)))
        self.caveat.setVisible(bool(notes))

    def _say_texts(self, answer: Patched | None) -> None:
        asked = self._asked
        for line in self.texts:
            line.setVisible(asked is not None and answer is not None)
        self.back.hide()
        if asked is None or answer is None:
            return
        self.texts[0].setText(self.tr("A: {text}").format(text=asked.first.trace.tgt_text))
        self.texts[1].setText(self.tr("B: {text}").format(text=asked.second.trace.tgt_text))
        run = asked.made(self._session.document)
        if run is not None:
            changes = clauses(change_texts(run.trace.alterations, run.trace))
            text = self.tr("B altered: {text} ({changes})")
            self.texts[2].setText(text.format(changes=changes, text=run.trace.tgt_text))
            self.back.show()
        elif answer.sender is not None:
            text = self.tr("The sender is {head}, the head in view. A path makes no translation of its own.")
            self.texts[2].setText(text.format(head=head_name(answer.sender)))
        elif not self.view.makes:
            text = self.tr("This model is run by transformers: its cells tell effects and make no text.")
            self.texts[2].setText(text)
        else:
            self.texts[2].setText(self.tr("Click a cell to see the translation that it makes of B."))
        for line in self.texts:
            line.setToolTip(plain(line.text()))

    def _pick(self, cell: Cell) -> None:
        """Translate B with the cell's place held at A's numbers."""
        asked, found = self._asked, self._answer()
        if asked is None or found is None:
            return
        try:
            change = asked.change(found, cell)
            request = None if change is None else asked.asked(self._session.document, change)
        except HeadscopeError as error:
            self.failed.emit(error)
            return
        if request is None:
            return
        if asked.second.id.endswith(LIVE_SUFFIX):  # or the next one would take its place
            self._session.ask(KeepAltered(asked.second.id))
        self._session.ask(request)

    def _take_back(self) -> None:
        asked = self._asked
        request = None if asked is None else asked.asked(self._session.document, None)
        if request is not None:
            self._session.ask(request)

    def _stop(self) -> None:
        asked = self._asked
        if asked is not None:
            self._stopped = asked.question, asked.reading
            self._session.answers.stop(asked.question, asked.reading)
            self.refresh()

    def _start_again(self) -> None:
        self._stopped = None
        self.refresh()

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        asked = self._asked
        if asked is not None and (question, reading) == (asked.question, asked.reading):
            self.refresh()
