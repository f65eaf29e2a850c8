"""`ClassesPanel`: the inspector's tab: what a model that sorts texts says of the one it has read."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QHeaderView, QMenu, QVBoxLayout, QWidget

from model.trace.trace import Trace
from viewer.document.session import Session
from viewer.pages.look.classes.classes_model import ClassesModel
from viewer.pages.look.next_word.candidate_delegate import ROW, CandidateDelegate
from viewer.pages.look.next_word.candidates_model import MODEL, WORD
from viewer.pages.look.next_word.candidates_table import CandidatesTable
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.worded import Worded

_WIDE, _WIDE_PRESENT = 124, 100  # of the column with numbers


class ClassesPanel(Worded, QWidget):
    """Every class of the model and its probability, the model's answer to the whole text first."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self.context = label("muted")
        self.context.setWordWrap(True)
        self.model = ClassesModel(self)
        self.table = CandidatesTable()
        self.table.setModel(self.model)
        self.table.setItemDelegate(CandidateDelegate(appearance, self.table))
        self.note = label("small")
        self.note.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 10, 12)
        column.setSpacing(6)
        column.addWidget(self.context)
        column.addWidget(self.table, 1)
        column.addWidget(self.note)
        self.table.menu_asked.connect(self._show_menu)
        session.pane_changed.connect(self._pane_changed)
        for signal in (session.run_grew, session.panes_changed, session.runs_changed, session.model_changed):
            signal.connect(self.refresh)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self.retranslate()

    def refresh(self) -> None:
        """Show the classes of the text in view."""
        trace = self._session.trace()
        there = trace is not None and trace.class_logits is not None
        self.model.show_trace(trace)
        self.table.setVisible(there)
        self._arrange_columns()
        if trace is None or not there:
            self.context.setText(self.tr("The classes of a text appear here once the model has read it."))
            self.note.setText("")
            return
        self.context.setText(self.tr("How the model classifies the whole text"))
        self.note.setText(self._note_text(trace))

    @property
    def least_width(self) -> int:
        """Pixels that names and numbers need; before an audience the map comes first."""
        return self._appearance.px(200 if self._appearance.present else 250)

    def menu(self, row: int) -> QMenu:
        """The menu of a row; gone once it is closed."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        copy = menu.addAction(self.tr("Copy class and number"))
        copy.setData(row)
        copy.triggered.connect(self._copy)
        return menu

    def retranslate(self) -> None:
        """Take the language in force."""
        self.table.setAccessibleName(self.tr("Classes of the text"))
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, WORD, MODEL)
        self.refresh()

    def _note_text(self, trace: Trace) -> str:
        """What the numbers of the table are."""
        if trace.class_rule == "none":
            return self.tr("The model's own numbers: not probabilities, and of any size.")
        if trace.class_rule == "sigmoid":
            return self.tr(
                "The model's own probabilities, independent for each class: several may apply, or none."
            )
        return self.tr("The model's own probabilities; over all classes they add up to 100 %.")

    def _show_menu(self, row: int, place: QPoint) -> None:
        self.menu(row).popup(place)

    def _copy(self) -> None:
        action = self.sender()
        if isinstance(action, QAction) and action.data() < len(self.model.rows):
            cells = (self.model.index(action.data(), column) for column in (WORD, MODEL))
            QGuiApplication.clipboard().setText("\t".join(str(cell.data()) for cell in cells))

    def _pane_changed(self, pane: int) -> None:
        if pane == self._session.active:
            self.refresh()

    def _arrange_columns(self) -> None:
        header = self.table.horizontalHeader()
        header.setVisible(False)
        header.setSectionResizeMode(WORD, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(
            MODEL, self._appearance.px(_WIDE_PRESENT if self._appearance.present else _WIDE)
        )

    def _restyle(self) -> None:
        self.table.verticalHeader().setDefaultSectionSize(self._appearance.px(ROW))
        self._arrange_columns()
        self.table.viewport().update()
