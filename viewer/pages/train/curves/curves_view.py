"""`CurvesView`: loss, learning rate, gradient norm, BLEU, speed; export and a read-out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from viewer.document.training.training import Training
from viewer.export.clipboard import Drawn
from viewer.export.curves import SUFFIXES, curves_picture, write_curves
from viewer.export.picture import Picture
from viewer.figures.canvas.theme import Theme, theme
from viewer.figures.curves.spec import CurvesSpec
from viewer.figures.figure import FigureSpec
from viewer.figures.request import DEFAULT_DPI, Source
from viewer.pages.train.curves.curves_words import headings, read_out
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.buttons import IconButton, label
from viewer.pages.widgets.lazy import Lazy, LazyStack, Parts
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.worded import Worded

if TYPE_CHECKING:
    from viewer.pages.train.curves.curves_plots import CurvePlots

_INTERVAL_MS = 220  # a redraw costs the window's thread some milliseconds; more often shows no more


class CurvesView(Worded, QFrame):
    """Shows a training's `curves`, drawn anew some four times a second and only while visible.

    The plots are made ahead in idle moments, else part by part when there first is something to draw.

    Attributes:
        dirty: whether something came that is not drawn yet.

    Signals:
        read_out: the true numbers under the pointer.
        write_asked: write a file, beside the window: its path and what does it (see `Writing.make`).
        copy_asked: draw for the clipboard, beside the window: what does it (see `Writing.draw`).
    """

    read_out = Signal(str)
    write_asked = Signal(str, object)
    copy_asked = Signal(object)

    def __init__(self, training: Training, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._training = training
        self.appearance = appearance
        self.dirty = True
        self._cost = 0.0
        self._measured = False
        self._dressing = BeforePaint(self, self._dress_again)
        # Importing pyqtgraph takes half a second, and all panels longer than one turn may.
        self._plots = Lazy(self._make_plots, ("viewer.pages.train.curves.curves_plots",))
        self.setProperty("role", "card")
        self.title = label("title")
        self.everything = IconButton(appearance, "reset")
        self.everything.hide()
        self.export_button = QPushButton()
        self.export_button.setEnabled(False)
        self.empty = label("muted")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.refresh)
        self.everything.clicked.connect(self.show_everything)
        self.export_button.clicked.connect(self.export)
        for signal in (training.steps_added, training.evaluated):
            signal.connect(self.mark_dirty)
        training.reset.connect(self.show_everything)
        appearance.changed.connect(self._restyle)
        self.retranslate()

    def _lay_out(self) -> None:
        head = OverflowRow(self.appearance)
        head.add(self.title, 1, rank=STAYS)
        head.add(self.everything)
        head.add(self.export_button)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 8, 8, 6)
        self._column.setSpacing(2)
        self._column.addWidget(head)
        self._stack = LazyStack(self)
        self._stack.addWidget(self.empty)
        self._stack.show_other(self.empty)
        self._resize()
        self._column.addWidget(self._stack, 1)

    @property
    def plots(self) -> CurvePlots | None:
        """Pyqtgraph's widget; None before it is whole."""
        return self._plots.made

    def ahead(self) -> Iterator[None]:
        """Make the plots before they are wanted, a part each time that the next is asked for."""
        yield from self._plots.ahead()

    def mark_dirty(self) -> None:
        """Draw anew soon, if anybody can see it; a long run is drawn less often than a short one."""
        self.dirty = True
        if self.isVisible() and not self._timer.isActive():
            self._timer.start(max(_INTERVAL_MS, round(4000 * self._cost)))

    def refresh(self) -> None:
        """Draw what is measured now."""
        if not self.isVisible():
            return
        curves = self._training.curves
        measured = any(len(curves.series(name)[0]) for name in ("loss", "heldout_loss"))
        if measured != self._measured:  # only then: plots that cannot be made are not tried again and again
            self._measured = measured
            if measured:
                self._stack.show_lazy(self._plots)
            else:
                self._stack.show_other(self.empty)
        self.export_button.setEnabled(measured and self.plots is not None)
        # Plots that are on their way draw what there is when they come.
        self.dirty = measured and self.plots is None
        if self.plots is not None:
            self._draw(self.plots)

    def _draw(self, plots: CurvePlots) -> None:
        began = time.perf_counter()
        curves = self._training.curves
        best = frozenset(event.step for event in self._training.evals if event.best)
        plots.set_headings(headings(curves, self._theme))
        plots.show_curves(curves, best)
        self._cost = time.perf_counter() - began

    def show_everything(self) -> None:
        """Give up zoom and pan, and follow the run."""
        if self.plots is not None:
            self.plots.show_everything()
        self.mark_dirty()

    @property
    def _theme(self) -> Theme:
        return theme(self.appearance.palette.name)

    # export

    def figure(self) -> FigureSpec[CurvesSpec] | None:
        """The plots as they are in view; None before they are whole."""
        plots = self.plots
        if plots is None:
            return None
        self._dressing.now()
        self.refresh()
        order, curves = self._training.order, self._training.curves
        steps = curves.series("loss")[0]
        name = order.options.name if order is not None else ""
        title = self.tr("Training curves of {name}").format(name=name)
        caption = self.tr("{title}, {count} steps.").format(
            title=title, count=f"{steps[-1] if len(steps) else 0:,.0f}"
        )
        shape = plots.height() / max(1, plots.width())
        spec = CurvesSpec(curves, tuple(plots.as_plots()), plots.across, shape, title)
        return FigureSpec(spec, caption)

    @property
    def _width(self) -> float:
        return 0.0 if self.plots is None else float(self.plots.width())

    def picture(self) -> Picture | None:
        """The figure on a page, as it is now; None before it is whole."""
        figure = self.figure()
        return None if figure is None else curves_picture(_still(figure), self._theme, self._width)

    def export(self) -> None:
        """Ask for a file and write the picture or the numbers into it."""
        figure, order = self.figure(), self._training.order
        if figure is None:
            return
        folder = Path(order.out).parent if order is not None else Path.home()
        name = order.options.name if order is not None else "training"
        start = str(folder / f"{name}-curves.png")
        kinds = ";;".join(f"{suffix.upper()} (*.{suffix})" for suffix in SUFFIXES)
        path, chosen = QFileDialog.getSaveFileName(self, self.tr("Export curves"), start, kinds)
        if path:
            self.write(_with_kind(path, (chosen or "PNG").split(" ")[0].lower(), start), figure)

    def write(self, path: str, figure: FigureSpec[CurvesSpec]) -> None:
        """Have the picture written, or (`.csv`) every number."""
        self.write_asked.emit(path, partial(_write, _still(figure), path, self._theme, self._width))

    def copy_picture(self) -> None:
        """Have the plots put on the clipboard."""
        picture = self.picture()
        if picture is not None:
            self.copy_asked.emit(partial(_draw, picture))

    # language, theme, pointer

    def retranslate(self) -> None:
        """Take the language in force."""
        self.title.setText(self.tr("Curves"))
        self.empty.setText(
            self.tr("Loss, learning rate, gradient norm and BLEU are drawn here from the first step.")
        )
        self.everything.describe(self.tr("Show everything and follow the run (A, double-click)"))
        self.export_button.setText(self.tr("Export…"))
        self.export_button.setToolTip(
            self.tr("Save the curves as PNG, SVG or PDF, or all their numbers as CSV")
        )
        if self.plots is not None:
            self._name(self.plots)
        self.mark_dirty()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what came while hidden; have imported what the plots will need."""
        super().showEvent(event)
        self._dressing.shown()
        self._stack.prepare(self._plots)
        if self.dirty:
            self._timer.start(0)

    def hideEvent(self, event: QHideEvent) -> None:
        """Draw nothing that nobody sees."""
        self._timer.stop()
        super().hideEvent(event)

    def _make_plots(self) -> Parts[CurvePlots]:
        from viewer.pages.train.curves.curves_plots import CurvePlots

        plots = CurvePlots(self._stack, at_once=False)
        yield from plots.parts
        yield
        # From here on in one go: they take the theme, the type and the language that are in force now.
        self._stack.addWidget(plots)
        plots.hovered.connect(self._hovered)
        plots.menu_asked.connect(self._show_menu)
        plots.moved.connect(self._moved)
        plots.rearranged.connect(self.mark_dirty)
        self._dress(plots)
        self._name(plots)
        self._draw(plots)
        if self.isVisible():
            self._timer.start(0)
        return plots

    def _restyle(self) -> None:
        self._resize()
        self._dressing.ask()  # five plots take long, and are seldom in view
        self.mark_dirty()

    def _resize(self) -> None:
        """Room for the plots, be they there or not: nothing moves when they come."""
        self._stack.setMinimumSize(self.appearance.px(220), self.appearance.px(210))

    def _dress_again(self) -> None:
        if self.plots is not None:
            self._dress(self.plots)

    def _dress(self, plots: CurvePlots) -> None:
        plots.set_theme(self._theme, self.appearance.scale)
        plots.name_steps(QCoreApplication.translate("Curves", "step"))

    def _name(self, plots: CurvePlots) -> None:
        plots.setAccessibleName(self.tr("Training curves"))
        plots.name_steps(QCoreApplication.translate("Curves", "step"))

    def _moved(self) -> None:
        if self.plots is not None:
            self.everything.setVisible(not self.plots.following)

    def _hovered(self, step: float | None) -> None:
        if self.plots is None:
            return
        self.plots.mark_step(step)
        self.read_out.emit("" if step is None else read_out(self._training.curves, step))

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Copy picture"), self.copy_picture)
        menu.addAction(self.tr("Export…"), self.export)
        menu.addSeparator()
        menu.addAction(self.tr("Show everything"), self.show_everything)
        menu.popup(place)


def _with_kind(path: str, kind: str, suggested: str) -> str:
    """The file to write: its name tells the kind; a suggested one takes the kind that was chosen."""
    if Path(path).suffix.lower().removeprefix(".") not in SUFFIXES:
        return f"{path}.{kind}"
    other = Path(path).with_suffix(f".{kind}")
    if Path(path).name == Path(suggested).name and not other.exists():
        return str(other)
    return path


def _still(figure: FigureSpec[CurvesSpec]) -> FigureSpec[CurvesSpec]:
    """As it is now: the run goes on while it is written."""
    return replace(figure, body=replace(figure.body, curves=deepcopy(figure.body.curves)))


def _write(figure: FigureSpec[CurvesSpec], path: str, theme: Theme, width: float, source: Source) -> str:
    """In a thread; returns the path."""
    write_curves(figure, path, theme, width, dpi=DEFAULT_DPI)
    return path


def _draw(picture: Picture, source: Source) -> Drawn:
    """In a thread."""
    return Drawn.of(picture, DEFAULT_DPI)
