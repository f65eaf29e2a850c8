"""Importance controls: measuring what every head is worth: button, progress, what was found."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from model.abilities import Ability
from model.questions.importance import ImportanceOf
from viewer.document.messages.requests import Cancel, MeasureImportance
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.figures.heads.importance import summary_sentence
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.worded import Worded


class ImportanceControls(Worded, QWidget):
    """Follows the active pane's run."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.measure = QPushButton()
        self.sentence = label("small")
        self.sentence.setWordWrap(True)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.cancel = QPushButton()
        self._going = QWidget()
        row = QHBoxLayout(self._going)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.progress, 1)
        row.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.measure, self._going, self.sentence):
            column.addWidget(widget)
        self.measure.clicked.connect(self._measure)
        self.cancel.clicked.connect(self._cancel)
        session.pane_changed.connect(self._pane_changed)
        for signal in (session.panes_changed, session.run_grew, session.runs_changed, session.model_changed):
            signal.connect(self.refresh)
        session.job_changed.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Show the button, the progress, or what was found."""
        run, model, job = self._session.run(), self._session.model, self._session.job
        going = (job.state, job.what) == ("asking", ImportanceOf.activity)
        found = None if run is None else run.importance
        self._going.setVisible(going)
        self.progress.setRange(0, max(0, job.total))
        self.progress.setValue(job.done)
        self.measure.setVisible(found is None and not going)
        usable = run is not None and model is not None and run.trace.may_be_of(model.name, model.sha256)
        self.measure.setEnabled(usable and run is not None and not run.live and run.trace.steps > 0)
        obstacle = cannot(model, Ability.MEASURE) if found is None else ""
        if obstacle:
            self.measure.hide()
            self.sentence.setText(obstacle)
        elif going:
            text = self.tr("Each head is switched off once: {done} of {total}")
            self.sentence.setText(text.format(done=job.done, total=job.total) if job.total else "")
        elif found is not None:
            self.sentence.setText(summary_sentence(found))
        else:
            self.sentence.setText(
                self.tr("Switches off each head in turn and shows what that does to the output.")
            )

    def retranslate(self) -> None:
        """Take the language in force."""
        self.measure.setText(self.tr("Measure all heads"))
        self.cancel.setText(self.tr("Cancel"))
        self.progress.setAccessibleName(self.tr("Progress"))
        self.refresh()

    def _measure(self) -> None:
        """Ask for it, and show it on the page of heads."""
        run = self._session.run()
        if run is not None:
            self._session.set_view(importance=True)
            self._session.ask(MeasureImportance(run.id))

    def _cancel(self) -> None:
        self._session.ask(Cancel())

    def _pane_changed(self, pane: int) -> None:
        if pane == self._session.active:
            self.refresh()
