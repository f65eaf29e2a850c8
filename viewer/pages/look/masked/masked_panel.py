"""`MaskedPanel`: the inspector's tab: what the model thinks stands at a token; changing the text there."""

from __future__ import annotations

import math

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from model.abilities import Ability
from model.tokens.masked_text import fill_mask, hide_word
from model.trace.trace import Trace
from viewer.document.document import Run
from viewer.document.messages.requests import ReadText
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.document.text.segments import segment_name, segments_of
from viewer.document.text.token_text import TokenText, token_texts
from viewer.pages.look.masked.masked_text import note_text, place_text
from viewer.pages.look.next_word.candidate_delegate import ROW, CandidateDelegate
from viewer.pages.look.next_word.candidates_model import MODEL, WORD, CandidatesModel
from viewer.pages.look.next_word.candidates_table import CandidatesTable
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import literal, plain
from viewer.pages.widgets.token_strip import Chip, TokenStrip
from viewer.pages.widgets.worded import Worded

_WIDE, _WIDE_PRESENT = 124, 100  # of the column with numbers
_LONGEST = 24  # letters of a word on the button
_BUTTON_SIDES = 24  # its margins


def text_tokens(trace: Trace) -> tuple[int, ...]:
    """The tokens that stand for text."""
    texts = token_texts(trace.src_tokens, style=trace.token_style)
    return tuple(place for place, text in enumerate(texts) if not text.special)


def text_chips(trace: Trace, texts: tuple[TokenText, ...]) -> tuple[Chip, ...]:
    """The tokens, each as deep as the model finds it likely where it stands; a mask is no word."""
    shares = [0.0] * len(texts)
    if trace.src_logprob is not None:
        shares = [math.exp(min(0.0, logprob)) for logprob in trace.src_logprob.tolist()]
    segments = segments_of(trace)
    return tuple(
        Chip(
            text.marked,
            shade=0.0 if place in trace.masked or text.special else shares[place],
            says=": ".join(
                part for part in (segment_name(segments[place]) if segments else "", text.raw) if part
            ),
            joined=text.continues,
            dim=text.dim,
        )
        for place, text in enumerate(texts)
    )


class WordsTable(CandidatesTable):
    """See `CandidatesTable`; `picked` is of a click alone.

    Signals:
        taken: row that was double-clicked or on which Enter was pressed.
    """

    taken = Signal(int)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the row, which the first click has marked."""
        super().mouseDoubleClickEvent(event)
        row = self.indexAt(event.position().toPoint()).row()
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.taken.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down move, Enter takes."""
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            self.taken.emit(row)
        else:
            super().keyPressEvent(event)


