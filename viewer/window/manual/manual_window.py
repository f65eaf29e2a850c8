"""`ManualWindow`: the manual beside the program: topics, a page, the way back, a search, keys of a place."""

from __future__ import annotations

import html
from collections.abc import Iterator

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from viewer.icons import pixmap
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, card, label
from viewer.pages.widgets.lazy import begun
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded
from viewer.window.localization import Localization
from viewer.window.manual.key_table import all_keys, keys_at
from viewer.window.manual.library import KEYS_MARK, Library, ManualPage, library
from viewer.window.manual.page_view import PageView
from viewer.window.manual.searching import Found, search
from viewer.window.settings import Settings

ACTION = "headscope:"
"""What a link begins with that does something in the window."""
_ROLE = Qt.ItemDataRole.UserRole
_SIZE, _LEAST = (1000, 740), (560, 400)
_LEFT, _SHARE = 250, 1000
_STATE = "manual"


class ManualWindow(Worded, QWidget):
    """Stands beside the window, whatever that shows, and never stops it.

    Attributes:
        field, topics, results, view: what is searched for, the list of pages, what was found, the page.
        parts: makes what is not made yet, a part each time that the next is asked for.

    Signals:
        action_asked: do this, an entry of the palette by its name.
        address_asked: open this address outside.
        closed: it went away.
    """

    action_asked = Signal(str)
    address_asked = Signal(str)
    closed = Signal()

    def __init__(
        self,
        appearance: Appearance,
        localization: Localization,
        settings: Settings,
        *,
        at_once: bool = True,
    ) -> None:
        """Args: at_once: make all of it now; else whoever makes it goes through its `parts`."""
        super().__init__(None, Qt.WindowType.Window)
        self._appearance, self._localization, self._settings = appearance, localization, settings
        self._history: list[tuple[str, int]] = []
        self._ahead: list[tuple[str, int]] = []
        self._name = self._place = ""
        self._found: list[Found] = []
        self.is_whole = False
        self.parts = begun(self._make(), at_once=at_once)

    def _make(self) -> Iterator[None]:
        """From the outside in: Qt styles all that a widget holds anew each time it is put into another."""
        self.setObjectName("page")
        self.setWindowIcon(pixmap("headscope", "", 64))
        self.setMinimumSize(*_LEAST)
        self.resize(self._appearance.px(_SIZE[0]), self._appearance.px(_SIZE[1]))
        self.restoreGeometry(self._settings.state(_STATE))
        around = QVBoxLayout(self)
        around.setContentsMargins(10, 10, 10, 10)
        splitter = QSplitter(self)
        around.addWidget(splitter)
        left, right = card(), QWidget()
        splitter.addWidget(left)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([self._appearance.px(_LEFT), _SHARE])
        splitter.setChildrenCollapsible(False)
        yield
        self._make_left(left)
        yield
        self._make_right(right)
        yield
        self._connect()
        self.is_whole = True
        self.retranslate()

    def _make_left(self, left: QWidget) -> None:
        self.field, self.none = QLineEdit(left), label("muted")
        self.topics, self.results = _List(self._appearance, left), _List(self._appearance, left)
        column = QVBoxLayout(left)
        column.setContentsMargins(8, 8, 4, 8)
        column.setSpacing(6)
        column.addWidget(self.field)
        for part in (self.topics, self.results, self.none):
            column.addWidget(part, 1)
        self.none.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.none.setWordWrap(True)
        self.results.hide()
        self.none.hide()

    def _make_right(self, right: QWidget) -> None:
        self.back, self.forward = (IconButton(self._appearance, name) for name in ("previous", "next"))
        self.heading, self.foot, self.keys = label("title"), label("small"), label("note")
        row = QHBoxLayout()
        for button in (self.back, self.forward):
            row.addWidget(button)
        row.addWidget(self.heading, 1)
        inside = QVBoxLayout(right)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(8)
        inside.addLayout(row)
        self._strip, self.view = card(right), PageView(self._appearance, right)
        QVBoxLayout(self._strip).addWidget(self.keys)
        self.keys.setWordWrap(True)
        self.keys.setTextFormat(Qt.TextFormat.RichText)
        self._strip.hide()
        self.foot.setWordWrap(True)
        self.foot.hide()
        inside.addWidget(self._strip)
        inside.addWidget(self.view, 1)
        inside.addWidget(self.foot)

    def _connect(self) -> None:
        self.view.followed.connect(self.follow)
        self.keys.linkActivated.connect(self.follow)
        self._appearance.changed.connect(self.retranslate)
        self.topics.chosen.connect(self._topic_chosen)
        self.results.chosen.connect(self._result_chosen)
        self.field.textChanged.connect(self._typed)
        self.field.returnPressed.connect(self._next)
        self.back.clicked.connect(self.go_back)
        self.forward.clicked.connect(self.go_forward)
        for keys, slot in (
            ("Ctrl+F", self.search),
            ("F3", self._next),
            ("Shift+F3", self._previous),
            ("Alt+Left", self.go_back),
            ("Alt+Right", self.go_forward),
            ("Ctrl+W", self.close),
        ):
            QShortcut(QKeySequence(keys), self, slot)

    @property
    def _library(self) -> Library:
        return library(self._localization.language)

    @property
    def page(self) -> ManualPage | None:
        """The page in view."""
        return self.view.page

    # Where one may go.

    def open_target(self, target: str, place: str = "") -> None:
        """Show a part of the manual, and remember where one was.

        Args:
            target: `page#anchor`; without the page the one in view, without the anchor its beginning.
            place: whose keys stand above the page; empty for none.
        """
        name, _, anchor = target.partition("#")
        if self._name:
            self._history.append((self._name, self.view.verticalScrollBar().value()))
            self._ahead.clear()
        self._show(name or self._name, place)
        self.view.go_to(anchor)

    def follow(self, link: str) -> None:
        """Go where a link of the page leads, or do what it says."""
        self.say("")
        if link.startswith(ACTION):
            self.action_asked.emit(link.removeprefix(ACTION))
        elif "://" in link or link.startswith("mailto:"):
            self.address_asked.emit(link)
        else:
            page, _, anchor = link.partition("#")
            self.open_target(f"{page.removesuffix('.md')}#{anchor}")

    def say(self, sentence: str) -> None:
        """Tell what came of a link; an empty sentence takes the last one away."""
        self.foot.setText(sentence)
        self.foot.setVisible(bool(sentence))

    def go_back(self) -> None:
        """To where one was."""
        self._turn(self._history, self._ahead)

    def go_forward(self) -> None:
        """Back again to where one came back from."""
        self._turn(self._ahead, self._history)

    def search(self) -> None:
        """Have the keys in the field."""
        self.field.setFocus()
        self.field.selectAll()

    def _turn(self, there: list[tuple[str, int]], here: list[tuple[str, int]]) -> None:
        if not there:
            return
        name, scroll = there.pop()
        here.append((self._name, self.view.verticalScrollBar().value()))
        self._show(name, "")
        self.view.verticalScrollBar().setValue(scroll)

    def _show(self, name: str, place: str) -> None:
        page = self._library.page(name)
        self._name, self._place = page.name, place
        text = page.text
        if KEYS_MARK in text:
            text = text.replace(KEYS_MARK, all_keys())
        if not self.view.shows(page, text):  # to set a long one takes a while
            self.view.show_page(page, text)
        self.heading.setText(page.title)
        self.setWindowTitle(self.tr("{page} · Headscope manual").format(page=page.title))
        self._show_keys()
        self.topics.mark(page.name)
        self.back.setEnabled(bool(self._history))
        self.forward.setEnabled(bool(self._ahead))
        self.view.mark(self._term)

    def _show_keys(self) -> None:
        """The keys of the place that F1 was pressed at, above its page."""
        rows = keys_at(self._place) if self._place else ()
        self._strip.setVisible(bool(rows))
        soft, accent = self._appearance.palette.soft, self._appearance.palette.accent
        here, every = html.escape(self.tr("Keys here")), html.escape(self.tr("All keys"))
        badge = f'<span style="background:{soft};color:{accent}">&nbsp;%s&nbsp;</span>'
        told = [
            " ".join(badge % html.escape(key) for key in row.shown) + f"&nbsp;{html.escape(row.words)}"
            for row in rows
        ]
        rest = f'<a style="color:{accent}" href="keys#all-keys">{every}</a>'
        self.keys.setText(" &nbsp; ".join([f"<b>{here}</b>", *told, rest]))

    # Searching.

    @property
    def _term(self) -> str:
        """What is marked in the page."""
        page = self.view.page
        return next((found.term for found in self._found if found.page is page), "")

    def _typed(self, text: str) -> None:
        self._found = search(self._library, text)
        self.topics.setVisible(not text.strip())
        self.results.setVisible(bool(self._found))
        self.none.setVisible(bool(text.strip()) and not self._found)
        rows = [(found.page.title, found.page.name, found.excerpt) for found in self._found]
        self.results.fill([("", rows)] if rows else [])
        self.view.mark(self._term)
        if self._term:
            self.view.go_to_next(self._term, first=True)
            self.results.mark(self._name)

    def _next(self) -> None:
        self._step(back=False)

    def _previous(self) -> None:
        self._step(back=True)

    def _step(self, *, back: bool) -> None:
        """To the next place in the page; where it has none, to the first page that has one."""
        if self._term:
            self.view.go_to_next(self._term, back=back)
        elif self._found:
            self._result_chosen(self._found[0].page.name)

    def _result_chosen(self, name: str) -> None:
        self.open_target(name)
        self.results.mark(name)
        self.view.go_to_next(self._term, first=True)

    def _topic_chosen(self, name: str) -> None:
        if name != self._name:
            self.open_target(name)

    # What Qt tells.

    def retranslate(self) -> None:
        """Take the language in force: the page in view in that language, at its beginning or heading."""
        self.field.setPlaceholderText(self.tr("Search the manual (Ctrl+F)"))
        self.field.setAccessibleName(self.tr("Search the manual"))
        self.field.setClearButtonEnabled(True)
        self.topics.setAccessibleName(self.tr("Topics"))
        self.results.setAccessibleName(self.tr("Pages found"))
        self.view.setAccessibleName(self.tr("Page of the manual"))
        self.back.describe(self.tr("Back (Alt+Left)"))
        self.forward.describe(self.tr("Forward (Alt+Right)"))
        self.none.setText(self.tr("No page has these words. Fewer letters find more."))
        self.setWindowTitle(self.tr("Headscope manual"))
        manual = self._library
        self.topics.fill(
            [(group.title, [(manual.page(name).title, name, "") for name in group.pages])
             for group in manual.groups]
        )  # fmt: skip
        self._typed(self.field.text())
        if self._name:
            self._show(self._name, self._place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc ends the search, else closes the manual."""
        if Qt.Key(event.key()) != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.field.text():
            self.field.clear()
            self.view.setFocus()
        else:
            self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember where it stood."""
        if self.is_whole:
            self._settings.keep_state(_STATE, self.saveGeometry())
        super().closeEvent(event)
        self.closed.emit()


class _List(Worded, QListWidget):
    """Pages to choose from, under their groups.

    Signals:
        chosen: the name of a page.
    """

    chosen = Signal(str)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setObjectName("lessons")
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.currentItemChanged.connect(self._changed)
        self.itemClicked.connect(self._changed)

    def fill(self, groups: list[tuple[str, list[tuple[str, str, str]]]]) -> None:
        """Have these: of each group its title and, of each page, title, name and what else is said of it."""
        with QSignalBlocker(self):
            self.clear()
            for title, pages in groups:
                if title:
                    item = QListWidgetItem(title)
                    item.setFlags(Qt.ItemFlag.NoItemFlags)
                    item.setForeground(self._appearance.color("muted"))
                    item.setSizeHint(QSize(0, self._appearance.px(30)))
                    item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
                    self.addItem(item)
                for name, page, more in pages:
                    item = QListWidgetItem(f"{name}\n{more}" if more else name)
                    item.setData(_ROLE, page)
                    item.setToolTip(plain(more or name))
                    if not more:
                        item.setSizeHint(QSize(0, self._appearance.px(28)))
                    self.addItem(item)

    def mark(self, name: str) -> None:
        """Mark the one in view."""
        with QSignalBlocker(self):
            for row in range(self.count()):
                if self.item(row).data(_ROLE) == name:
                    self.setCurrentRow(row)
                    self.scrollToItem(self.item(row))

    def _changed(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_ROLE):
            self.chosen.emit(item.data(_ROLE))
