"""The job of a question: of the model in use, or of numbers alone."""

from __future__ import annotations

from collections.abc import Iterator

from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.questions.questions import Partial
from viewer.document.messages.messages import Answered, AnswerGrew, Ask, JobProgress
from viewer.engine.context import JobContext


def ask(request: Ask, context: JobContext) -> Iterator[JobProgress | AnswerGrew | Answered | None]:
    """Progress, what there is so far, and last the answer."""
    for found in _answers(request, context):
        if found is None:
            yield None
        elif isinstance(found, Partial):
            yield AnswerGrew(request.job, request.question, request.reading, found.answer)
        elif isinstance(found, tuple):
            done, total = found
            yield JobProgress(request.job, request.question.activity or "asking", done, total)
        else:
            yield Answered(request.job, request.question, request.reading, found)


def _answers(request: Ask, context: JobContext) -> Iterator[object]:
    if not request.question.needs_model:
        return answer(None, request.question, request.reading)
    if context.model is None:
        raise HeadscopeError("no_model")
    reading = request.reading
    if reading is not None and reading.model_sha256 not in ("", context.model.info().sha256):
        raise HeadscopeError("run_other_model", name=reading.model_name)
    return context.model.answer(request)
