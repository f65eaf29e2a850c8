"""A table whose rows can be clicked, gone through, sorted, deleted and copied as text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.worded import Worded

_ROW = 25
_MEASURED = 100  # rows whose texts say how wide a column is
_MOST = 400  # characters of a text that a table sets in type: no column has room for more
WHOLE_ROLE = Qt.ItemDataRole.UserRole + 99
"""What is copied of a text that a table shows only in part; far from the roles that the models have."""


def in_a_row(text: str) -> str:
    """As much of a text as a row of a table can show."""
    return text if len(text) <= _MOST else f"{text[:_MOST]}…"


def make_plain(table: QTableView) -> None:
    """Show rows without grid, frame or numbers; Tab leaves the table instead of going through its cells."""
    table.setShowGrid(False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.verticalHeader().hide()
    table.horizontalHeader().setHighlightSections(False)


def widest(table: QTableView, column: int, text: Callable[[int], str] | None = None) -> int:
    """What Qt's `sizeHintForColumn` says of a column whose cells differ by their texts alone.

    Qt asks a model for a dozen things of every cell; here all but one tell their text, and the one with the
    longest is measured whole. Asked of many rows that takes a fifth of the time.

    Args:
        text: what a row tells there, from whoever knows without a call through Qt for each.
    """
    model, metrics = table.model(), QFontMetricsF(table.font())
    last = model.rowCount() - 1
    top, bottom = max(0, table.rowAt(0)), table.rowAt(table.viewport().height())
    bottom = bottom if table.isVisible() and bottom >= 0 else last
    most = table.horizontalHeader().resizeContentsPrecision()
    rows = list(range(top, min(bottom, top + most - 1) + 1))
    above, below = top - 1, bottom + 1
    while len(rows) < most and (above >= 0 or below <= last):
        rows += [row for row in (above, below) if 0 <= row <= last]
        above, below = above - 1, below + 1
    told = text or (lambda row: str(model.index(row, column).data() or ""))
    texts = {told(row): row for row in rows}
    longest = max(texts, key=metrics.horizontalAdvance, default=None)
    return 0 if longest is None else table.sizeHintForIndex(model.index(texts[longest], column)).width()


class FittedTable(Worded, QTableView):
    """A table whose header fits columns to their contents; Qt asks for their widths time and again.

    They are measured once, until the model is reset or the type is another.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widths: dict[int, int] = {}

    def show_model(self, model: QAbstractItemModel) -> None:
        """Show a model, instead of `setModel`."""
        # Before Qt hears of it itself, which measures at once.
        model.modelReset.connect(self._widths.clear)
        model.dataChanged.connect(self._widths.clear)
        self._widths.clear()
        self.setModel(model)

    def sizeHintForColumn(self, column: int) -> int:
        """See the class."""
        if column not in self._widths:
            self._widths[column] = super().sizeHintForColumn(column)
        return self._widths[column]

    def retranslate(self) -> None:
        """Words of another language have other widths."""
        self._widths.clear()

    def remeasure(self) -> None:
        """So have words in other type."""
        self._widths.clear()
        self.horizontalHeader().resizeSections()


class RowTable(Worded, QTableView):
    """Signals:
    row_chosen: a row of the view, by click or by key.
    delete_asked: a row of the view, by Delete.
    """

    row_chosen = Signal(int)
    delete_asked = Signal(int)

    def __init__(self, appearance: Appearance, stretched: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._stretched = stretched
        self._fitting = BeforePaint(self, self.fit_columns)
        make_plain(self)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setResizeContentsPrecision(_MEASURED)
        # Else the rows stay as high as the large type of a presentation made them.
        self.verticalHeader().setMinimumSectionSize(1)
        self.clicked.connect(self._clicked)
        appearance.changed.connect(self.restyle)

    def fit_columns(self) -> None:
        """The numbers' columns as wide as the widest of them; the text takes the rest."""
        header, model = self.horizontalHeader(), self.model()
        last = 0 if model is None else model.rowCount() - 1  # which has the longest number, if rows have one
        for column in range(0 if model is None else model.columnCount()):
            if column == self._stretched:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
            else:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
                name = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
                # Not the header's own hint: it keeps room for an arrow beside every name.
                named = header.fontMetrics().horizontalAdvance(name) + self._appearance.px(4)
                longest = self.sizeHintForIndex(model.index(last, column)).width()
                needed = max(self.sizeHintForColumn(column), longest, named) + self._appearance.px(8)
                header.resizeSection(column, min(needed, self._appearance.px(190)))

    def fit_later(self, event: QResizeEvent) -> None:
        """Another width has the columns fitted for the next frame, once, however many come before it."""
        if event.size().width() != event.oldSize().width():
            self._fitting.ask()

    def showEvent(self, event: QShowEvent) -> None:
        """Fit what has come to another width unseen."""
        super().showEvent(event)
        self._fitting.shown()

    def sizeHintForColumn(self, column: int) -> int:
        """How much room the rows need in a column."""
        return widest(self, column)

    def show_row(self, row: int) -> None:
        """Mark a row without choosing it; none for -1. Rows that a person marked to copy stay."""
        model = self.selectionModel()
        if row < 0 or model is None or len(model.selectedRows()) > 1:
            return
        if self.currentIndex().row() != row:
            with QSignalBlocker(self):
                self.selectRow(row)
            self.scrollTo(self.currentIndex())

    def restyle(self) -> None:
        """Take the type scale in force."""
        self.verticalHeader().setDefaultSectionSize(self._appearance.px(_ROW))
        self._fitting.ask()
        self.viewport().update()

    def as_text(self) -> str:
        """The marked rows, or all, under the names of the columns: fields apart by tabs."""
        model = self.model()
        marked = sorted(index.row() for index in self.selectionModel().selectedRows())
        rows = marked if len(marked) > 1 else range(model.rowCount())
        columns = [c for c in range(model.columnCount()) if not self.isColumnHidden(c)]
        names = [str(model.headerData(c, Qt.Orientation.Horizontal) or "") for c in columns]
        lines = [names, *([_whole_text(model.index(r, c)) for c in columns] for r in rows)]
        return "\n".join("\t".join(field.replace("\t", " ") for field in line) for line in lines)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, delete, and choose the row that the arrow keys come to."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text())
        elif event.key() == Qt.Key.Key_Delete and self.currentIndex().isValid():
            self.delete_asked.emit(self.currentIndex().row())
        else:
            before = self.currentIndex().row()
            super().keyPressEvent(event)
            after = self.currentIndex().row()
            if after not in (before, -1) and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.row_chosen.emit(after)

    def _clicked(self, index: QModelIndex) -> None:
        if len(self.selectionModel().selectedRows()) <= 1:
            self.row_chosen.emit(index.row())


def _whole_text(index: QModelIndex) -> str:
    whole = index.data(WHOLE_ROLE)
    return str(index.data() or "") if whole is None else str(whole)
