"""`BatchDialog`: padded token ids, masks, the shifted target, and what more padding changes."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from model.training.batch_view import BatchView
from viewer.dialogs.batch_causal import CausalPage
from viewer.dialogs.batch_matrix import Cell, Matrix, MatrixTable
from viewer.dialogs.batch_words import pair_sentence, size_sentence, verdict
from viewer.document.messages.training_requests import MakeBatch, StopBatch
from viewer.document.training.training import Training
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, Label, elastic, label, tab_button
from viewer.pages.widgets.lazy import begun
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

MOST_PADDING = 64
_LAST_STEP = 2**31 - 1
_SETTLE_MS = 250  # spinners are turned several clicks at a time


class BatchDialog(Worded, QDialog):
    """Shows `training.batch`; not modal, so that the run can be watched meanwhile.

    Attributes:
        parts: makes what is not made yet, a part each time that the next is asked for.
    """

    def __init__(
        self,
        training: Training,
        appearance: Appearance,
        parent: QWidget | None = None,
        *,
        at_once: bool = True,
    ) -> None:
        """Args: at_once: make all of it now; else whoever makes it goes through its `parts`."""
        super().__init__(parent)
        self._training, self._appearance = training, appearance
        self._request: MakeBatch | None = None
        self._shown: BatchView | None = None
        self.tables: dict[str, MatrixTable] = {}
        self.titles: dict[str, Label] = {}
        self.is_whole = False
        self.parts = begun(self._make(), at_once=at_once)

    # layout

    def _make(self) -> Iterator[None]:
        """From the outside in: Qt styles all that a widget holds anew each time it is put into another."""
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        self._make_controls(column)
        yield
        self.size_text, self.tabs = elastic(label("muted")), QTabWidget(self)
        column.addWidget(self.size_text)
        column.addWidget(self.tabs, 1)
        self.tabs.setDocumentMode(True)
        source, target = QWidget(), QWidget()
        self.tabs.addTab(source, "")
        self.tabs.addTab(target, "")
        yield from self._side_by_side(source, "source", "source_mask")
        yield
        below = yield from self._side_by_side(target, "target_in", "target_out", "target_mask")
        self.pair = elastic(label())
        below.addWidget(self.pair)
        yield
        self.causal = CausalPage(self._appearance, self.tabs)
        self.tabs.addTab(self.causal, "")
        yield
        self._make_foot(column)
        self._connect()
        self.resize(self._appearance.px(1060), self._appearance.px(640))
        self.is_whole = True
        self.retranslate()
        self.step.setFocus()
        for table in self.tables.values():
            yield
            table.measure()

    def _make_controls(self, column: QVBoxLayout) -> None:
        row = QHBoxLayout()
        row.setSpacing(6)
        column.addLayout(row)
        self._labels = {"step": label("muted"), "pad": label("muted"), "columns": label("muted")}
        self.previous, self.next = (IconButton(self._appearance, name) for name in ("previous", "next"))
        self.step, self.pad = QSpinBox(), QSpinBox()  # in the order of their row, by which the keys go
        self.step.setRange(1, _LAST_STEP)
        self.pad.setRange(0, MOST_PADDING)
        self._group = QButtonGroup(self)
        self.pieces, self.ids = tab_button(self._group, 0), tab_button(self._group, 1)
        self.pieces.setChecked(True)
        for widget in (self._labels["step"], self.previous, self.step, self.next):
            row.addWidget(widget)
        row.addSpacing(16)
        for widget in (self._labels["pad"], self.pad, self._labels["columns"]):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.pieces)
        row.addWidget(self.ids)

    def _make_foot(self, column: QVBoxLayout) -> None:
        self.verdict, self.problem = label("title"), label()
        for text in (self.verdict, self.problem):
            text.setWordWrap(True)
            column.addWidget(text)
        bottom = QHBoxLayout()
        column.addLayout(bottom)
        self.progress, self.cancel = QProgressBar(self), QPushButton(self)
        self.progress.setRange(0, 0)
        self.progress.setTextVisible(False)
        bottom.addWidget(self.progress, 1)
        bottom.addWidget(self.cancel)

    def _side_by_side(self, page: QWidget, *names: str) -> Generator[None, None, QVBoxLayout]:
        """Tables of the same pairs: what is scrolled in one is scrolled in all. Returns the page's column."""
        outer, row = QVBoxLayout(page), QHBoxLayout()
        outer.setContentsMargins(0, 8, 0, 0)
        outer.addLayout(row, 1)
        row.setSpacing(10)
        for name in names:
            yield
            column = QVBoxLayout()
            column.setSpacing(4)
            row.addLayout(column, 1)
            self.titles[name], self.tables[name] = label("title"), MatrixTable(self._appearance, page)
            column.addWidget(self.titles[name])
            column.addWidget(self.tables[name], 1)
        for name in names:
            for other in names:
                if other != name:
                    for side in ("verticalScrollBar", "horizontalScrollBar"):
                        bar = getattr(self.tables[name], side)()
                        bar.valueChanged.connect(getattr(self.tables[other], side)().setValue)
        return outer

    def _connect(self) -> None:
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self.previous.clicked.connect(self.step.stepDown)
        self.next.clicked.connect(self.step.stepUp)
        self.step.valueChanged.connect(self._timer.start)
        self.pad.valueChanged.connect(self._timer.start)
        self._timer.timeout.connect(self._ask_again)
        self._group.idClicked.connect(self._show_as)
        self.cancel.clicked.connect(self._cancel)
        for name in ("target_in", "target_out"):
            self.tables[name].hovered.connect(self._mark)
        self._training.batch_changed.connect(self.refresh)

    # what is asked and shown

    def ask(self, request: MakeBatch) -> None:
        """Ask for the batch of a run: its options, folder, step from 0, columns of padding."""
        self.show_request(request)
        self._training.ask(request)

    def show_request(self, request: MakeBatch) -> None:
        """Show what was asked for; the spinners go on from there."""
        self._request = request
        with QSignalBlocker(self.step), QSignalBlocker(self.pad):
            self.step.setValue(request.step + 1)
            self.pad.setValue(request.pad)
        self.refresh()

    def _ask_again(self) -> None:
        if self._request is not None:
            self.ask(replace(self._request, step=self.step.value() - 1, pad=self.pad.value()))

    def _cancel(self) -> None:
        self._training.ask(StopBatch())

    def refresh(self) -> None:
        """Show the batch that is there, whether another is on its way, and what went wrong."""
        training = self._training
        self.progress.setVisible(training.looking)
        self.cancel.setVisible(training.looking)
        problem = training.batch_problem
        self.problem.setText("" if problem is None else problem.sentence())
        self.problem.setVisible(problem is not None)
        if training.batch is not self._shown:
            self._shown = training.batch
            self._show_matrices(training.batch)
        self._say(training.batch)

    def _show_matrices(self, view: BatchView | None) -> None:
        self.causal.show_batch(view)
        if view is None:
            for table in self.tables.values():
                table.show_matrix(None)
            return
        added = view.padded_by
        source = (view.source, view.source_pieces, view.source_mask, view.source_pad, added)
        target_in = (view.target_in, view.target_in_pieces, view.target_mask, view.target_pad, added)
        target_out = (view.target_out, view.target_out_pieces, view.target_mask, view.target_pad, added)
        for name, matrix in (
            ("source", Matrix(*source)),
            ("source_mask", Matrix(*source, as_mask=True)),
            ("target_in", Matrix(*target_in)),
            ("target_out", Matrix(*target_out)),
            ("target_mask", Matrix(*target_out, as_mask=True)),
        ):
            self.tables[name].show_matrix(matrix)

    def _say(self, view: BatchView | None) -> None:
        if view is None:
            waiting = self.tr("Preparing the batch…") if self._training.looking else ""
            self.size_text.setText(waiting)
            self.verdict.setText("")
            return
        self.size_text.setText(size_sentence(view))
        self.size_text.setToolTip(plain(self.size_text.text()))
        self.verdict.setText(verdict(view))

    # hovering, language

    def _mark(self, cell: Cell | None) -> None:
        """Mark a position in both tables, and where the expected token is read next."""
        reads, predicts = self.tables["target_in"].matrix, self.tables["target_out"].matrix
        view = self._shown
        if view is None or cell is None or not reads.is_real(*cell):
            reads.mark({})
            predicts.mark({})
            self.pair.setText(self._hint())
            return
        row, column = cell
        again = {(row, column + 1): "soft"} if reads.is_real(row, column + 1) else {}
        reads.mark({cell: "chip", **again})
        predicts.mark({cell: "chip"})
        self.pair.setText(pair_sentence(view, row, column))

    def _hint(self) -> str:
        return self.tr(
            "The expected output is the decoder input shifted by one: point at a token to see its pair."
        )

    def _show_as(self, index: int) -> None:
        for table in self.tables.values():
            table.matrix.show_pieces(index == 0)
            table.restyle()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setWindowTitle(self.tr("Look at a batch"))
        self._labels["step"].setText(self.tr("Step"))
        self._labels["pad"].setText(self.tr("Pad by"))
        self._labels["columns"].setText(self.tr("more columns"))
        self.step.setAccessibleName(self.tr("Step"))
        self.pad.setAccessibleName(self.tr("Columns of padding to add"))
        self.previous.describe(self.tr("The batch of the step before"))
        self.next.describe(self.tr("The batch of the next step"))
        self.pieces.setText(self.tr("Pieces"))
        self.ids.setText(self.tr("Ids"))
        self.cancel.setText(self.tr("Cancel"))
        self.tabs.setTabText(0, self.tr("The encoder reads"))
        self.tabs.setTabText(1, self.tr("The decoder reads and predicts"))
        self.tabs.setTabText(2, self.tr("Causal mask"))
        for name, text in (
            ("source", self.tr("Source tokens")),
            ("source_mask", self.tr("Source mask: 1 may be attended to")),
            ("target_in", self.tr("Decoder input")),
            ("target_out", self.tr("Expected output")),
            ("target_mask", self.tr("Target mask: 1 counts in the loss")),
        ):
            self.titles[name].setText(text)
            self.tables[name].setAccessibleName(text)
        self.causal.retranslate()
        self.pair.setText(self._hint())
        self.refresh()
