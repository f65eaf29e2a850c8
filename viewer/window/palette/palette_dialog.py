"""`PaletteDialog`: a field and a list below it: what is typed is found, Enter does it, Esc closes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QHelpEvent,
    QKeyEvent,
)
from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QListView, QVBoxLayout, QWidget

from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, label
from viewer.pages.widgets.plain_tip import show_tip
from viewer.pages.widgets.worded import Worded
from viewer.window.palette.entries_model import EntriesModel, spoken
from viewer.window.palette.entry_delegate import ROW, EntryDelegate
from viewer.window.palette.finding import Finding

_WIDE, _LINES, _DOWN, _EDGE = 640, 12, 52, 24
_Key = Qt.Key
_MOVES = (_Key.Key_Up, _Key.Key_Down, _Key.Key_PageUp, _Key.Key_PageDown)


class PaletteDialog(Worded, QDialog):
    """Made once, and opened again and again.

    Attributes:
        field, list, model: what is typed into, what shows what was found, and its lines.

    Signals:
        chosen: this `Entry` is to be done; the palette is closed.
    """

    chosen = Signal(object)

    def __init__(self, appearance: Appearance, host: QWidget) -> None:
        super().__init__(host, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self._appearance, self._host = appearance, host
        self._finding: Finding | None = None
        self.field, self.model = QLineEdit(), EntriesModel(self)
        self.list = QListView()
        self.list.setObjectName("palette")
        self.list.setModel(self.model)
        self.list.setItemDelegate(EntryDelegate(appearance, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.viewport().installEventFilter(self)
        self.list.installEventFilter(self)
        self.field.installEventFilter(self)
        self.none, self.foot = label("muted"), label("small")
        self.none.setWordWrap(True)
        self.foot.setWordWrap(True)
        self.none.setAlignment(Qt.AlignmentFlag.AlignTop)
        frame = card()
        frame.setObjectName("palette")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(10, 10, 10, 8)
        inside.setSpacing(6)
        for part in (self.field, self.list, self.none, self.foot):
            inside.addWidget(part, 1 if part in (self.list, self.none) else 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(frame)
        self.field.textChanged.connect(self._typed)
        self.list.clicked.connect(self._do)
        self.list.selectionModel().currentChanged.connect(self._say)
        self.retranslate()

    def open_with(self, finding: Finding) -> None:
        """Open it with nothing typed."""
        self._finding = finding
        self.field.clear()
        self._typed()
        self._place()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.open()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setWindowTitle(self.tr("Command palette"))
        self.field.setPlaceholderText(
            self.tr("An action, a page, a lesson, a run … or “cross 2.3”, “step 7”")
        )
        self.field.setAccessibleName(self.tr("Find a command"))
        self.list.setAccessibleName(self.tr("Commands found"))
        self.none.setText(self.tr("Nothing is called that. Fewer letters find more."))
        self.foot.setText(
            self.tr("↑ ↓ choose, Enter does it, Esc closes. Also “word rouge”: the step that writes it.")
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows and Enter mean the list wherever the keys are; a line that is cut is told whole."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._key(watched, event)
        if isinstance(event, QHelpEvent) and watched is self.list.viewport():
            index = self.list.indexAt(event.pos())
            show_tip(
                event.globalPos(), spoken(self.model.entries[index.row()]) if index.isValid() else "", self
            )
            return True
        return False

    def _key(self, watched: QObject, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in (_Key.Key_Return, _Key.Key_Enter):
            self._do(self.list.currentIndex())
            return True
        if watched is self.field and key in _MOVES:
            self._move(key)
            return True
        if watched is self.list and event.text().isprintable() and event.text():
            self.field.setFocus()  # what is typed goes on where it is read
            self.field.insert(event.text())
            return True
        return False

    def _move(self, key: Qt.Key) -> None:
        """Choose the line above or below, or a page away; past an end the other."""
        count, row = len(self.model.entries), self.list.currentIndex().row()
        if not count:
            return
        page = max(1, self.list.viewport().height() // self._appearance.px(ROW) - 1)
        if key in (_Key.Key_Up, _Key.Key_Down):
            row = (row + (1 if key == _Key.Key_Down else -1)) % count
        else:
            row = min(max(0, row + (page if key == _Key.Key_PageDown else -page)), count - 1)
        self._choose(row)

    def _choose(self, row: int) -> None:
        self.list.setCurrentIndex(self.model.index(row))

    def _typed(self) -> None:
        if self._finding is None:
            return
        self.model.show_entries(self._finding.matching(self.field.text()))
        found = bool(self.model.entries)
        self.list.setVisible(found)
        self.none.setVisible(not found)
        if found:
            self._choose(0)
            self.list.scrollToTop()
        else:
            self._announce(self.none.text())

    def _do(self, index: QModelIndex | QPersistentModelIndex) -> None:
        entry = self.model.entries[index.row()] if index.isValid() else None
        if entry is not None and entry.enabled:
            self.accept()
            self.chosen.emit(entry)

    def _say(self, index: QModelIndex) -> None:
        """The keys are the field's: of the list a screen reader would not speak by itself."""
        if index.isValid():
            self._announce(spoken(self.model.entries[index.row()]))

    def _announce(self, text: str) -> None:
        self.field.setAccessibleDescription(text)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field, text))

    def _place(self) -> None:
        """At the top of the window's middle, no larger than it."""
        host, px = self._host, self._appearance.px
        wide = min(px(_WIDE), host.width() - 2 * _EDGE)
        self.setFixedWidth(wide)
        around = self.field.sizeHint().height() + self.foot.heightForWidth(wide - 2 * _EDGE) + 48
        high = min(px(ROW) * _LINES + around, host.height() - px(_DOWN) - _EDGE)
        self.setFixedHeight(high)
        self.move(host.mapToGlobal(QPoint((host.width() - wide) // 2, px(_DOWN))))
