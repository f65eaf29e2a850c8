"""Key focus: whose the keys are, the picture's, but for a field while something is typed into it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QWidget

from viewer.document.messages.requests import Cancel
from viewer.document.session import Session
from viewer.guarded import Guarded
from viewer.pages.look.look_page import SENTENCE
from viewer.pages.widgets.appearance import Appearance
from viewer.window.keymap import PAUSE_TYPING, TO_SENTENCE, Keymap
from viewer.window.pages import Pages

_TYPED_INTO = (QLineEdit, QAbstractSpinBox, QPlainTextEdit)


class KeyFocus(Guarded, QObject):
    """Hands the keys to the picture when something was asked for, and back when that failed.

    Signals:
        present_left: nothing else is to be left, but what is before an audience.
    """

    present_left = Signal()

    def __init__(
        self, host: QWidget, session: Session, pages: Pages, appearance: Appearance, keymap: Keymap
    ) -> None:
        super().__init__(host)
        self._host = host
        self._session = session
        self._pages = pages
        self._appearance = appearance
        self._field: QWidget | None = None  # what was asked for stands there
        page = pages.look
        for asked in (page.sentence.asked, page.next_word.box.entered):
            asked.connect(self._hand_over)
        session.notice_changed.connect(self._failed)
        session.job_changed.connect(self._forget)
        self._keymap = keymap
        self._shortcut = QShortcut(QKeySequence(), host, self.to_sentence)
        keymap.changed.connect(self._take_keys)
        self._take_keys()

    def _take_keys(self) -> None:
        """The keys in force."""
        self._shortcut.setKeys(self._keymap.shortcuts(TO_SENTENCE))
        self._pages.look.sentence.pause_shortcut.setKeys(self._keymap.shortcuts(PAUSE_TYPING))

    def to_picture(self) -> None:
        """Give the keys to the picture of the page in view."""
        self._pages.in_view.picture.setFocus()

    def to_sentence(self) -> None:
        """Go to the sentence, ready to be typed over."""
        self._pages.show_look()
        if not self._pages.look.called(SENTENCE):
            self._pages.look.call(SENTENCE)
        box = self._pages.look.sentence.box
        box.setFocus()
        box.selectAll()

    def escape(self) -> None:
        """Stop what goes on; else leave the field, or Present, or the chosen cell."""
        session, focused = self._session, self._host.focusWidget()
        if session.job.cancellable:
            session.ask(Cancel())
        elif session.playing:
            session.set_playing(False)
        elif isinstance(focused, _TYPED_INTO):
            self._pages.look.put_sentence_away()
            self.to_picture()
        elif self._appearance.present:
            self.present_left.emit()
        else:
            session.set_crosshair(None, None, session.active)

    def _hand_over(self) -> None:
        """What is typed was sent off: letters are keys again."""
        focused = self._host.focusWidget()
        self._field = focused if isinstance(focused, QLineEdit) else self._pages.look.sentence.box
        self._pages.look.picture.setFocus()

    def _failed(self) -> None:
        """What was asked for cannot be had: its field is to be corrected, unless one went elsewhere."""
        field, notice = self._field, self._session.notice
        if field is None or notice is None or notice.level != "error":
            return
        self._field = None
        if self._host.focusWidget() is self._pages.look.picture:
            field.setFocus()

    def _forget(self) -> None:
        """It has come to its end."""
        if self._session.job.state != "decoding":
            self._field = None
