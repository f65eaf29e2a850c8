"""`PageView`: a page of the manual, set as a book is: type, measure, tables and pictures no wider than it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QImage,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from viewer.figures.canvas.fonts import families
from viewer.pages.widgets.appearance import Appearance, blend
from viewer.pages.widgets.worded import Worded
from viewer.window.manual.library import ManualPage

_MEASURE = 720  # the longest line, in pixels of 14-pixel type
_TYPE = 15
_HEADINGS = {1: (24, 4, 10), 2: (19, 22, 6), 3: (16, 16, 4), 4: (15, 12, 4)}  # size, space above and below
_LINE = 24  # least height of a line, which those of Chinese and of code have in common
_PARAGRAPH, _ITEM = 9, 3
_FIXED = ("DejaVu Sans Mono", "Noto Sans Mono", "Menlo", "Consolas")
_Property = QTextFormat.Property


class PageView(Worded, QTextBrowser):
    """Shows one page; where links lead is its owner's business.

    Signals:
        followed: a link, as it stands in the page.
    """

    followed = Signal(str)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._page: ManualPage | None = None
        self._text = ""
        self._pictures: dict[str, QImage] = {}
        self._fitted = (0, 0)  # the width of a line and of all that it was set for
        self._reading = False  # another page: bars come and go before it is set
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.anchorClicked.connect(self._clicked)
        appearance.changed.connect(self._again)

    @property
    def page(self) -> ManualPage | None:
        """The page in view."""
        return self._page

    def shows(self, page: ManualPage, text: str) -> bool:
        """Whether it is this page that is in view, and this of it."""
        return page is self._page and text == self._text

    def show_page(self, page: ManualPage, text: str) -> None:
        """Show a page from its beginning.

        Args:
            text: what is shown of it, in Markdown.
        """
        self._page, self._text = page, text
        self._pictures = {}
        self.setExtraSelections([])
        self.remeasure()
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(self._appearance.px(22))
        self._reading = True
        self.setMarkdown(text)
        self._reading = False
        with self._at_once():
            self._dress()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)

    def go_to(self, anchor: str) -> None:
        """Have the heading of that name at the top; without one the beginning."""
        place = 0
        if self._page is not None:
            titles = zip(self._page.headings, self._headings())
            place = next((block.position() for heading, block in titles if heading.anchor == anchor), 0)
        cursor = QTextCursor(self.document())
        cursor.setPosition(place)
        self.setTextCursor(cursor)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect().top() - self._appearance.px(12) if place else 0)

    def mark(self, term: str) -> int:
        """Mark every place of what is searched for; returns how many there are."""
        marked = []
        colour = blend(self._appearance.color("panel"), QColor("#e3a400"), 0.45)
        for cursor in self._places(term):
            selection = QTextEdit.ExtraSelection()
            selection.cursor = cursor
            selection.format.setBackground(QBrush(colour))
            marked.append(selection)
        self.setExtraSelections(marked)
        return len(marked)

    def go_to_next(self, term: str, *, back: bool = False, first: bool = False) -> None:
        """Go to the next place of what is searched for; behind the last one to the first."""
        places = list(self._places(term))
        if not places:
            return
        now = -1 if first else self.textCursor().selectionStart()
        if back:
            found = next((each for each in reversed(places) if each.selectionStart() < now), places[-1])
        else:
            found = next((each for each in places if each.selectionStart() > now), places[0])
        self.setTextCursor(found)
        self.ensureCursorVisible()

    def remeasure(self) -> None:
        """Qt gives the page the type of the window, which is smaller than what is read."""
        if self._page is not None and self.document().defaultFont() != self._font():
            self.document().setDefaultFont(self._font())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the measure, and pictures no wider than it."""
        super().resizeEvent(event)
        if not self._reading and self._fitted != self._room():
            with self._at_once():
                self._fit()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Pictures, from the page's folder; nothing else is ever fetched."""
        if kind != QTextDocument.ResourceType.ImageResource.value or self._page is None:
            return None
        return self._picture(name if isinstance(name, str) else name.toString())

    def _picture(self, name: str) -> QImage:
        """A picture at its own size; an empty one where it is not."""
        if name not in self._pictures:
            folder = Path() if self._page is None else self._page.path.parent
            self._pictures[name] = QImage(str((folder / name).resolve()))
        return self._pictures[name]

    def _again(self) -> None:
        """The theme or the size of type changed."""
        if self._page is not None:
            scroll = self.verticalScrollBar().value()
            self.show_page(self._page, self._text)
            self.verticalScrollBar().setValue(scroll)

    def _clicked(self, url: QUrl) -> None:
        self.followed.emit(url.toString())

    def _places(self, term: str) -> Iterator[QTextCursor]:
        cursor = QTextCursor(self.document())
        while term:
            cursor = self.document().find(term, cursor)
            if cursor.isNull():
                return
            yield QTextCursor(cursor)

    # How it is set.

    def _font(self) -> QFont:
        font = QFont()
        font.setFamilies(families())
        font.setPixelSize(self._appearance.px(_TYPE))
        return font

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.document().begin()
        while block.isValid():
            yield block
            block = block.next()

    def _headings(self) -> Iterator[QTextBlock]:
        return (block for block in self._blocks() if block.blockFormat().headingLevel())

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """Lay out once, after all changes: a table after each takes seconds."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        yield
        cursor.endEditBlock()

    def _dress(self) -> None:
        self._take_back_escapes()
        for table in self._tables(self.document().rootFrame()):
            self._dress_table(table)
        fixed = _fixed_families()
        for block in list(self._blocks()):
            self._dress_block(block, fixed)
        self._fit()

    def _take_back_escapes(self) -> None:
        """In code of a table an upright bar has to be escaped, and Qt leaves the mark there."""
        cursor = QTextCursor(self.document())
        while not (cursor := self.document().find("\\|", cursor)).isNull():
            cursor.insertText("|", cursor.charFormat())

    def _dress_block(self, block: QTextBlock, fixed: list[str]) -> None:
        px, old = self._appearance.px, block.blockFormat()
        level, code = old.headingLevel(), old.hasProperty(_Property.BlockCodeFence)
        cursor = QTextCursor(block)
        form = QTextBlockFormat()
        form.setLineHeight(px(_LINE), QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        if cursor.currentTable() is not None:
            form.setTopMargin(0)
            form.setBottomMargin(0)
        elif level:
            _, above, below = _HEADINGS.get(level, _HEADINGS[4])
            form.setTopMargin(px(above))
            form.setBottomMargin(px(below))
        elif code:
            self._dress_code(block, form)
        elif any(words.isImageFormat() for _, _, words in _fragments(block)):
            form.setTopMargin(px(4))
            form.setBottomMargin(px(14))
        else:
            form.setTopMargin(0)
            form.setBottomMargin(px(_ITEM if block.textList() is not None else _PARAGRAPH))
        cursor.mergeBlockFormat(form)
        self._dress_words(block, level, fixed)

    def _dress_code(self, block: QTextBlock, form: QTextBlockFormat) -> None:
        """Lines of code stand close, on a ground of their own."""
        px = self._appearance.px
        fence = _Property.BlockCodeFence
        begins = not block.previous().isValid() or not block.previous().blockFormat().hasProperty(fence)
        ends = not block.next().isValid() or not block.next().blockFormat().hasProperty(fence)
        form.setLineHeight(0, QTextBlockFormat.LineHeightTypes.SingleHeight.value)
        form.setTopMargin(px(4) if begins else 0)
        form.setBottomMargin(px(12) if ends else 0)
        form.setLeftMargin(0)
        form.setBackground(QBrush(self._appearance.color("hover")))
        form.setNonBreakableLines(False)

    def _dress_words(self, block: QTextBlock, level: int, fixed: list[str]) -> None:
        px, colour = self._appearance.px, self._appearance.color
        code = block.blockFormat().hasProperty(_Property.BlockCodeFence)
        for start, end, old in _fragments(block):
            form = QTextCharFormat(old)
            if level:
                form.clearProperty(_Property.FontSizeAdjustment)
                form.setProperty(_Property.FontPixelSize, px(_HEADINGS.get(level, _HEADINGS[4])[0]))
                form.setFontWeight(QFont.Weight.DemiBold)
            elif old.fontFixedPitch() or code:
                form.setFontFamilies(fixed)
                form.setFontFixedPitch(True)
                form.setProperty(_Property.FontPixelSize, px(_TYPE - 2))
                form.setBackground(QBrush(colour("hover")))
            elif old.fontWeight() > QFont.Weight.Medium:
                form.setFontWeight(QFont.Weight.DemiBold)
            if old.isAnchor():
                form.setForeground(QBrush(colour("accent")))
                form.setFontUnderline(False)
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(form)

    def _tables(self, frame: QTextFrame) -> Iterator[QTextTable]:
        for child in frame.childFrames():
            if isinstance(child, QTextTable):
                yield child
            else:
                yield from self._tables(child)

    def _dress_table(self, table: QTextTable) -> None:
        px, colour = self._appearance.px, self._appearance.color
        first, last = table.cellAt(0, 0).firstCursorPosition(), table.cellAt(0, 0).lastCursorPosition()
        if not first.block().text() and first.block() != last.block():
            first.deleteChar()  # Qt begins a table behind a block of code with an empty line
        form = table.format()
        form.setBorder(1)
        form.setBorderBrush(QBrush(colour("border")))
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderCollapse(True)
        form.setCellPadding(px(5))
        form.setCellSpacing(0)
        form.setTopMargin(px(10))
        form.setBottomMargin(px(12))
        form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        table.setFormat(form)
        for column in range(table.columns()):
            head = table.cellAt(0, column)
            cell = head.format()
            cell.setBackground(QBrush(colour("hover")))
            head.setFormat(cell)
            words = head.firstCursorPosition()
            words.setPosition(head.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
            bold = QTextCharFormat()
            bold.setFontWeight(QFont.Weight.DemiBold)
            words.mergeCharFormat(bold)

    def _room(self) -> tuple[int, int]:
        """The width of a line, and of all there is, in pixels."""
        px, room = self._appearance.px, self.viewport().width()
        return min(px(_MEASURE), room - 2 * px(14)), room

    def _fit(self) -> None:
        """Take the width there is: margins left and right, pictures as wide as a line at most."""
        px = self._appearance.px
        line, room = self._fitted = self._room()
        if line <= 0:
            return
        root = self.document().rootFrame()
        form = root.frameFormat()
        left = max(px(12), (room - line) // 3)
        form.setLeftMargin(left)
        form.setRightMargin(room - line - left)
        form.setBottomMargin(px(40))
        root.setFrameFormat(form)
        ratio = self.devicePixelRatioF()
        for block in self._blocks():
            for start, _, old in _fragments(block):
                if old.isImageFormat():
                    picture = old.toImageFormat()
                    own = self._picture(picture.name()).size() / ratio
                    wide = min(own.width() or line, line)
                    picture.setWidth(wide)
                    picture.setHeight(own.height() * wide / (own.width() or line))
                    cursor = QTextCursor(self.document())
                    cursor.setPosition(start)
                    cursor.setPosition(start + 1, QTextCursor.MoveMode.KeepAnchor)
                    cursor.setCharFormat(picture)


def _fragments(block: QTextBlock) -> list[tuple[int, int, QTextCharFormat]]:
    """First place, the one behind the last, and format of each stretch of a block."""
    found, at = [], block.begin()
    while not at.atEnd():
        fragment = at.fragment()
        start = fragment.position()
        found.append((start, start + fragment.length(), QTextCharFormat(fragment.charFormat())))
        at += 1
    return found


def _fixed_families() -> list[str]:
    """Of code: letters all as wide, then those that have Chinese."""
    installed = set(QFontDatabase.families())
    fixed = [name for name in _FIXED if name in installed]
    return [*fixed, QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family(), *families()]
