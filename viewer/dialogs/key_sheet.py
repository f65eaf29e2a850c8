"""`KeySheet`: every key, on one sheet (F1)."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.shown_keys import key_now

_Group = tuple[str, list[tuple[str, str]]]
_AROUND = QSize(60, 80)  # what a screen keeps: the dialog's own edges, its title, a task bar
_BAR = 28  # room for a bar that scrolls


class KeySheet(QDialog):
    """Lists the keys by what they are for; on a small screen, or in large type, the list scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setContentsMargins(0, 0, 0, 0)
        for part in (self._of_translations(), self._of_what_is_shown()):
            self._columns.addLayout(_grid(part))
        self.sheet = QWidget()
        self.sheet.setLayout(self._columns)
        self.scroll_area = QScrollArea()
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setWidget(self.sheet)
        self.scroll_area.setAccessibleName(self.windowTitle())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.addWidget(self.scroll_area, 1)
        column.addWidget(buttons)
        self._foot = buttons.sizeHint().height() + column.spacing() + 36
        self.fit(self.screen().availableSize())

    def fit(self, screen: QSize) -> None:
        """Take the size of all keys, as far as a screen of this size (in pixels) has room."""
        for name in self.sheet.findChildren(QLabel):
            name.ensurePolished()  # the style sheet's type is wider than the plain one
        room = screen - _AROUND
        direction = QBoxLayout.Direction
        for way, space in ((direction.LeftToRight, 40), (direction.TopToBottom, 0)):
            self._columns.setDirection(way)
            self._columns.setSpacing(space)
            wanted = self._columns.sizeHint() + QSize(_BAR, self._foot)
            if wanted.width() <= room.width():
                break
        self.scroll_area.setMinimumWidth(min(wanted.width(), room.width()))
        self.resize(min(wanted.width() + 48, screen.width()), min(wanted.height(), room.height()))

    def _of_translations(self) -> list[_Group]:
        return [
            (
                self.tr("Sentence"),
                [
                    ("Enter", self.tr("translate, continue or read; the keys then act on the picture")),
                    ("Ctrl+L", self.tr("to the sentence")),
                    ("Esc", self.tr("stop the model; else leave the field, Present, or the chosen cell")),
                ],
            ),
            (
                self.tr("Steps"),
                [
                    ("Page Up   Page Down", self.tr("previous, next step")),
                    ("Home   End", self.tr("first, last step")),
                    (self.tr("Space"), self.tr("play and pause")),
                    ("↑   ↓   Enter", self.tr("in the next words: choose one, continue with it")),
                    ("P   Ctrl+P", self.tr("pause or resume the model")),
                    ("←   →", self.tr("previous, next step: in a map without a chosen cell")),
                ],
            ),
            (
                self.tr("Runs"),
                [
                    ("Ctrl+B", self.tr("branches: the tree of what was written")),
                    ("Ctrl+K", self.tr("compare with the pinned one")),
                    ("Ctrl+H", self.tr("heads table: what every head does")),
                    ("Ctrl+J", self.tr("a file of sentences")),
                    ("Ctrl+U", self.tr("arithmetic of the chosen cell")),
                    ("Ctrl+I", self.tr("what if the model were changed")),
                    ("Ctrl+R", self.tr("reset all model changes")),
                    (self.tr("Delete"), self.tr("in the tree: delete the branch")),
                    ("Ctrl+Z   Ctrl+Shift+Z   Ctrl+Y", self.tr("undo, redo")),
                ],
            ),
            (
                self.tr("Before an audience (F5)"),
                [
                    (
                        "Page Up   Page Down",
                        self.tr("before the first and after the last step: previous or next bookmark"),
                    ),
                    ("N   G", self.tr("the next words, the heads")),
                    ("1   2   3   4", self.tr("the pages")),
                    ("O   B", self.tr("models, bookmarks")),
                    ("R", self.tr("the bookmark's note: away, or back")),
                    ("T   L", self.tr("theme, language")),
                    ("X", self.tr("a spotlight around the pointer")),
                ],
            ),
            (
                self.tr("Bookmarks"),
                [
                    ("Ctrl+D", self.tr("give this view a name")),
                    ("F8   Shift+F8", self.tr("next, previous bookmark")),
                ],
            ),
        ]

    def _of_what_is_shown(self) -> list[_Group]:
        return [
            (
                self.tr("What is shown"),
                [
                    ("E   D   C", self.tr("encoder self-, decoder self-, cross-attention")),
                    ("Ctrl+↑   Ctrl+↓", self.tr("layer")),
                    ("Ctrl+←   Ctrl+→", self.tr("head")),
                    ("M", self.tr("mean over heads")),
                    ("F   W   A", self.tr("flow, words, all heads; again: the map")),
                    ("V", self.tr("the next of these views")),
                    ("S", self.tr("square root scale")),
                ],
            ),
            (
                self.tr("In the views"),
                [
                    ("←   ↑   →   ↓", self.tr("in the heads: layer and head")),
                    ("←   ↑   →   ↓", self.tr("in the map: the chosen cell; ↑ and ↓ choose one")),
                    ("←   ↑   →   ↓", self.tr("in flow and words: the chosen token")),
                    ("Enter", self.tr("in all heads: the map of the chosen one")),
                    ("+   −", self.tr("in the map: zoom (so does the wheel; drag to move)")),
                    (self.tr("Shift+arrows"), self.tr("in a zoomed map: move the part in view")),
                    ("Ctrl+F   Ctrl+G", self.tr("go to a token, by a part of it or its number")),
                    (
                        "Ctrl+C   Ctrl+Shift+C   Ctrl+Alt+C",
                        self.tr("copy the cell's number, its row, the picture"),
                    ),
                    ("G   Alt+click", self.tr("in a map of cross-attention: gold link of the cell's words")),
                ],
            ),
            (
                self.tr("Window"),
                [
                    ("Ctrl+Shift+P", self.tr("command palette: anything, by its name")),
                    ("F1", self.tr("this sheet")),
                    ("F5", self.tr("Present: one large figure, for a lecture")),
                    ("Alt+L   Alt+P   Alt+N", self.tr("to Look, to Positions, to Learn")),
                    ("Alt+T   Ctrl+T", self.tr("to the Train page")),
                    ("Ctrl+Page Up   Ctrl+Page Down", self.tr("previous, next page")),
                    ("Ctrl+E", self.tr("export")),
                    ("Ctrl+S   Ctrl+Shift+S", self.tr("save the trace, the session")),
                    ("Ctrl+O   Ctrl+Shift+O", self.tr("open a model, a trace")),
                    ("Ctrl+1 … Ctrl+9", self.tr("open a recent file")),
                    ("Ctrl+,", self.tr("settings: language, type size, keys, memory")),
                    ("Ctrl+Q", self.tr("quit")),
                ],
            ),
        ]


def _grid(groups: list[_Group]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(2)
    row = 0
    for title, keys in groups:
        audience = title == QCoreApplication.translate("KeySheet", "Before an audience (F5)")
        grid.addWidget(label("title", title), row, 0, 1, 2)
        row += 1
        for key, meaning in keys:
            now = "   ".join(key_now(each, audience=audience) for each in key.split("   "))
            grid.addWidget(label("badge", now), row, 0, Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(label("", meaning), row, 1)
            row += 1
        grid.setRowMinimumHeight(row, 8)
        row += 1
    grid.setRowStretch(row, 1)
    grid.setColumnStretch(1, 1)
    return grid
