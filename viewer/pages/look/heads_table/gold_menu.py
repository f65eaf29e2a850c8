"""`GoldMenu`: a corpus's gold links: which file, from what number its words count, by which row."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from model.alignment.hard import RULES, Rule
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import MenuButton
from viewer.pages.widgets.plain_tip import name_action, plain

translate = QCoreApplication.translate
_KEY = re.compile(r"\(&\w\)")


class GoldMenu(MenuButton):
    """Holds the choices.

    Attributes:
        path: the file of links, empty for none.
        one_based: its words count from 1.
        rule: which row of the decoder speaks for a target word.

    Signals:
        file_asked: a file is to be chosen.
        chosen: there is another choice, or no file any more.
    """

    file_asked = Signal()
    chosen = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance)
        self.setParent(parent)
        self.path = ""
        self.one_based = False
        self.rule: Rule = "predicts"
        menu = QMenu(self)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # the button's is for its arrow
        self.file_action, self.none_action = menu.addAction(""), menu.addAction("")
        menu.addSeparator()
        self._bases, self._rules = QActionGroup(self), QActionGroup(self)
        self.bases = tuple(self._choice(menu, self._bases, one_based) for one_based in (False, True))
        menu.addSeparator()
        self.rules = {rule: self._choice(menu, self._rules, rule) for rule in RULES}
        self.setMenu(menu)
        self.file_action.triggered.connect(self.file_asked)
        self.none_action.triggered.connect(self._none_chosen)
        self._bases.triggered.connect(self._base_chosen)
        self._rules.triggered.connect(self._rule_chosen)
        self.retranslate()

    def take(self, path: str) -> None:
        """Another file, or (empty) none."""
        self.path = path
        self.retranslate()

    def retranslate(self) -> None:
        """Take the language in force, and show what is chosen."""
        self.setText(self.tr("Gold links…"))
        hint = self.tr("Word alignments in Pharaoh format, one line per pair: adds the AER")
        self.setToolTip(plain("\n".join(filter(None, (hint, self.path)))))
        name = Path(self.path).name
        file = translate("GoldDialog", "From a file…")
        name_action(self.file_action, f"{file} ({name})" if name else file)
        self.none_action.setText(translate("GoldDialog", "No links"))
        self.none_action.setEnabled(bool(self.path))
        # The dialog's label without its key, which some languages write in parentheses behind it.
        from_number = _KEY.sub("", translate("GoldDialog", "&Words count from")).replace("&", "")
        for one_based, action in enumerate(self.bases):
            action.setText(f"{from_number} {one_based}")
            action.setChecked(self.one_based == bool(one_based))
        names = {
            "predicts": translate("GoldButton", "Align a word by the row that predicts it"),
            "reads": translate("GoldButton", "Align a word by the row that reads it"),
        }
        for rule, action in self.rules.items():
            action.setText(names[rule])
            action.setChecked(rule == self.rule)

    def _choice(self, menu: QMenu, group: QActionGroup, value: object) -> QAction:
        action = menu.addAction("")
        action.setCheckable(True)
        action.setData(value)
        group.addAction(action)
        return action

    def _none_chosen(self) -> None:
        self.take("")
        self.chosen.emit()

    def _base_chosen(self, action: QAction) -> None:
        self.one_based = bool(action.data())
        self.chosen.emit()

    def _rule_chosen(self, action: QAction) -> None:
        self.rule = action.data()
        self.chosen.emit()
