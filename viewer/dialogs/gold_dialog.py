"""Gold alignment: which words of a sentence and its translation render each other, pasted or clicked."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from model.alignment.links import Gold, Link
from model.alignment.pharaoh import read_lines, write_line
from model.errors import HeadscopeError
from viewer.dialogs.gold_grid import GoldGrid
from viewer.document.document import Run
from viewer.document.gold.gold_draft import GoldDraft, draft_of
from viewer.document.gold.gold_edits import empty_gold, gold_of, set_gold
from viewer.document.messages.notice import error_sentence
from viewer.document.session import Session
from viewer.guarded import Guarded
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.sentence_box import LONGEST

_MOST_PAIRS = 40  # words of a summary


class GoldDialog(Guarded, QDialog):
    """Shows what a line of links joins while it is typed; OK gives it to the run, which can be undone.

    Attributes:
        draft: what the links come to now.
    """

    def __init__(
        self, session: Session, run: Run, parent: QWidget | None = None, *, filled: bool = True
    ) -> None:
        """Make it.

        Args:
            filled: with the words and links of the run; else `fill` and then `refresh` put them in, each of
                which takes as long again for thousands of words.
        """
        super().__init__(parent)
        self._session = session
        self._run = run
        self._lines: list[str] = []
        self._typed = False
        self.draft = GoldDraft()
        self.setWindowTitle(self.tr("Gold alignment"))
        self.source, self.target = QLineEdit(), QLineEdit()
        self.base = QComboBox()
        self.links = QPlainTextEdit()
        self.file_button, self.line = QPushButton(self.tr("From a file…")), QSpinBox()
        self.line_label = label("", self.tr("&Line"))
        self.problem, self.summary = label("problem"), label("small")
        self.grid = GoldGrid()
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.remove_button = self.buttons.addButton(
            self.tr("No links"), QDialogButtonBox.ButtonRole.ResetRole
        )
        self._set_up()
        self._lay_out()  # before the words are there: Qt would measure them again for each new parent
        if filled:
            self.fill()
            self.refresh()
        self.links.setFocus()

    def _set_up(self) -> None:
        said = self.tr("Separated by spaces, as the links count them")
        for edit in (self.source, self.target):
            edit.setMaxLength(LONGEST)
            edit.setToolTip(plain(said))
        for first in ("0", "1"):
            self.base.addItem(first)
        self.base.setToolTip(self.tr("The number of the first word in the line of links"))
        self.links.setPlaceholderText("0-0 1-2 2p1")
        self.links.setTabChangesFocus(True)
        height = self.links.fontMetrics().lineSpacing()
        self.links.setFixedHeight(3 * height + 24)
        self.line.setRange(1, 1)
        self.grid.setMinimumHeight(190)
        self.grid.setAccessibleName(self.tr("Links: one row per target word, one column per source word"))
        self._show_lines()

    def fill(self) -> None:
        """Put in the words and the links of the run; once."""
        trace, gold = self._run.trace, gold_of(self._session.document, self._run) or empty_gold(self._run)
        for edit, words, text in (
            (self.source, gold.source, trace.src_text),
            (self.target, gold.target, trace.tgt_text),
        ):
            edit.setText(words)
            edit.setCursorPosition(0)
            edit.setPlaceholderText(text)
        self.links.setPlainText(write_line(gold))
        self._connect()

    def _lay_out(self) -> None:
        note = label(
            "muted",
            self.tr(
                "Paste a line in Pharaoh format: i-j links source word i and target word j, ipj or i?j is "
                "possible but not sure. Or click in the grid: sure ■, possible □, none."
            ),
        )
        for words in (note, self.problem, self.summary):
            words.setWordWrap(True)
        form = QGridLayout()
        form.setVerticalSpacing(8)
        numbering = QHBoxLayout()
        for widget in (self.base, self.file_button, self.line_label, self.line):
            numbering.addWidget(widget)
        numbering.addStretch(1)
        rows: tuple[tuple[str, QWidget, QWidget | QHBoxLayout], ...] = (
            (self.tr("&Source words"), self.source, self.source),
            (self.tr("&Target words"), self.target, self.target),
            (self.tr("&Words count from"), self.base, numbering),
            (self.tr("L&inks"), self.links, self.links),
        )
        for place, (text, buddy, content) in enumerate(rows):
            caption = label("", text)
            caption.setBuddy(buddy)
            form.addWidget(caption, place, 0)
            if isinstance(content, QWidget):
                form.addWidget(content, place, 1)
            else:
                form.addLayout(content, place, 1)
        self.line_label.setBuddy(self.line)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 14)
        column.setSpacing(10)
        column.addWidget(note)
        column.addLayout(form)
        column.addWidget(self.problem)
        column.addWidget(self.grid, 1)
        column.addWidget(self.summary)
        column.addWidget(self.buttons)
        self.resize(680, 620)

    def _connect(self) -> None:
        self.source.textChanged.connect(self.refresh)
        self.target.textChanged.connect(self.refresh)
        self.links.textChanged.connect(self._links_typed)
        self.base.currentIndexChanged.connect(self._base_changed)
        self.file_button.clicked.connect(self._ask_file)
        self.line.valueChanged.connect(self._line_chosen)
        self.grid.toggled.connect(self._toggle)
        self.remove_button.clicked.connect(self._remove)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    @property
    def one_based(self) -> bool:
        """Whether the line's words count from 1."""
        return self.base.currentIndex() == 1

    def refresh(self) -> None:
        """Read what stands there, and show what it joins or what is wrong with it."""
        self.draft = draft_of(
            self._run.trace,
            self.links.toPlainText(),
            one_based=self.one_based,
            source=self.source.text(),
            target=self.target.text(),
        )
        draft = self.draft
        self.problem.setText("" if draft.problem is None else error_sentence(draft.problem))
        self.problem.setVisible(draft.problem is not None)
        self.grid.words.show(draft.source, draft.target, draft.gold or Gold())
        self.grid.setEnabled(draft.gold is not None)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(draft.gold is not None)
        self.summary.setText(self._summary())

    def open_file(self, path: str) -> None:
        """Take the lines of a file; the first is shown, the box beside it chooses another."""
        try:
            lines = read_lines(path)
        except HeadscopeError as error:
            self.problem.setText(error_sentence(error))
            self.problem.show()
            return
        self._lines = lines or [""]
        self.file_button.setToolTip(plain(path))
        with QSignalBlocker(self.line):
            self.line.setRange(1, len(self._lines))
            self.line.setValue(1)
        self._show_lines()
        self._line_chosen(1)

    def accept(self) -> None:
        """Give the run its links; a line without any takes those it had away."""
        gold = self.draft.gold
        if gold is not None:
            set_gold(self._session, self._run.id, gold if gold.allowed else None)
            super().accept()

    def _show_lines(self) -> None:
        for widget in (self.line, self.line_label):
            widget.setVisible(bool(self._lines))
        self.line.setSuffix(self.tr(" of {count}").format(count=f"{len(self._lines):,}"))

    def _ask_file(self) -> None:
        kinds = self.tr("Links in Pharaoh format (*.pharaoh *.align *.txt);;All files (*)")
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Gold alignment"), str(Path.home()), kinds)
        if path:
            self.open_file(path)

    def _line_chosen(self, number: int) -> None:
        if 1 <= number <= len(self._lines):
            self.links.setPlainText(self._lines[number - 1])

    def _links_typed(self) -> None:
        self._typed = True
        self.refresh()

    def _base_changed(self) -> None:
        """Links that were typed or read mean others now; those that were clicked stay what they are."""
        if not self._typed and self.draft.gold is not None:
            self._write(self.draft.gold)
        self.refresh()

    def _toggle(self, link: Link) -> None:
        if self.draft.gold is not None:
            self._write(self.draft.gold.toggled(link))

    def _remove(self) -> None:
        self._write(Gold())

    def _write(self, gold: Gold) -> None:
        with QSignalBlocker(self.links):
            self.links.setPlainText(write_line(gold, one_based=self.one_based))
        self._typed = False
        self.refresh()

    def _summary(self) -> str:
        pairs = self.draft.pairs
        if not pairs:
            return ""
        possible = self.tr("{source}–{target} (possible)")
        texts = [
            f"{source}–{target}" if sure else possible.format(source=source, target=target)
            for source, target, sure in pairs[:_MOST_PAIRS]
        ]
        return ", ".join(texts) + ("" if len(pairs) <= _MOST_PAIRS else ", …")
