"""Hypotheses: those of a beam search that a person looks at become runs."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject

from model.decoding.decode_config import DecodeConfig
from model.trace.trace import Trace
from viewer.document.document import Run
from viewer.document.messages.messages import (
    JobCancelled,
    JobFailed,
    TraceDone,
    TraceHypothesis,
)
from viewer.document.messages.notice import Notice
from viewer.document.run_source import RunSource
from viewer.document.session import Session
from viewer.document.text.input_text import given_steps, input_text, produced_ids
from viewer.services.engine_protocol import EngineLike
from viewer.services.run_ids import new_run_id


@dataclass(frozen=True)
class _Look:
    """A hypothesis that is being looked at: run of the search, id, pane for it."""

    search: str
    hypothesis: int
    pane: int


class Hypotheses(QObject):
    """Shows a hypothesis that there is a run of, and asks the engine for the traces of others."""

    def __init__(self, session: Session, engine: EngineLike, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._engine = engine
        self._looks: dict[int, _Look] = {}
        engine.trace_done.connect(self._trace_done)
        engine.failed.connect(self._failed)
        engine.cancelled.connect(self._cancelled)

    def show(self, run: Run, hypothesis: int) -> bool:
        """Show a hypothesis if a run has it: the search's own, or one that was looked at before."""
        tokens = hypothesis_tokens(run, hypothesis)
        if tokens is None:
            return True  # there is no such
        step = max(0, given_steps(run.trace) + len(tokens) - 1)
        own = tuple(map(int, produced_ids(run.trace)[: len(tokens)])) == tokens
        facts = {"source": RunSource.HYPOTHESIS, "search": run.id, "hypothesis": hypothesis}
        for other in self._session.document.runs:
            looked = facts.items() <= other.provenance.items() and other.alterations == run.alterations
            if looked or (other.id == run.id and own):
                self._session.show_run(other.id)
                self._session.set_step(step)
                return True
        return False

    def look_at(self, run: Run, hypothesis: int) -> None:
        """Make a hypothesis of a run's search a run.

        Raises:
            HeadscopeError: how the run was decoded is not known here.
        """
        tokens = hypothesis_tokens(run, hypothesis)
        assert tokens is not None
        look = _Look(run.id, hypothesis, self._session.active)
        if look in self._looks.values():
            return
        config, changes = DecodeConfig.from_json(run.trace.decoding), run.changes
        job = self._engine.new_job()
        self._looks[job] = look
        text = input_text(run.trace)
        self._engine.submit(TraceHypothesis(job, text, config, run.id, hypothesis, tokens, changes))

    # The engine's answers.

    def _trace_done(self, message: TraceDone) -> None:
        look = self._looks.pop(message.job, None)
        search = None if look is None else self._session.document.run(look.search)
        if look is not None and search is not None:
            self._add(look, search, message.trace)

    def _add(self, look: _Look, search: Run, trace: Trace) -> None:
        facts = {"source": RunSource.HYPOTHESIS, "search": search.id, "hypothesis": look.hypothesis}
        run_id = new_run_id(self._session.document)
        run = Run(run_id, trace, search.id, facts, search.alterations)
        pane = min(look.pane, len(self._session.document.panes) - 1)
        self._session.add_run(run, pane=pane)
        self._session.select(pane, step=trace.steps - 1)

    def _failed(self, message: JobFailed) -> None:
        if self._looks.pop(message.job, None) is not None:
            self._session.set_notice(Notice.of(message.error))

    def _cancelled(self, message: JobCancelled) -> None:
        self._looks.pop(message.job, None)


def hypothesis_tokens(run: Run, hypothesis: int) -> tuple[int, ...] | None:
    """All tokens of a hypothesis that a run's search considered; None if there is no such."""
    by_id = {one.id: one for one in run.search}
    tokens: list[int] = []
    one = by_id.get(hypothesis)
    if one is None:
        return None
    while one is not None and one.parent is not None:
        tokens.append(one.token)
        one = by_id.get(one.parent)
    return tuple(reversed(tokens))
