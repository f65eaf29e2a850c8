"""The job of a question: of the model in use, or of numbers alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from model.answering import answer_alone
from model.errors import HeadscopeError
from model.questions import Partial
from viewer.engine.source import ModelSource
from viewer.state.messages import Answered, AnswerGrew, Ask, Progress


class AskingDesk(Protocol):
    """What this job needs of `viewer.engine.jobs.Desk`."""

    model: ModelSource | None


def ask(request: Ask, desk: AskingDesk) -> Iterator[Progress | AnswerGrew | Answered | None]:
    """Progress, what there is so far, and last the answer."""
    for found in _answers(request, desk):
        if found is None:
            yield None
        elif isinstance(found, Partial):
            yield AnswerGrew(request.job, request.question, request.reading, found.answer)
        elif isinstance(found, tuple):
            done, total = found
            yield Progress(request.job, "asking", done, total)
        else:
            yield Answered(request.job, request.question, request.reading, found)


def _answers(request: Ask, desk: AskingDesk) -> Iterator[object]:
    if not request.question.needs_model:
        return answer_alone(request.question)
    if desk.model is None:
        raise HeadscopeError("no_model")
    reading = request.reading
    if reading is not None and reading.model_sha256 not in ("", desk.model.info().sha256):
        raise HeadscopeError("run_other_model", name=reading.model_name)
    return desk.model.answer(request)
