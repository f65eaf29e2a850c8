"""Sample sentences of the model's source language, from short to long."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from viewer.resources import samples
from viewer.views.appearance import Appearance
from viewer.views.buttons import MenuButton

_LONGEST_SHOWN = 64


class SamplesButton(MenuButton):
    """A button whose menu offers sentences.

    Signals:
        picked: the sentence that was chosen.
    """

    picked = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        self._language = ""
        self._offers = self._plain = False
        menu = QMenu(self)
        menu.triggered.connect(self._chosen)
        self.setMenu(menu)
        self.set_language("en")

    def set_language(self, language: str) -> None:
        """Offer the sentences of a source language; the button hides when there are none."""
        if language != self._language:
            self._language = language
            self.retranslate()

    def set_plain(self, on: bool) -> None:
        """Hide while presenting."""
        self._plain = on
        self.setVisible(self._offers and not on)

    def retranslate(self) -> None:
        """Take the language in force; the sentences themselves stay as they are."""
        self.setText(self.tr("Samples"))
        self.setToolTip(self.tr("Sentences to try"))
        names = {
            "short": self.tr("Short"),
            "agreement": self.tr("Agreement, near and far"),
            "ambiguous": self.tr("Ambiguous"),
            "long": self.tr("Long"),
            "words": self.tr("Words to reverse"),
        }
        groups = samples(self._language)
        menu = self.menu()
        menu.clear()
        for group, sentences in groups.items():
            # Under a style sheet a section is a bare line, so its name is an entry that cannot be chosen.
            menu.addSeparator()
            menu.addAction(names.get(group, group)).setEnabled(False)
            for sentence in sentences:
                cut = sentence if len(sentence) <= _LONGEST_SHOWN else sentence[: _LONGEST_SHOWN - 1] + "…"
                action = menu.addAction(cut.replace("&", "&&"))
                action.setData(sentence)
        self._offers = bool(groups)
        self.setVisible(self._offers and not self._plain)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _chosen(self, action: QAction) -> None:
        self.picked.emit(action.data())
