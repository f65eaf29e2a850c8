"""WalkBar: what is being computed, and the buttons that go on, back and through all of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, elastic, label
from viewer.pages.widgets.worded import Worded


class WalkBar(Worded, QWidget):
    """A line under the figure.

    Signals:
        stepped: +1 or -1.
        play_asked: play, or stop playing.
        fold_asked: all layers, or one of each stack.
        tour_left: the tour is over.
    """

    stepped = Signal(int)
    play_asked = Signal()
    fold_asked = Signal()
    tour_left = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.back, self.forth = IconButton(appearance, "previous"), IconButton(appearance, "next")
        self.play = IconButton(appearance, "play", strong=True)
        self.line = elastic(label())
        self.next, self.leave = QPushButton(), QPushButton()
        self.next.setProperty("role", "primary")
        self.fold = QPushButton()
        self.fold.setCheckable(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for widget in (self.back, self.play, self.forth):
            row.addWidget(widget)
        row.addSpacing(4)
        row.addWidget(self.line, 1)
        for button in (self.next, self.leave, self.fold):
            row.addWidget(button)
        self.back.clicked.connect(self._back)
        self.forth.clicked.connect(self._forth)
        self.next.clicked.connect(self._forth)
        self.play.clicked.connect(self.play_asked)
        self.leave.clicked.connect(self.tour_left)
        self.fold.clicked.connect(self.fold_asked)
        self.show_state(playing=False, unfolded=False, touring=False, ends=(False, False))
        self.retranslate()

    def show_state(self, *, playing: bool, unfolded: bool, touring: bool, ends: tuple[bool, bool]) -> None:
        """Show what goes on.

        Args:
            ends: whether nothing was computed before, and whether nothing is after.
        """
        self.play.set_icon("pause" if playing else "play")
        self._playing = playing
        for widget in (self.play, self.forth, self.fold):
            widget.setVisible(not touring)
        for widget in (self.next, self.leave):
            widget.setVisible(touring)
        self.fold.setChecked(unfolded)
        self.back.setEnabled(not ends[0])
        self.forth.setEnabled(not ends[1])
        self.next.setEnabled(True)
        self._describe_play()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.back.describe(self.tr("What was computed before (Page Up)"))
        self.forth.describe(self.tr("What is computed next (Page Down)"))
        self.next.setText(self.tr("Next"))
        self.leave.setText(self.tr("End tour"))
        self.fold.setText(self.tr("All layers"))
        self._describe_play()

    def _describe_play(self) -> None:
        self.play.describe(self.tr("Pause (Space)") if self._playing else self.tr("Watch it compute (Space)"))

    def _back(self) -> None:
        self.stepped.emit(-1)

    def _forth(self) -> None:
        self.stepped.emit(1)
