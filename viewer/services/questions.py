"""Questions: from `Session.answers` to the engine, and its answers back."""

from __future__ import annotations

from PySide6.QtCore import QObject

from model.errors import HeadscopeError
from model.questions.questions import Question, Reading
from viewer.document.answers import Key
from viewer.document.job_status import JobStatus
from viewer.document.messages.messages import Answered, AnswerGrew, Ask, JobCancelled, JobFailed, JobProgress
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.services.engine_protocol import EngineLike
from viewer.services.job_board import JobBoard
from viewer.services.no_model import without_model


class Questions(QObject):
    """Answers `Session.answers`; what cannot be asked of the model in use becomes the question's problem.

    What has an `activity` the window says is being done, and a person may stop it there.
    """

    def __init__(
        self, session: Session, engine: EngineLike, board: JobBoard, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._board = board
        self._session = session
        self._engine = engine
        self._answers = session.answers
        self._jobs: dict[int, Key] = {}
        self._answers.wanted.connect(self._wanted)
        self._answers.unwanted.connect(self._unwanted)
        engine.answer_grew.connect(self._grew)
        engine.answered.connect(self._answered)
        engine.progress.connect(self._progress)
        engine.failed.connect(self._failed)
        engine.cancelled.connect(self._cancelled)
        session.model_changed.connect(self._answers.forget_problems)

    def _wanted(self, question: Question, reading: Reading | None, topic: str) -> None:
        problem = self._problem(question, reading)
        if problem is not None:
            self._answers.fail((question, reading), Notice.of(problem))
            return
        job = self._engine.new_job()
        self._jobs[job] = (question, reading)
        if question.activity:
            self._board.begin(JobStatus("asking", job, question.activity, cancellable=True))
        self._engine.submit(Ask(job, question, reading))

    def _problem(self, question: Question, reading: Reading | None) -> HeadscopeError | None:
        """Why the model in use cannot be asked this."""
        if not question.needs_model:
            return None
        model = self._session.model
        if model is None:
            return without_model(self._session)
        if reading is not None and reading.model_sha256 not in ("", model.sha256):
            return HeadscopeError("run_other_model", name=reading.model_name)
        return None

    def _unwanted(self, question: Question, reading: Reading | None) -> None:
        for job, key in list(self._jobs.items()):
            if key == (question, reading):
                self._ended(job)
                self._engine.cancel(job)

    def _grew(self, message: AnswerGrew) -> None:
        key = self._jobs.get(message.job)
        if key is not None:
            self._answers.grow(key, message.answer)

    def _answered(self, message: Answered) -> None:
        key = self._ended(message.job)
        if key is not None:
            self._answers.finish(key, message.answer)

    def _progress(self, message: JobProgress) -> None:
        key = self._jobs.get(message.job)
        if key is not None:
            self._answers.progress(key, message.done, message.total)

    def _failed(self, message: JobFailed) -> None:
        key = self._ended(message.job)
        if key is not None:
            self._answers.fail(key, Notice.of(message.error))

    def _cancelled(self, message: JobCancelled) -> None:
        key = self._ended(message.job)
        if key is not None:
            self._answers.fail(key, None)

    def _ended(self, job: int) -> Key | None:
        self._board.end(job)
        return self._jobs.pop(job, None)
