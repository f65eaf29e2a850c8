"""How the next sentence is decoded: greedy, beam or sampling."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from viewer.views.appearance import Appearance
from viewer.views.buttons import MenuButton

GREEDY: dict[str, Any] = {"mode": "greedy"}
BEAM: dict[str, Any] = {"mode": "beam", "beam_size": 4, "length_penalty": 1.0}


class DecodingButton(MenuButton):
    """A button with the decoding modes.

    Signals:
        sampling_asked: "Sample…" was chosen; its settings should be asked for.
    """

    sampling_asked = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance)
        self._decoding = GREEDY
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        group = QActionGroup(menu)
        self.modes: dict[str, QAction] = {}
        for mode in ("greedy", "beam", "sample"):
            action = menu.addAction("")
            action.setCheckable(True)
            action.setData(mode)
            group.addAction(action)
            self.modes[mode] = action
        self.modes["greedy"].setChecked(True)
        group.triggered.connect(self._chosen)
        self.setMenu(menu)
        self.retranslate()

    @property
    def decoding(self) -> dict[str, Any]:
        """The settings of the next decoding, as in a trace's header."""
        return dict(self._decoding)

    def set_decoding(self, decoding: dict[str, Any]) -> None:
        """Choose a decoding mode with its settings."""
        self._decoding = dict(decoding)
        self.modes[decoding["mode"]].setChecked(True)
        self.retranslate()

    def retranslate(self) -> None:
        """Take the language in force."""
        beam = self.tr("Beam {size}").format(size=BEAM["beam_size"])
        self.modes["greedy"].setText(self.tr("Greedy"))
        self.modes["greedy"].setToolTip(self.tr("Take the most probable word at every step"))
        self.modes["beam"].setText(beam)
        self.modes["beam"].setToolTip(self.tr("Follow the four best beginnings and keep the best sentence"))
        self.modes["sample"].setText(self.tr("Sample…"))
        self.modes["sample"].setToolTip(self.tr("Draw each word by its probability"))
        names = {"greedy": self.tr("Greedy"), "beam": beam, "sample": self.tr("Sample")}
        self.setText(names[self._decoding["mode"]])
        self.setToolTip(self.tr("How the words are chosen"))
        self.setAccessibleName(self.tr("Decoding mode"))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _chosen(self, action: QAction) -> None:
        if action.data() == "sample":
            self.modes[self._decoding["mode"]].setChecked(True)  # until the settings are confirmed
            self.sampling_asked.emit()
        else:
            self.set_decoding(BEAM if action.data() == "beam" else GREEDY)
