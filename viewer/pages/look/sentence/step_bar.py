"""`StepBar`: stepping through the decoding: first, previous, next, last, play, a slider, where we are."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QSlider, QWidget

from viewer.document.session import Session
from viewer.document.text.input_text import given_steps
from viewer.pages.look.continuing import step_forth, waits_for_step
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, label
from viewer.pages.widgets.overflow_menu import KEYS
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.shown_keys import keyed

_LONG, _SHORT = 110, 64  # of the slider


class StepBar(OverflowRow):
    """Moves the active pane's step; disabled while nothing is decoded."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent)
        self._session = session
        self._appearance = appearance
        self._low = False
        self.first = IconButton(appearance, "first")
        self.previous = IconButton(appearance, "previous")
        self.next = IconButton(appearance, "next")
        self.last = IconButton(appearance, "last")
        self.play = IconButton(appearance, "play", strong=True)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.where = label()
        for button, rank, key in (
            (self.first, 1, "Home"),
            (self.previous, STAYS, "Page Up"),
            (self.next, STAYS, "Page Down"),
            (self.last, 1, "End"),
            (self.play, STAYS, "Space"),
        ):
            button.setProperty(KEYS, key)
            self.add(button, rank=rank)
        self.add(self.slider, rank=2)
        self.add(self.where, rank=STAYS)
        self.first.clicked.connect(self._to_first)
        self.previous.clicked.connect(self._back)
        self.next.clicked.connect(self._forth)
        self.last.clicked.connect(self._to_last)
        self.play.clicked.connect(self._toggle_play)
        self.slider.valueChanged.connect(self._slid)
        session.pane_moved.connect(self._pane_moved)
        session.run_grew.connect(self.refresh)
        session.panes_changed.connect(self.refresh)
        session.runs_changed.connect(self.refresh)
        session.playing_changed.connect(self.refresh)
        session.job_changed.connect(self.refresh)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self.retranslate()

    def set_low(self, on: bool) -> None:
        """Leave the row to the words: a short slider, the place in figures."""
        if on != self._low:
            self._low = on
            self._restyle()
            self.refresh()

    def refresh(self) -> None:
        """Show the active pane's step."""
        trace, selection = self._session.trace(), self._session.selection()
        run = self._session.run()
        rounds = () if run is None else run.rounds
        steps = trace.steps if trace is not None else 0
        step = selection.step if selection is not None else -1
        if run is not None and rounds:
            steps, step = len(rounds), run.place
        playing = self._session.playing
        prompted = trace is not None and given_steps(trace) > 0
        self.first.describe(
            keyed(self.tr("First token of the continuation; again: of the prompt (Home)"))
            if prompted
            else keyed(self.tr("First step (Home)"))
        )
        self.first.setEnabled(step > 0)
        self.previous.setEnabled(step > 0)
        more = waits_for_step(self._session)
        self.next.setEnabled(step < steps - 1 or more)
        self.next.describe(
            keyed(self.tr("Produce the next token (Page Down)"))
            if more
            else keyed(self.tr("Next step (Page Down)"))
        )
        self.last.setEnabled(step < steps - 1)
        self.play.setEnabled(steps > 1)
        self.play.set_icon("pause" if playing else "play")
        self.play.describe(
            keyed(self.tr("Pause (Space)")) if playing else keyed(self.tr("Play the steps (Space)"))
        )
        with QSignalBlocker(self.slider):
            self.slider.setRange(1, max(1, steps))
            self.slider.setValue(step + 1)
        self.slider.setEnabled(steps > 1)
        given = 0 if trace is None else given_steps(trace)
        if steps:
            text = self.tr("Step {step} of {steps}")
            if self._low:
                text = self.tr("{step} of {steps}")
            if rounds:
                text = self.tr("Round {step} of {steps}")
            elif step < given:
                text = self.tr("Prompt: {step} of {steps}")
            self.where.setText(text.format(step=step + 1, steps=steps))
        else:
            self.where.setText(self.tr("No steps yet"))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.previous.describe(keyed(self.tr("Previous step (Page Up)")))
        self.last.describe(keyed(self.tr("Last step (End)")))
        self.slider.setAccessibleName(self.tr("Step"))
        self.slider.setToolTip(self.tr("Drag to any step"))
        self.refresh()

    def _restyle(self) -> None:
        wide = _SHORT if self._low else _LONG
        self.slider.setFixedSize(self._appearance.px(wide), self._appearance.px(24))
        self.slider.setVisible(not self._appearance.present)  # large type needs its room
        self.where.setMinimumWidth(0 if self._low else self._appearance.px(96))

    def _pane_moved(self, pane: int) -> None:
        if pane == self._session.active:
            self.refresh()

    def _to_first(self) -> None:
        self._session.first_step()

    def _back(self) -> None:
        self._session.step_by(-1)

    def _forth(self) -> None:
        step_forth(self._session)

    def _to_last(self) -> None:
        self._session.last_step()

    def _toggle_play(self) -> None:
        self._session.set_playing(not self._session.playing)

    def _slid(self, value: int) -> None:
        run = self._session.run()
        if run is not None and run.rounds:
            self._session.show_round(value - 1)
        else:
            self._session.set_step(value - 1)
