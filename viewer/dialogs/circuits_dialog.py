"""`CircuitsDialog`: a head in general: which words it promotes for having read one, which attract which."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from model.questions.causes.circuits import Circuit, CircuitOf, circuit_report
from model.questions.questions import Question, Reading
from model.tokens.token_style import SPACE_MARK
from model.trace.trace import AttentionKind, Trace
from viewer.document.session import Session
from viewer.document.text.place_text import kind_name, map_place
from viewer.document.text.token_text import piece_text
from viewer.figures.causes.circuits import circuit_figure, circuit_notes
from viewer.figures.figure import FigureSpec
from viewer.figures.request import Page
from viewer.figures.sheet.spec import SheetSpec
from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import NarrowBox, label
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.quiet_scroll import QuietScrollArea
from viewer.pages.widgets.sheet_view import SheetView

_TOPIC = "head in general"


class WordBox(NarrowBox):
    """A word typed, or one of the sentence in view.

    Signals:
        chosen: there is another word.
    """

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(10, parent)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.activated.connect(self.chosen)
        self.typed.returnPressed.connect(self.chosen)

    @property
    def typed(self) -> QLineEdit:
        """Where a word is typed."""
        edit = self.lineEdit()
        assert edit is not None
        return edit

    def word(self) -> int | str | None:
        """The id of a word of the sentence, or what was typed; None for nothing."""
        text, at = self.currentText().strip(), self.currentIndex()
        if at >= 0 and text == self.itemText(at).strip():
            found: int | None = self.itemData(at)
            return found
        return text or None


class CircuitsDialog(Guarded, QDialog):
    """Asks of one head at a time, the one in view when it was opened.

    Attributes:
        word: what the head reads. asker: what asks, of the target, in cross-attention.
        view: the picture. empty: why there is none.

    Signals:
        export_asked: what it shows is to be exported.
    """

    export_asked = Signal()

    def __init__(
        self,
        session: Session,
        place: tuple[AttentionKind, int, int],
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._place = place
        self._asked: CircuitOf | None = None
        self._cross = place[0] is AttentionKind.CROSS
        self.setWindowTitle(self.tr("What this head does in general"))
        self.word, self.asker = WordBox(), WordBox()
        self.view = SheetView(appearance, self._figure)
        self.empty = EmptyState()
        self.title, self.facts, self.notes = label("title"), label("muted"), label("small")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.export = self.buttons.addButton(self.tr("Export…"), QDialogButtonBox.ButtonRole.ActionRole)
        for button in self.buttons.buttons():  # Enter asks for the word that was typed
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)
        self._lay_out()
        self._fill()
        for box in (self.word, self.asker):
            box.chosen.connect(self.ask)
        self.export.clicked.connect(self.export_asked)
        self.buttons.rejected.connect(self.reject)
        self.empty.asked.connect(self.ask)
        session.answers.changed.connect(self._answer_changed)
        self.ask()

    def _lay_out(self) -> None:
        kind, layer, head = self._place
        text = self.tr("{place} ({kind})")
        self.title.setText(text.format(place=map_place(kind, layer, head, 0), kind=kind_name(kind)))
        form = QGridLayout()
        rows = [(self.tr("It &reads"), self.word)]
        rows += [(self.tr("for the &target word"), self.asker)] if self._cross else []
        self.asker.setVisible(self._cross)
        for place, (text, box) in enumerate(rows):
            name = label("", text)
            name.setBuddy(box)
            form.addWidget(name, 0, 2 * place)
            form.addWidget(box, 0, 2 * place + 1)
            form.setColumnStretch(2 * place + 1, 1)
        self.word.typed.setPlaceholderText(self.tr("frequent words"))
        self.asker.typed.setPlaceholderText(self.tr("any"))
        for words in (self.facts, self.notes):
            words.setWordWrap(True)
        self.facts.setText(
            self.tr(
                "Choose a word of the sentence, or type one and press Enter; empty: pairs of frequent words."
            )
        )
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self.view)
        column.addWidget(self.notes)
        column.addStretch(1)
        self._scroll = QuietScrollArea()
        self._scroll.setWidget(inside)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._scroll)
        self._stack.addWidget(self.empty)
        self.view.setAccessibleName(self.tr("Words that the head promotes and attracts"))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(20, 16, 20, 14)
        outer.setSpacing(10)
        outer.addWidget(self.title)
        outer.addLayout(form)
        outer.addWidget(self.facts)
        outer.addWidget(self._stack, 1)
        outer.addWidget(self.buttons)
        self.resize(760, 560)

    def _fill(self) -> None:
        """The tokens of the sentence in view; those at the crosshair chosen."""
        trace, selection, kind = self._session.trace(), self._session.selection(), self._place[0]
        if trace is None or selection is None:
            return
        same = selection.kind is kind
        key = selection.key if same else None
        query = selection.query if same else None
        if kind is not AttentionKind.ENCODER_SELF and query is None:
            query = max(0, selection.step)
        if key is None and trace.query_tokens(kind):
            head = self._place[2]
            at = min(query or 0, len(trace.query_tokens(kind)) - 1)
            key = int(trace.row(kind, self._place[1], head, at).argmax())
        if kind is AttentionKind.DECODER_SELF:
            self._take(self.word, trace, trace.tgt_in_tokens, trace.tgt_in_ids, key)
        else:
            self._take(self.word, trace, trace.src_tokens, trace.src_ids, key)
        if self._cross:
            self._take(self.asker, trace, trace.tgt_in_tokens, trace.tgt_in_ids, query)

    def _take(self, box: WordBox, trace: Trace, tokens: tuple[str, ...], ids: object, at: int | None) -> None:
        seen: list[int] = []
        for token, token_id in zip(tokens, list(ids), strict=True):  # type: ignore[call-overload]
            if int(token_id) not in seen:
                seen.append(int(token_id))
                box.addItem(self._said(token), int(token_id))
        place = -1 if at is None or not 0 <= at < len(tokens) else seen.index(int(ids[at]))  # type: ignore[index]
        box.setCurrentIndex(place)

    def _said(self, piece: str) -> str:
        """A piece as the window shows it."""
        trace, raw = self._session.trace(), self._session.view.raw_pieces
        if trace is None or not piece:
            return piece
        return piece_text(piece, raw=raw, style=trace.token_style).marked

    # Asking.

    def question(self) -> CircuitOf:
        """What the boxes ask."""
        model = self._session.model
        asker = self.asker.word() if self._cross else None
        sha256 = "" if model is None else model.sha256
        return CircuitOf(*self._place, self.word.word(), asker, model_sha256=sha256)

    def ask(self) -> None:
        """Show what is known of the words in the boxes, or ask for it."""
        answers = self._session.answers
        asked = self._asked = self.question()
        answers.ask(asked, topic=_TOPIC)
        self.refresh()

    def answer(self) -> Circuit | None:
        """What is shown."""
        found = None if self._asked is None else self._session.answers.get(self._asked)
        return found if isinstance(found, Circuit) else None

    def refresh(self) -> None:
        """Show the answer, or why there is none."""
        found, asked = self.answer(), self._asked
        self.export.setEnabled(found is not None)
        self._stack.setCurrentWidget(self.empty if found is None else self._scroll)
        if found is not None:
            self.notes.setText("\n".join(circuit_notes(found)))
            self.view.mark_dirty()
            return
        state = None if asked is None else self._session.answers.state(asked)
        if state is not None and state.problem is not None:
            self.empty.say(state.problem.sentence())
        else:
            self.empty.say(self.tr("Working it out…"))

    def exported(self) -> Page | None:
        """What it shows, with its table."""
        figure, found = self._figure(), self.answer()
        if figure is None or found is None:
            return None
        report = circuit_report(found)
        rows = [*report.rows]
        said = "; ".join(note.format(count=found.sample) for note in found.notes())
        table = [(*report.columns, "notes"), *((*row, said) for row in rows)]
        return Page(figure, "circuits", tuple(table), self._command(found), of_trace=True)

    def _command(self, found: Circuit) -> tuple[str, ...]:
        """What `render` is told, where it can be told the words: pieces that begin one."""
        kind, layer, head = self._place
        said = ["--view=circuits", f"--kind={kind}", f"--layer={layer + 1}", f"--head={head + 1}"]
        words = [("--read-word", found.word_token)]
        words += [("--query-word", found.asker_token)] if self._cross else []
        if any(word and not word.startswith(SPACE_MARK) for _, word in words):
            return ()
        return (*said, *(f"{flag}={word}" for flag, word in words if word))

    def _figure(self) -> FigureSpec[SheetSpec] | None:
        found, model = self.answer(), self._session.model
        if found is None:
            return None
        return circuit_figure(found, "" if model is None else model.name, self._said)

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        if question == self._asked:
            self.refresh()
