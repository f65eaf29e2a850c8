"""The inspector's first tab: the next word of a model that writes, the masked word of one that reads."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from model.foreign.families import Family
from viewer.state.model_text import family_of
from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.masked.masked_panel import MaskedPanel
from viewer.views.next_word import NextWordPanel


class WordTab(QWidget):
    """Shows the panel that fits the run of the active pane, else the model.

    Signals:
        reading_changed: it is the other one now.
    """

    reading_changed = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.next_word = NextWordPanel(session, appearance, self)
        self.masked = MaskedPanel(session, appearance, self)
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        for panel in (self.next_word, self.masked):
            self._stack.addWidget(panel)
        session.pane_changed.connect(self._refresh)
        for signal in (
            session.run_grew,
            session.panes_changed,
            session.runs_changed,
            session.model_changed,
        ):
            signal.connect(self._refresh)

    @property
    def reads(self) -> bool:
        """Whether the masked word is shown."""
        return self._stack.currentWidget() is self.masked

    @property
    def least_width(self) -> int:
        """Pixels that words and numbers need."""
        return (self.masked if self.reads else self.next_word).least_width

    def set_plain(self, on: bool) -> None:
        """Leave out what an audience should not read."""
        for panel in (self.next_word, self.masked):
            panel.note.setVisible(not on)

    def _refresh(self) -> None:
        trace = self._session.trace()
        model = family_of(self._session.model)
        reads = model is Family.ENCODER_ONLY if trace is None else trace.only_reads
        if reads != self.reads:
            self._stack.setCurrentWidget(self.masked if reads else self.next_word)
            self.reading_changed.emit()
