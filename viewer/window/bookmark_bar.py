"""`BookmarkBar`: where a lecture is in its bookmarks: "3 of 7: name", with a step back and one on."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from viewer.document.session import Session
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, elastic, label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

_WIDEST, _WIDEST_PRESENT = 300, 640


class BookmarkBar(Worded, QFrame):
    """Hidden while there are no bookmarks."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marks = session.bookmarks
        self._appearance = appearance
        self.previous = IconButton(appearance, "previous")
        self.where = elastic(label())
        self.next = IconButton(appearance, "next")
        for button in (self.previous, self.next):
            # So that the keys go on meaning what they meant before the click.
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(4)
        row.addWidget(self.previous)
        row.addWidget(self.where)
        row.addWidget(self.next)
        self.previous.clicked.connect(self._back)
        self.next.clicked.connect(self._on)
        self.where.installEventFilter(self)
        self._marks.changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Show the bookmark that was last gone to."""
        marks, at = self._marks.all, self._marks.at
        self.setVisible(bool(marks))
        self.previous.setEnabled(at > 0)
        self.next.setEnabled(at < len(marks) - 1)
        if at < 0:
            text = self.tr("Bookmarks: {count}").format(count=len(marks))
        else:
            text = self.tr("{number} of {count}: {name}").format(
                number=at + 1, count=len(marks), name=marks[at].name
            )
        wanted = self.where.fontMetrics().horizontalAdvance(text) + self._appearance.px(4)
        widest = _WIDEST_PRESENT if self._appearance.present else _WIDEST
        self.where.setFixedWidth(min(wanted, self._appearance.px(widest)))
        self.where.setText(text)
        self.where.setToolTip(plain(text))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.previous.describe(self.tr("Previous bookmark (Shift+F8)"))
        self.next.describe(self.tr("Next bookmark (F8)"))
        self.refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Larger letters, as before an audience, need more room."""
        if event.type() == QEvent.Type.FontChange:
            self.refresh()
        return super().eventFilter(watched, event)

    def _back(self) -> None:
        self._marks.step(-1)

    def _on(self) -> None:
        self._marks.step(1)
