"""Above the contribution graph: from which flow on edges are drawn."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSlider, QWidget

from viewer.document.session import Session
from viewer.pages.look.linking import adjust_view
from viewer.pages.look.map.flow_tools import STOPS
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import elastic, label
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import plain


class ContributionsTools(OverflowRow):
    """A slider for the threshold, which the flow has too, and what a click does."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, parent, spacing=8)
        self._session = session
        self._appearance = appearance
        self.hint = elastic(label("small"))
        self.from_ = label("small")
        self.value = label("small")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(STOPS) - 1)
        self.slider.setPageStep(3)
        self.add(self.hint, 1, rank=4)
        for widget, rank in ((self.from_, 3), (self.slider, STAYS), (self.value, STAYS)):
            self.add(widget, rank=rank)
        self.slider.valueChanged.connect(self._slid)
        session.view_changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Show the threshold in force."""
        threshold = self._session.view.threshold
        self.slider.blockSignals(True)
        self.slider.setValue(min(range(len(STOPS)), key=lambda stop: abs(STOPS[stop] - threshold)))
        self.slider.blockSignals(False)
        self.slider.setMaximumWidth(self._appearance.px(84))
        self.slider.setMinimumWidth(self._appearance.px(40))
        self.value.setText(f"{threshold:.3g}")
        self.value.setMinimumWidth(self.value.fontMetrics().horizontalAdvance("0.005") + 2)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.hint.setText(self.tr("Click an edge, or use ← → and Enter, for the heads that carry it."))
        self.from_.setText(self.tr("Edges from"))
        tip = self.tr("Weaker edges are left out; the share of what flows that this hides is stated")
        for widget in (self.from_, self.slider, self.value):
            widget.setToolTip(plain(tip))
        self.slider.setAccessibleName(self.tr("Least flow of an edge"))
        self.refresh()

    def _slid(self, stop: int) -> None:
        adjust_view(self._session, "threshold", threshold=STOPS[stop])
