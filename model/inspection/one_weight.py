"""One weight, or one head's: `row_of` and `stages_of` work it out, of models of ours and of others."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.plain import check_head, check_row
from model.inspection.terms import Attending, row_arithmetic, stages_arithmetic
from model.network.attention import AttentionSite
from model.questions.answers import RowArithmetic, Stages
from model.questions.questions import RowOf, StagesOf
from model.trace.trace import AttentionKind


def row_of(question: RowOf, asked: Asked) -> Iterator[RowArithmetic | None]:
    """One query of one head; yields None while a stack is still to be computed, and last the answer.

    Raises:
        HeadscopeError: there is no such head or row, or nothing to read; or numbers overflow.
    """
    attending = _attending(question, asked)
    check_row(attending.rows(question.kind), question.kind, question.query)
    terms = yield from attending.terms(question.kind, question.layer)
    with torch.inference_mode():
        site = AttentionSite(question.kind, question.layer)
        found = row_arithmetic(terms, attending.altering, site, question.head, question.query)
    yield found


def stages_of(question: StagesOf, asked: Asked) -> Iterator[Stages | None]:
    """All rows of a head at each stage of the softmax; as `row_of`."""
    terms = yield from _attending(question, asked).terms(question.kind, question.layer)
    with torch.inference_mode():
        found = stages_arithmetic(terms, AttentionSite(question.kind, question.layer), question.head)
    yield found


def _attending(question: RowOf | StagesOf, asked: Asked) -> Attending:
    """The reading that is asked about; raises `HeadscopeError` if it has no such head, or no translation."""
    attending = asked.attending
    check_head(attending.outline, question.kind, question.layer, question.head)
    if question.kind is not AttentionKind.ENCODER_SELF and not attending.rows(question.kind):
        raise HeadscopeError("inspection_nothing")
    return attending
