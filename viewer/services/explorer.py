"""Explorer: what is asked of runs, answered: branches, texts read again, what-ifs and measurements."""

from __future__ import annotations

from PySide6.QtCore import QObject

from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.trace.trace import Trace
from viewer.document.document import Document, Run
from viewer.document.messages.notice import Notice
from viewer.document.messages.requests import (
    Alter,
    Branch,
    Cancel,
    Continue,
    KeepAltered,
    MeasureImportance,
    ReadText,
    ShowHypothesis,
)
from viewer.document.run_source import RunSource
from viewer.document.session import Session
from viewer.document.text.input_text import given_steps, input_text
from viewer.services.decodings import Decodings
from viewer.services.engine_protocol import EngineLike
from viewer.services.hypotheses import Hypotheses
from viewer.services.importance import ImportanceAsker
from viewer.services.job_board import JobBoard
from viewer.services.no_model import without_model
from viewer.services.questions import Questions
from viewer.services.what_if import WhatIf


class Explorer(QObject):
    """Answers what is asked of runs; what cannot be done becomes a notice.

    Branches go on greedily, whatever mode their parent was decoded in, so that they cost their new tokens
    only; those of a sampled run are sampled like it, with a new seed. They read the text of their parent,
    not what has been typed since, and have its alterations.

    Attributes:
        decodings: what goes on.
    """

    def __init__(
        self, session: Session, engine: EngineLike, board: JobBoard, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._engine = engine
        self.decodings = Decodings(session, engine, board, self)
        self._what_if = what_if = WhatIf(session, engine, self.decodings, self)
        self._hypotheses = Hypotheses(session, engine, self)
        self._questions = Questions(session, engine, board, self)
        self._importance = ImportanceAsker(session, self)
        session.serve(
            {
                ReadText: self.read,
                Branch: self.branch,
                Continue: self.go_on_with,
                Alter: self.alter,
                KeepAltered: lambda asked: what_if.keep(asked.run),
                MeasureImportance: self.measure,
                ShowHypothesis: self.look_at,
                Cancel: lambda _: self.cancel(),
            }
        )

    def read(self, asked: ReadText) -> None:
        """Let the model that read a run's text read another, which becomes the session's; look at a token."""
        run = self._session.document.run(asked.run)
        if run is None or not self._possible(run.trace):
            return
        config = self.decodings.config(run.trace.decoding)
        if config is not None:
            self._session.set_text(asked.text)
            self.decodings.start([self.decodings.plan(fresh=True, token=asked.token)], [config])

    def branch(self, asked: Branch) -> None:
        """Take a token at a step and go on; show what is there already of it.

        The token that stands there leads nowhere else, unless the run was stopped or no greedy decoding.
        """
        run, step = self._session.document.run(asked.run), asked.step
        if run is None or not 0 <= step < run.trace.steps:
            return
        tokens = (*map(int, run.trace.tgt_out_ids[:step]), int(asked.token))
        if step < given_steps(run.trace):
            return  # what a prompt says is no choice of the model's
        there = branch_there(self._session.document, run, step, tokens)
        if there is None:
            self._branch(run, step, tokens)
            return
        if there.id != self._shown():
            self._session.show_run(there.id)
        self._session.set_step(step)

    def go_on_with(self, asked: Continue) -> None:
        """Go on with a text instead of what stands from a step on; with none where a run was stopped."""
        run, step = self._session.document.run(asked.run), asked.step
        if (
            run is None
            or not given_steps(run.trace) <= step <= run.trace.steps
            or (step == run.trace.steps and run.trace.finished)
        ):
            return
        self._branch(run, step, tuple(map(int, run.trace.tgt_out_ids[:step])), asked.text)

    def alter(self, asked: Alter) -> None:
        """Translate anew with changes beside an untouched run; see `WhatIf.alter`."""
        run, changes = self._session.document.run(asked.run), asked.changes
        if run is None or run.live or (changes and not self._possible(run.trace)):
            return
        self._said(None)
        try:
            self._what_if.alter(run, changes)
        except HeadscopeError as error:
            self._said(error)

    def measure(self, asked: MeasureImportance) -> None:
        """Measure what each head is worth to a run."""
        run = self._session.document.run(asked.run)
        if run is None or run.live or not self._possible(run.trace):
            return
        try:
            self._importance.measure(run)
        except HeadscopeError as error:
            self._said(error)

    def look_at(self, asked: ShowHypothesis) -> None:
        """Show a hypothesis of a run's beam search as a run."""
        run, hypothesis = self._session.document.run(asked.run), asked.hypothesis
        if run is None or self._hypotheses.show(run, hypothesis) or not self._possible(run.trace):
            return
        try:
            self._hypotheses.look_at(run, hypothesis)
        except HeadscopeError as error:
            self._said(error)

    # What goes on.

    def cancel(self) -> None:
        """Stop what the window says is being done; what it has come to stays."""
        job = self._session.job
        if job.state == "decoding":
            self.decodings.cancel()
        elif job.cancellable:
            self._engine.cancel(job.job)

    # Parts.

    def _branch(self, run: Run, step: int, prefix_ids: tuple[int, ...], prefix: str = "") -> None:
        if not self._possible(run.trace):
            return
        try:
            config = branch_config(run.trace, prefix_ids[given_steps(run.trace) :], prefix)
            plan = self.decodings.plan(
                parent=run.id,
                branch_step=step,
                alterations=run.alterations,
                pane=self._session.active,
                step=step,
            )
            changes = run.changes
        except HeadscopeError as error:
            self._said(error)
            return
        self.decodings.start([plan], [config], text=input_text(run.trace), alterations=changes)

    def _possible(self, trace: Trace) -> bool:
        """Whether the open model is the one that made a trace; else the user is told."""
        model = self._session.model
        if model is None:
            self._said(without_model(self._session))
        elif not trace.may_be_of(model.name, model.sha256):
            self._said(HeadscopeError("run_other_model", name=trace.model_name or "?"))
        else:
            return True
        return False

    def _said(self, error: HeadscopeError | None) -> None:
        self._session.set_notice(None if error is None else Notice.of(error))

    def _shown(self) -> str:
        pane = self._session.pane()
        return "" if pane is None else pane.run_id


def branch_config(trace: Trace, prefix_ids: tuple[int, ...], prefix: str = "") -> DecodeConfig:
    """How a branch goes on: greedily, or, of a sampled run, as that with a new seed.

    Raises:
        HeadscopeError: how the trace was decoded is not known here.
    """
    config = DecodeConfig.from_json(trace.decoding)
    if config.mode == "sample":
        return config.but(seed=None, max_length=None, prefix_ids=prefix_ids, prefix=prefix)
    return DecodeConfig(candidates=config.candidates, prefix_ids=prefix_ids, prefix=prefix)


def branch_there(document: Document, run: Run, step: int, tokens: tuple[int, ...]) -> Run | None:
    """The run that a branch with these tokens up to and with a step would be; None if there is none yet.

    A run of the same tree with the same changes: `run` itself first, then its branches, then the oldest.
    """
    own = _begins(run, tokens)
    if own and not run.cancelled and run.trace.decoding.get("mode", "greedy") == "greedy":
        return run
    branches = [other for other in document.runs if other.parent == run.id and other.branch_step == step]
    home = document.root(run)
    for other in branches if own else (*branches, *document.runs):
        alike = (
            other.alterations == run.alterations and other.provenance.get("source") != RunSource.HYPOTHESIS
        )
        stopped = other.cancelled and other.trace.steps == len(tokens)
        if alike and not stopped and _begins(other, tokens) and document.root(other) == home:
            return other
    return None


def _begins(run: Run, tokens: tuple[int, ...]) -> bool:
    return tuple(map(int, run.trace.tgt_out_ids[: len(tokens)])) == tokens
