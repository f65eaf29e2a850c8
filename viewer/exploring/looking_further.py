"""Hypotheses of a search, the worth of heads, the order experiment: asked of the engine, told the session."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject

from model.decode_config import DecodeConfig
from model.trace import Trace
from viewer.exploring.engine_like import EngineLike
from viewer.exploring.job_board import JobBoard
from viewer.exploring.run_ids import new_run_id
from viewer.state.document import Run
from viewer.state.input_text import given_steps, input_text, produced_ids
from viewer.state.job_status import JobStatus
from viewer.state.messages import (
    HeadsMeasured,
    JobCancelled,
    JobFailed,
    LookAtHypothesis,
    MeasureHeads,
    OrdersTried,
    PiecesSplit,
    SplitOrderText,
    TraceDone,
    TryOrders,
)
from viewer.state.notice import Notice
from viewer.state.session import Session


@dataclass(frozen=True)
class _Look:
    """A hypothesis that is being looked at: run of the search, id, pane for it."""

    search: str
    hypothesis: int
    pane: int


class LookingFurther(QObject):
    """Asks the engine, and puts its answers into the session."""

    def __init__(self, session: Session, engine: EngineLike, board: JobBoard, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._engine = engine
        self._board = board
        self._looks: dict[int, _Look] = {}
        self._measuring = self._ordering = self._splitting = 0
        self._measured: Trace | None = None
        engine.trace_done.connect(self._trace_done)
        engine.heads_measured.connect(self._heads_measured)
        engine.orders_tried.connect(self._orders_tried)
        engine.pieces_split.connect(self._pieces_split)
        engine.failed.connect(self._failed)
        engine.cancelled.connect(self._cancelled)
        session.model_changed.connect(session.orders.clear)

    def measure(self, run: Run) -> None:
        """Measure what each head is worth to a run that is done.

        Raises:
            HeadscopeError: it was altered in a way that is not known here.
        """
        changes = run.changes
        self._session.set_notice(None)
        if self._measuring:
            self._engine.cancel(self._measuring)
            self._board.end(self._measuring)
        job = self._measuring = self._engine.new_job()
        self._measured = run.trace
        self._board.begin(JobStatus("measuring", job, cancellable=True))
        tokens = tuple(map(int, run.trace.tgt_out_ids))
        self._engine.submit(MeasureHeads(job, run.id, run.trace.src_text, tokens, changes))

    def show(self, run: Run, hypothesis: int) -> bool:
        """Show a hypothesis if a run has it: the search's own, or one that was looked at before."""
        tokens = hypothesis_tokens(run, hypothesis)
        if tokens is None:
            return True  # there is no such
        step = max(0, given_steps(run.trace) + len(tokens) - 1)
        own = tuple(map(int, produced_ids(run.trace)[: len(tokens)])) == tokens
        facts = {"source": "hypothesis", "search": run.id, "hypothesis": hypothesis}
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
        self._engine.submit(LookAtHypothesis(job, text, config, run.id, hypothesis, tokens, changes))

    def split(self, text: str) -> None:
        """Tell the order experiment the pieces of a text."""
        self._splitting = self._engine.new_job()
        self._engine.submit(SplitOrderText(self._splitting, text))

    def try_orders(self, text: str, order: tuple[int, ...] | None) -> None:
        """Read a text's pieces in two orders, with and without positions."""
        if self._ordering:
            self._engine.cancel(self._ordering)
            self._board.end(self._ordering)
        job = self._ordering = self._engine.new_job()
        self._session.orders.begin()
        self._board.begin(JobStatus("ordering", job, cancellable=True))
        self._engine.submit(TryOrders(job, text, order))

    # The engine's answers.

    def _trace_done(self, message: TraceDone) -> None:
        look = self._looks.pop(message.job, None)
        search = None if look is None else self._session.document.run(look.search)
        if look is not None and search is not None:
            self._add(look, search, message.trace)

    def _add(self, look: _Look, search: Run, trace: Trace) -> None:
        facts = {"source": "hypothesis", "search": search.id, "hypothesis": look.hypothesis}
        run_id = new_run_id(self._session.document)
        run = Run(run_id, trace, search.id, facts, search.alterations)
        pane = min(look.pane, len(self._session.document.panes) - 1)
        self._session.add_run(run, pane=pane)
        self._session.select(pane, step=trace.steps - 1)

    def _heads_measured(self, message: HeadsMeasured) -> None:
        run = self._session.document.run(message.run)
        # An altered run may be another by now.
        if run is not None and message.job == self._measuring and run.trace is self._measured:
            self._session.replace_run(run.but(importance=message.importance))
        self._ended(message.job)

    def _pieces_split(self, message: PiecesSplit) -> None:
        if message.job == self._splitting:
            self._session.orders.set_pieces(message)

    def _orders_tried(self, message: OrdersTried) -> None:
        if message.job == self._ordering:
            self._session.orders.finish(message.experiment)
        self._ended(message.job)

    def _failed(self, message: JobFailed) -> None:
        if message.job == self._ordering:
            self._session.orders.fail(Notice.of(message.error))
        elif message.job == self._measuring or message.job in self._looks:
            self._session.set_notice(Notice.of(message.error))
        self._ended(message.job)

    def _cancelled(self, message: JobCancelled) -> None:
        if message.job == self._ordering:
            self._session.orders.fail(None)
        self._ended(message.job)

    def _ended(self, job: int) -> None:
        self._looks.pop(job, None)
        self._board.end(job)
        if job == self._measuring:
            self._measuring, self._measured = 0, None
        elif job == self._ordering:
            self._ordering = 0


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
