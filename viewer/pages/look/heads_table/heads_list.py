"""The heads as a sortable list, with bars behind the numbers."""

from __future__ import annotations

import math

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QContextMenuEvent, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from model.heads.likeness import Drawing
from model.trace.trace import AttentionKind
from viewer.figures.canvas.theme import theme
from viewer.guarded import Guarded
from viewer.pages.look.heads_table.heads_model import (
    COLUMNS,
    KIND,
    ROLE,
    SHARE_ROLE,
    SORT_ROLE,
    HeadRow,
    HeadsModel,
    place_of,
)
from viewer.pages.look.heads_table.heads_state import HeadsState
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.row_table import RowTable

Index = QModelIndex | QPersistentModelIndex

_ROW = 22
_ROLE, _MORE = 250, 48  # room for a role, and what a column of numbers may be wider than it needs
_ANCHOR = 1  # of the diverging map: far enough from type to read on


class SortedHeads(Guarded, QSortFilterProxyModel):
    """One kind or all; what has no number comes last whichever way it is sorted."""

    def __init__(self, heads: HeadsModel) -> None:
        super().__init__(heads)
        self._heads = heads
        self._kind: AttentionKind | None = None
        self.setSortRole(SORT_ROLE)
        self.setSourceModel(heads)

    def show_kind(self, kind: AttentionKind | None) -> None:
        """Leave the others out."""
        if kind is not self._kind:
            self._kind = kind
            self.invalidate()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        """Whether a head is of the kind."""
        return self._kind is None or self._heads.rows[row].kind is self._kind

    def lessThan(self, left: Index, right: Index) -> bool:
        """See the class."""
        a, b = (float(self._heads.data(index, SORT_ROLE)) for index in (left, right))
        if math.isnan(a) or math.isnan(b):
            last = b if self.sortOrder() == Qt.SortOrder.AscendingOrder else a
            return math.isnan(last) and not (math.isnan(a) and math.isnan(b))
        return a < b


