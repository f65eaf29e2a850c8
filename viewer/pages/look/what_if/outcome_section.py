"""`OutcomeSection`: both translations, marked, and what each untouched word is worth now."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHeaderView, QPushButton, QTableView, QVBoxLayout, QWidget

from model.trace.trace import Trace
from viewer.document.text.input_text import given_steps, produced_ids
from viewer.document.text.token_text import token_texts
from viewer.document.what_if.guesses import guesses_sentence
from viewer.document.what_if.what_if import Mark, Pair, held_logprob, held_tokens, marks, total_logprob
from viewer.document.what_if.what_if_editor import WhatIfEditor
from viewer.document.what_if.what_if_text import fixed
from viewer.pages.look.what_if.held_model import (
    AFTER,
    BEFORE,
    DIFFERENCE,
    WORD,
    DifferenceDelegate,
    HeldModel,
)
from viewer.pages.look.what_if.word_chips import WordChip, WordChips
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.row_table import make_plain

_MOST_ROWS = 14


class OutcomeSection(QWidget):
    """Before and after."""

    def __init__(self, editor: WhatIfEditor, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._appearance = appearance
        self._shown: tuple[object, ...] = ()
        self.title = label("title")
        self.state = label("small")
        self.before_name, self.after_name = label("small"), label("small")
        self.before, self.after = WordChips(appearance), WordChips(appearance)
        self.legend = label("small")
        self.totals, self.held_title = label("small"), label("small")
        self.model = HeldModel(self)
        self.table = QTableView()
        self.keep = QPushButton()
        for words in (self.state, self.legend, self.totals, self.held_title):
            words.setWordWrap(True)
        self._prepare_table()
        self._results: tuple[QWidget, ...] = (
            self.before_name, self.before, self.after_name, self.after, self.legend, self.totals,
            self.held_title, self.table, self.keep,
        )  # fmt: skip
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.title, self.state, *self._results):
            column.addWidget(widget)
        self.table.clicked.connect(self._clicked)
        self.table.activated.connect(self._clicked)
        self.keep.clicked.connect(editor.keep)
        appearance.changed.connect(self._restyle)
        self._restyle()

    def _prepare_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        make_plain(table)
        table.setItemDelegateForColumn(DIFFERENCE, DifferenceDelegate(self._appearance, table))
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.verticalHeader().setMinimumSectionSize(1)
        header = table.horizontalHeader()
        header.setMinimumSectionSize(1)
        header.setSectionResizeMode(WORD, QHeaderView.ResizeMode.Stretch)
        for section in (BEFORE, AFTER, DIFFERENCE):
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.Fixed)

    def refresh(self) -> None:
        """Compare the pair in view."""
        pair = self._editor.pair
        altered = None if pair is None else pair.altered
        self.setVisible(pair is not None)
        reads = pair is not None and pair.baseline.trace.only_reads
        for widget in self._results:
            widget.setVisible(altered is not None and (not reads or widget in (self.legend, self.keep)))
        if pair is None or altered is None:
            self._shown = ()
            self.state.setText(self.tr("Change something above: the new translation appears here."))
            self.state.setVisible(True)
            return
        self.keep.setEnabled(bool(self._editor.keepable))
        self.state.setText(self.tr("Translating with the altered model…"))
        self.state.setVisible(altered.live)
        shown = (pair.baseline.trace, altered, self._editor.session.view.raw_pieces)
        if shown != self._shown:
            self._shown = shown
            self._compare(pair, altered.trace)

    def _compare(self, pair: Pair, after: Trace) -> None:
        before, raw = pair.baseline.trace, self._editor.session.view.raw_pieces
        if before.only_reads:
            self.legend.setText(guesses_sentence(before, after))
            return
        first, second = marks(produced_ids(before).tolist(), produced_ids(after).tolist())
        self.before.show_chips(self._chips(before, first, raw))
        self.after.show_chips(self._chips(after, second, raw))
        different = any(mark != "same" for mark in (*first, *second))
        same = self.tr("The words are the same.")
        self.legend.setText(self.tr("≠ changed   − gone   + new") if different else same)
        self.totals.setText(
            self.tr("Log probability of the translation: {before} before, {after} after.").format(
                before=fixed(total_logprob(before)), after=fixed(total_logprob(after))
            )
        )
        held, rows = held_logprob(pair), held_tokens(pair)
        self.held_title.setVisible(held is not None)
        self.table.setVisible(held is not None)
        if held is not None:
            text = self.tr(
                "The original words, scored by both models; differences in percentage points. "
                "Together {before} before, {after} after."
            )
            self.held_title.setText(text.format(before=fixed(total_logprob(before)), after=fixed(held)))
        self.model.show_rows(rows, raw)
        self._restyle()

    def _chips(self, trace: Trace, found: tuple[Mark, ...], raw: bool) -> tuple[WordChip, ...]:
        tips = {
            "same": "",
            "changed": self.tr("changed"),
            "removed": self.tr("gone from the altered translation"),
            "inserted": self.tr("new in the altered translation"),
        }
        tokens = token_texts(trace.tgt_out_tokens, raw=raw, style=trace.token_style)[given_steps(trace) :]
        return tuple(
            WordChip(token.marked, mark, tips[mark], token.dim)
            for token, mark in zip(tokens, found, strict=True)
        )

    def retranslate(self) -> None:
        """Take the language in force."""
        self.title.setText(self.tr("Result"))
        self.before_name.setText(self.tr("Original"))
        self.after_name.setText(self.tr("Altered"))
        self.before.setAccessibleName(self.tr("Original translation"))
        self.after.setAccessibleName(self.tr("Altered translation"))
        self.table.setAccessibleName(self.tr("Probability of each word before and after"))
        self.keep.setText(self.tr("Keep this run"))
        self.keep.setToolTip(self.tr("Keep this run as it is; the next change starts another"))
        self._shown = ()
        self._restyle()

    def _clicked(self, index: QModelIndex) -> None:
        """Go to the step of the word, in every map."""
        step, session = self.model.rows[index.row()].step, self._editor.session
        for pane in range(len(session.document.panes)):
            session.set_step(step, pane)

    def _restyle(self) -> None:
        font = self.table.font()
        font.setPixelSize(self._appearance.px(12))
        high, metrics = self._appearance.px(26), QFontMetrics(font)
        self.table.verticalHeader().setDefaultSectionSize(high)
        for section in (BEFORE, AFTER):
            head = str(self.model.headerData(section, Qt.Orientation.Horizontal))
            widest = max(metrics.horizontalAdvance(text) for text in (head, "100 %", "99.9 %"))
            self.table.setColumnWidth(section, widest + self._appearance.px(6))
        self.table.setColumnWidth(DIFFERENCE, self._appearance.px(80))
        rows = min(max(1, len(self.model.rows)), _MOST_ROWS)
        self.table.setFixedHeight(self.table.horizontalHeader().sizeHint().height() + rows * high + 4)
