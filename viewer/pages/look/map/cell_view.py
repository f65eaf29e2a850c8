"""`CellView`: what map, flow and words share: one cell is meant, is read out, copied, and gone to."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from viewer.document.session import Session
from viewer.figures.map.accessible_text import (
    accessible_cell,
    exact_cell,
    exact_note,
    exact_sentence,
    row_table,
)
from viewer.figures.map.chosen import strongest_column, strongest_row
from viewer.figures.map.spec import MapSpec
from viewer.pages.accessible.cells import Cells
from viewer.pages.look.linking import DARK, choose, lit
from viewer.pages.look.pane_view import PaneFigure
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import G, S, speak
from viewer.pages.widgets.map_cells import map_cells
from viewer.pages.widgets.shown_keys import key_now

_CONTROL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier

Cell = tuple[MapSpec, int, int]


class CellView(PaneFigure[S, G]):
    """A view of the cells of a pane's map; subclasses say which one is meant now (`cell_now`)."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, parent)
        self._session = session
        self._pane = pane
        self._menu_cell: Cell | None = None
        self._shown: object = DARK
        self._moved = False  # something else was chosen than what was told last
        self.follow_answers(session, pane)
        session.pane_changed.connect(self._pane_changed)
        session.run_grew.connect(self._run_grew)
        session.runs_changed.connect(self.mark_dirty)
        session.view_changed.connect(self._view_changed)
        session.hover.changed.connect(self._hover_changed)

    def cells(self) -> Cells | None:
        """The weights of the map whose tokens are shown."""
        return map_cells(self.map_now(), choose=self.choose_cell)

    def choose_cell(self, row: int, column: int) -> None:
        """Put the crosshair on a cell of the map."""
        spec = self.map_now()
        if spec is not None:
            self._session.activate_pane(self._pane)
            choose(self._session, self._pane, spec, row, column)

    def map_now(self) -> MapSpec | None:
        """The map whose tokens are shown."""
        raise NotImplementedError

    def cell_now(self) -> Cell | None:
        """The cell under the pointer, or else the chosen one: its map, row and column."""
        raise NotImplementedError

    def sentence(self) -> str:
        """What the cell under the pointer, or else the chosen one, says."""
        raise NotImplementedError

    def tell(self) -> None:
        """Say in the status line what is under the pointer or chosen, with the number to the last digit."""
        cell, sentence = self.cell_now(), self.sentence()
        if cell is not None and sentence == cell[0].sentence_at(*cell[1:]):
            sentence = exact_sentence(*cell)
        self.read_out.emit(sentence)

    def announce(self) -> None:
        """Let a screen reader say which cell is chosen."""
        cell = self.cell_now()
        said = self.sentence() if cell is None else accessible_cell(*cell)
        speak(self, said, aloud=self.hasFocus() and self.cell_table is None)

    def go_to(self, row: int | None, column: int | None) -> None:
        """Choose a row or a column; the other stays, or is the one that it has most to do with."""
        spec = self.map_now()
        if spec is None or not spec.rows or not spec.columns:
            return
        crosshair = spec.crosshair
        if row is None:
            best = strongest_row(spec, column or 0) if crosshair is None else crosshair[0]
            row = best or 0
        elif column is None and crosshair is not None:
            column = crosshair[1]
        elif column is None:
            column = strongest_column(spec, row) if row < spec.shown_rows else 0
        choose(self._session, self._pane, spec, row, column or 0)
        self.reveal(row, column or 0)

    def reveal(self, row: int, column: int) -> None:
        """Bring a cell into view."""

    def copy_number(self, cell: Cell | None = None) -> None:
        """Put the number of a cell (else of the one meant now) on the clipboard, to the last digit."""
        cell = cell or self.cell_now()
        number = "" if cell is None else exact_cell(*cell)
        if number:
            QGuiApplication.clipboard().setText(number)
            self.read_out.emit(self.tr("Copied {number}").format(number=number))

    def copy_row(self, cell: Cell | None = None) -> None:
        """Put the row of a cell (else of the one meant now) on the clipboard: token and number, by tabs."""
        cell = cell or self.cell_now()
        if cell is not None:
            QGuiApplication.clipboard().setText(row_table(cell[0], cell[1]))
            self.read_out.emit(self.tr("Row copied"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the number, Ctrl+Shift+C the row."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() == Qt.Key.Key_C and modifiers == _CONTROL:
            self.copy_number()
        elif event.key() == Qt.Key.Key_C and modifiers == _CONTROL | _SHIFT:
            self.copy_row()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the cell under the pointer, or the chosen one."""
        self._session.activate_pane(self._pane)
        if self.map_now() is None:
            return
        menu = self.cell_menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())

    def cell_menu(self) -> QMenu:
        """The context menu for the cell meant now."""
        cell = self._menu_cell = self.cell_now()
        menu = QMenu(self)
        number = menu.addAction(self.tr("Copy &number") + "\tCtrl+C", self._copy_menu_number)
        number.setEnabled(cell is not None and bool(exact_cell(*cell)))
        row = menu.addAction(self.tr("Copy &row") + "\tCtrl+Shift+C", self._copy_menu_row)
        row.setEnabled(cell is not None)
        menu.addAction(self.tr("Copy &picture") + f"\t{key_now('Ctrl+Alt+C')}", self.picture_asked.emit)
        menu.addSeparator()
        text = self.tr("&Arithmetic of this cell") + f"\t{key_now('Ctrl+U')}"
        arithmetic = menu.addAction(text, self._ask_arithmetic)
        arithmetic.setEnabled(cell is not None)
        return menu

    def _copy_menu_number(self) -> None:
        self.copy_number(self._menu_cell)

    def _copy_menu_row(self) -> None:
        self.copy_row(self._menu_cell)

    def _ask_arithmetic(self) -> None:
        if self._menu_cell is None:
            return
        spec, row, column = self._menu_cell
        choose(self._session, self._pane, spec, row, column)
        if spec.head is not None:
            self._session.select(self._pane, head=spec.head)
        self.arithmetic_asked.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Say what is chosen here: the view that was shown before has had the last word."""
        super().showEvent(event)
        self.tell()

    def settled(self) -> None:
        """Say what is chosen now, if it is another."""
        if self._moved:
            self._moved = False
            self.announce()
            self.tell()

    def spot_gone(self) -> None:
        """The tokens that the pointer was on are not there any more."""
        self._session.hover.set(None)

    # What the session tells.

    def _pane_changed(self, pane: int) -> None:
        if pane == self._pane:
            self._moved = True
            self.mark_dirty()

    def _run_grew(self, run_id: str) -> None:
        pane = self._session.pane(self._pane)
        if pane is not None and pane.run_id == run_id:
            self.mark_dirty()

    def _view_changed(self) -> None:
        self.mark_dirty()

    def _hover_changed(self) -> None:
        """Draw again, if it concerns what is shown."""
        shown = self._lit_now() if self.isVisible() else DARK
        if shown != self._shown:
            self._shown = shown
            self.update()

    def _lit_now(self) -> object:
        """What the pointer is on, in this view or another, as far as it is drawn here."""
        spec = self.map_now()
        return DARK if spec is None else lit(self._session, self._pane, spec)

    @staticmethod
    def tip_of(cell: Cell) -> str:
        """The sentence of a cell, and below it its number to the last digit."""
        return "\n".join(part for part in (cell[0].sentence_at(*cell[1:]), exact_note(*cell)) if part)
