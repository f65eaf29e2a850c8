"""`BadgeLine`: what must be said of a pane's numbers, in a line; "… 2 more" has all of it in its menu."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

_BETWEEN = "  ·  "
_EDGE, _SIDES, _GAP = 8, 20, 4
_LEAST, _WORDY = 60, 260  # pixels at 14-pixel type that a line of letters, and that words beside it want


class BadgeLine(Worded, QWidget):
    """Places its two parts by hand: the button is there only where the line alone does not fit.

    Attributes:
        label: the badges; its text is always all of them.
        lines: how many it has at most.
        more: how many are not shown whole; its menu has every one.
    """

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._badges: tuple[str, ...] = ()
        self._note, self.lines = "", 1
        self.label = label("badge")
        self.label.setParent(self)
        self.label.be_short(1)
        self.more = QToolButton(self)
        self.more.setProperty("role", "link")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.hide()
        self._menu = QMenu(self)
        self.more.setMenu(self._menu)
        self._menu.aboutToShow.connect(self._fill)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_badges(self, badges: Sequence[str], note: str = "") -> None:
        """Say what is remarkable.

        Args:
            badges: the most important first.
            note: what the tooltip and the menu say besides.
        """
        self._badges = tuple(badges)
        self._note = note
        self.label.setText(_BETWEEN.join(badges))
        whole = "\n".join([*badges, *filter(None, (note,))])
        self.label.setToolTip(plain(whole))
        self.more.setToolTip(plain(whole))
        self.label.setVisible(bool(badges))
        self.setVisible(bool(badges))
        self._place()

    def set_lines(self, lines: int) -> None:
        """Be so many lines high."""
        if lines != self.lines:
            self.lines = lines
            self.label.be_short(lines)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Its lines, as wide as all the badges in one."""
        high = self.lines * self.label.fontMetrics().lineSpacing() + self._appearance.px(_EDGE)
        return QSize(self._wanted(), high)

    def minimumSizeHint(self) -> QSize:
        """As narrow as need be."""
        return QSize(1, self.sizeHint().height())

    def retranslate(self) -> None:
        """Take the language in force."""
        self._place()

    def remeasure(self) -> None:
        """Take the type in force."""
        self.updateGeometry()
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show more of the badges, or less."""
        super().resizeEvent(event)
        self._place()

    def _wanted(self) -> int:
        line = self.label.fontMetrics().horizontalAdvance(self.label.text())
        return line + self._appearance.px(_SIDES)

    def _place(self) -> None:
        wide, high = min(self._wanted(), self.width()), self.height()
        one = self.label.fontMetrics().lineSpacing() + self._appearance.px(_EDGE)
        if wide == self._wanted() and one < high:
            self.label.setGeometry(0, (high - one) // 2, wide, one)
        else:
            self.label.setGeometry(0, 0, wide, high)
        if self._hidden():
            self._count(len(self._badges))  # the widest that it may be
            beside = min(self.more.sizeHint().width(), self.width())
            left = self.width() - beside - self._appearance.px(_GAP)
            if left < self._appearance.px(_LEAST):  # a few letters say nothing
                left = -self._appearance.px(_GAP)
            self.label.setGeometry(0, 0, max(0, left), high)
            self._count(self._hidden())
            self.more.setGeometry(self.label.width() and self.width() - beside, 0, beside, high)
        self.more.setVisible(self.label.width() < wide)

    def _count(self, hidden: int) -> None:
        words = self.tr("… {count} more").format(count=hidden)
        self.more.setAccessibleName(words)
        self.more.setText(words)
        # Chinese letters are higher than the line may be.
        if self.width() <= self._appearance.px(_WORDY) or self.more.sizeHint().height() > self.height():
            self.more.setText(f"… {hidden}")

    def _hidden(self) -> int:
        """How many badges are not shown whole."""
        shown, whole = QLabel.text(self.label), ""
        if shown == self.label.text():
            return 0
        for place, badge in enumerate(self._badges):
            whole += (_BETWEEN if place else "") + badge
            if not shown.startswith(whole):
                return len(self._badges) - place
        return 0

    def _fill(self) -> None:
        self._menu.clear()
        for text in (*self._badges, *self._note.split("\n")):
            if text:
                self._menu.addAction(text.replace("&", "&&"))
