"""`WordTab`: the inspector's first tab: next word, masked word or classes, by what the model does."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QStackedLayout, QWidget

from model.folder.families import Family
from viewer.document.session import Session
from viewer.document.text.model_text import family_of
from viewer.pages.look.classes.classes_panel import ClassesPanel
from viewer.pages.look.masked.masked_panel import MaskedPanel
from viewer.pages.look.next_word.next_word import NextWordPanel
from viewer.pages.look.panel import LookPanel
from viewer.pages.widgets.appearance import Appearance


class WordTab(LookPanel):
    """Shows the panel that fits the run of the active pane, else the model."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.next_word = NextWordPanel(session, appearance, self)
        self.masked = MaskedPanel(session, appearance, self)
        self.classes = ClassesPanel(session, appearance, self)
        self._panels = (self.next_word, self.masked, self.classes)
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        for panel in self._panels:
            self._stack.addWidget(panel)
        session.pane_changed.connect(self._refresh)
        for signal in (
            session.run_grew,
            session.panes_changed,
            session.runs_changed,
            session.model_changed,
        ):
            signal.connect(self._refresh)
        self._refresh()

    @property
    def reads(self) -> bool:
        """Whether the masked word is shown."""
        return self._stack.currentWidget() is self.masked

    @property
    def sorts(self) -> bool:
        """Whether the classes are shown."""
        return self._stack.currentWidget() is self.classes

    @property
    def least_width(self) -> int:
        """Pixels that words and numbers need."""
        return self._panels[self._stack.currentIndex()].least_width

    def title(self) -> str:
        """By what the model does."""
        if self.sorts:
            return QCoreApplication.translate("Inspector", "Classes")
        if self.reads:
            return QCoreApplication.translate("Inspector", "Masked word")
        return super().title()

    def set_plain(self, on: bool) -> None:
        """Leave out what an audience should not read."""
        for panel in self._panels:
            panel.note.setVisible(not on)

    def _refresh(self) -> None:
        fitting = self._fitting()
        if fitting is not self._stack.currentWidget():
            self._stack.setCurrentWidget(fitting)
            self.title_changed.emit()

    def _fitting(self) -> NextWordPanel | MaskedPanel | ClassesPanel:
        trace, model = self._session.trace(), self._session.model
        if trace is None:
            reads = family_of(model) is Family.ENCODER_ONLY
            sorts = model is not None and bool(model.architecture.get("classes"))
        else:
            reads, sorts = trace.only_reads, trace.class_logits is not None
        if not reads:
            return self.next_word
        return self.classes if sorts else self.masked
