"""`CurvePlots`: the plots over the same steps: zoom, pan, the line under the pointer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from viewer.document.training.curves import Curves
from viewer.figures.canvas.theme import Theme
from viewer.figures.curves.spec import Heading, Plot
from viewer.guarded import Guarded
from viewer.pages.accessible.cells import CellHost, Cells
from viewer.pages.train.curves.curves_panel import SMOOTHED, CurvePanel
from viewer.pages.train.curves.curves_series import settled_end
from viewer.pages.train.curves.curves_words import read_out
from viewer.pages.widgets.lazy import begun

# The large one first; the others are small, below it.
PANELS: dict[str, tuple[str, ...]] = {
    "loss": ("loss", SMOOTHED, "heldout_loss"),
    "lr": ("lr",),
    "grad_norm": ("grad_norm",),
    "bleu": ("bleu",),
    "tokens_per_second": ("tokens_per_second",),
}
_LEAST_STEPS = 10.0
_ACROSS = 4  # small panels side by side, where there is room
_TOLD = 100  # steps at most for those who do not see the lines
_ROOMY = 430.0  # pixels at 14-pixel type that they need for it
_PAN, _ZOOM_IN, _ZOOM_OUT = 0.1, 0.1, 0.125  # shares of the steps in view


class CurvePlots(Guarded, CellHost, pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """Draws a `Curves`; the wheel zooms, dragging pans, `A` or a double click shows everything.

    Attributes:
        parts: makes what is not made yet, a part each time that the next is asked for; nobody sees or asks
            anything of it before it is whole.

    Signals:
        hovered: the step under the pointer (float), None when there is none.
        menu_asked: a right click, at a global point.
        moved: the person zoomed, panned, or gave both up.
        rearranged: there are more or fewer panels side by side.
    """

    hovered = Signal(object)
    menu_asked = Signal(object)
    moved = Signal()
    rearranged = Signal()

    def __init__(self, parent: QWidget | None = None, *, at_once: bool = True) -> None:
        """Args: at_once: make all of it now; else whoever makes it goes through its `parts`."""
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._curves = Curves()
        self._best: frozenset[int] = frozenset()
        self._pinned = False
        self._busy = False
        self._scale = 1.0
        self.across = 0
        self.panels: dict[str, CurvePanel] = {}
        self.parts = begun(self._make(), at_once=at_once)

    def _make(self) -> Iterator[None]:
        """A panel each time: one takes the window's thread as long as drawing all of them does."""
        for name, lines in PANELS.items():
            yield
            self.panels[name] = CurvePanel(name, lines)
        yield
        self._place(_ACROSS)
        for panel in self.panels.values():
            panel.box.sigXRangeChanged.connect(self._x_changed)
            panel.box.sigResized.connect(self._box_resized)
            panel.box.sigRangeChangedManually.connect(self._moved_by_hand)
        self.scene().sigMouseMoved.connect(self._mouse_moved)
        self.scene().sigMouseClicked.connect(self._mouse_clicked)

    def _place(self, across: int) -> None:
        """Put the panels into the grid, so many small ones beside each other."""
        grid = self.ci.layout
        if across == self.across:
            return
        if self.across:
            for panel in self.panels.values():
                grid.removeItem(panel.title)
                grid.removeItem(panel.plot)
        add = self.ci.addItem if not self.across else grid.addItem
        self.across = across
        for number, panel in enumerate(self.panels.values()):
            row, column = divmod(number - 1, across) if number else (-1, 0)
            span = 1 if number else across
            add(panel.title, 2 * row + 2, column, 1, span)
            add(panel.plot, 2 * row + 3, column, 1, span)
        for row in range(6):
            grid.setRowStretchFactor(row, 0)
        for column in range(_ACROSS):
            grid.setColumnPreferredWidth(column, 100 if column < across else 0)
            grid.setColumnStretchFactor(column, 1 if column < across else 0)
        grid.setRowStretchFactor(1, 5 if across == _ACROSS else 9)
        for row in range(3, 2 * (len(self.panels) // across) + 2, 2):
            grid.setRowStretchFactor(row, 3)
        grid.setContentsMargins(2, 2, 8, 2)
        grid.setVerticalSpacing(0)
        grid.setHorizontalSpacing(6)

    # what is shown

    def show_curves(self, curves: Curves, best: frozenset[int]) -> None:
        """Draw what is measured now; `best`: steps of the evaluations that were the best so far."""
        self._curves, self._best = curves, best
        self.refresh()

    def cells(self) -> Cells | None:
        """A step a row, as the line under the pointer reads it out: some of those in view, and the last."""
        first, last = self.panels["loss"].steps_in_view
        steps = np.unique(np.concatenate([self._curves.series(name)[0] for name in Curves.NAMES]))
        steps = steps[(steps >= first) & (steps <= last)]
        told = (
            steps[np.unique(np.linspace(0, len(steps) - 1, _TOLD).round().astype(int))] if len(steps) else []
        )
        curves = self._curves
        return Cells(
            len(told),
            1,
            lambda row, column: read_out(curves, float(told[row])),
            lambda row: f"{told[row]:,.0f}",
            choose=lambda row, column: self.hovered.emit(float(told[row])),
        )

    def set_headings(self, headings: dict[str, Heading]) -> None:
        """Say above each panel what it is."""
        for name, panel in self.panels.items():
            panel.set_heading(headings[name], self._scale, narrow=self.across < _ACROSS)

    def name_steps(self, text: str) -> None:
        """What the large panel says below its axis; the others have the same."""
        self.panels["loss"].name_steps(text)

    def set_theme(self, theme: Theme, scale: float) -> None:
        """Take colours, and how much larger than usual type is."""
        self._scale = scale
        self.setBackground(theme.color("panel"))
        for panel in self.panels.values():
            panel.set_theme(theme, scale)
        self._rearrange()
        self.refresh()

    def refresh(self) -> None:
        """Draw the steps in view anew; all of them, unless a person chose some."""
        if not self._pinned:
            ends = [steps[-1] for steps, _ in map(self._curves.series, Curves.NAMES) if len(steps)]
            self._show_steps(0.0, settled_end(max([_LEAST_STEPS, *ends])))
        self._draw()
        self.follow_cells()

    def show_everything(self) -> None:
        """Give up zoom and pan, and follow the run again."""
        self._pinned = False
        for panel in self.panels.values():
            panel.pinned = False
        self.refresh()
        self.moved.emit()

    @property
    def following(self) -> bool:
        """Whether everything is in view."""
        return not self._pinned and not any(panel.pinned for panel in self.panels.values())

    def show_steps(self, first: float, last: float) -> None:
        """Show some steps, as if a person had chosen them."""
        self._pinned = True
        self._show_steps(first, last)
        self._draw()
        self.moved.emit()

    def mark_step(self, step: float | None) -> None:
        """A line through all panels at a step."""
        for panel in self.panels.values():
            panel.mark_step(step)

    def as_plots(self) -> list[Plot]:
        """All panels as they are in view, without the line under the pointer."""
        return [panel.as_plot() for panel in self.panels.values()]

    def _draw(self) -> None:
        for panel in self.panels.values():
            panel.draw(self._curves, self._best)

    def _show_steps(self, first: float, last: float) -> None:
        """The same steps in all panels (pyqtgraph's own links would align them by their places on screen)."""
        busy, self._busy = self._busy, True
        for panel in self.panels.values():
            panel.box.setXRange(first, last, padding=0)
        self._busy = busy

    # mouse and keys

    def _x_changed(self, _box: object, limits: tuple[float, float]) -> None:
        if not self._busy:
            self._show_steps(float(limits[0]), float(limits[1]))
            self._draw()

    def _box_resized(self, box: object) -> None:
        for panel in self.panels.values():
            if panel.box is box:
                panel.draw(self._curves, self._best)

    def _moved_by_hand(self, axes: Any) -> None:
        box = self.sender()
        self._pinned = self._pinned or bool(axes[0])
        for panel in self.panels.values():
            panel.pinned = panel.pinned or (panel.box is box and bool(axes[1]))
        self.moved.emit()

    def _mouse_moved(self, point: QPointF) -> None:
        for panel in self.panels.values():
            if panel.box.sceneBoundingRect().contains(point):
                self.hovered.emit(float(panel.box.mapSceneToView(point).x()))
                return
        self.hovered.emit(None)

    def _mouse_clicked(self, event: Any) -> None:
        if event.double() and event.button() == Qt.MouseButton.LeftButton:
            self.show_everything()
        elif event.button() == Qt.MouseButton.RightButton:
            self.menu_asked.emit(event.screenPos().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """`A` shows everything; plus, minus and the arrows zoom and pan along the steps."""
        first, last = self.panels["loss"].steps_in_view
        span, key = last - first, event.key()
        ends = {
            Qt.Key.Key_Plus: (_ZOOM_IN, -_ZOOM_IN),
            Qt.Key.Key_Equal: (_ZOOM_IN, -_ZOOM_IN),
            Qt.Key.Key_Minus: (-_ZOOM_OUT, _ZOOM_OUT),
            Qt.Key.Key_Left: (-_PAN, -_PAN),
            Qt.Key.Key_Right: (_PAN, _PAN),
        }
        move = ends.get(Qt.Key(key))
        if key == Qt.Key.Key_A:
            self.show_everything()
        elif move is not None:
            self.show_steps(first + move[0] * span, last + move[1] * span)
        else:
            QWidget.keyPressEvent(self, event)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        super().leaveEvent(event)
        self.hovered.emit(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where it is narrow, the small panels go into two rows."""
        super().resizeEvent(event)
        if getattr(self, "across", 0):  # pyqtgraph resizes while it is being made
            self._rearrange()

    def _rearrange(self) -> None:
        before, roomy = self.across, self.width() >= _ROOMY * self._scale
        self._place(_ACROSS if roomy else _ACROSS // 2)
        if self.across != before:
            self.rearranged.emit()
