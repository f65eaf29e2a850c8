"""What the window says across its top, and what the button beside it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from viewer.resources import bundled_model
from viewer.state.notice import Notice
from viewer.state.session import Session

if TYPE_CHECKING:
    from viewer.main_window import MainWindow


class WindowNotices(QObject):
    """Shows the session's notice in the window's bar."""

    def __init__(self, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        session.notice_changed.connect(self.refresh)
        window.notice.dismissed.connect(self._dismissed)

    def refresh(self) -> None:
        """Show what is to be said now, in the language in force."""
        notice, bar = self._session.notice, self._window.notice
        if notice is None:
            bar.hide()
        else:
            remark = notice.level == "note"
            bar.show_notice(notice.sentence(), self._offer(notice), self._take, remark=remark)

    def _offer(self, notice: Notice) -> str:
        """The button's words; empty for none."""
        offered = str(notice.values.get("offer", ""))
        if offered and bundled_model(offered) is not None:
            return self.tr("Open {model}").format(model=offered)
        return {
            "sequence_offered": self.tr("Show the time-lapse"),
            "autosave_found": self.tr("Restore"),
            "autosave_found_several": self.tr("Choose…"),
        }.get(notice.code, "")

    def _take(self) -> None:
        """Do what is offered."""
        notice, window = self._session.notice, self._window
        if notice is None:
            return
        self._session.set_notice(None)
        path = str(notice.values.get("path", ""))
        offered = str(notice.values.get("offer", ""))
        if notice.code == "autosave_found":
            window.restore_asked.emit(path)
        elif notice.code == "autosave_found_several":
            window.dialogs.show_kept()
        else:
            folder = bundled_model(offered) if offered else None
            window.path_asked.emit(path if folder is None else str(folder))

    def _dismissed(self) -> None:
        """Whoever closes an offer has answered it: it is not repeated at the next start."""
        notice = self._session.notice
        if notice is not None and notice.code.startswith("autosave_found"):
            self._window.kept.answered()
        self._session.set_notice(None)
