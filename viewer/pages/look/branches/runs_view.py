"""Runs view and `TokensView`: the tables beside the tree: all runs, and the tokens of the run in view."""

from __future__ import annotations

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from viewer.document.session import Session
from viewer.pages.look.branches.runs_model import EACH, MADE, SENTENCE, SORT_ROLE, TEXT, RunsModel
from viewer.pages.look.branches.tokens_model import TOKEN, TokensModel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.row_table import RowTable

_ROOMY = 500  # pixels at 14-pixel type that all columns need


class RunsView(RowTable):
    """Click a run to see it; Delete takes it away, the names of the columns sort."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, TEXT, parent)
        self._session = session
        self.runs = RunsModel(self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self.runs)
        self._sorted.setSortRole(SORT_ROLE)
        self._sorted.setSortCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setModel(self._sorted)
        self.setSortingEnabled(True)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.row_chosen.connect(self._chosen)
        self.delete_asked.connect(self._delete)
        self.restyle()
        self.retranslate()

    def refresh(self) -> None:
        """Take the runs of the document."""
        pane, document = self._session.pane(), self._session.document
        shown = "" if pane is None else pane.run_id
        before = self.runs.rows
        self.runs.show_document(document, shown)
        if self.runs.rows != before:
            sentences = {run.trace.src_text for run in document.runs}
            self.setColumnHidden(SENTENCE, len(sentences) < 2)
            self.fit_columns()
        place = self.runs.row_of(shown)
        if place >= 0:
            self.show_row(self._sorted.mapFromSource(self.runs.index(place, 0)).row())

    def fit_columns(self) -> None:
        """Leave the translations room: where it is narrow, the total alone says how probable they are."""
        super().fit_columns()
        self.setColumnHidden(EACH, self.width() < self._appearance.px(_ROOMY))
        self.setColumnWidth(SENTENCE, min(self.columnWidth(SENTENCE), self.width() // 4))
        self.setColumnWidth(MADE, min(self.columnWidth(MADE), self.width() // 3))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the new width."""
        super().resizeEvent(event)
        self.fit_later(event)

    def run_at(self, row: int) -> str:
        """The run in a row of the view; empty if there is no such row."""
        index = self._sorted.mapToSource(self._sorted.index(row, 0))
        return self.runs.rows[index.row()].run_id if index.isValid() else ""

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setAccessibleName(self.tr("Runs"))
        self.runs.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, EACH)
        self.refresh()

    def _chosen(self, row: int) -> None:
        run_id = self.run_at(row)
        pane = self._session.pane()
        if run_id and (pane is None or pane.run_id != run_id):
            self._session.show_run(run_id)

    def _delete(self, row: int) -> None:
        run = self._session.document.run(self.run_at(row))
        if run is not None and not run.live:
            self._session.remove_run(run.id)


class TokensView(RowTable):
    """Click a token to go to its step."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, TOKEN, parent)
        self._session = session
        self.tokens = TokensModel(self)
        self.setModel(self.tokens)
        self.row_chosen.connect(session.set_step)
        self.restyle()
        self.retranslate()

    def refresh(self) -> None:
        """Take the run in view and its step."""
        trace, selection = self._session.trace(), self._session.selection()
        rows = self.tokens.rowCount()
        self.tokens.show_trace(trace, self._session.view.raw_pieces)
        if rows != self.tokens.rowCount():
            self.fit_columns()
        self.show_row(-1 if selection is None else selection.step)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setAccessibleName(self.tr("Tokens of the run in view"))
        self.tokens.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.tokens.columnCount() - 1)
        self.fit_columns()
        self.refresh()
