"""`NextWordPanel`: what the model thought of at a step, and going on with another word."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from model.abilities import Ability
from model.trace.trace import Trace
from viewer.document.document import Run
from viewer.document.messages.requests import Branch, Continue
from viewer.document.sampling_preview import vocabulary
from viewer.document.session import Session
from viewer.document.text.input_text import given_steps
from viewer.pages.look.causes.obstacle import obstacle_of
from viewer.pages.look.continuing import can_continue, goes_elsewhere
from viewer.pages.look.next_word.candidate_delegate import ROW, CandidateDelegate
from viewer.pages.look.next_word.candidates_model import DRAWN, MODEL, WORD, Candidate, CandidatesModel
from viewer.pages.look.next_word.candidates_table import CandidatesTable
from viewer.pages.look.next_word.next_word_text import note_text, step_text
from viewer.pages.look.next_word.source_share import SourceShareSection
from viewer.pages.look.next_word.written_section import WrittenSection
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import elastic, label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.sentence_box import EnterBox
from viewer.pages.widgets.worded import Worded

_WIDE, _WIDE_PRESENT, _NARROW = 124, 100, 70  # of the columns with numbers
_BLANK = "\u2581\u0120 "  # of pieces that are a space alone, which is no word to compare with


class NextWordPanel(Worded, QWidget):
    """The candidates of the active pane's step; one that is picked, or typed, goes on from there."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._sent = ""  # the run beside which what is typed was asked for
        self.context = elastic(label("muted"))
        self.model = CandidatesModel(self)
        self.table = CandidatesTable()
        self.delegate = CandidateDelegate(appearance, self.table)
        self.box = EnterBox()
        self.note = label("small")
        self.note.setWordWrap(True)
        self.table.setModel(self.model)
        self.table.setItemDelegate(self.delegate)
        self.why = QPushButton()
        self.shares = SourceShareSection(session, appearance, self)
        self.written = WrittenSection(session, appearance, self)
        self._lay_out()
        self._connect()
        self._restyle()
        self.retranslate()

    def _lay_out(self) -> None:
        self._candidates = QWidget()
        column = QVBoxLayout(self._candidates)
        column.setContentsMargins(14, 12, 10, 12)
        column.setSpacing(6)
        column.addWidget(self.context)
        column.addWidget(self.table, 1)
        for widget in (self.box, self.why, self.note, self.shares):
            column.addWidget(widget)
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self._candidates)
        self._stack.addWidget(self.written)

    def _connect(self) -> None:
        session = self._session
        self.why.clicked.connect(self._why_clicked)
        self.written.closed.connect(self._written_closed)
        self.table.picked.connect(self._picked)
        self.table.hovered.connect(self._hovered)
        self.table.menu_asked.connect(self._show_menu)
        self.box.entered.connect(self._typed)
        session.pane_moved.connect(self._pane_moved)
        for signal in (
            session.run_grew,
            session.panes_changed,
            session.runs_changed,
            session.view_changed,
            session.model_changed,
        ):
            signal.connect(self.refresh)
        self._appearance.changed.connect(self._restyle)

    def refresh(self) -> None:
        """Show the candidates of the step in view."""
        session = self._session
        run, trace, step = session.run(), session.trace(), self._step()
        if run is not None and self._sent and run.id != self._sent:
            self._sent = ""
            self.box.clear()  # what was typed became a run; else it is to be corrected
        given = trace is not None and step < given_steps(trace)
        self.model.clickable = can_continue(session, run) and not given
        self.model.show_step(trace, step, session.view.raw_pieces)
        self._arrange_columns()
        there = trace is not None and bool(self.model.rows)
        self.box.setEnabled(there and self.model.clickable)
        self._show_context()
        self._show_written()
        if trace is None or not there:
            if trace is not None and 0 <= step < trace.steps and not trace.known_steps[step]:
                self.note.setText(self.tr("No probabilities were recorded at this step."))
            else:
                self.note.setText(
                    self.tr("The model's candidates for each next word appear here while it writes.")
                )
            return
        listed = sum(row.share for row in self.model.rows if row.token_id >= 0)
        note = note_text(trace, step, listed, vocabulary(session))
        if given:
            note = (
                self.tr("What the model expected before it was given the next token of the prompt.")
                + " "
                + note
            )
        elif not self.model.clickable and session.model is not None:
            note += " " + self.tr("To continue with another word, open the model that wrote this.")
        self.note.setText(note)

    def menu(self, row: int) -> QMenu:
        """The menu of a row; gone once it is closed."""
        candidate = self.model.rows[row]
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        go_on = menu.addAction(self.tr("Continue with this word"))
        go_on.setData(row)
        go_on.setEnabled(self._leads_on(candidate))
        go_on.triggered.connect(self._menu_picked)
        self._add_written(menu, candidate)
        copy = menu.addAction(self.tr("Copy word and numbers"))
        copy.setData(row)
        copy.triggered.connect(self._copy)
        return menu

    @property
    def explains(self) -> bool:
        """Whether what made the model write a word stands in the place of the candidates."""
        return self._stack.currentWidget() is self.written

    def explain(self, word: str, rival: str, *, tokens: bool = False) -> None:
        """Show what made the model write a piece, rather than another; empty as in `Selection`.

        Args:
            tokens: what each token did, not what each head wrote.
        """
        self.written.show_what(tokens=tokens)
        self._session.select(word=word, rival=rival)
        self._stack.setCurrentWidget(self.written)
        self.written.show_step(self.model.rows)
        self.written.back.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add_written(self, menu: QMenu, candidate: Candidate) -> None:
        """What can be told of a row's word, and of the step's word rather than it."""
        chosen = next((row for row in self.model.rows if row.chosen), None)
        if candidate.token_id < 0 or chosen is None:
            return
        text = self.tr("What each head wrote for “{word}”").format(word=candidate.text)
        own = "" if candidate.chosen else candidate.raw
        choices = [(text, own, "", False)]
        pair = {"word": chosen.text, "rival": candidate.text}
        if not candidate.chosen:
            text = self.tr("What each head wrote for “{word}” rather than “{rival}”")
            choices.append((text.format(**pair), "", candidate.raw, False))
            text = self.tr("Why “{word}” and not “{rival}”: what each token did")
            choices.insert(0, (text.format(**pair), "", candidate.raw, True))
        text = self.tr("What each token did for “{word}”").format(word=candidate.text)
        choices.append((text, own, "", True))
        for name, word, rival, tokens in choices:
            obstacle = obstacle_of(self._session, Ability.WALK if tokens else Ability.ANSWER)
            action = menu.addAction(name)
            action.setData((word, rival, tokens))
            action.setEnabled(not obstacle)
            action.setToolTip(plain(obstacle))
            action.triggered.connect(self._written_asked)
        menu.setToolTipsVisible(True)

    def _written_asked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            word, rival, tokens = action.data()
            self.explain(word, rival, tokens=tokens)

    def _why_clicked(self) -> None:
        """Begin with the word of the step against its strongest rival: what decides between both."""
        rivals = (row.raw for row in self.model.rows if row.token_id >= 0 and not row.chosen)
        rival = next((raw for raw in rivals if raw.strip(_BLANK)), "")
        self.explain("", rival, tokens=self.written.of_tokens)

    def _written_closed(self) -> None:
        self._stack.setCurrentWidget(self._candidates)
        self.why.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_written(self) -> None:
        obstacle = obstacle_of(self._session, Ability.ANSWER)
        self.why.setEnabled(not obstacle and bool(self.model.rows))
        self.why.setToolTip(plain(obstacle or self._why_tip()))
        if self.explains:
            self.written.show_step(self.model.rows)

    def _why_tip(self) -> str:
        return self.tr(
            "What each head wrote for the word, or what each token did for it, rather than another word"
        )

    def retranslate(self) -> None:
        """Take the language in force."""
        self.why.setText(self.tr("Why this word…"))
        self.table.setAccessibleName(self.tr("Candidates for the next word"))
        self.table.setAccessibleDescription(self.tr("Enter continues with the word of the row"))
        self.box.setPlaceholderText(self.tr("Type a word, or several"))
        self.box.setAccessibleName(self.tr("Another word, or a continuation"))
        self.box.setToolTip(self.tr("Enter replaces the word and all after it with this, then continues"))
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, WORD, MODEL)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A low tab keeps its room for the candidates."""
        super().resizeEvent(event)
        self.shares.fit(event.size().height())

    def _step(self) -> int:
        selection = self._session.selection()
        return -1 if selection is None else selection.step

    def _shown(self) -> tuple[Run, Trace, int] | None:
        run, step = self._session.run(), self._step()
        if run is None or not 0 <= step < run.trace.steps:
            return None
        return run, run.trace, step

    def _leads_on(self, candidate: Candidate) -> bool:
        """Whether a click on a row goes on with its word."""
        shown = self._shown()
        if shown is None or not self.model.clickable or candidate.token_id < 0:
            return False
        return goes_elsewhere(shown[0], shown[2], candidate.token_id)

    def _show_context(self) -> None:
        """Which step this is; what a click would do while the pointer is on a word."""
        shown, row = self._shown(), self.delegate.hovered
        if shown is None:
            self.context.setText("")
        elif 0 <= row < len(self.model.rows) and self._leads_on(self.model.rows[row]):
            text = self.tr("Click to continue with “{word}”").format(word=self.model.rows[row].text)
            self.context.setText(text)
        else:
            _, trace, step = shown
            words = vocabulary(self._session)
            self.context.setText(step_text(trace, step, words, self.model.clickable))

    def _hovered(self, row: int) -> None:
        self.delegate.hovered = row
        rows = self.model.rows
        clickable = 0 <= row < len(rows) and (self._leads_on(rows[row]) or rows[row].token_id < 0)
        shape = Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor
        self.table.viewport().setCursor(shape)
        self.table.viewport().update()
        self._show_context()

    def _picked(self, row: int) -> None:
        shown, candidate = self._shown(), self.model.rows[row]
        if candidate.token_id < 0:
            self.box.setFocus()  # one of the words that have no row can be typed
        elif shown is not None and self._leads_on(candidate):
            self._session.ask(Branch(shown[0].id, shown[2], candidate.token_id))

    def _typed(self) -> None:
        shown, text = self._shown(), self.box.text().strip()
        if shown is not None and text:
            self._sent = shown[0].id
            self._session.ask(Continue(shown[0].id, shown[2], text))

    def _show_menu(self, row: int, place: QPoint) -> None:
        self.menu(row).popup(place)

    def _menu_picked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction) and action.data() < len(self.model.rows):
            self._picked(action.data())

    def _copy(self) -> None:
        action = self.sender()
        if isinstance(action, QAction) and action.data() < len(self.model.rows):
            row = action.data()
            cells = (self.model.index(row, column) for column in range(self.model.columnCount()))
            QGuiApplication.clipboard().setText("\t".join(str(cell.data()) for cell in cells))

    def _pane_moved(self, pane: int) -> None:
        if pane == self._session.active:
            self.refresh()

    def _arrange_columns(self) -> None:
        """Two columns of numbers have heads and their bars below them."""
        drawn = self.model.drawn
        self.delegate.narrow = drawn
        header = self.table.horizontalHeader()
        header.setVisible(drawn)
        header.setSectionResizeMode(WORD, QHeaderView.ResizeMode.Stretch)
        for column in (MODEL, DRAWN)[: 1 + drawn]:
            wide = _WIDE_PRESENT if self._appearance.present else _WIDE
            self.table.setColumnWidth(column, self._appearance.px(_NARROW if drawn else wide))

    @property
    def least_width(self) -> int:
        """Pixels that words and numbers need; before an audience the map comes first."""
        return self._appearance.px(200 if self._appearance.present else 250)

    def _restyle(self) -> None:
        self.table.verticalHeader().setDefaultSectionSize(self._appearance.px(ROW))
        self._arrange_columns()
        self.table.viewport().update()
