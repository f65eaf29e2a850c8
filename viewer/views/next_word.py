"""The inspector's Next word tab: what the model thought of at the current step."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.buttons import elastic, label
from viewer.views.candidates_model import CHOSEN_ROLE, SHARE_ROLE, CandidatesModel
from viewer.views.tables import make_plain
from viewer.views.wording import percent


class CandidateDelegate(QStyledItemDelegate):
    """Draws a word, or a percentage and its bar; a full bar is a probability of 1."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = appearance

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one cell."""
        look, chosen = self._look, bool(index.data(CHOSEN_ROLE))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, look.color("soft"))
        font = QFont(option.font)
        font.setBold(chosen)
        painter.setFont(font)
        painter.setPen(look.color("accent" if chosen else "text"))
        middle = Qt.AlignmentFlag.AlignVCenter
        if index.column() == 0:
            inside = rect.adjusted(look.px(4), 0, -look.px(4), 0)
            text = painter.fontMetrics().elidedText(
                str(index.data()), Qt.TextElideMode.ElideRight, int(inside.width())
            )
            painter.drawText(inside, middle | Qt.AlignmentFlag.AlignLeft, text)
        else:
            number = painter.fontMetrics().horizontalAdvance("99.9 %") + look.px(6)
            painter.drawText(
                QRectF(rect.x(), rect.y(), number, rect.height()),
                middle | Qt.AlignmentFlag.AlignRight,
                str(index.data()),
            )
            room = rect.width() - number - look.px(14)
            share = float(index.data(SHARE_ROLE) or 0.0)
            bar = QRectF(rect.x() + number + look.px(8), rect.center().y() - look.px(4), room, look.px(8))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.color("hover"))
            painter.drawRoundedRect(bar, look.px(3), look.px(3))
            bar.setWidth(max(1.5, room * share))
            painter.setBrush(look.color("accent" if chosen else "bar"))
            painter.drawRoundedRect(bar, min(look.px(3), bar.width() / 2), look.px(3))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Roomy rows."""
        return QSize(40, self._look.px(29))


class NextWordPanel(QWidget):
    """The candidates of the active pane's step."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._look = appearance
        self.context = elastic(label("muted"))
        self.model = CandidatesModel(self)
        self.table = QTableView()
        self.note = label("small")
        self.note.setWordWrap(True)
        self._prepare_table()
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 10, 12)
        column.setSpacing(6)
        column.addWidget(self.context)
        column.addWidget(self.table, 1)
        column.addWidget(self.note)
        session.pane_changed.connect(self._pane_changed)
        for signal in (session.run_grew, session.panes_changed, session.runs_changed, session.view_changed):
            signal.connect(self.refresh)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self.retranslate()

    def _prepare_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setItemDelegate(CandidateDelegate(self._look, table))
        make_plain(table)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Else the rows stay as high as the large type of a presentation made them.
        table.verticalHeader().setMinimumSectionSize(1)
        header = table.horizontalHeader()
        header.hide()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)

    def refresh(self) -> None:
        """Show the candidates of the step in view."""
        trace, selection = self._session.trace(), self._session.selection()
        step = selection.step if selection is not None else -1
        self.model.show_step(trace, step, self._session.view.raw_pieces)
        if trace is None or not self.model.rows:
            self.context.setText("")
            self.note.setText(
                self.tr("The model's candidates for each next word appear here while it translates.")
            )
            return
        listed = sum(row.share for row in self.model.rows if row.token_id >= 0)
        self.context.setText(self.tr("Step {step}").format(step=step + 1))
        self.note.setText(
            self.tr(
                "Probabilities of the model itself, before any choosing. The words listed hold {share}."
            ).format(share=percent(listed))
        )

    def retranslate(self) -> None:
        """Take the language in force."""
        self.table.setAccessibleName(self.tr("Candidates for the next word"))
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _pane_changed(self, pane: int) -> None:
        if pane == self._session.active:
            self.refresh()

    def _restyle(self) -> None:
        self.setMinimumWidth(self._look.px(250))
        self.table.verticalHeader().setDefaultSectionSize(self._look.px(29))
        self.table.setColumnWidth(1, self._look.px(124))
        self.table.viewport().update()
