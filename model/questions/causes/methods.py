"""Methods: the ways of asking why a model did something, a row each. No torch.

To add one, write its question, answer and `Method` in a file of this room, what answers it in `model.causes`,
and name it here: command, help, list and translations follow.
"""

from __future__ import annotations

from collections.abc import Iterator

from model.errors import HeadscopeError
from model.questions.causes import circuits, pruning
from model.questions.causes.contrast import CONTRAST, GRADIENT
from model.questions.causes.contributions import METHOD as ALTI
from model.questions.causes.decoder_lens import DECODER_LENS
from model.questions.causes.faithfulness import FAITHFULNESS
from model.questions.causes.logit import LOGIT
from model.questions.causes.logit_lens import LOGIT_LENS
from model.questions.causes.method import Method
from model.questions.causes.scores import SCORES
from model.questions.causes.without_source import WITHOUT_SOURCE
from model.questions.causes.zeroing import METHOD as ZEROING

METHODS: tuple[Method, ...] = (
    SCORES,
    LOGIT,
    CONTRAST,
    GRADIENT,
    ALTI,
    ZEROING,
    LOGIT_LENS,
    DECODER_LENS,
    WITHOUT_SOURCE,
    FAITHFULNESS,
)
"""In the order of lists."""


def method_named(name: str) -> Method:
    """Raises `HeadscopeError` (`method_unknown`)."""
    for method in METHODS:
        if method.name == name:
            return method
    raise HeadscopeError("method_unknown", name=name, known=", ".join(method.name for method in METHODS))


def sentences() -> Iterator[str]:
    """What the window translates, context `Methods`."""
    for method in METHODS:
        yield from (method.label, method.formula, method.caveat)
    yield from circuits.sentences()
    yield from pruning.sentences()
