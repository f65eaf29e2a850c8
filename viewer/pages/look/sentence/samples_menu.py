"""Samples menu: sentences that suit the model: of its training, and of its language from short to long."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from viewer.model_samples import Groups
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import MenuButton
from viewer.pages.widgets.plain_tip import literal, name_action
from viewer.resources import samples, training_samples

_LONGEST_SHOWN = 64


class SamplesButton(MenuButton):
    """A button whose menu offers sentences.

    Signals:
        picked: the sentence that was chosen.
    """

    picked = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        self._language = self._folder = ""
        self._groups: Groups | None = None
        self._offers = self._plain = False
        menu = QMenu(self)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # only the button's arrow stands on the right
        menu.triggered.connect(self._chosen)
        menu.aboutToShow.connect(self._fill)
        self.setMenu(menu)
        self.set_model("en")

    def set_model(self, language: str, folder: str = "", groups: Groups | None = None) -> None:
        """Offer the sentences of a model and its source language; the button hides when there are none.

        Args:
            groups: instead of the language's.
        """
        if (language, folder, groups) != (self._language, self._folder, self._groups):
            self._language, self._folder, self._groups = language, folder, groups
            self.retranslate()

    def set_plain(self, on: bool) -> None:
        """Hide while presenting."""
        self._plain = on
        self.setVisible(self._offers and not on)

    def retranslate(self) -> None:
        """Take the language in force; the sentences themselves stay as they are."""
        self.setText(self.tr("Samples"))
        self.setToolTip(self.tr("Sentences to try"))
        # The model's folder is looked into when somebody wants to see what is there: it may be far away.
        self._offers = bool(self._others() or self._own())
        self.setVisible(self._offers and not self._plain)

    def _own(self) -> list[str]:
        return training_samples(self._folder) if self._folder else []

    def _others(self) -> Groups:
        return samples(self._language) if self._groups is None else self._groups

    def _fill(self) -> None:
        names = {
            "training": self.tr("From its training"),
            "short": self.tr("Short"),
            "agreement": self.tr("Agreement, near and far"),
            "ambiguous": self.tr("Ambiguous"),
            "long": self.tr("Long"),
            "order": self.tr("Who does what to whom"),
            "words": self.tr("Words to reverse"),
            "beginnings": self.tr("Text to continue"),
            "copying": self.tr("Repetition"),
            "masked": self.tr("A word to guess"),
            "pairs": self.tr("Two sentences"),
            "plain": self.tr("As it is"),
            "tasks": self.tr("Tasks it was trained on"),
        }
        own, others = self._own(), self._others()
        menu = self.menu()
        menu.clear()
        for old in menu.findChildren(QMenu):
            old.deleteLater()
        for group, sentences in ({"training": own} if own else others).items():
            # Under a style sheet a section is a bare line, so its name is an entry that cannot be chosen.
            menu.addSeparator()
            name_action(menu.addAction(""), names.get(group, group)).setEnabled(False)
            _add(menu, sentences)
        if own:  # the language's are the longer part, and a model of few words knows little of them
            menu.addSeparator()
            for group, sentences in others.items():
                _add(menu.addMenu(literal(names.get(group, group))), sentences)

    def _chosen(self, action: QAction) -> None:
        self.picked.emit(action.data())


def _add(menu: QMenu, sentences: list[str]) -> None:
    for sentence in sentences:
        cut = sentence if len(sentence) <= _LONGEST_SHOWN else sentence[: _LONGEST_SHOWN - 1] + "…"
        name_action(menu.addAction(""), cut).setData(sentence)
