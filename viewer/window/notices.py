"""Notices: what the window says across its top, and what the button beside it does."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.resources import bundled_model
from viewer.window.notice_bar import NoticeBar


class WindowNotices(QObject):
    """Shows the session's notice in the window's bar.

    Signals:
        path_asked: open this model, trace or session.
        restore_asked: open the session that is kept in this folder, which is then one's own.
        list_asked: show all sessions that are kept.
        tour_asked: take the tour that is offered.
        answered: the offer of a session that is kept was declined.
    """

    path_asked = Signal(str)
    restore_asked = Signal(str)
    list_asked = Signal()
    answered = Signal()
    tour_asked = Signal()

    def __init__(self, session: Session, bar: NoticeBar) -> None:
        super().__init__(bar)
        self._session = session
        self._bar = bar
        session.notice_changed.connect(self.refresh)
        bar.dismissed.connect(self._dismissed)

    def refresh(self) -> None:
        """Show what is to be said now, in the language in force."""
        notice, bar = self._session.notice, self._bar
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
            "tour_offered": self.tr("Take the tour"),
        }.get(notice.code, "")

    def _take(self) -> None:
        """Do what is offered."""
        notice = self._session.notice
        if notice is None:
            return
        self._session.set_notice(None)
        path = str(notice.values.get("path", ""))
        offered = str(notice.values.get("offer", ""))
        if notice.code == "autosave_found":
            self.restore_asked.emit(path)
        elif notice.code == "autosave_found_several":
            self.list_asked.emit()
        elif notice.code == "tour_offered":
            self.tour_asked.emit()
        else:
            folder = bundled_model(offered) if offered else None
            self.path_asked.emit(path if folder is None else str(folder))

    def _dismissed(self) -> None:
        """Whoever closes an offer has answered it: it is not repeated at the next start."""
        notice = self._session.notice
        if notice is not None and notice.code.startswith("autosave_found"):
            self.answered.emit()
        self._session.set_notice(None)
