"""`SettingsDialog`: all settings in one window; each is in force as soon as it is made."""

from __future__ import annotations

from functools import cached_property

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTabWidget, QVBoxLayout, QWidget

from viewer.pages.widgets.lazy import keys_after
from viewer.pages.widgets.quiet_scroll import QuietScrollArea
from viewer.pages.widgets.worded import Worded
from viewer.window.preferences.folders_tab import FoldersTab
from viewer.window.preferences.general_tab import GeneralTab
from viewer.window.preferences.keys_tab import KeysTab
from viewer.window.preferences.scope import Scope

_SIZE = (620, 610)


class SettingsDialog(Worded, QDialog):
    """Has nothing to confirm, and only closes. A tab is filled when it is first looked at.

    Attributes:
        tabs: general, folders and keys, one behind the other.
    """

    def __init__(self, scope: Scope, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scope = scope
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        self.tabs = QTabWidget(self)
        self._areas = [QuietScrollArea(self.tabs) for _ in range(3)]
        for area in self._areas:
            self.tabs.addTab(area, "")
        self.tabs.currentChanged.connect(self._fill)
        self._fill(0)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.addWidget(self.tabs, 1)
        column.addWidget(self._buttons)
        self.retranslate()
        self.remeasure()

    @cached_property
    def general(self) -> GeneralTab:
        """The first tab."""
        return GeneralTab(self._scope, self._areas[0].viewport())

    @cached_property
    def folders(self) -> FoldersTab:
        """The second."""
        return FoldersTab(self._scope, self._areas[1].viewport())

    @cached_property
    def keys(self) -> KeysTab:
        """The third."""
        return KeysTab(self._scope.keymap, self._areas[2].viewport())

    def _fill(self, tab: int) -> None:
        area = self._areas[tab]
        if area.widget() is None:
            part = (lambda: self.general, lambda: self.folders, lambda: self.keys)[tab]()
            area.setWidget(part)
            keys_after(self.tabs.tabBar(), part)
            if self.focusWidget() is area:  # Qt had nothing else in view to give the keys to
                self.tabs.tabBar().setFocus()
                self.focusNextChild()

    def remeasure(self) -> None:
        """Be as large as all of it, as far as the screen goes."""
        width, height = map(self._scope.appearance.px, _SIZE)
        self.resize(QSize(width, height).boundedTo(self.screen().availableSize()))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setWindowTitle(self.tr("Settings"))
        for index, name in enumerate((self.tr("General"), self.tr("Folders"), self.tr("Keys"))):
            self.tabs.setTabText(index, name)
