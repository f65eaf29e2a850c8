"""OrderExperimentView: what the model knows of the order of words, with and without positions."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from model.trace.exploration import OrderExperiment
from model.trace.trace import AttentionKind
from viewer.document.document import Run
from viewer.document.order_state import OrderState
from viewer.document.run_source import RunSource
from viewer.document.scene import whole
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.pages.learn.lesson import LessonView
from viewer.pages.learn.order.distances_view import DistancesView
from viewer.pages.learn.order.order_cell import OrderCell
from viewer.pages.learn.order.order_form import OrderForm
from viewer.pages.learn.order.order_words import id_sentence, verdict
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, label
from viewer.pages.widgets.overflow_row import OverflowRow

_CROWDED = 960  # pixels at 14-pixel type that two readings and the distances want side by side


class OrderExperimentView(LessonView):
    """Explanation, form and, once tried, the four readings with what they show."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._appearance = session, appearance
        self._shown: OrderExperiment | None = None
        self._runs: dict[tuple[bool, bool], str] = {}
        self._wished = (-1, -1)  # layer and head that are to be in view once there is a result
        self.explanation, self.verdict, self.ids = label("large"), label("large"), label("muted")
        for text in (self.explanation, self.verdict, self.ids):
            text.setWordWrap(True)
        self.orders = OrderState(session.answers, lambda: session.model, self)
        session.model_changed.connect(self.orders.clear)
        self.form = OrderForm(session, self.orders, appearance)
        self.layer, self.head = QComboBox(), QComboBox()
        self._map_label = label("muted")
        self.cells = tuple(
            OrderCell(appearance, reordered, positions)
            for positions in (True, False)
            for reordered in (False, True)
        )
        self.distances = DistancesView(appearance)
        self.result, self._side = QWidget(), card()
        self._grid = QGridLayout()
        self._beside: bool | None = None
        self._lay_out(appearance)
        self.form.path_asked.connect(self.path_asked)
        for cell in self.cells:
            cell.look_asked.connect(self._look)
        for chooser in (self.layer, self.head):
            chooser.currentIndexChanged.connect(self._show_maps)
        self.orders.changed.connect(self._state_changed)
        session.view_changed.connect(self._show_maps)
        appearance.changed.connect(self._place_side)
        self.retranslate()
        self._state_changed()

    def _lay_out(self, appearance: Appearance) -> None:
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area := QScrollArea())
        self._area = area
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(content := QWidget())
        column = QVBoxLayout(content)
        column.setContentsMargins(2, 0, 6, 6)
        column.setSpacing(10)
        for widget in (self.explanation, self.form):
            column.addWidget(widget)
        column.addWidget(self.result, 1)
        column.addStretch(0)  # a page without a result keeps its form at the top
        below = QVBoxLayout(self.result)
        below.setContentsMargins(0, 0, 0, 0)
        below.addLayout(self._grid, 1)
        choice = OverflowRow(appearance, spacing=8)
        for chooser in (self.layer, self.head):  # what is in it comes with the first result
            chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        choice.add(self._map_label, rank=2)
        choice.add(self.layer)
        choice.add(self.head)
        choice.add_stretch()
        grid = self._grid
        grid.setSpacing(8)
        grid.addWidget(choice, 0, 0, 1, 2)
        for place, cell in enumerate(self.cells):
            grid.addWidget(cell, 1 + place // 2, place % 2)
        inside = QVBoxLayout(self._side)
        inside.setContentsMargins(14, 10, 10, 10)
        inside.setSpacing(10)
        for part in (self.verdict, self.ids, self.distances):
            inside.addWidget(part)
        inside.addStretch(1)
        for place in range(3):
            grid.setColumnStretch(place, 1)
        self._place_side()

    def _place_side(self) -> None:
        """The distances stand beside the readings, or under them where that would crowd both."""
        beside = self.width() >= self._appearance.px(_CROWDED)
        if beside != self._beside:
            self._beside = beside
            self._grid.addWidget(self._side, *((0, 2, 3, 1) if beside else (3, 0, 1, 2)))
            self._grid.setColumnStretch(2, int(beside))

    def scene(self) -> dict[str, Any]:
        """The sentence, its other order and the map in view, for `show_scene`."""
        chosen = {"layer": self.layer.currentIndex(), "head": self.head.currentIndex()}
        return {**self.form.scene(), **(chosen if self._shown is not None else {})}

    def show_scene(self, state: Mapping[str, Any]) -> None:
        """Show the experiment as it was; it is made again if another one took its place."""
        self._wished = (whole(state, "layer", -1), whole(state, "head", -1))
        self.form.show_scene(state)
        self._choose_wished()

    def _choose_wished(self) -> None:
        """The map that was in view; not before there is one."""
        for chooser, index in zip((self.layer, self.head), self._wished, strict=True):
            if 0 <= index < chooser.count():
                chooser.setCurrentIndex(index)

    def _state_changed(self) -> None:
        experiment = self.orders.experiment
        self.result.setVisible(experiment is not None)
        if experiment is None or experiment is self._shown:
            self._shown = experiment
            return
        self._shown = experiment
        self._runs = {}
        self._fill_choosers(experiment)
        self._choose_wished()
        self._wished = (-1, -1)
        self.distances.show_experiment(experiment)
        self._say()
        self._show_maps()

    def _fill_choosers(self, experiment: OrderExperiment) -> None:
        """Layers and heads of the encoder; at first the last layer's mean, later what was chosen."""
        shape = experiment.readings[0].trace.patterns.shape(AttentionKind.ENCODER_SELF)
        layers, heads = (0, 0) if shape is None else shape[:2]
        for chooser, count, first in ((self.layer, layers, layers - 1), (self.head, heads + 1, 0)):
            if chooser.count() != count:
                with QSignalBlocker(chooser):
                    chooser.clear()
                    chooser.addItems([""] * count)
                    chooser.setCurrentIndex(first)
        self._name_choices()

    def _name_choices(self) -> None:
        for index in range(self.layer.count()):
            self.layer.setItemText(index, self.tr("Encoder layer {layer}").format(layer=index + 1))
        for index in range(self.head.count()):
            text = self.tr("Head {head}").format(head=index) if index else self.tr("Mean over heads")
            self.head.setItemText(index, text)

    @property
    def selection(self) -> Selection:
        """The map that every cell shows."""
        head = self.head.currentIndex()
        return Selection(
            kind=AttentionKind.ENCODER_SELF,
            layer=max(0, self.layer.currentIndex()),
            head=None if head <= 0 else head - 1,
            step=0,
        )

    def _show_maps(self) -> None:
        if self._shown is not None:
            for cell, reading in zip(self.cells, self._shown.readings, strict=True):
                cell.show_reading(reading, self.selection, self._session.view)

    def _say(self) -> None:
        if self._shown is not None:
            self.verdict.setText(verdict(self._shown))
            self.ids.setText(id_sentence(self._shown))

    def _look(self, reordered: bool, positions: bool) -> None:
        """Make a reading a run, once, and show it."""
        if self._shown is None:
            return
        key, session = (reordered, positions), self._session
        trace = next(r.trace for r in self._shown.readings if (r.reordered, r.positions) == key)
        if session.document.run(self._runs.get(key, "")) is None:
            self._runs[key] = f"order-{secrets.token_hex(6)}"
            run = Run(
                self._runs[key],
                trace,
                provenance={"source": RunSource.DECODED, "experiment": "order"},
                alterations=trace.alterations,
            )
            session.add_run(run, self.selection.within(trace))
        else:
            session.show_run(self._runs[key])
        session.set_text(trace.src_text)
        self.look_asked.emit()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.explanation.setText(
            self.tr(
                "Attention sees a set of words, not a sequence. That is why the Transformer adds to "
                "each word a vector for its position (paper, section 3.5). Read the same pieces in "
                "two orders, with positions and without, and see what is left of the order."
            )
        )
        self._map_label.setText(self.tr("Maps show self-attention of"))
        self._area.setAccessibleName(self.explanation.text())
        self.layer.setAccessibleName(self.tr("Layer"))
        self.head.setAccessibleName(self.tr("Head"))
        self._name_choices()
        self._say()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find the distances another place."""
        super().resizeEvent(event)
        self._place_side()
