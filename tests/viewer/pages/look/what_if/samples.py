"""Sessions with an untouched run and an altered one, made by hand; no engine answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from model.alterations.alteration import Alteration
from model.alterations.registry import all_to_json
from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import sample_trace
from viewer.document.document import Run
from viewer.document.messages.messages import ModelInfo
from viewer.document.messages.requests import Alter, Cancel, KeepAltered, MeasureImportance, ViewRequest
from viewer.document.selection import Selection
from viewer.document.session import Session

CROSS = AttentionKind.CROSS
BASE = "base"
LIVE = "base~what-if"
BEFORE = np.log(np.array([0.5, 0.25, 0.8], np.float32))
HELD = np.log(np.array([0.25, 0.5, 0.8], np.float32))


def base_trace(**changes: Any) -> Trace:
    return sample_trace(step_logprob=BEFORE, **changes)


def altered_run(*changes: Alteration, run_id: str = LIVE, parent: str = BASE, **fields: Any) -> Run:
    """The middle word is another one."""
    trace = replace(
        base_trace(),
        alterations=all_to_json(changes),
        tgt_out_tokens=("▁pommes", "▁vertes", "</s>"),
        tgt_out_ids=np.array([0, 9, 2]),
        step_logprob=np.log(np.array([0.5, 0.1, 0.9], np.float32)),
    )
    return Run(run_id, trace, parent=parent, alterations=trace.alterations, held=HELD, **fields)


def model_info(sha256: str) -> ModelInfo:
    return ModelInfo(
        path="m", name="tiny", languages=("en", "fr"), architecture={}, parameters=1, sha256=sha256,
        showcase=None, positions=None,
    )  # fmt: skip


def session_with(*runs: Run, model: bool = True) -> Session:
    """The untouched run and more, the last of them in view at layer 2, head 1, step 2."""
    session = Session()
    base = Run(BASE, base_trace())
    if model:
        session.set_model(model_info(base.trace.model_sha256))
    for run in (base, *runs):
        session.add_run(run, Selection(CROSS, layer=1, head=0, step=1))
    return session


class Heard:
    """Everything that was asked for."""

    def __init__(self, session: Session) -> None:
        self.altered: list[Any] = []
        self.kept: list[str] = []
        self.measured: list[str] = []
        self.cancelled = 0
        session.requested.connect(self._note)

    def _note(self, request: ViewRequest) -> None:
        if isinstance(request, Alter):
            self.altered.append((request.run, request.changes))
        elif isinstance(request, KeepAltered):
            self.kept.append(request.run)
        elif isinstance(request, MeasureImportance):
            self.measured.append(request.run)
        elif isinstance(request, Cancel):
            self.cancelled += 1
