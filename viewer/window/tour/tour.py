"""`Tour`: leads through `STEPS`; a step is over when it was done, whenever and however that was."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QTimer, Signal
from PySide6.QtWidgets import QWidget

from viewer.document.session import Session
from viewer.guarded import Guarded
from viewer.pages.look.look_page import LookPage
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.shown_keys import keys_within
from viewer.pages.widgets.worded import Worded
from viewer.window.tour.acts import Acts
from viewer.window.tour.bubble import Bubble, Ring
from viewer.window.tour.steps import STEPS, Step

_FOLLOW_MS = 200  # panels open and close: what is pointed at moves
_MARGIN = 4


class _WordedBubble(Worded, Bubble):
    """Tells its tour of another language."""

    reworded = Signal()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.reworded.emit()


class Tour(Guarded, QObject):
    """From its making on it points at the first step that is not done.

    Attributes:
        bubble, ring: what it says, and the frame about what it speaks of.

    Signals:
        ended: all is done, or it was left.
    """

    ended = Signal()

    def __init__(
        self,
        session: Session,
        appearance: Appearance,
        host: QWidget,
        page: LookPage,
        done: set[str] | None = None,
    ) -> None:
        """Begin.

        Args:
            host: what it lies over, and stays within.
            done: steps that are left out.
        """
        super().__init__(host)
        self._session, self._host, self._page = session, host, page
        self._done = set(done or ())
        self._revealed = ""
        self._on = True
        self.ring, self.bubble = Ring(appearance, host), _WordedBubble(appearance, host)
        self.bubble.skipped.connect(self._skip)
        self.bubble.left.connect(self.leave)
        self.bubble.reworded.connect(self._say)
        self._acts = Acts(session, page, self)
        self._acts.done.connect(self.do)
        self._follow = QTimer(self)
        self._follow.setInterval(_FOLLOW_MS)
        self._follow.timeout.connect(self.place)
        self._follow.start()
        self._say()
        self.refresh()

    @property
    def step(self) -> Step | None:
        """The one that is asked for; None once all is done."""
        return next(
            (step for step in STEPS if step.name not in self._done and step.possible(self._session)), None
        )

    def do(self, name: str) -> None:
        """A step was done: if it is the one that is asked for, the next one is."""
        before = self.step
        self._done.add(name)
        if self.step is not before:
            self.refresh()

    def refresh(self) -> None:
        """Bring what is meant into view, say what to do with it, and point at it."""
        step = self.step
        if step is not None and step.name != self._revealed:
            self._revealed = step.name
            step.reveal(self._page, self._session)
            QTimer.singleShot(0, self, self.place)  # once what was revealed has its room
        self._say(aloud=True)
        self.place()

    def leave(self) -> bool:
        """End it; False if it has ended."""
        if not self._follow.isActive():
            return False
        self._follow.stop()
        for part in (self.bubble, self.ring):
            part.hide()
            part.deleteLater()
        self.ended.emit()
        return True

    def set_visible(self, on: bool) -> None:
        """Show it, or hide it while another page is in view."""
        self._on = on
        self.place()

    def place(self) -> None:
        """Stand beside what is meant, wherever that is now."""
        if not self._follow.isActive():
            return
        for part in (self.bubble, self.ring):
            part.setVisible(self._on)
        if not self._on:
            return
        bounds, target = self._host.rect(), self._target()
        self.ring.setVisible(not target.isEmpty())
        if target.isEmpty():
            size = self.bubble.size_for(self.bubble.width())
            target = QRect(bounds.center().x(), bounds.bottom() - size.height() - 4 * _MARGIN, 1, 1)
        else:
            target = target.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
            self.ring.setGeometry(target)
            self.ring.raise_()
        self.bubble.stand_beside(target, bounds)

    def _target(self) -> QRect:
        """Where what is meant is seen in the host; empty if it is not."""
        step, seen = self.step, QRect()
        for widget in () if step is None else step.targets(self._page):
            if widget.isVisibleTo(self._host):
                seen = seen.united(_seen_in(widget, self._host))
        return seen

    def _skip(self) -> None:
        step = self.step
        if step is None:
            self.leave()
        else:
            self.do(step.name)

    def _say(self, *, aloud: bool = False) -> None:
        step = self.step
        if step is None:
            where, title = "", self.tr("That was the whole way")
            text = self.tr("From a sentence to the next word. The menu Help has the tour for another time.")
        else:
            title, text = step.said()
            text = keys_within(text)
            where = self.tr("{number} of {count}").format(number=STEPS.index(step) + 1, count=len(STEPS))
        self.bubble.skip.setVisible(step is not None)
        self.bubble.skip.setText(self.tr("Skip"))
        self.bubble.skip.setAccessibleName(self.tr("Skip this step of the tour"))
        self.bubble.end.setText(self.tr("End") if step is not None else self.tr("Close"))
        self.bubble.end.setAccessibleName(self.tr("End the tour"))
        self.bubble.end.setToolTip(self.tr("End the tour (Esc)"))
        self.bubble.say(where, title, text, aloud=aloud)


def _seen_in(widget: QWidget, host: QWidget) -> QRect:
    """What is seen of a widget, in the coordinates of one that it lies in."""
    rect, up = widget.rect(), widget
    while up is not host:
        rect.translate(up.pos())
        parent = up.parentWidget()
        if parent is None:
            return QRect()
        rect, up = rect.intersected(parent.rect()), parent
    return rect
