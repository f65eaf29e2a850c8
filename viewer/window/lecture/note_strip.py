"""`NoteStrip`: what is to be said at the bookmark in view, in a few quiet lines at the foot of the window."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from viewer.document.session import Session
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

_LINES = 3  # the rest is in its tooltip, and in the handout


class NoteStrip(Worded, QFrame):
    """There before an audience alone, where the bookmark has a note, until it is put away.

    Attributes:
        text: the note.
    """

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marks = session.bookmarks
        self._appearance = appearance
        self._away = False
        self.text = label("note")
        self.text.be_short(_LINES)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.addWidget(self.text, 1)
        self._marks.changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.retranslate()

    def toggle(self) -> None:
        """Put it away, or fetch it."""
        self._away = not self._away
        self.refresh()

    def refresh(self) -> None:
        """Show the note of the bookmark that was last gone to."""
        marks, at = self._marks.all, self._marks.at
        note = " ".join(marks[at].note.split()) if 0 <= at < len(marks) else ""
        self.setVisible(self._appearance.present and bool(note) and not self._away)
        if note != self.text.text():
            self.text.setText(note)
            self.text.setToolTip(plain(note))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setAccessibleName(self.tr("Note of the bookmark"))
        self.refresh()