class BarDelegate(Guarded, QStyledItemDelegate):
    """A number on its bar, which begins at the left; one below 0 has another colour."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one cell."""
        look, rect = self._appearance, QRectF(option.rect)
        colours = theme(look.palette.name)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(rect, look.color("soft"))
        share = index.data(SHARE_ROLE)
        inside = rect.adjusted(look.px(3), look.px(2), -look.px(3), -look.px(2))
        if share:
            bar = QRectF(inside)
            bar.setWidth(max(1.0, bar.width() * min(1.0, abs(share))))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor((colours.positive if share > 0 else colours.negative)[_ANCHOR]))
            painter.drawRoundedRect(bar, look.px(2), look.px(2))
        painter.setFont(option.font)
        painter.setPen(look.color("muted" if share is None else "text"))
        inside.adjust(0, 0, -look.px(3), 0)
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(inside, side, str(index.data()))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for the number."""
        text = QFontMetrics(option.font).horizontalAdvance("0.000")
        return QSize(text + self._appearance.px(8), self._appearance.px(_ROW))


class HeadsList(RowTable):
    """Click a head to see it; the names of the columns sort.

    Signals:
        circuits_asked: what the head in view does in general.
    """

    circuits_asked = Signal()

    def __init__(self, state: HeadsState, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, ROLE, parent)
        self._state = state
        self._shown: tuple[object, object, object] = (None, None, None)
        self._drawn: Drawing | None = None  # what the heads were sorted by
        self.heads = HeadsModel(self)
        self._sorted = SortedHeads(self.heads)
        self.setModel(self._sorted)
        self._bars = BarDelegate(appearance, self)
        for column in self.heads.numbers():
            self.setItemDelegateForColumn(column, self._bars)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setSortingEnabled(True)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.row_chosen.connect(self._chosen)
        state.moved.connect(self.mark)
        self.restyle()
        self.retranslate()

    def refresh(self, rows: tuple[HeadRow, ...]) -> None:
        """Take the heads; columns without a number among those in view are left out."""
        shown, self._shown = self._shown, (rows, self._state.kind, self._state.scope)
        if all(new is old for new, old in zip(self._shown, shown)):
            self.mark()  # every step and cell that is chosen comes here: columns are too dear to fit again
            return
        self._sorted.show_kind(self._state.kind)
        other = rows is not self.heads.rows
        if other:
            self.heads.show_rows(rows)
            for column in self.heads.numbers():
                self.setItemDelegateForColumn(column, self._bars)
        self._hide_empty()
        self._sort_by_likeness()
        self.fit_columns()
        self.mark()
        if other and self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def mark(self) -> None:
        """Mark the head in the active pane."""
        place = self._state.place
        row = -1 if place is None else self.heads.row_of(*place)
        shown = self._sorted.mapFromSource(self.heads.index(row, 0)).row() if row >= 0 else -1
        if shown < 0 and len(self.selectionModel().selectedRows()) <= 1:
            self.selectionModel().clear()
        self.show_row(shown)

    def restyle(self) -> None:
        """Lower rows than other tables: there are many."""
        super().restyle()
        self.verticalHeader().setDefaultSectionSize(self._appearance.px(_ROW))

    def fit_columns(self) -> None:
        """The numbers share what room is left, up to twice their own; a role has its room first."""
        super().fit_columns()
        shown = [c for c in self.heads.numbers() if not self.isColumnHidden(c)]
        columns = (c for c in range(self.heads.columnCount()) if c != ROLE and not self.isColumnHidden(c))
        taken = sum(map(self.columnWidth, columns))
        role = 0 if self.isColumnHidden(ROLE) else self._appearance.px(_ROLE)
        more = min(self._appearance.px(_MORE), (self.viewport().width() - taken - role) // max(1, len(shown)))
        for column in shown if more > 0 else ():
            self.horizontalHeader().resizeSection(column, self.columnWidth(column) + more)

    def sizeHintForColumn(self, column: int) -> int:
        """All numbers have the same room: it is asked for once, not for a hundred rows."""
        if column not in self.heads.numbers():
            return super().sizeHintForColumn(column)
        return max(0, self.sizeHintForIndex(self._sorted.index(0, column)).width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new room out."""
        super().resizeEvent(event)
        self.fit_later(event)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setAccessibleName(self.tr("Heads table"))
        self.heads.retranslate()
        self.fit_columns()

    def _hide_empty(self) -> None:
        kind, rows = self._state.kind, self.heads.rows
        shown = [row for row in rows if kind is None or row.kind is kind]
        for column in self.heads.numbers():
            empty = all(row.values[place_of(column)] is None for row in shown)
            self.setColumnHidden(column, empty)
        self.setColumnHidden(KIND, kind is not None)
        self.setColumnHidden(ROLE, self._state.scope != "corpus")

    def _sort_by_likeness(self) -> None:
        """Once for every drawing, as soon as heads were compared with it: the likest come first."""
        drawing, column = self._state.drawing, COLUMNS.index("likeness")
        if drawing is not self._drawn and (drawing is None or not self.isColumnHidden(column)):
            self._drawn = drawing
            if drawing is not None:
                self.sortByColumn(column, Qt.SortOrder.DescendingOrder)
                self.scrollToTop()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What the head under the pointer, or by the menu key the marked one, does in general."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if not index.isValid():
            return
        self._chosen(index.row())
        place = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
        menu = QMenu(self)
        action = menu.addAction(self.tr("What this head does in &general…"), self.circuits_asked.emit)
        action.setEnabled(not self._state.general_obstacle)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def _chosen(self, row: int) -> None:
        index = self._sorted.mapToSource(self._sorted.index(row, 0))
        if index.isValid():
            head = self.heads.rows[index.row()]
            self._state.go_to((head.kind, head.layer, head.head))
