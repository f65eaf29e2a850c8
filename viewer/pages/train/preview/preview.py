"""`CorpusPreview`: what a run will learn from: the first pairs, their number and length, what is left out."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from model.data.pairs.survey import PreviewPair
from viewer.document.messages.training_requests import StopReading
from viewer.document.training.training import Training
from viewer.pages.train.preview.preview_histogram import LengthHistogram
from viewer.pages.train.preview.preview_model import LENGTHS, NUMBER, PROBLEM, SOURCE, TARGET, PreviewModel
from viewer.pages.train.preview.preview_text import (
    counts_sentence,
    encoding_sentence,
    left_out_sentence,
    warning_sentence,
)
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, elastic, label
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.row_table import make_plain, widest
from viewer.pages.widgets.worded import Worded


class CorpusPreview(Worded, QWidget):
    """Shows the survey of the corpus that the form names.

    Signals:
        batch_asked: look at the first batch.
        files_asked: choose files (the empty state's button).
    """

    batch_asked = Signal()
    files_asked = Signal()

    def __init__(self, training: Training, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._training = training
        self._appearance = appearance
        self.model = PreviewModel(appearance, self)
        self.heading, self.counts = label("title"), label("large")
        self.left_out, self.kind, self.warning = label("muted"), elastic(label("small")), label("problem")
        self.progress, self.cancel, self.batch = QProgressBar(), QPushButton(), QPushButton()
        self.lengths = LengthHistogram(appearance)
        self.table = QTableView()
        self.empty = EmptyState()
        self._stack = QStackedWidget()
        self._lay_out()
        self.cancel.clicked.connect(self._cancel)
        self.batch.clicked.connect(self.batch_asked)
        self.empty.asked.connect(self.files_asked)
        training.survey_changed.connect(self.refresh)
        self.retranslate()

    def _cancel(self) -> None:
        self._training.ask(StopReading())

    def _lay_out(self) -> None:
        for line in (self.counts, self.left_out, self.warning):
            line.setWordWrap(True)
        head, reading = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.heading)
        head.addStretch(1)
        head.addWidget(self.batch)
        reading.addWidget(self.progress, 1)
        reading.addWidget(self.cancel)
        self.progress.setTextVisible(False)
        self._set_up_table()
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
        self._stack.addWidget(frame := card())
        column = QVBoxLayout(frame)
        column.setContentsMargins(18, 14, 18, 14)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.counts)
        column.addWidget(self.left_out)
        column.addWidget(self.warning)
        column.addLayout(reading)
        column.addWidget(self.lengths)
        column.addWidget(self.table, 1)
        column.addWidget(self.kind)
        self._stack.addWidget(nothing := card())
        QVBoxLayout(nothing).addWidget(self.empty)

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setObjectName("pairs")
        make_plain(table)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = table.horizontalHeader()
        for column in (NUMBER, LENGTHS, PROBLEM):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        for column in (SOURCE, TARGET):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)

    def refresh(self) -> None:
        """Show what is known now."""
        survey, problem = self._training.survey, self._training.survey_problem
        reading = self._training.surveying
        if survey is None and not reading:
            self._say_nothing(problem.sentence() if problem is not None else "")
            return
        self._stack.setCurrentIndex(0)
        self.progress.setVisible(reading)
        self.cancel.setVisible(reading)
        self.batch.setEnabled(survey is not None and survey.complete and survey.train > 0)
        if survey is None:
            self.progress.setRange(0, 0)
            self._show_pairs(())
            self.counts.setText(self.tr("Reading…"))
        else:
            share = 1.0 if survey.complete else survey.done / max(1, survey.total)
            self.progress.setRange(0, 1000 if survey.total or survey.complete else 0)
            self.progress.setValue(round(1000 * min(1.0, share)))
            self._show_pairs(survey.first)
            self.counts.setText(counts_sentence(survey))
        for line, text in (
            (self.left_out, "" if survey is None else left_out_sentence(survey)),
            (self.warning, "" if survey is None else warning_sentence(survey)),
            (self.kind, "" if survey is None else encoding_sentence(survey)),
        ):
            line.setText(text)
            line.setVisible(bool(text))
        self.lengths.show_lengths(survey)
        self.lengths.setVisible(self.lengths.length > 0)

    def _show_pairs(self, pairs: tuple[PreviewPair, ...]) -> None:
        """The first pairs are known long before all of a corpus is: they are measured once."""
        if pairs == self.model.pairs:
            return
        self.model.show_pairs(pairs)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """The narrow columns as wide as their words; the padding of the style sheet is not counted by Qt."""
        self.table.setColumnHidden(PROBLEM, not self.model.faulty)
        header, padding = self.table.horizontalHeader(), self._appearance.px(18)
        for column in (NUMBER, LENGTHS, PROBLEM):
            text = partial(self.model.text, column=column)
            width = max(widest(self.table, column, text), header.sectionSizeHint(column))
            header.resizeSection(column, width + padding)

    def _say_nothing(self, problem: str) -> None:
        self._stack.setCurrentIndex(1)
        asks = self.tr(
            "Choose a file of sentence pairs, or drop one here: its first pairs are shown before you start."
        )
        self.empty.say(problem or asks, self.tr("Choose files…"))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.heading.setText(self.tr("Training data"))
        self.batch.setText(self.tr("Look at a batch…"))
        self.batch.setToolTip(self.tr("Token ids, masks and padding as the model gets them"))
        self.cancel.setText(self.tr("Stop reading"))
        self.table.setAccessibleName(self.tr("The first pairs"))
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.model.columnCount() - 1)
        self.refresh()
        self._fit_columns()
