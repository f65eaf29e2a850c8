"""`RunChooser`: a button that says which run is meant, and opens a menu of all."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from viewer.document.run_names import run_names, short_run_name
from viewer.document.session import Session
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import MenuButton
from viewer.pages.widgets.plain_tip import literal, name_action, plain

_MENU_TEXT = 480


class RunChooser(MenuButton):
    """Shows the short name of one run; the menu is made when it is opened.

    Signals:
        chosen: the id of the run that was picked.
    """

    chosen = Signal(str)

    def __init__(self, session: Session, appearance: Appearance, width: int = 190) -> None:
        super().__init__(appearance)
        self._session = session
        self._width = width
        self._run_id = ""
        self._menu = QMenu(self)
        self._group = QActionGroup(self._menu)
        self.setMenu(self._menu)
        self.setProperty("small", True)
        self._menu.aboutToShow.connect(self._fill)
        self._group.triggered.connect(self._triggered)

    @property
    def run_id(self) -> str:
        """The run it names."""
        return self._run_id

    def set_room(self, width: int) -> None:
        """How wide the name may be, at 14-pixel type."""
        self._width = width

    def show_run(self, run_id: str, prefix: str = "") -> None:
        """Name a run; what does not fit is elided, and whole in the tooltip.

        Args:
            prefix: what stands before the name, such as "A:".
        """
        self._run_id = run_id
        name = run_names(self._session.document).get(run_id, "")
        whole = f"{prefix} {name}" if prefix else name
        room, metrics = self._appearance.px(self._width), self.fontMetrics()
        text = whole
        if metrics.horizontalAdvance(whole) > room:  # what tells it from the others comes first
            short = short_run_name(self._session.document, run_id)
            text = f"{prefix} {short}" if prefix else short
        self.setText(literal(metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)))
        self.setToolTip(plain(whole))
        self.setAccessibleName(whole)

    def _fill(self) -> None:
        for action in self._group.actions():
            self._group.removeAction(action)
        self._menu.clear()
        metrics = self._menu.fontMetrics()
        for run_id, name in run_names(self._session.document).items():
            text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, self._appearance.px(_MENU_TEXT))
            action = name_action(QAction(self._group), text)
            action.setCheckable(True)
            action.setChecked(run_id == self._run_id)
            action.setData(run_id)
            self._menu.addAction(action)

    def _triggered(self, action: QAction) -> None:
        self.chosen.emit(str(action.data()))
