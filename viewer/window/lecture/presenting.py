"""Presenting: the window before an audience: one large figure, keys for the rest; then all as before."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QSize
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from viewer.document.session import Session
from viewer.guarded import Guarded
from viewer.pages.look.continuing import waits_for_step
from viewer.pages.look.look_page import HEADS, NEXT_WORD
from viewer.pages.looks.renewal import in_turns
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.shown_keys import keys_within
from viewer.window.actions import Actions
from viewer.window.keymap import Keymap
from viewer.window.lecture.note_strip import NoteStrip
from viewer.window.lecture.spotlight import Spotlight
from viewer.window.menus import Menus
from viewer.window.pages import LEARN, LOOK, Pages
from viewer.window.status_line import StatusLine
from viewer.window.top_bar import TopBar

_PAGES = ("lecture_look", "lecture_positions", "lecture_learn", "lecture_train")
_DRAWN_FOR = (1280, 800)


class Presenting(Guarded, QObject):
    """Goes before an audience and back, and answers the keys that mean something there alone.

    Attributes:
        spotlight: a soft circle about the pointer.
    """

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        appearance: Appearance,
        keymap: Keymap,
        pages: Pages,
        actions: Actions,
        menus: Menus,
        top: TopBar,
        status: StatusLine,
        note: NoteStrip,
        settle: Callable[[], None],
    ) -> None:
        """Be ready.

        Args:
            settle: lets the window place what its pages share.
        """
        super().__init__(window)
        self._window = window
        self._session = session
        self._appearance = appearance
        self._pages, self._actions, self._top, self._status = pages, actions, top, status
        self._settle = settle
        self._before = (False, QByteArray())
        self.spotlight = Spotlight(window)
        todo: dict[str, Callable[[], object]] = {
            "lecture_next_word": partial(self._call, NEXT_WORD),
            "lecture_heads": partial(self._call, HEADS),
            **{name: partial(pages.show_page, number) for number, name in enumerate(_PAGES)},
            "lecture_model": partial(self._pop_up, menus.model),
            "lecture_bookmarks": partial(self._pop_up, menus.bookmarks),
            "lecture_theme": self._other_theme,
            "lecture_language": top.language_asked.emit,
            "lecture_note": note.toggle,
            "lecture_spotlight": self.spotlight.toggle,
        }
        self._keymap = keymap
        self._shortcuts = {name: QShortcut(QKeySequence(), window, do) for name, do in todo.items()}
        for shortcut in self._shortcuts.values():
            shortcut.setEnabled(False)
        keymap.changed.connect(self._take_keys)
        self._take_keys()
        pages.look.sentence.asked.connect(pages.look.put_sentence_away)
        pages.shown.connect(self.say_keys)
        window.installEventFilter(self)

    def _take_keys(self) -> None:
        """The keys in force."""
        for name, shortcut in self._shortcuts.items():
            shortcut.setKeys(self._keymap.shortcuts(name))

    def toggle(self) -> None:
        """Large type and nothing but the content, or back."""
        in_turns(self._window, self._leave() if self._appearance.present else self._enter())

    def _enter(self) -> Iterator[None]:
        """The type is that of the whole screen before the window has it: it is taken once, not twice."""
        window = self._window
        self._before = (window.isMaximized(), QByteArray(window.saveGeometry()))
        self._appearance.set_present(True, self._growth(window.screen().size()))
        self._say_so()
        yield
        yield from self._pages.set_plain(True)
        self._show_bars(False)
        yield
        self._settle()
        yield
        window.showFullScreen()
        self._pages.in_view.picture.setFocus()

    def _leave(self) -> Iterator[None]:
        """The window is as large as before while there is little in it that has to take its place."""
        self.spotlight.put_out()
        self._appearance.set_present(False)
        self._say_so()
        yield
        maximized, geometry = self._before
        if maximized:
            self._window.showMaximized()
        else:
            self._window.showNormal()
            self._window.restoreGeometry(geometry)
        yield
        self._show_bars(True)
        yield
        yield from self._pages.set_plain(False)
        self._settle()

    def _say_so(self) -> None:
        """The keys of before an audience mean something, or no longer."""
        on = self._appearance.present
        self._actions["present"].setChecked(on)
        for shortcut in self._shortcuts.values():
            shortcut.setEnabled(on)
        self.say_keys()

    def _show_bars(self, on: bool) -> None:
        """What stands above the pages."""
        self._window.menuBar().setVisible(on)
        self._top.setVisible(on)

    def next_stop(self, by: int) -> bool:
        """What a clicker means at the last step (1) or the first (-1): the next bookmark; False elsewhere."""
        marks = self._session.bookmarks
        if not self._appearance.present or not 0 <= marks.at + by < len(marks.all):
            return False
        if self._pages.index in (LOOK, LEARN):
            selection, trace = self._session.selection(), self._session.trace()
            if selection is not None and trace is not None and self._session.has_steps():
                inside = 0 <= selection.step + by < trace.steps
                if inside or waits_for_step(self._session):
                    return False
        marks.step(by)
        return True

    def say_keys(self) -> None:
        """Say which keys there are, in one quiet line."""
        if not self._appearance.present:
            self._status.show_keys("")
            return
        keys = [self.tr("N next words"), self.tr("G heads")] if self._pages.index == LOOK else []
        keys += [
            self.tr("1–4 pages"),
            self.tr("O model"),
            self.tr("B bookmarks"),
            self.tr("R note"),
            self.tr("T theme"),
            self.tr("L language"),
            self.tr("X spotlight"),
            self.tr("F5 leaves"),
        ]
        keys[-1] = keys_within(keys[-1])
        lecture = [keys_within(key, audience=True) for key in keys[:-1]]
        self._status.show_keys(" · ".join((*lecture, keys[-1])))

    @staticmethod
    def _growth(size: QSize) -> float:
        """How many times as many pixels a window has as what the type was drawn for, in twentieths."""
        share = min(size.width() / _DRAWN_FOR[0], size.height() / _DRAWN_FOR[1])
        return max(1.0, math.floor(20 * share) / 20)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Type grows with the window: not every system makes it as large as the screen at once."""
        if event.type() == QEvent.Type.Resize and self._appearance.present:
            self._appearance.set_present(True, self._growth(self._window.size()))
        return False

    def _call(self, name: str) -> None:
        if self._pages.index == LOOK:
            self._pages.look.call(name)

    def _other_theme(self) -> None:
        theme = "light" if self._appearance.dark else "dark"
        self._actions.themes[theme].trigger()

    def _pop_up(self, menu: QMenu) -> None:
        middle: QPoint = QWidget.rect(self._window).center()
        size = menu.sizeHint()
        menu.popup(self._window.mapToGlobal(middle - QPoint(size.width() // 2, size.height() // 2)))
