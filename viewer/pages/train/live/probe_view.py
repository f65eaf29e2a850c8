"""`ProbeView`: heads of the probe sentence taking shape: Look's overview and map, on their own session."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtWidgets import (
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from model.errors import HeadscopeError
from viewer.document.document import Run
from viewer.document.run_source import RunSource
from viewer.document.session import Session
from viewer.document.text.token_text import piece_line
from viewer.document.training.training import Training
from viewer.figures.figure import FigureSpec
from viewer.figures.map.spec import MapSpec
from viewer.pages.look.heads.heads_panel import HeadsPanel
from viewer.pages.look.kind_row import KindRow
from viewer.pages.look.map.map_view import MapView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, card, elastic, label
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

_RUN = "probe"


class ProbeMap(MapView):
    """A map without a current step: all of the probe's rows are of one moment."""

    def build(self) -> FigureSpec[MapSpec] | None:
        """The map of the chosen head."""
        figure = super().build()
        return None if figure is None else replace(figure, body=replace(figure.body, step_row=None))


class ProbeView(Worded, QWidget):
    """All heads, and one of them enlarged; both follow `training.probe`.

    What is looked at (kind, layer, head) stays from one moment of the training to the next. The scale of
    the colours is Look's: 0 to 1, by the square root where Look's is.

    Signals:
        read_out: the exact weight under the pointer.
        time_lapse_asked: the button of that name.
        failed: a `HeadscopeError`: kept weights could not be read.
    """

    read_out = Signal(str)
    time_lapse_asked = Signal()
    failed = Signal(object)

    def __init__(
        self, session: Session, training: Training, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._training = training
        self.own = Session(self)
        self.kind_row = KindRow(self.own, appearance)
        self.kind_row.sentence.hide()
        self.when = label("badge")
        self.sentence = elastic(label("muted"))
        self.time_lapse = QPushButton()
        self.heads = HeadsPanel(self.own, appearance)
        self.map = ProbeMap(self.own, appearance, 0)
        self.map_title = elastic(label("title"))
        self.whole = IconButton(appearance, "reset")
        self.whole.hide()
        self.sqrt = QPushButton()
        self.sqrt.setCheckable(True)
        self.empty = EmptyState()
        self._lay_out(appearance)
        self._connect()
        self.retranslate()
        self._take_view()
        self.show_probe()

    def _lay_out(self, appearance: Appearance) -> None:
        told = OverflowRow(appearance, spacing=8)
        told.set_margins(QMargins(4, 0, 4, 0))
        told.add(self.when, rank=STAYS)
        told.add(self.sentence, 1, rank=STAYS)
        told.add(self.time_lapse)
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        self._stack = QStackedWidget(self)
        self._maps = QSplitter(Qt.Orientation.Horizontal, self._stack)
        self._maps.setChildrenCollapsible(False)
        self._maps.setHandleWidth(8)
        self.heads.setMinimumWidth(150)
        self.heads.set_plain(True)
        self._maps.addWidget(self.heads)
        self._add_map_card(appearance)
        self._maps.setStretchFactor(0, 2)
        self._maps.setStretchFactor(1, 3)
        self._maps.setSizes([400, 600])
        self._stack.addWidget(self._maps)
        self._stack.addWidget(empty_card := card())
        QVBoxLayout(empty_card).addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.kind_row)
        column.addWidget(told)
        column.addWidget(self._stack, 1)

    def _add_map_card(self, appearance: Appearance) -> None:
        self._maps.addWidget(frame := card())
        frame.setMinimumWidth(220)
        head = OverflowRow(appearance)
        head.add(self.map_title, 1, rank=STAYS)
        head.add(self.whole)
        head.add(self.sqrt)
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(12, 8, 8, 8)
        inside.setSpacing(4)
        inside.addWidget(head)
        inside.addWidget(self.map, 1)

    def _connect(self) -> None:
        self.whole.clicked.connect(self.map.reset_zoom)
        self.map.zoomed.connect(self.whole.setVisible)
        self.map.read_out.connect(self.read_out)
        self.sqrt.clicked.connect(self._sqrt_clicked)
        self.time_lapse.clicked.connect(self.time_lapse_asked)
        self._session.view_changed.connect(self._take_view)
        self._training.probe_changed.connect(self.show_probe)
        self._training.reset.connect(self.show_probe)
        self.own.pane_changed.connect(self._pane_changed)
        self.own.run_grew.connect(self._refresh)
        self.own.view_changed.connect(self._refresh)
        for view in (self.map, self.heads.view):
            view.failed.connect(self._figure_failed, Qt.ConnectionType.QueuedConnection)

    def show_probe(self) -> None:
        """Show the newest trace; kind, layer and head stay."""
        probe = self._training.probe
        if probe is None:
            self.own.clear_runs()
        else:
            facts = {"source": RunSource.TRAINING, "step": probe.step}
            first = self.own.run() is None
            self.own.put_run(Run(_RUN, probe.trace, provenance=facts, live=True))
            selection = self.own.selection()
            if first and selection is not None:
                self.own.select_head(selection.layer, 0)
            self.own.last_step()
        self._refresh()

    def _refresh(self) -> None:
        probe, spec = self._training.probe, self.map.spec
        self._stack.setCurrentIndex(0 if probe is not None else 1)
        self.kind_row.setEnabled(probe is not None)
        self.when.setVisible(probe is not None)
        self.map_title.setText("" if spec is None else spec.title)
        self.map_title.setToolTip("" if spec is None else plain(spec.title))
        self.sqrt.setChecked(self.own.view.sqrt_scale)
        self.sentence.setText("")
        if probe is not None:
            self.when.setText(self.tr("step {number}").format(number=f"{probe.step:,}"))
            trace = probe.trace
            target = trace.tgt_text or piece_line(trace.tgt_out_tokens, style=trace.token_style)
            text = f"{trace.src_text} → {target}"
            self.sentence.setText(text)
            self.sentence.setToolTip(plain(text))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.sqrt.setText(self.tr("√ scale"))
        self.sqrt.setToolTip(self.tr("Colour by the square root, so that small weights show"))
        self.sqrt.setAccessibleName(self.tr("Square root scale"))
        self.whole.describe(self.tr("Show the whole map (double-click)"))
        self.map.setAccessibleName(self.tr("Attention of the chosen head on the probe sentence"))
        self.map.mark_dirty()  # its own event comes after this one
        self.time_lapse.setText(self.tr("Time-lapse"))
        self.empty.say(self.tr("The heads of the probe sentence appear here once the run has read it."))
        self.set_kept(self.time_lapse.isEnabled())
        self._refresh()

    def set_kept(self, kept: bool) -> None:
        """Say whether there are frames to scrub through."""
        self.time_lapse.setEnabled(kept)
        self.time_lapse.setToolTip(
            self.tr("Scrub through training, for any head, on the Look page")
            if kept
            else self.tr("This run keeps no traces of the probe sentence (field “Keep every”)")
        )

    def _pane_changed(self, pane: int) -> None:
        # A click on a cell goes to its step, which on Look leaves the later rows open; here all are shown.
        selection, trace = self.own.selection(), self.own.trace()
        if selection is not None and trace is not None and selection.step != trace.steps - 1:
            self.own.select(step=trace.steps - 1, query=selection.query, key=selection.key)
        self._refresh()

    def _take_view(self) -> None:
        self.own.set_view(**self._session.view.to_json())

    def _sqrt_clicked(self) -> None:
        self._session.set_view(sqrt_scale=not self._session.view.sqrt_scale)
        self._refresh()

    def _figure_failed(self, error: HeadscopeError) -> None:
        self.failed.emit(error)
