"""A session that shows what a model of masked words read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.abilities import Ability
from model.trace.trace import Trace
from tests.model.trace.reading_trace import reading_trace
from tests.viewer.fake_source import small_info
from viewer.document.document import Run
from viewer.document.messages.messages import ModelInfo
from viewer.document.session import Session

TEXT = "the [MASK] sat [SEP] its"


def reading_info(**changes: Any) -> ModelInfo:
    """Of the model that read `reading_trace`."""
    values = {"sha256": "ab" * 32, "family": "encoder_only", "can": frozenset((Ability.FILL,))}
    return replace(small_info(), **values | changes)


def reading_session(trace: Trace | None = None, *, model: bool = True) -> Session:
    """The first token `[MASK]` is the third of `[CLS] the [MASK] sat [SEP] it ##s [SEP]`."""
    session = Session()
    if model:
        session.set_model(reading_info())
    session.add_run(Run("a", reading_trace() if trace is None else trace, provenance={"source": "file"}))
    return session