class MaskedPanel(Worded, QWidget):
    """The candidates of the token under the crosshair, else of the first mask.

    Attributes:
        strip: the text's tokens; one that is chosen gets the crosshair.
        change: puts the marked word in the place of the mask, or hides the word that stands there.
    """

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self.strip = TokenStrip(appearance, size=13.5)
        self.strip.set_clickable(True)
        self.context = label("muted")
        self.context.setWordWrap(True)
        self.context.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.model = CandidatesModel(self)
        self.table = WordsTable()
        self.delegate = CandidateDelegate(appearance, self.table)
        self.change = QPushButton()
        self.change.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.note = label("small")
        self.note.setWordWrap(True)
        self.table.setModel(self.model)
        self.table.setItemDelegate(self.delegate)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 10, 12)
        column.setSpacing(6)
        column.addWidget(self.strip)
        column.addWidget(self.context)
        column.addWidget(self.table, 1)
        column.addWidget(self.change)
        column.addWidget(self.note)
        self._connect()
        self._restyle()
        self.retranslate()

    def _connect(self) -> None:
        session = self._session
        self.strip.chosen.connect(self._token_chosen)
        self.table.taken.connect(self._taken)
        self.table.hovered.connect(self._hovered)
        self.table.menu_asked.connect(self._show_menu)
        self.table.selectionModel().currentRowChanged.connect(self._show_button)
        self.change.clicked.connect(self._change_clicked)
        session.pane_changed.connect(self._pane_changed)
        for signal in (
            session.run_grew,
            session.panes_changed,
            session.runs_changed,
            session.view_changed,
            session.model_changed,
        ):
            signal.connect(self.refresh)
        self._appearance.changed.connect(self._restyle)

    @property
    def place(self) -> int | None:
        """The token whose candidates are shown."""
        run, selection = self._run(), self._session.selection()
        if run is None or run.trace.src_candidate_ids is None:
            return None
        trace = run.trace
        if selection is not None and selection.query is not None and selection.query < len(trace.src_tokens):
            return selection.query
        return next(iter((*trace.masked, *text_tokens(trace))), None)

    def refresh(self) -> None:
        """Show the candidates of the token in view."""
        run, place = self._run(), self.place
        raw = self._session.view.raw_pieces
        self.model.clickable = run is not None and self._can_read(run.trace)
        self.model.show_place(None if run is None else run.trace, place, raw)
        there = run is not None and place is not None
        for widget in (self.strip, self.table, self.change):
            widget.setVisible(there)
        self._arrange_columns()
        if run is None or place is None:
            self.strip.show_chips(())
            self.context.setText(self._nothing_text(run))
            self.note.setText("")
            return
        trace = run.trace
        texts = token_texts(trace.src_tokens, raw=raw, style=trace.token_style)
        self.strip.show_chips(text_chips(trace, texts), place)
        self.context.setText(place_text(trace, place, texts[place].marked))
        listed = sum(row.share for row in self.model.rows if row.token_id >= 0)
        note = note_text(trace, place, listed)
        if not self.model.clickable and self._session.model is not None:
            note += " " + self.tr("To change the sentence from here, open the model that read it.")
        self.note.setText(note)
        self._show_button()

    def menu(self, row: int) -> QMenu:
        """The menu of a row; gone once it is closed."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        put = menu.addAction(self.tr("Insert this word into the sentence"))
        put.setData(row)
        put.setEnabled(self._fills(row))
        put.triggered.connect(self._menu_taken)
        copy = menu.addAction(self.tr("Copy word and numbers"))
        copy.setData(row)
        copy.triggered.connect(self._copy)
        return menu

    def retranslate(self) -> None:
        """Take the language in force."""
        self.strip.setAccessibleName(self.tr("Tokens of the text"))
        self.strip.setToolTip(self.tr("Stronger colour: the model finds this word more likely here"))
        self.table.setAccessibleName(self.tr("Candidates for the masked word"))
        self.table.setAccessibleDescription(self.tr("Enter inserts the row's word into the sentence"))
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, WORD, MODEL)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for more or less of the button's words."""
        super().resizeEvent(event)
        self._show_button()

    @property
    def least_width(self) -> int:
        """Pixels that words and numbers need; before an audience the map comes first."""
        return self._appearance.px(200 if self._appearance.present else 250)

    def _run(self) -> Run | None:
        run = self._session.run()
        return run if run is not None and run.trace.only_reads else None

    def _can_read(self, trace: Trace) -> bool:
        """Whether the model in use is the one that read the text."""
        model = self._session.model
        if model is None or Ability.FILL not in model.can or not trace.mask_token:
            return False
        return trace.may_be_of(model.name, model.sha256)

    def _nothing_text(self, run: Run | None) -> str:
        if run is None and not cannot(self._session.model, Ability.FILL):
            return self.tr(
                "Which words the model expects at each token appears here once it has read a text."
            )
        model = self._session.model
        head = "" if model is None else str(model.architecture.get("unshown_head", ""))
        if head:
            text = self.tr("The answer of this model ({head}) is not shown, only the attention of its heads.")
            return text.format(head=head)
        return self.tr(
            "This model does not say which words it expects; only the attention of its heads can be shown."
        )

    def _fills(self, row: int) -> bool:
        """Whether the word of a row can be put in the place of a mask."""
        run, rows = self._run(), self.model.rows
        listed = 0 <= row < len(rows) and rows[row].token_id >= 0
        return listed and run is not None and self.model.clickable and self.place in run.trace.masked

    def _marked(self) -> int:
        """The row that the button means: the one that was clicked, else the most probable."""
        row = self.table.currentIndex().row()
        return row if 0 <= row < len(self.model.rows) else 0

    def _show_button(self) -> None:
        run, place = self._run(), self.place
        if run is None or place is None:
            return
        trace, row = run.trace, self._marked()
        if place in trace.masked:
            word = self.model.rows[row].text if self._fills(row) else ""
            self._name_button(word)
            self.change.setToolTip(self.tr("Replaces the mask and reads the text again (double-click)"))
            self.change.setEnabled(bool(word))
            return
        changed = self._hidden(trace, place)
        self.change.setText(self.tr("Mask this word"))
        self.change.setToolTip(
            plain(self.tr("Puts {mask} in its place and reads the text again").format(mask=trace.mask_token))
        )
        self.change.setEnabled(changed is not None and self.model.clickable)

    def _name_button(self, word: str) -> None:
        """As much as there is room for: it must not make the tab wider."""
        whole = (
            self.tr("Insert “{word}” into the sentence")
            if word
            else self.tr("Insert this word into the sentence")
        )
        short = self.tr("Insert “{word}”") if word else self.tr("Insert")
        metrics = self.change.fontMetrics()
        room = self.change.width() - _BUTTON_SIDES
        texts = [text.format(word=literal(_short(word))) for text in (whole, short)]
        self.change.setText(
            next((text for text in texts if metrics.horizontalAdvance(text) <= room), texts[1])
        )

    def _hidden(self, trace: Trace, place: int) -> tuple[str, int] | None:
        return hide_word(trace.src_text, trace.src_tokens, place, trace.mask_token, trace.token_style)

    def _change_clicked(self) -> None:
        run, place = self._run(), self.place
        if run is None or place is None:
            return
        if place in run.trace.masked:
            self._taken(self._marked())
            return
        hidden = self._hidden(run.trace, place)
        if hidden is not None and self.model.clickable:
            self._session.ask(ReadText(run.id, *hidden))

    def _taken(self, row: int) -> None:
        """Put the word of a row in the place of the mask."""
        run, place = self._run(), self.place
        if run is None or place is None or not self._fills(row):
            return
        trace, piece = run.trace, self.model.rows[row].raw
        which = trace.masked.index(place)
        text = fill_mask(trace.src_text, trace.mask_token, which, piece, trace.token_style)
        self._session.ask(ReadText(run.id, text, place))

    def _token_chosen(self, place: int) -> None:
        selection = self._session.selection()
        key = place if selection is None or selection.key is None else selection.key
        self._session.set_crosshair(place, key)

    def _hovered(self, row: int) -> None:
        self.delegate.hovered = row
        shape = Qt.CursorShape.PointingHandCursor if self._fills(row) else Qt.CursorShape.ArrowCursor
        self.table.viewport().setCursor(shape)
        self.table.viewport().update()

    def _show_menu(self, row: int, place: QPoint) -> None:
        self.menu(row).popup(place)

    def _menu_taken(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._taken(action.data())

    def _copy(self) -> None:
        action = self.sender()
        if isinstance(action, QAction) and action.data() < len(self.model.rows):
            cells = (self.model.index(action.data(), column) for column in (WORD, MODEL))
            QGuiApplication.clipboard().setText("\t".join(str(cell.data()) for cell in cells))

    def _pane_changed(self, pane: int) -> None:
        if pane == self._session.active:
            self.refresh()

    def _arrange_columns(self) -> None:
        header = self.table.horizontalHeader()
        header.setVisible(False)
        header.setSectionResizeMode(WORD, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(
            MODEL, self._appearance.px(_WIDE_PRESENT if self._appearance.present else _WIDE)
        )

    def _restyle(self) -> None:
        self.table.verticalHeader().setDefaultSectionSize(self._appearance.px(ROW))
        self._arrange_columns()
        self.table.viewport().update()


def _short(word: str) -> str:
    return word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "…"
