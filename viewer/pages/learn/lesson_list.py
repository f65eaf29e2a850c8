"""LessonList: the lessons of the Learn page under their headings, to choose one by mouse or arrows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from viewer.pages.learn.lesson import Lesson
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

_WIDE, _NARROW, _BELOW = 196, 136, 980
_EDGES, _MARGINS = 16, 6  # of a line: its border and padding (stylesheet), and what Qt leaves beside a text
_LEFT = {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Right}
"""Keys that are not the list's: they move what is in view."""
_PLACE = Qt.ItemDataRole.UserRole


class LessonList(Worded, QListWidget):
    """A line or two a lesson; headings cannot be chosen.

    Signals:
        lesson_chosen: its place among the lessons.
    """

    lesson_chosen = Signal(int)

    def __init__(self, lessons: Sequence[Lesson], appearance: Appearance) -> None:
        super().__init__()
        self._lessons, self._appearance = tuple(lessons), appearance
        self.setObjectName("lessons")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setWordWrap(True)
        self.setUniformItemSizes(False)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)  # whole lines cut the last one
        self._fill()
        self.currentItemChanged.connect(self._changed)
        appearance.changed.connect(self._restyle)
        self.retranslate()
        self.fit(_BELOW)

    def show_lesson(self, place: int) -> None:
        """Mark the one in view."""
        with QSignalBlocker(self):
            self.setCurrentItem(self.item_of(place))
        self.scrollToItem(self.currentItem())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the one in view in the list's view, too: it may have been chosen before there was a height."""
        super().resizeEvent(event)
        self.scrollToItem(self.currentItem())

    def item_of(self, place: int) -> QListWidgetItem:
        """The line of a lesson."""
        items = (self.item(row) for row in range(self.count()))
        return next(item for item in items if item.data(_PLACE) == place)

    def fit(self, width: int) -> None:
        """Take the width that suits a page of this one."""
        wide = _WIDE if width >= self._appearance.px(_BELOW) else _NARROW
        self.setFixedWidth(self._appearance.px(wide))
        self._restyle()

    def _lines(self, text: str, font: QFont) -> int:
        """How many it takes."""
        bar = self.verticalScrollBar().sizeHint().width()
        room = self.maximumWidth() - bar - self._appearance.px(_EDGES) - _MARGINS
        high = (
            QFontMetrics(font).boundingRect(0, 0, room, 1000, Qt.TextFlag.TextWordWrap.value, text).height()
        )
        return 1 if high < 1.5 * QFontMetrics(font).height() else 2

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up, down, home, end and letters choose; the rest is the window's."""
        if Qt.Key(event.key()) in _LEFT or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def retranslate(self) -> None:
        """Take the language in force."""
        for row in range(self.count()):
            item = self.item(row)
            place = item.data(_PLACE)
            if place < 0:
                item.setText(self._lessons[-1 - place].group())
                continue
            title = self._lessons[place].title()
            item.setText(title)
            item.setToolTip(plain(title))
        self.setAccessibleName(self.tr("Lessons"))
        self._restyle()

    def _fill(self) -> None:
        """A heading is of the lesson after it: its place is that one's, counted down from -1."""
        heading = ""
        for place, lesson in enumerate(self._lessons):
            if lesson.group() != heading:
                heading = lesson.group()
                item = QListWidgetItem()
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setData(_PLACE, -1 - place)
                self.addItem(item)
            item = QListWidgetItem()
            item.setData(_PLACE, place)
            self.addItem(item)

    def _restyle(self) -> None:
        for row in range(self.count()):
            item = self.item(row)
            heading = item.data(_PLACE) < 0
            font = self.font()
            font.setPixelSize(self._appearance.px(12 if heading else 14))
            item.setFont(font)
            lines = self._lines(item.text(), font)
            high = (30 if heading else 28) + (lines - 1) * 18
            item.setSizeHint(QSize(0, self._appearance.px(high)))
            if heading:
                item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
                item.setForeground(self._appearance.color("muted"))

    def _changed(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_PLACE) >= 0:
            self.lesson_chosen.emit(item.data(_PLACE))
