"""answer: what every question of `model.questions` is answered by, as the question itself says."""

from __future__ import annotations

from collections.abc import Iterator
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from model.inspection.asked import Asked
from model.questions.questions import Partial, Question, Reading

if TYPE_CHECKING:
    from model.bundle.bundle import Bundle
    from model.foreign.foreign_model import ForeignModel
    from model.inspection.hooked.readings import HookedReadings
    from model.inspection.readings import Readings


def readings_of(model: Bundle | ForeignModel) -> Readings | HookedReadings | None:
    """What keeps what a model computes; None for one that cannot be looked into."""
    from model.bundle.bundle import Bundle
    from model.inspection.hooked.readings import HookedReadings
    from model.inspection.readings import Readings

    if isinstance(model, Bundle):
        return Readings(model)
    return None if model.inside is None else HookedReadings(model)


def answer(
    model: Bundle | ForeignModel | None,
    question: Question,
    reading: Reading | None = None,
    readings: Readings | HookedReadings | None = None,
) -> Iterator[tuple[int, int] | Partial | object]:
    """Answer a question of a model, or one that needs none.

    Args:
        readings: those of the model, kept by whoever asks more than once; see `readings_of`.

    Yields:
        Progress (done, total) and `Partial` answers in between, None where it may be interrupted; at last
        the answer.

    Raises:
        HeadscopeError: it cannot be answered; `source_cannot` where that takes a look into the computation of
            a model that is not our own.
    """
    asked = Asked(model, reading, readings)
    if reading is not None and reading.logprobs:
        from model.inspection.same_model import check_same_model

        yield from check_same_model(asked)
    yield from resolve_name(question.answered_by)(question, asked)
