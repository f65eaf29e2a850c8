"""`DetachSection`: how much of the source is heard, and what each word is worth with and without it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from model.alterations.detach import Detach
from model.errors import HeadscopeError
from model.questions.causes.without_source import WITHOUT_SOURCE, SourceWorth, WithoutSource
from model.questions.questions import Question, Reading
from viewer.document.alterations.detach import detached_of, with_detached
from viewer.document.text.method_text import method_words
from viewer.document.text.token_text import token_texts
from viewer.document.what_if.what_if_editor import WhatIfEditor
from viewer.document.what_if.what_if_text import fixed
from viewer.pages.look.what_if.head_section import FactorRow
from viewer.pages.look.what_if.section import Section
from viewer.pages.look.what_if.text_rows import TextTable
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain

TOPIC = "without source"


class DetachSection(Section):
    """One factor for all cross-attention; a table of the original's words, while it is wanted.

    Attributes:
        words: the button that shows the table.
    """

    def __init__(self, editor: WhatIfEditor, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(editor, appearance, parent)
        self._answers = editor.session.answers
        self.title = label("title")
        self.factor = FactorRow()
        self.words = QPushButton()
        self.words.setCheckable(True)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.table = TextTable(appearance, 0)
        self.note, self.caveat = label("small"), label("small")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.title, self.factor, self.words, self.table, self.note, self.caveat):
            column.addWidget(widget)
        for text in (self.note, self.caveat):
            text.setWordWrap(True)
        self.factor.factor_chosen.connect(self._chosen)
        self.words.toggled.connect(self.refresh)
        self.table.row_chosen.connect(self._word_chosen)
        self._answers.changed.connect(self._answered)

    def refresh(self) -> None:
        """Show the factor in force, and the words if they are wanted."""
        self.factor.show_factor(detached_of(self.editor.changes))
        wanted = self.words.isChecked()
        reading = self._reading() if wanted else None
        found = None if reading is None else self._answers.ask(WithoutSource(), reading, topic=TOPIC)
        known = isinstance(found, SourceWorth)
        new = known and self.table.isHidden()
        self.table.setVisible(known)
        self.caveat.setVisible(known)
        self.note.setVisible(wanted)
        if isinstance(found, SourceWorth):
            self._show(found)
            if new:
                self.grew.emit(self.table)
        elif reading is not None:
            problem = self._answers.state(WithoutSource(), reading).problem
            self.note.setText(
                self.tr("Reading without the source…") if problem is None else problem.sentence()
            )

    def retranslate(self) -> None:
        """Take the language in force."""
        words = method_words(WITHOUT_SOURCE)
        self.title.setText(self.tr("Detach from the source"))
        self.factor.switch.setText(self.tr("Cross-attention of every layer"))
        self.factor.slider.setAccessibleName(self.tr("Factor of all cross-attention"))
        tip = self.tr(
            "What all cross-attention gives on is multiplied by this: 0 detaches the translation from its "
            "source, 1 changes nothing"
        )
        self.factor.slider.setToolTip(plain(tip))
        self.words.setText(self.tr("Words without the source"))
        self.words.setToolTip(plain("\n".join(words.sentences)))
        self.table.setAccessibleName(words.name)
        self.caveat.setText(words.caveat)

    def _show(self, found: SourceWorth) -> None:
        pair = self.editor.pair
        assert pair is not None
        trace = pair.baseline.trace
        raw = self.editor.session.view.raw_pieces
        tokens = token_texts(trace.tgt_out_tokens, raw=raw, style=trace.token_style)
        numbers = zip(found.attached.tolist(), found.detached.tolist(), found.worth.tolist(), strict=True)
        rows = [
            (token.marked, fixed(attached), fixed(detached), _signed(worth))
            for token, (attached, detached, worth) in zip(tokens, numbers, strict=True)
        ]
        names = (self.tr("Word"), self.tr("With"), self.tr("Without"), self.tr("Difference"))
        self.table.show_rows(names, rows)
        text = self.tr(
            "Natural log probability of each original token, after the same tokens: {attached} with the "
            "source, {detached} without."
        )
        sums = found.attached.sum(dtype="float64"), found.detached.sum(dtype="float64")
        said = text.format(attached=fixed(float(sums[0])), detached=fixed(float(sums[1])))
        others = self.tr("The other changes are in force in both.")
        changed = any(not isinstance(change, Detach) for change in self.editor.changes)
        self.note.setText(f"{said} {others}" if changed else said)

    def _reading(self) -> Reading | None:
        """The original, read with all changes but this one; None where it cannot be asked about."""
        pair = self.editor.pair
        if pair is None or pair.baseline.live or self.editor.obstacle or not pair.baseline.trace.steps:
            return None
        try:
            reading = Reading.of(pair.baseline.trace)
        except HeadscopeError:  # altered in a way that this version does not know
            return None
        others = (
            change
            for change in self.editor.changes
            if not isinstance(change, Detach) and not change.in_source_ids
        )
        return replace(reading, alterations=tuple(others))

    def _chosen(self, factor: float) -> None:
        self.editor.ask(with_detached(self.editor.changes, factor))

    def _word_chosen(self, row: int) -> None:
        """Go to the step of the word, in every map."""
        session = self.editor.session
        for pane in range(len(session.document.panes)):
            session.set_step(row, pane)

    def _answered(self, question: Question, reading: Reading | None) -> None:
        if isinstance(question, WithoutSource) and self.isVisible():
            self.refresh()


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")
