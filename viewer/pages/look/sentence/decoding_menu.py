"""Decoding menu: how, and how fast: greedy, beam, sampling, a forced target, slow motion."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from viewer.document.decoding_settings import (
    FAST,
    GREEDY,
    MODES,
    ONE_BY_ONE,
    PACES,
    ROUNDS,
    SLOW,
    VERY_SLOW,
)
from viewer.document.session import Session
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import MenuButton
from viewer.pages.widgets.plain_tip import plain


class DecodingButton(MenuButton):
    """A button with the decoding modes and paces; what is chosen stands in `Session.decoding`.

    Signals:
        beam_asked, sampling_asked: "Beam…", "Sample…" was chosen; its settings should be asked for.
    """

    beam_asked = Signal()
    sampling_asked = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance)
        self._session = session
        self._continuing, self._in_rounds, self._obstacle = False, False, ""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # only the button's arrow stands on the right
        self.modes = dict(zip(MODES, _choices(menu, MODES), strict=True))
        self.rounds = dict(zip(ROUNDS, _choices(menu, ROUNDS), strict=True))
        menu.addSeparator()
        self.pace_menu = menu.addMenu("")
        self.pace_menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.paces = dict(zip(PACES, _choices(self.pace_menu, PACES), strict=True))
        for mode in self.modes.values():
            mode.triggered.connect(self._mode_chosen)
        for rounds in self.rounds.values():
            rounds.triggered.connect(self._rounds_chosen)
        for pace in self.paces.values():
            pace.triggered.connect(self._pace_chosen)
        self.setMenu(menu)
        session.decoding_changed.connect(self.retranslate)
        self.retranslate()

    def set_model(self, *, continuing: bool, in_rounds: bool = False, obstacle: str) -> None:
        """What the model in use does.

        Args:
            continuing: it goes on with a text, and translates none.
            in_rounds: it writes all at once: there are rounds to choose, and no modes.
            obstacle: why there is nothing to choose here, a sentence; empty if there is.
        """
        told = continuing, in_rounds, obstacle
        if told != (self._continuing, self._in_rounds, self._obstacle):
            self._continuing, self._in_rounds, self._obstacle = told
            self.setEnabled(not obstacle)
            self.retranslate()

    def retranslate(self) -> None:
        """Take the language in force."""
        texts = {
            "greedy": (self.tr("Greedy"), self.tr("Take the most probable word at every step")),
            "beam": (
                self.tr("Beam…"),
                self.tr("Follow several hypotheses at once and keep the best sentence"),
            ),
            "sample": (self.tr("Sample…"), self.tr("Draw each word by its probability")),
            "forced": (
                self.tr("Forced target…"),
                self.tr("Type a translation of your own; the model says how probable each of its words is"),
            ),
        }
        if self._continuing:
            tip = self.tr("Type a continuation of your own; the model says how probable each word is")
            texts["forced"] = (self.tr("Forced continuation…"), tip)
        for mode, (name, tip) in texts.items():
            self.modes[mode].setText(name)
            self.modes[mode].setToolTip(plain(tip))
            self.modes[mode].setVisible(not self._in_rounds)
        for number, action in self.rounds.items():
            action.setText(self._rounds_name(number))
            action.setVisible(self._in_rounds)
        settings = self._session.decoding
        self.modes[settings.mode].setChecked(True)
        self.rounds[settings.rounds].setChecked(True)
        if settings.pace in self.paces:
            self.paces[settings.pace].setChecked(True)
        self.pace_menu.setTitle(self.tr("Speed"))
        names = {
            FAST: self.tr("As fast as possible"),
            SLOW: self.tr("Slow: half a second per token"),
            VERY_SLOW: self.tr("Very slow: one and a half seconds per token"),
            ONE_BY_ONE: self.tr("One token at a time"),
        }
        for pace, name in names.items():
            self.paces[pace].setText(name)
        paced = self._pace_name()
        self.setText(f"{self._name()} · {paced}" if paced else self._name())
        self.setToolTip(plain(self._obstacle or self.tr("How the words are chosen, and how fast")))
        self.setAccessibleName(self.tr("Decoding mode"))

    def _name(self) -> str:
        settings = self._session.decoding
        if self._in_rounds:
            return self._rounds_name(settings.rounds)
        if settings.mode == "forced":
            return self.tr("Forced continuation") if self._continuing else self.tr("Forced target")
        if settings.mode == "beam":
            return self.tr("Beam {size}").format(size=settings.config["beam_size"])
        if settings.mode == "sample":
            several = self.tr("Sample ×{number}").format(number=settings.samples)
            return several if settings.samples > 1 else self.tr("Sample")
        return self.tr("Greedy")

    def _rounds_name(self, number: int) -> str:
        return self.tr("Rounds: {number}").format(number=number)

    def _pace_name(self) -> str:
        return {
            SLOW: self.tr("slow"),
            VERY_SLOW: self.tr("very slow"),
            ONE_BY_ONE: self.tr("one by one"),
        }.get(self._session.decoding.pace, "")

    def _mode_chosen(self) -> None:
        action = self.sender()
        mode = action.data() if isinstance(action, QAction) else ""
        if mode == "greedy":
            self._session.set_decoding(GREEDY)
        elif mode == "forced":
            self._session.set_forced(True)
        else:
            self.retranslate()  # what was chosen before stays checked until the settings are confirmed
            (self.beam_asked if mode == "beam" else self.sampling_asked).emit()

    def _rounds_chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._session.set_rounds(action.data())

    def _pace_chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._session.set_pace(action.data())


def _choices(menu: QMenu, values: tuple[Any, ...]) -> list[QAction]:
    """One exclusive entry for each value."""
    group = QActionGroup(menu)
    actions = []
    for value in values:
        action = menu.addAction("")
        action.setCheckable(True)
        action.setData(value)
        group.addAction(action)
        actions.append(action)
    return actions
