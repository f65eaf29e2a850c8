"""`CurvesView`: loss, learning rate, gradient norm, BLEU, speed; export and a read-out."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QMenu,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from model.errors import HeadscopeError
from viewer.document.training.training import Training
from viewer.export.clipboard import Drawn, picture_mime
from viewer.export.curves import SUFFIXES, curves_picture, write_curves
from viewer.export.picture import Picture
from viewer.figures.canvas.theme import Theme, theme
from viewer.figures.curves.spec import CurvesSpec
from viewer.figures.figure import FigureSpec
from viewer.figures.request import DEFAULT_DPI
from viewer.pages.train.curves.curves_words import headings, read_out
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, label
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.worded import Worded

if TYPE_CHECKING:
    from viewer.pages.train.curves.curves_plots import CurvePlots

_INTERVAL_MS = 220  # a redraw costs the window's thread some milliseconds; more often shows no more


class CurvesView(Worded, QFrame):
    """Shows a training's `curves`, drawn anew some four times a second and only while visible.

    Attributes:
        dirty: whether something came that is not drawn yet.
        plots: pyqtgraph's widget, None before it was first seen.

    Signals:
        read_out: the true numbers under the pointer.
        said: a sentence about what was done, for the status line.
        failed: a `HeadscopeError`: a file could not be written.
    """

    read_out = Signal(str)
    said = Signal(str)
    failed = Signal(object)

    def __init__(self, training: Training, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._training = training
        self.appearance = appearance
        self.dirty = True
        self._cost = 0.0
        self.plots: CurvePlots | None = None
        self.setProperty("role", "card")
        self.title = label("title")
        self.everything = IconButton(appearance, "reset")
        self.everything.hide()
        self.export_button = QPushButton()
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
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._column.addLayout(self._stack, 1)

    def mark_dirty(self) -> None:
        """Draw anew soon, if anybody can see it; a long run is drawn less often than a short one."""
        self.dirty = True
        if self.isVisible() and not self._timer.isActive():
            self._timer.start(max(_INTERVAL_MS, round(4000 * self._cost)))

    def refresh(self) -> None:
        """Draw what is measured now."""
        if self.plots is None or not self.isVisible():
            return
        self.dirty = False
        began = time.perf_counter()
        curves = self._training.curves
        best = frozenset(event.step for event in self._training.evals if event.best)
        self.plots.set_headings(headings(curves, self._theme))
        self.plots.show_curves(curves, best)
        measured = len(curves.series("loss")[0]) + len(curves.series("heldout_loss")[0])
        self.export_button.setEnabled(measured > 0)
        self._stack.setCurrentIndex(1 if measured else 0)
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
        """The plots as they are in view; None before they were shown."""
        plots = self.plots
        if plots is None:
            return None
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
        """The figure on a page; None before it was shown."""
        figure = self.figure()
        return None if figure is None else curves_picture(figure, self._theme, self._width)

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
        """Write the picture, or (`.csv`) every number."""
        try:
            write_curves(figure, path, self._theme, self._width, dpi=DEFAULT_DPI)
        except HeadscopeError as error:
            self.failed.emit(error)
        else:
            self.said.emit(self.tr("Saved {name}").format(name=Path(path).name))

    def copy_picture(self) -> None:
        """Put the plots on the clipboard."""
        picture = self.picture()
        if picture is None:
            return
        try:
            QGuiApplication.clipboard().setMimeData(picture_mime(Drawn.of(picture, DEFAULT_DPI)))
        except HeadscopeError as error:
            self.failed.emit(error)
        else:
            self.said.emit(self.tr("Picture copied"))

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
            self.plots.setAccessibleName(self.tr("Training curves"))
            self.plots.name_steps(QCoreApplication.translate("Curves", "step"))
        self.mark_dirty()

    def showEvent(self, event: QShowEvent) -> None:
        """Make the plots when they are first seen; catch up with what came while hidden."""
        super().showEvent(event)
        if self.plots is None:
            self._make_plots()
        if self.dirty:
            self._timer.start(0)

    def hideEvent(self, event: QHideEvent) -> None:
        """Draw nothing that nobody sees."""
        self._timer.stop()
        super().hideEvent(event)

    def _make_plots(self) -> None:
        # Here, not above: importing pyqtgraph takes half a second, and the window should open at once.
        from viewer.pages.train.curves.curves_plots import CurvePlots

        self.plots = CurvePlots(self)
        self._stack.addWidget(self.plots)
        self.plots.hovered.connect(self._hovered)
        self.plots.menu_asked.connect(self._show_menu)
        self.plots.moved.connect(self._moved)
        self.plots.rearranged.connect(self.mark_dirty)
        self._restyle()
        self.retranslate()

    def _restyle(self) -> None:
        if self.plots is not None:
            self.plots.setMinimumSize(self.appearance.px(220), self.appearance.px(210))
            self.plots.set_theme(self._theme, self.appearance.scale)
            self.plots.name_steps(QCoreApplication.translate("Curves", "step"))
        self.mark_dirty()

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
