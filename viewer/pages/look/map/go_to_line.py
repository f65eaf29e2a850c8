"""Go to token: a line above a pane's view; what is typed is found in its rows and columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from viewer.document.session import Session
from viewer.figures.map.search import Match, find_tokens, match_text, nearest
from viewer.pages.look.pane_view import PaneFigure
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, elastic, label
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import plain

_FIELD, _LEAST_FIELD = 190, 80


class GoToLine(OverflowRow):
    """Hidden until it is asked for; Enter goes to the next match, Shift+Enter back, Esc closes.

    It stays open while the crosshair moves, and follows the pane to another view, head or run.
    """

    def __init__(
        self,
        session: Session,
        appearance: Appearance,
        pane: int,
        view: Callable[[], PaneFigure[Any, Any]],
        parent: QWidget | None = None,
    ) -> None:
        """Takes its pane.

        Args:
            view: the view that the pane has now.
        """
        super().__init__(appearance, parent)
        self._session = session
        self._appearance = appearance
        self._pane = pane
        self._view = view
        self._matches: tuple[Match, ...] = ()
        self._at: int | None = None
        self.field = QLineEdit()
        self.said = elastic(label("small"))
        self.back, self.forth = IconButton(appearance, "previous"), IconButton(appearance, "next")
        self.shut = IconButton(appearance, "close")
        self.add(self.field, 1, rank=STAYS)
        for button in (self.back, self.forth):
            self.add(button)
        self.add(self.said, 2, rank=STAYS)
        self.add(self.shut, rank=STAYS)
        self.field.textChanged.connect(self._typed)
        self.back.clicked.connect(self._go_back)
        self.forth.clicked.connect(self._go_forth)
        self.shut.clicked.connect(self.close_line)
        session.pane_changed.connect(self._pane_changed)
        appearance.changed.connect(self._size)
        self._size()
        self.retranslate()
        self.hide()

    def open_line(self) -> None:
        """Show it and let the person type; nothing where the view has no tokens."""
        if self._tokens() is not None:
            self.show()
            self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.field.selectAll()
            self._typed()

    def close_line(self) -> None:
        """Hide it; the keys are the view's again."""
        self.hide()
        self._view().setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.field.setPlaceholderText(self.tr("Token or its number"))
        self.field.setAccessibleName(self.tr("Go to token"))
        self.back.describe(self.tr("Previous match (Shift+Enter)"))
        self.forth.describe(self.tr("Next match (Enter)"))
        self.shut.describe(self.tr("Close (Esc)"))
        self._say()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, Shift+Enter, Esc."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.close_line()
        else:
            event.accept()  # what a text field does not want is not for the window either

    def _tokens(self) -> PaneFigure[Any, Any] | None:
        view = self._view()
        return None if view.map_now() is None else view

    def _typed(self) -> None:
        self._find()
        self._at = None
        self._say()

    def _find(self) -> None:
        view = self._tokens()
        spec = None if view is None else view.map_now()
        self._matches = () if spec is None else find_tokens(spec, self.field.text())

    def _go_back(self) -> None:
        self._go(-1)

    def _go_forth(self) -> None:
        self._go(1)

    def _go(self, by: int) -> None:
        view = self._tokens()
        spec = None if view is None else view.map_now()
        if view is None or spec is None or not self._matches:
            return
        if self._at is None:
            self._at = nearest(self._matches, spec) if by > 0 else len(self._matches) - 1
        else:
            self._at = (self._at + by) % len(self._matches)
        match = self._matches[self._at]
        self._session.activate_pane(self._pane)
        view.go_to(match.row, match.column)
        self._say()

    def _say(self) -> None:
        """How many matches there are, and which one is shown."""
        view, count = self._tokens(), len(self._matches)
        spec = None if view is None else view.map_now()
        rows = sum(match.row is not None for match in self._matches)
        if not self.field.text().strip() or spec is None:
            text = ""
        elif not count:
            text = self.tr("no such token")
        elif self._at is None:
            text = self.tr("{rows} queries, {columns} keys: Enter goes there")
            text = text.format(rows=rows, columns=count - rows)
        else:
            text = self.tr("{number} of {count}: {token}").format(
                number=self._at + 1, count=count, token=match_text(spec, self._matches[self._at])
            )
        self.said.setText(text)
        self.said.setToolTip(plain(text))
        for button in (self.back, self.forth):
            button.setEnabled(count > 0)

    def _size(self) -> None:
        self.field.setMinimumWidth(self._appearance.px(_LEAST_FIELD))
        self.field.setMaximumWidth(self._appearance.px(_FIELD))

    def _pane_changed(self, pane: int) -> None:
        """Another head has the same tokens; another run or kind may not."""
        if pane != self._pane or self.isHidden():
            return
        before = self._matches
        self._find()
        if self._matches != before:
            self._at = None
        self._say()
