"""`EarlierButton`: whose the output is, where it is not the translation of the sentence above it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from viewer.document.session import Session
from viewer.document.text.input_text import input_text, is_of
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import literal, plain

_WIDE = 190  # most room for the sentence; the tooltip has all of it
_BESIDE = 600  # about what stands beside an output
_MOST = 300  # characters of a text that are set in type to be cut: no row has room for more


class EarlierButton(QPushButton):
    """Names the sentence that the output is of, and takes it back into the box.

    It is there while another sentence is typed, until the first token of its translation, and after it was
    refused, so that no output passes for the translation of a text that it is not of.
    """

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self.setProperty("role", "link")
        self.clicked.connect(self._take_back)

    def refresh(self, width: int) -> str:
        """Show whose the output is, in a row of a width; returns what a screen reader calls the output."""
        run = self._session.run()
        earlier = run is not None and not run.trace.only_reads and not is_of(run.trace, self._session.text)
        self.setVisible(earlier)
        if run is None or not earlier:
            return self.tr("Output")
        text = input_text(run.trace).strip()
        named = self.tr("From “{sentence}”:") if text else self.tr("From an earlier text:")
        room = min(self._appearance.px(_WIDE), max(0, width - self._appearance.px(_BESIDE)) // 3)
        shown = self.fontMetrics().elidedText(text[:_MOST], Qt.TextElideMode.ElideRight, room)
        self.setText(literal(named.format(sentence=shown)))
        tip = self.tr("This output is not from the sentence above. Click to bring its own sentence back:")
        self.setToolTip(plain(f"{tip}\n{text}"))
        return named.format(sentence=text)

    def _take_back(self) -> None:
        run = self._session.run()
        if run is not None:
            self._session.set_text(input_text(run.trace))
