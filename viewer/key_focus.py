"""Whose the keys are: the picture's, but for a field while something is typed into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QWidget

from viewer.guarded import Guarded
from viewer.state.session import Session

if TYPE_CHECKING:
    from viewer.main_window import MainWindow

_TYPED_INTO = (QLineEdit, QAbstractSpinBox, QPlainTextEdit)


class KeyFocus(Guarded, QObject):
    """Hands the keys to the picture when something was asked for, and back when that failed."""

    def __init__(self, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._field: QWidget | None = None  # what was asked for stands there
        page = window.look_page
        for asked in (page.sentence.asked, page.next_word.box.entered):
            asked.connect(self._hand_over)
        session.notice_changed.connect(self._failed)
        session.job_changed.connect(self._forget)

    def to_picture(self) -> None:
        """Give the keys to the picture of the page in view."""
        self._window.shown_page.picture.setFocus()

    def to_sentence(self) -> None:
        """Go to the sentence, ready to be typed over."""
        self._window.show_page(0)
        box = self._window.look_page.sentence.box
        box.setFocus()
        box.selectAll()

    def escape(self) -> None:
        """Stop what goes on; else leave the field, or Present, or the chosen cell."""
        session, focused = self._session, self._window.focusWidget()
        if session.job.cancellable:
            self._window.cancel_asked.emit()
        elif session.playing:
            session.set_playing(False)
        elif isinstance(focused, _TYPED_INTO):
            self.to_picture()
        elif self._window.in_present:
            self._window.toggle_present()
        else:
            session.set_crosshair(None, None, session.active)

    def _hand_over(self) -> None:
        """What is typed was sent off: letters are keys again."""
        focused = self._window.focusWidget()
        self._field = focused if isinstance(focused, QLineEdit) else self._window.look_page.sentence.box
        self._window.look_page.picture.setFocus()

    def _failed(self) -> None:
        """What was asked for cannot be had: its field is to be corrected, unless one went elsewhere."""
        field, notice = self._field, self._session.notice
        if field is None or notice is None or notice.level != "error":
            return
        self._field = None
        if self._window.focusWidget() is self._window.look_page.picture:
            field.setFocus()

    def _forget(self) -> None:
        """It has come to its end."""
        if self._session.job.state != "decoding":
            self._field = None
