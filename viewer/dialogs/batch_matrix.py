"""A matrix of a batch as a table: one pair a row, one position a column; cells are made when seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from model.training.batch_view import Ids, Mask, Pieces
from viewer.document.text.token_text import piece_text, text_after
from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance, blend
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.plain_tip import plain

Index = QModelIndex | QPersistentModelIndex
Cell = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Matrix:
    """What one table shows.

    Attributes:
        ids: [B, N]; pieces: the same as raw pieces.
        mask: True where the token is real.
        pad: the id of padding, which the added columns show.
        added: columns of padding added on the right for the comparison.
        as_mask: show the mask (1 and 0) instead of the tokens.
    """

    ids: Ids
    pieces: Pieces
    mask: Mask
    pad: int
    added: int
    as_mask: bool = False


class MatrixModel(Guarded, QAbstractTableModel):
    """Padding is hatched; added padding too, in the accent colour."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._matrix: Matrix | None = None
        self._as_pieces = True
        self._marked: dict[Cell, str] = {}

    def show_matrix(self, matrix: Matrix | None) -> None:
        """Show another matrix."""
        self.beginResetModel()
        self._matrix, self._marked = matrix, {}
        self.endResetModel()

    def show_pieces(self, on: bool) -> None:
        """Show pieces, or their ids."""
        self._as_pieces = on
        self.repaint_all()

    def mark(self, cells: dict[Cell, str]) -> None:
        """Lay the palette's colours of these names under some cells."""
        if cells != self._marked:
            changed = {*cells, *self._marked}
            self._marked = cells
            for row, column in changed:
                index = self.index(row, column)
                self.dataChanged.emit(index, index, [Qt.ItemDataRole.BackgroundRole])

    def repaint_all(self) -> None:
        """Every cell may look different."""
        rows, columns = self.rowCount(), self.columnCount()
        if rows and columns:
            self.dataChanged.emit(self.index(0, 0), self.index(rows - 1, columns - 1))

    def is_real(self, row: int, column: int) -> bool:
        """Whether a cell holds a token."""
        matrix = self._matrix
        if matrix is None or not 0 <= row < len(matrix.mask):
            return False
        return 0 <= column < matrix.mask.shape[1] and bool(matrix.mask[row, column])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of pairs; a table has no children."""
        return 0 if parent.isValid() or self._matrix is None else len(self._matrix.ids)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Number of positions, added ones too."""
        if parent.isValid() or self._matrix is None:
            return 0
        return int(self._matrix.ids.shape[1]) + self._matrix.added

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, what they mean, colours."""
        if not index.isValid() or self._matrix is None:
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self._tip(self._matrix, row, column))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._appearance.color("text" if self.is_real(row, column) else "disabled")
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._ground(self._matrix, row, column)
        return None

    def text(self, row: int, column: int) -> str:
        """What stands in a cell."""
        matrix = self._matrix
        assert matrix is not None
        if matrix.as_mask:
            return "1" if self.is_real(row, column) else "0"
        if column >= matrix.ids.shape[1]:
            return piece_text("<pad>").text if self._as_pieces else str(matrix.pad)
        if self._as_pieces:
            return text_after(matrix.pieces[row][:column], matrix.pieces[row][column]).marked
        return str(int(matrix.ids[row, column]))

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Pairs and positions, from 1."""
        return section + 1 if role == Qt.ItemDataRole.DisplayRole else None

    def _ground(self, matrix: Matrix, row: int, column: int) -> QBrush | None:
        marked = self._marked.get((row, column))
        if marked is not None:
            return QBrush(self._appearance.color(marked))
        if self.is_real(row, column):
            return None
        added = column >= matrix.ids.shape[1]
        strokes = self._appearance.color("accent" if added else "border_strong")
        faint = blend(self._appearance.color("panel"), strokes, 0.5)
        return QBrush(faint, Qt.BrushStyle.BDiagPattern)

    def _tip(self, matrix: Matrix, row: int, column: int) -> str:
        where = self.tr("Pair {row}, position {column}").format(row=row + 1, column=column + 1)
        if column >= matrix.ids.shape[1]:
            return where + "\n" + self.tr("padding that was added for the comparison")
        if not self.is_real(row, column):
            return where + "\n" + self.tr("padding, token {number}").format(number=matrix.pad)
        text = self.tr("{piece}, token {number}")
        piece, number = matrix.pieces[row][column], int(matrix.ids[row, column])
        return where + "\n" + text.format(piece=piece, number=number)


class MatrixTable(Guarded, QTableView):
    """Shows a `MatrixModel`.

    Signals:
        hovered: (row, column) under the pointer, None outside.
    """

    hovered = Signal(object)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.matrix = MatrixModel(appearance, self)
        self._measuring = BeforePaint(self, self._measure)
        self.setModel(self.matrix)
        self.setMouseTracking(True)
        self.setStyleSheet("QTableCornerButton::section { background: transparent; border: none; }")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setWordWrap(False)
        # By columns: the same position stands first in tables whose columns are not equally wide.
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setMinimumSectionSize(1)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(False)
        self.entered.connect(self._entered)
        self.selectionModel().currentChanged.connect(self._entered)
        appearance.changed.connect(self.restyle)

    def show_matrix(self, matrix: Matrix | None) -> None:
        """Show another matrix, its columns as wide as what stands in them."""
        self.matrix.show_matrix(matrix)
        self.restyle()

    def restyle(self) -> None:
        """Take the type scale; columns are all as wide as the widest of some cells."""
        self._measuring.ask()

    def measure(self) -> None:
        """Have columns as wide as they will be, though nobody sees them yet."""
        self._measuring.now()

    def _measure(self) -> None:
        metrics, model = self.fontMetrics(), self.matrix
        rows, columns = model.rowCount(), model.columnCount()
        # A sample: a batch may hold a hundred thousand cells.
        down, across = range(0, rows, 1 + rows // 40), range(0, columns, 1 + columns // 40)
        widths = [metrics.horizontalAdvance(model.text(row, column)) for row in down for column in across]
        wide = max([self._appearance.px(24), *widths]) + self._appearance.px(10)
        self.horizontalHeader().setDefaultSectionSize(min(wide, self._appearance.px(110)))
        self.verticalHeader().setDefaultSectionSize(self._appearance.px(24))
        if self.isVisible():
            self.updateGeometries()  # of another default nobody tells the bars
        self.viewport().update()

    def showEvent(self, event: QShowEvent) -> None:
        """The first frame has to be right."""
        super().showEvent(event)
        self._measuring.shown()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        super().leaveEvent(event)
        self.hovered.emit(None)

    def _entered(self, index: QModelIndex, _before: QModelIndex | None = None) -> None:
        self.hovered.emit((index.row(), index.column()) if index.isValid() else None)
