"""What surrounds the document: model, sentence, what the engine does, and what the user should read."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from viewer.state.job_status import JobStatus
from viewer.state.messages import ModelInfo, PiecesSplit
from viewer.state.notice import Notice


class Surroundings(QObject):
    """The part of a session that no file keeps and nothing undoes.

    Signals:
        model_changed, text_changed, pieces_changed, job_changed, notice_changed: the property of that name
            changed.
    """

    model_changed = Signal()
    text_changed = Signal()
    pieces_changed = Signal()
    job_changed = Signal()
    notice_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model: ModelInfo | None = None
        self._text = ""
        self._pieces: PiecesSplit | None = None
        self._job = JobStatus()
        self._notice: Notice | None = None

    @property
    def model(self) -> ModelInfo | None:
        """The current model, None while none is open."""
        return self._model

    @property
    def text(self) -> str:
        """The sentence as typed."""
        return self._text

    @property
    def pieces(self) -> PiecesSplit | None:
        """The pieces of `text`; None while they are not known."""
        return self._pieces

    @property
    def job(self) -> JobStatus:
        """What the engine is doing for this window."""
        return self._job

    @property
    def notice(self) -> Notice | None:
        """The last error or remark, until it is dismissed or outdated."""
        return self._notice

    def set_model(self, model: ModelInfo | None) -> None:
        """Take a model that was opened; the pieces of the sentence are another model's."""
        if model is not self._model:
            self._model = model
            self.set_pieces(None)
            self.model_changed.emit()

    def set_text(self, text: str) -> None:
        """Take the sentence as typed; its pieces are unknown until the engine has split it."""
        if text != self._text:
            self._text = text
            self.set_pieces(None)
            self.text_changed.emit()

    def follow_text(self, before: str, after: str) -> None:
        """The sentence of what is in view was `before` and is `after`: what was not typed over goes along."""
        if after != before and self._text.strip() == before.strip():
            self.set_text(after)

    def set_pieces(self, pieces: PiecesSplit | None) -> None:
        """Take the pieces of the sentence; those of an older one are ignored."""
        if pieces is not None and pieces.text != self._text:
            return
        if pieces != self._pieces:
            self._pieces = pieces
            self.pieces_changed.emit()

    def set_job(self, job: JobStatus) -> None:
        """Say what the engine is doing."""
        if job != self._job:
            self._job = job
            self.job_changed.emit()

    def set_notice(self, notice: Notice | None) -> None:
        """Show a sentence to the user, or none."""
        if notice != self._notice:
            self._notice = notice
            self.notice_changed.emit()
