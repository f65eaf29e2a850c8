"""The strip above the live page: where the run stands, and what may be asked of it."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QProgressBar, QPushButton, QVBoxLayout, QWidget

from model.training.batch_view import DEFAULT_PAD
from viewer.document.messages.training_requests import MakeBatch, PauseRun, ResumeRun, StopRun, UseRun
from viewer.document.training.training import Training
from viewer.pages.train.live.live_words import advice, share_done, state_sentence
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import elastic, label
from viewer.pages.widgets.overflow_row import OverflowRow
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

_SENTENCE_ROOM = 470  # pixels at 14-pixel type that the sentence beside the buttons needs
_FINE = 1000


class LiveStrip(Worded, QFrame):
    """State in words, progress to the nearest limit, buttons."""

    def __init__(self, training: Training, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._training = training
        self._appearance = appearance
        self.setProperty("role", "card")
        self.state = elastic(label("title"))
        self.advice = label("muted")
        self.advice.setWordWrap(True)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.pause, self.resume = QPushButton(), QPushButton()
        self.stop, self.cancel = QPushButton(), QPushButton()
        self.use, self.batch = QPushButton(), QPushButton()
        self._lay_out()
        self._connect()
        self.retranslate()

    def _lay_out(self) -> None:
        self._buttons = OverflowRow(self._appearance)
        for button, rank in ((self.pause, 1), (self.resume, 1), (self.stop, 2), (self.cancel, 2)):
            self._buttons.add(button, rank=rank)
        self._buttons.add_space(10)
        for button, rank in ((self.use, 3), (self.batch, 4)):
            self._buttons.add(button, rank=rank)
        self._buttons.add_stretch()
        self._head = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._head.setSpacing(6)
        self._head.addWidget(self.state, 1)
        self._head.addWidget(self._buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 8, 10)
        column.setSpacing(6)
        column.addLayout(self._head)
        column.addWidget(self.advice)
        column.addWidget(self.progress)

    def _connect(self) -> None:
        self._requests = {
            self.pause: PauseRun(),
            self.resume: ResumeRun(),
            self.stop: StopRun(evaluate=True),
            self.cancel: StopRun(),
            self.use: UseRun(),
        }
        for button in self._requests:
            button.clicked.connect(self._clicked)
        self.batch.clicked.connect(self._batch_clicked)
        training = self._training
        for signal in (training.phase_changed, training.work_changed, training.steps_added, training.reset):
            signal.connect(self.refresh)
        self._appearance.changed.connect(self._arrange)

    def _clicked(self) -> None:
        button = self.sender()
        if isinstance(button, QPushButton):
            self._training.ask(self._requests[button])

    def _batch_clicked(self) -> None:
        """The batch of the newest step."""
        order, last = self._training.order, self._training.last_step
        if order is not None:
            step = 0 if last is None else last.step
            self._training.ask(MakeBatch(order.options, order.out, step, DEFAULT_PAD))

    def refresh(self) -> None:
        """Say where the run stands, and offer what makes sense there."""
        training = self._training
        sentence = state_sentence(training)
        self.state.setText(sentence)
        self.state.setToolTip(plain(sentence))
        self.state.setAccessibleName(sentence)
        told = advice(training)
        self.advice.setText(told)
        self.advice.setVisible(bool(told))
        share = share_done(training)
        endless = share is None and training.phase in ("preparing", "stopping", "pausing")
        self.progress.setRange(0, 0 if endless else _FINE)
        if not endless:
            self.progress.setValue(round(_FINE * (share or 0.0)))
        self._offer()
        self._arrange()

    def _offer(self) -> None:
        training, phase = self._training, self._training.phase
        going = phase in ("running", "pausing", "stopping")
        begun = training.start is not None or training.last_step is not None
        self.pause.setVisible(phase in ("running", "pausing", "preparing"))
        self.pause.setEnabled(phase in ("running", "preparing"))
        idle = phase in ("ended", "failed") and training.resumable
        self.resume.setVisible(phase in ("paused", "waiting") or idle)
        self.resume.setText(self.tr("Try again") if phase == "waiting" else self.tr("Resume"))
        self._mark(self.resume, self.resume.isVisibleTo(self))
        self.stop.setVisible(training.active and phase != "preparing")
        self.stop.setEnabled(phase == "running")
        self.cancel.setVisible(training.active)
        self.cancel.setText(self.tr("Cancel") if phase == "preparing" else self.tr("Save and end"))
        self.use.setVisible(begun or training.done is not None)
        self.use.setText(self.tr("Use this model now") if training.active else self.tr("Open in Look"))
        self._mark(self.use, training.done is not None and not training.active)
        self.batch.setVisible(training.order is not None)
        self.batch.setEnabled(phase != "preparing")
        self.progress.setVisible(going or phase in ("preparing", "paused", "waiting"))

    def _mark(self, button: QPushButton, primary: bool) -> None:
        """Make a button the one to press next."""
        role = "primary" if primary else ""
        if button.property("role") != role:
            button.setProperty("role", role)
            button.style().unpolish(button)
            button.style().polish(button)

    def _arrange(self) -> None:
        """Put the buttons beside the sentence where both have room, else below it."""
        margins = self.contentsMargins()
        room = self.width() - margins.left() - margins.right() - 22
        beside = room >= self._buttons.sizeHint().width() + self._appearance.px(_SENTENCE_ROOM)
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._head.setDirection(direction)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.pause.setText(self.tr("Pause"))
        self.pause.setToolTip(self.tr("Save everything and pause; the computer is free meanwhile"))
        self.resume.setToolTip(self.tr("Continue where the run was paused"))
        self.stop.setText(self.tr("Evaluate and stop"))
        self.stop.setToolTip(
            self.tr("Finish this evaluation, or run one now; keep the better weights, save and end")
        )
        self.cancel.setToolTip(
            self.tr("Cancel: save everything and end at once; the run can be resumed at any time")
        )
        self.use.setToolTip(self.tr("Translate and look with the current weights; the run continues"))
        self.batch.setText(self.tr("Look at a batch…"))
        self.batch.setToolTip(self.tr("Token ids, masks and the shifted target of one training step"))
        self.progress.setAccessibleName(self.tr("Share of the run that is done"))
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find room for the buttons."""
        super().resizeEvent(event)
        self._arrange()
