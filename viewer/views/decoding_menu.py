"""How the next sentence is decoded, and how fast: greedy, beam, sampling, a forced target, slow motion."""

from __future__ import annotations

import json
import math
from typing import Any

from PySide6.QtCore import QByteArray, QEvent, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from model.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.tensor_file import parse_json
from viewer.views.appearance import Appearance
from viewer.views.buttons import MenuButton
from viewer.views.plain_tip import plain

GREEDY: dict[str, Any] = {"mode": "greedy"}
MODES = ("greedy", "beam", "sample", "forced")
MOST_SAMPLES = 12
FAST, SLOW, VERY_SLOW, ONE_BY_ONE = PACES = (0.0, 0.5, 1.5, math.inf)


class DecodingButton(MenuButton):
    """A button with the decoding modes and paces.

    Signals:
        beam_asked, sampling_asked: "Beam…", "Sample…" was chosen; its settings should be asked for.
        forced_changed: a target is to be typed, or no longer.
        settings_changed: the mode, its settings, or the pace.
    """

    beam_asked = Signal()
    sampling_asked = Signal()
    forced_changed = Signal()
    settings_changed = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance)
        self._decoding = GREEDY
        self._samples = 1
        self._pace = FAST
        self._forced = False
        self._continuing, self._obstacle = False, ""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # only the button's arrow stands on the right
        self.modes = dict(zip(MODES, _choices(menu, MODES), strict=True))
        menu.addSeparator()
        self.pace_menu = menu.addMenu("")
        self.pace_menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.paces = dict(zip(PACES, _choices(self.pace_menu, PACES), strict=True))
        for mode in self.modes.values():
            mode.triggered.connect(self._mode_chosen)
        for pace in self.paces.values():
            pace.triggered.connect(self._pace_chosen)
        self.paces[FAST].setChecked(True)
        self.setMenu(menu)
        self.retranslate()

    @property
    def decoding(self) -> dict[str, Any]:
        """The settings of the next decoding, as in a trace's header; also while a target is to be typed."""
        return dict(self._decoding)

    @property
    def samples(self) -> int:
        """How many translations to draw, 1 in other modes than sampling."""
        return self._samples

    @property
    def pace(self) -> float:
        """Least seconds from one token to the next; 0 as fast as possible, infinite one token at a time."""
        return self._pace

    @property
    def forced(self) -> bool:
        """Whether a typed target is to be read instead of a free decoding."""
        return self._forced

    def set_decoding(self, decoding: dict[str, Any], samples: int = 1) -> None:
        """Choose a free decoding with its settings."""
        self._decoding, self._samples = dict(decoding), samples
        self.set_forced(False)
        self.retranslate()
        self.settings_changed.emit()

    def set_forced(self, on: bool) -> None:
        """Let a target be typed, or go back to the free decoding from before."""
        if on != self._forced:
            self._forced = on
            self.forced_changed.emit()
        self.retranslate()

    def set_pace(self, pace: float) -> None:
        """Choose one of `PACES`."""
        self._pace = pace
        self.paces[pace].setChecked(True)
        self.retranslate()
        self.settings_changed.emit()

    def set_model(self, *, continuing: bool, obstacle: str) -> None:
        """What the model in use does.

        Args:
            continuing: it goes on with a text, and translates none.
            obstacle: why there is nothing to choose here, a sentence; empty if there is.
        """
        if (continuing, obstacle) != (self._continuing, self._obstacle):
            self._continuing, self._obstacle = continuing, obstacle
            if obstacle:
                self.set_forced(False)
            self.setEnabled(not obstacle)
            self.retranslate()

    def save_state(self) -> QByteArray:
        """Mode and pace, for `restore_state`; a target was one sentence's."""
        state = {"decoding": self._decoding, "samples": self._samples, "pace": PACES.index(self._pace)}
        return QByteArray(json.dumps(state).encode("utf-8"))

    def restore_state(self, state: QByteArray) -> None:
        """Choose mode and pace as before; anything else changes nothing."""
        try:
            values = parse_json(bytes(state.data()) or b"{}")
            decoding = {name: value for name, value in values["decoding"].items() if value is not None}
            mode = DecodeConfig.from_json(decoding).mode
            samples, pace = int(values["samples"]), PACES[values["pace"]]
        except (HeadscopeError, ValueError, TypeError, LookupError, AttributeError, OverflowError):
            return
        if mode != "forced":
            most = MOST_SAMPLES if mode == "sample" else 1
            self.set_decoding({**decoding, "mode": mode}, max(1, min(samples, most)))
            self.set_pace(pace)

    def retranslate(self) -> None:
        """Take the language in force."""
        texts = {
            "greedy": (self.tr("Greedy"), self.tr("Take the most probable word at every step")),
            "beam": (
                self.tr("Beam…"),
                self.tr("Follow several beginnings at once and keep the best sentence"),
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
        self.modes["forced" if self._forced else self._decoding["mode"]].setChecked(True)
        self.pace_menu.setTitle(self.tr("Pace"))
        names = {
            FAST: self.tr("As fast as possible"),
            SLOW: self.tr("Slow: half a second a token"),
            VERY_SLOW: self.tr("Very slow: one and a half seconds a token"),
            ONE_BY_ONE: self.tr("One token at a time"),
        }
        for pace, name in names.items():
            self.paces[pace].setText(name)
        self.setText(self._name() if self._pace == FAST else f"{self._name()} · {self._pace_name()}")
        self.setToolTip(plain(self._obstacle or self.tr("How the words are chosen, and how fast")))
        self.setAccessibleName(self.tr("Decoding mode"))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _name(self) -> str:
        mode = self._decoding["mode"]
        if self._forced:
            return self.tr("Forced continuation") if self._continuing else self.tr("Forced target")
        if mode == "beam":
            return self.tr("Beam {size}").format(size=self._decoding["beam_size"])
        if mode == "sample":
            several = self.tr("Sample ×{number}").format(number=self._samples)
            return several if self._samples > 1 else self.tr("Sample")
        return self.tr("Greedy")

    def _pace_name(self) -> str:
        return {
            SLOW: self.tr("slow"),
            VERY_SLOW: self.tr("very slow"),
            ONE_BY_ONE: self.tr("one by one"),
        }[self._pace]

    def _mode_chosen(self) -> None:
        action = self.sender()
        mode = action.data() if isinstance(action, QAction) else ""
        if mode == "greedy":
            self.set_decoding(GREEDY)
        elif mode == "forced":
            self.set_forced(True)
        else:
            self.retranslate()  # what was chosen before stays checked until the settings are confirmed
            (self.beam_asked if mode == "beam" else self.sampling_asked).emit()

    def _pace_chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.set_pace(action.data())


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
