"""`CorpusBar`: which corpus is read, how much of it, and how far it has come."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QProgressBar, QPushButton, QSpinBox, QWidget

from model.questions.head_questions import DEFAULT_LIMIT, CorpusHeads
from viewer.pages.look.heads_table.gold_menu import GoldMenu
from viewer.pages.look.heads_table.heads_state import HeadsState
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import elastic, label
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import literal, plain

_MOST = 100_000
_LONGEST = 28  # letters of a file's name


class CorpusBar(OverflowRow):
    """One row: the file, the limit, gold links, and the progress with a way to stop."""

    def __init__(self, state: HeadsState, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent)
        self._state = state
        self._folder = str(Path.home())
        self.path = ""
        self._facts = ""
        self.file, self.cancel = QPushButton(), QPushButton()
        self.gold = GoldMenu(appearance)
        self.limit = QSpinBox()
        self.limit.setRange(1, _MOST)
        self.limit.setValue(DEFAULT_LIMIT)
        self.limit.setGroupSeparatorShown(True)
        self.limit_name = label("muted")
        self.start = QPushButton()
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.counted = elastic(label("small"))
        ranked = ((self.file, 2), (self.limit_name, 4), (self.limit, 3), (self.gold, 5), (self.start, 1))
        for widget, rank in ranked:
            self.add(widget, rank=rank)
        self.add(self.cancel, rank=STAYS)
        self.add(self.progress, 2, rank=STAYS)
        self.add(self.counted, 5, rank=STAYS)
        self.file.clicked.connect(self.ask)
        self.gold.file_asked.connect(self._ask_gold)
        self.gold.chosen.connect(self.refresh)
        self.limit.valueChanged.connect(self.refresh)
        self.start.clicked.connect(self.measure)
        self.cancel.clicked.connect(state.stop)
        state.changed.connect(self.refresh)
        self.retranslate()

    def ask(self) -> None:
        """Let the person choose a file, and read it."""
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Choose a file of sentences or pairs"), self._folder, self.tr("All files (*)")
        )
        if path:
            self._folder = str(Path(path).parent)
            self.path = path
            self.gold.take("")
            self.measure()

    def measure(self) -> None:
        """Read the file that was chosen."""
        if self.path:
            self._state.measure(self._question())
            self.cancel.setFocus()

    def say(self, facts: str) -> None:
        """What was read, in the room that the progress leaves."""
        self._facts = facts
        self.refresh()

    def refresh(self) -> None:
        """Show the file, and either the progress or a way to read it again."""
        state = self._state.state
        going = self._state.scope == "corpus" and state.waiting
        name, cancelling = Path(self.path).name, self.cancel.hasFocus()
        self.file.setText(literal(name if len(name) <= _LONGEST else f"{name[:14]}…{name[-12:]}"))
        self.file.setToolTip(plain(self.tr("Choose another file") + "\n" + self.path))
        for widget in (self.progress, self.cancel):
            widget.setVisible(going)
        for control in (self.limit, self.gold, self.file):
            control.setEnabled(not going)
        self.file.setVisible(bool(self.path))  # else the sentence below has that button
        known = self._state.corpus
        fresh = known is not None and known == self._state.asked_of_model(self._question())
        shown = fresh and self._state.report is not None
        self.start.setVisible(bool(self.path) and not going and not shown)
        self.gold.setVisible(bool(self.path))
        if cancelling and not going:
            self.file.setFocus()
        self.progress.setRange(0, state.total)
        self.progress.setValue(state.done)
        text = self.tr("{done} of {total} readings, including the random model's")
        said = text.format(done=state.done, total=state.total) if state.total else ""
        self.counted.setText(said if going else self._facts)
        self.counted.setToolTip(plain(self.counted.text()))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.limit_name.setText(self.tr("at most"))
        self.limit.setAccessibleName(self.tr("Maximum number of sentences"))
        self.limit.setSuffix(self.tr(" sentences"))
        self.start.setText(self.tr("Read"))
        self.cancel.setText(self.tr("Cancel"))
        self.progress.setAccessibleName(self.tr("Progress"))
        self.refresh()

    def _ask_gold(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Choose the alignments of this file"), self._folder, self.tr("All files (*)")
        )
        if path:
            self._folder = str(Path(path).parent)
            self.gold.take(path)
            self.measure()

    def _question(self) -> CorpusHeads:
        """What is chosen, of whatever model."""
        gold, asked = self.gold, CorpusHeads(self.path, self.limit.value())
        if not gold.path:  # what they would mean changes nothing
            return asked
        return replace(asked, gold=gold.path, rule=gold.rule, one_based=gold.one_based)
