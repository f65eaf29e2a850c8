"""`DifferenceView`: the map of the difference between the pinned run and the run in view."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from model.trace.trace import AttentionKind
from viewer.document.session import Session
from viewer.figures.difference.comparing import comparing
from viewer.figures.difference.spec import DifferenceSpec
from viewer.figures.drawing import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.map.layout import MapGeometry
from viewer.pages.accessible.cells import Cells
from viewer.pages.look.map.map_view import MOVES
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.map_cells import map_cells
from viewer.pages.widgets.plain_tip import show_tip


class DifferenceView(FigureView[DifferenceSpec, MapGeometry]):
    """B − A of the head in view; a click puts the crosshair on the same tokens in both panes.

    Signals:
        read_out: the sentence of the cell under the pointer (or crosshair); empty when there is none.
    """

    read_out = Signal(str)

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent)
        self._session = session
        session.document_changed.connect(self.mark_dirty)

    def build(self) -> FigureSpec[DifferenceSpec] | None:
        """The difference, None where there is nothing to compare."""
        found = comparing(self._session.document)
        if found is None or found.same or not found.possible:
            return None
        return found.figure(self._session.view)

    def cells(self) -> Cells | None:
        """What each cell is in A and in B."""
        spec = self.spec
        found = map_cells(spec, self.geometry_now, self.choose)
        return None if spec is None or found is None else replace(found, name=spec.sentence_at)

    def options(self) -> DrawOptions:
        """With the cell under the pointer."""
        return replace(super().options(), hover=self.spot)

    def sentence(self) -> str:
        """What the cell under the pointer, or else under the crosshair, says."""
        spec = self.spec
        if spec is None:
            return ""
        cell = self.spot or spec.crosshair
        return "" if cell is None else spec.sentence_at(*cell)

    def choose(self, row: int, column: int) -> None:
        """Put the crosshair of each pane that shows A or B on a cell, and go to its step."""
        spec, found = self.spec, comparing(self._session.document)
        if spec is None or found is None:
            return
        for index, pane in enumerate(self._session.document.panes):
            side = {found.first.id: 0, found.second.id: 1}.get(pane.run_id)
            if side is None or (pane.selection.kind is not spec.kind and index != found.pane):
                continue
            query, key = spec.rows_of.pairs[row][side], spec.columns_of.pairs[column][side]
            changes: dict[str, int | None] = {"query": query, "key": key}
            if query is None or key is None:
                changes = {"query": None, "key": None}
            if query is not None and spec.kind is not AttentionKind.ENCODER_SELF:
                changes["step"] = query
            self._session.select(index, **changes)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read the cell under the pointer."""
        geometry = self.geometry_now()
        cell = None if geometry is None else geometry.cell_at(event.position())
        if cell != self.spot:
            self.put_spot(cell)
            self.update()
            text = self.sentence() if cell is not None else ""
            if geometry is not None and cell is None:
                label = geometry.label_at(event.position())
                text = "" if label is None else " → ".join(filter(None, (label.text, label.second)))
            show_tip(event.globalPosition().toPoint(), text, self)
            self.read_out.emit(self.sentence())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the cell."""
        cell = self.cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self.choose(*cell)

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """Row and column of the picture under a point of the widget."""
        geometry = self.geometry_now()
        return None if geometry is None else geometry.cell_at(point)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.put_spot(None)
        self.update()
        self.read_out.emit(self.sentence())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows move the crosshair."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        move, spec = MOVES.get(Qt.Key(event.key())), self.spec
        if move is None or not plain or spec is None or not spec.matrix.size:
            super().keyPressEvent(event)
            return
        rows, columns = spec.matrix.shape
        row, column = spec.crosshair or (spec.step_row or 0, 0)
        if spec.crosshair is not None:
            row, column = row + move[0], column + move[1]
        self.choose(min(max(0, row), rows - 1), min(max(0, column), columns - 1))

    def settled(self) -> None:
        """Let a screen reader find what is chosen."""
        self.setAccessibleDescription(self.sentence())
