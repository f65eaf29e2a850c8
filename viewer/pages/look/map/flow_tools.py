"""Above the flow: which heads are drawn, and from which weight on lines are."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSlider, QWidget

from viewer.document.hover import Hovered
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.flow.build import chosen_heads
from viewer.figures.map.numbers import of_one_head, shown_numbers
from viewer.pages.look.linking import adjust_view
from viewer.pages.look.map.head_strip import HeadStrip
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import plain

STOPS = (
    0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3,
    0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0,
)  # fmt: skip
"""Thresholds that the slider stops at: most weights are small."""


_NARROW = 330  # all that is beside the heads, in words


class FlowTools(OverflowRow):
    """A strip of the layer's heads, a button for all of them, a slider for the threshold."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, parent, spacing=8)
        self._session = session
        self._appearance = appearance
        self._pane = pane
        self._narrow = False
        self.heads = HeadStrip(appearance)
        self.every = QPushButton()
        self.every.setCheckable(True)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(STOPS) - 1)
        self.slider.setPageStep(3)
        self.from_ = label("small")
        self.value = label("small")
        self.add(self.heads, rank=STAYS)
        self.add(self.every, rank=3)
        self.add_stretch()
        for widget, rank in ((self.from_, 4), (self.slider, 1), (self.value, 2)):
            self.add(widget, rank=rank)
        self.heads.isolated.connect(self._isolate)
        self.heads.toggled.connect(self._toggle)
        self.heads.pointed.connect(self._point)
        self.every.clicked.connect(self._every_clicked)
        self.slider.valueChanged.connect(self._slid)
        session.pane_changed.connect(self._pane_changed)
        for signal in (session.panes_changed, session.view_changed, session.runs_changed, session.run_grew):
            signal.connect(self.refresh)
        session.hover.changed.connect(self._hover_changed)
        appearance.changed.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Show what is drawn."""
        selection, trace = self._session.selection(self._pane), self._session.trace(self._pane)
        threshold = self._session.view.threshold
        count, chosen = 0, frozenset[int]()
        if selection is not None and trace is not None and selection.kind in trace.kinds:
            count = trace.heads(selection.kind)
            if of_one_head(selection, shown_numbers(trace, selection)):
                heads = chosen_heads(selection, count)
                chosen = frozenset(head for head in heads if head is not None)
        self.heads.setEnabled(bool(count))
        self.heads.show_heads(count, chosen)
        self.every.setEnabled(count > 1)
        self.every.setChecked(count > 1 and len(chosen) == count)
        self.slider.setEnabled(bool(count))
        self.slider.blockSignals(True)
        self.slider.setValue(min(range(len(STOPS)), key=lambda stop: abs(STOPS[stop] - threshold)))
        self.slider.blockSignals(False)
        self.slider.setMaximumWidth(self._appearance.px(84))
        self.slider.setMinimumWidth(self._appearance.px(40))
        self.value.setText(f"{threshold:.3g}")
        self.value.setMinimumWidth(self.value.fontMetrics().horizontalAdvance("0.005") + 2)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.heads.setAccessibleName(self.tr("Heads of the layer"))
        self.every.setText(self.tr("All") if self._narrow else self.tr("All heads"))
        self.every.setAccessibleName(self.tr("All heads"))
        self.every.setToolTip(self.tr("Draw the lines of every head of the layer"))
        self.from_.setText(self.tr("Lines from"))
        tip = self.tr("Weaker lines are left out; the share of the weight that this hides is stated")
        for widget in (self.from_, self.slider, self.value):
            widget.setToolTip(plain(tip))
        self.slider.setAccessibleName(self.tr("Smallest weight of a line"))
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, fewer words."""
        super().resizeEvent(event)
        narrow = self.width() < self._appearance.px(_NARROW) + self.heads.sizeHint().width()
        if narrow != self._narrow:
            self._narrow = narrow
            self.from_.setVisible(not narrow)
            self.retranslate()

    def _chosen(self) -> tuple[Selection, frozenset[int], int] | None:
        selection, trace = self._session.selection(self._pane), self._session.trace(self._pane)
        if selection is None or trace is None:
            return None
        count = trace.heads(selection.kind)
        chosen = frozenset(head for head in chosen_heads(selection, count) if head is not None)
        return selection, chosen, count

    def _isolate(self, head: int) -> None:
        self._session.activate_pane(self._pane)
        self._session.select(self._pane, head=head, more_heads=())

    def _toggle(self, head: int) -> None:
        found = self._chosen()
        if found is None:
            return
        selection, chosen, _ = found
        wanted = chosen ^ {head}
        if wanted:
            self._draw(selection, wanted)

    def _every_clicked(self) -> None:
        found = self._chosen()
        if found is not None:
            selection, chosen, count = found
            every = frozenset(range(count))
            self._draw(selection, frozenset({selection.head or 0}) if chosen == every else every)
        self.refresh()

    def _draw(self, selection: Selection, heads: frozenset[int]) -> None:
        """Draw these heads; the pane's own stays the pane's own if it is among them."""
        head = selection.head if selection.head in heads else min(heads)
        self._session.activate_pane(self._pane)
        self._session.select(self._pane, head=head, more_heads=tuple(sorted(heads - {head})))

    def _point(self, head: int) -> None:
        pane, selection = self._session.pane(self._pane), self._session.selection(self._pane)
        if head < 0 or pane is None or selection is None:
            self._session.hover.set(None)
        else:
            at = Hovered(pane.run_id, selection.kind, layer=selection.layer, head=head)
            self._session.hover.set(at)

    def _slid(self, stop: int) -> None:
        adjust_view(self._session, "threshold", threshold=STOPS[stop])

    def _hover_changed(self) -> None:
        at, pane = self._session.hover.at, self._session.pane(self._pane)
        head = None
        if at is not None and pane is not None and at.run == pane.run_id:
            head = at.head_in(pane.selection.kind, pane.selection.layer)
        self.heads.light(-1 if head is None else head)

    def _pane_changed(self, pane: int) -> None:
        if pane == self._pane:
            self.refresh()
