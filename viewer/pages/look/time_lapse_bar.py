"""`TimeLapseBar`: scrubbing through training: first, play, a slider over the frames, last, the step."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QSlider, QVBoxLayout, QWidget

from viewer.document.text.place_text import frame_text
from viewer.document.time_lapse import TimeLapse
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, label
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.worded import Worded


class TimeLapseBar(Worded, QFrame):
    """Moves through a time-lapse; hidden while the run in view is no frame of one."""

    def __init__(self, time_lapse: TimeLapse, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._time_lapse = time_lapse
        self._appearance = appearance
        self.setProperty("role", "card")
        self.title = label("title")
        self.first = IconButton(appearance, "first")
        self.play = IconButton(appearance, "play", strong=True)
        self.last = IconButton(appearance, "last")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.where = label()
        self.follow = QCheckBox()
        self._lay_out()
        self.first.clicked.connect(time_lapse.first)
        self.play.clicked.connect(self._toggle_play)
        self.last.clicked.connect(time_lapse.last)
        self.slider.valueChanged.connect(self._slid)
        self.follow.clicked.connect(time_lapse.set_following)
        time_lapse.changed.connect(self.refresh)
        appearance.changed.connect(self._restyle)
        self.setVisible(False)
        self._restyle()
        self.retranslate()

    def _lay_out(self) -> None:
        # The slider has all the keys, so that the arrows mean the same wherever in the bar one clicked.
        for button in (self.first, self.play, self.last):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocusProxy(self.slider)
        around = QVBoxLayout(self)
        around.setContentsMargins(12, 5, 12, 5)
        row = OverflowRow(self._appearance, self)
        around.addWidget(row)
        row.add(self.title, rank=4)
        row.add_space(6)
        for widget, rank in ((self.first, 2), (self.play, STAYS), (self.last, 2)):
            row.add(widget, rank=rank)
        row.add(self.slider, 1, rank=STAYS)
        row.add_space(6)
        row.add(self.where, rank=1)
        row.add_space(6)
        row.add(self.follow, rank=3)

    def refresh(self) -> None:
        """Show where the time-lapse is."""
        lapse = self._time_lapse
        frames, place = lapse.frames, lapse.place
        self.setVisible(frames > 0)
        self.first.setEnabled(place > 0)
        self.last.setEnabled(place < frames - 1)
        self.play.setEnabled(frames > 1)
        self.play.set_icon("pause" if lapse.playing else "play")
        trained = lapse.kind == "training_step"
        self.title.setText(self.tr("Time-lapse") if trained else self.tr("Rounds"))
        play = self.tr("Play the training (Space)") if trained else self.tr("Play the rounds (Space)")
        self.play.describe(self.tr("Pause (Space)") if lapse.playing else play)
        self.slider.setAccessibleName(self.tr("Training step") if trained else self.tr("Round"))
        self.slider.setToolTip(
            self.tr("Drag through the training; the arrow keys go frame by frame")
            if trained
            else self.tr("Drag through the rounds; the arrow keys go round by round")
        )
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, frames - 1))
            self.slider.setPageStep(max(1, frames // 10))
            self.slider.setValue(max(0, place))
        self.slider.setEnabled(frames > 1)
        with QSignalBlocker(self.follow):
            self.follow.setChecked(lapse.following)
        text = self.tr("{step} (frame {number} of {count})").format(
            step=frame_text(lapse.kind, lapse.frame), number=place + 1, count=frames
        )
        self.where.setText(text[:1].upper() + text[1:] if frames else "")
        self.slider.setAccessibleDescription(self.where.text())

    def retranslate(self) -> None:
        """Take the language in force."""
        self.first.describe(self.tr("First frame (Home)"))
        self.last.describe(self.tr("Newest frame (End)"))
        self.follow.setText(self.tr("Follow the newest"))
        self.follow.setToolTip(self.tr("While training goes on, show each new frame as soon as it is kept"))
        self.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space plays; the slider has taken the arrows, Home and End."""
        if event.key() == Qt.Key.Key_Space:
            self._toggle_play()
        elif event.key() == Qt.Key.Key_Escape and self._time_lapse.playing:
            self._time_lapse.set_playing(False)
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """While it is seen, new frames are looked for."""
        self._time_lapse.set_watched(True)
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: nothing needs to be looked for."""
        self._time_lapse.set_watched(False)
        self._time_lapse.set_playing(False)
        super().hideEvent(event)

    def _restyle(self) -> None:
        self.slider.setMinimumWidth(self._appearance.px(120))
        self.slider.setFixedHeight(self._appearance.px(24))
        # As wide as the longest it will say, or the slider would change its length while it is dragged.
        self.where.setMinimumWidth(self._appearance.px(250))

    def _toggle_play(self) -> None:
        self._time_lapse.set_playing(not self._time_lapse.playing)

    def _slid(self, place: int) -> None:
        if self._time_lapse.playing:
            self._time_lapse.set_playing(False)
        self._time_lapse.show(place)
