"""`StatusLine`: what is under the pointer, and what the program is doing; before an audience, the keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from model.folder.families import Family
from viewer.document.session import Session
from viewer.document.text.input_text import given_steps
from viewer.document.text.model_text import family_of, translates
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

_TOLD = ("loading", "decoding")  # what an audience waits for


class StatusLine(Worded, QWidget):
    """Exact weight in the middle, state on the right."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.read_out = label()
        # The number stands at the end of its sentence.
        self.read_out.be_elastic(elision=Qt.TextElideMode.ElideMiddle)
        self.read_out.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.state = label("muted")
        self.keys = label("keys")
        # The last one leaves: on a screen that is narrow for the type others go first.
        self.keys.be_elastic(hugging=True, elision=Qt.TextElideMode.ElideMiddle)
        self.keys.hide()
        self._presenting = False
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.addWidget(self.keys, 1 << 8)
        row.addWidget(self.read_out, 1)
        row.addWidget(self.state)
        session.job_changed.connect(self.refresh)
        session.model_changed.connect(self.refresh)
        session.run_grew.connect(self.refresh)
        self.refresh()

    def show_read_out(self, text: str) -> None:
        """Say what is under the pointer."""
        self.read_out.setText(text)
        self.read_out.setToolTip(plain(text))

    def show_keys(self, text: str) -> None:
        """Say quietly which keys there are; empty: say what is done."""
        self._presenting = bool(text)
        self.keys.setText(text)
        self._share()

    def _share(self) -> None:
        self.keys.setVisible(self._presenting)
        self.state.setVisible(not self._presenting or self._session.job.state in _TOLD)

    def refresh(self) -> None:
        """Say what is being done."""
        job = self._session.job
        if job.state == "loading":
            text = self.tr("Loading the model…")
        elif job.state == "decoding":
            text = self._decoding_text()
        else:
            text = self.tr("Ready") if self._session.model is not None else self.tr("No model open")
        self.state.setText(text)
        self._share()

    def _decoding_text(self) -> str:
        """How far what is in view has come; of one that is held up the sentence panel says that."""
        run, family = self._session.run(), family_of(self._session.model)
        if self._session.job.paused:
            return ""
        if self._session.model is None:  # what was asked for begins once the model is there
            return self.tr("Waiting for the model…")
        if run is None or not run.live or not run.trace.steps:
            if family is Family.ENCODER_ONLY:
                return self.tr("Reading…")
            return self.tr("Translating…") if translates(self._session.model) else self.tr("Writing…")
        steps = run.trace.steps - given_steps(run.trace)
        if translates(self._session.model):
            return self.tr("Translating, word {number}…").format(number=steps)
        return self.tr("Writing, token {number}…").format(number=steps)

    def retranslate(self) -> None:
        """Take the language in force; what was read out in another one goes."""
        self.show_read_out("")
        self.refresh()
