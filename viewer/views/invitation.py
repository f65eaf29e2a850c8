"""What stands in an empty pane: what to do with the model that is open."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from viewer.model_samples import example_label
from viewer.state.model_text import task_of
from viewer.state.session import Session
from viewer.views.empty_state import EmptyState


class Invitation(EmptyState):
    """Says how to begin; the button shows an example, or begins with a sample sentence."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        session.model_changed.connect(self.retranslate)
        self.retranslate()

    def retranslate(self) -> None:
        """Take the model and the language in force."""
        info = self._session.model
        if info is None or info.model_type == "headscope":
            text = self.tr("Type a sentence above and press Enter to see who attends to whom.")
        else:
            text = task_of(info).invitation
        self.say(text, example_label(info))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
