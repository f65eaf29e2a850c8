"""Every question that is shipped names something that answers it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

from model import questions
from model.questions.questions import Question

for found in pkgutil.iter_modules(questions.__path__, "model.questions."):
    importlib.import_module(found.name)
SHIPPED = [one for one in Question.__subclasses__() if one.__module__.startswith("model.questions.")]


@pytest.mark.parametrize("question", SHIPPED, ids=lambda question: question.__name__)
def test_what_answers_it_is_there(question: type[Question]) -> None:
    answers = pkgutil.resolve_name(question.answered_by)

    assert list(inspect.signature(answers).parameters) == ["question", "asked"]


def test_there_are_questions() -> None:
    assert {"RowOf", "TwoSentences", "OrdersOf", "ImportanceOf", "CorpusHeads", "FileSentences"} <= {
        one.__name__ for one in SHIPPED
    }
