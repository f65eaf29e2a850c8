"""Decodings: begun as the session says, shown as runs while they grow, held up, stopped."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from model.abilities import Ability, can_compute
from model.alterations.alteration import Alteration
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.trace.trace import Floats, Trace
from viewer.document.document import Run
from viewer.document.history import change_of
from viewer.document.job_status import JobStatus
from viewer.document.messages.considered import Considered
from viewer.document.messages.messages import (
    Decode,
    DecodeSample,
    JobCancelled,
    JobFailed,
    PaceJob,
    PauseJob,
    TraceDone,
    TraceGrew,
)
from viewer.document.messages.notice import Notice
from viewer.document.messages.requests import Pause, ReadTarget, Resume, Translate
from viewer.document.run_source import RunSource
from viewer.document.session import Session
from viewer.services.engine_protocol import EngineLike
from viewer.services.job_board import JobBoard
from viewer.services.run_ids import new_run_id

_SEEDS = 2**63
_NOWHERE = -1  # a pane that there is never


@dataclass(frozen=True)
class Plan:
    """What is to become of a decoding.

    Attributes:
        run: id of the run.
        parent, branch_step, provenance, alterations: of the run.
        pane: the pane that shows it, None for all panes.
        step: the step to look at once it is there, None to follow the newest.
        token: the source token to look at once it is there.
        fresh: it begins something new, for which examples make room.
        whole: it is shown when it is done, and not before; one that a newer one replaces, never.
    """

    run: str
    parent: str | None = None
    branch_step: int | None = None
    provenance: dict[str, Any] = field(default_factory=lambda: {"source": RunSource.DECODED})
    alterations: tuple[Any, ...] = ()
    pane: int | None = None
    step: int | None = None
    token: int | None = None
    fresh: bool = False
    whole: bool = False

    def made(self, trace: Trace) -> Run:
        """The run with this trace."""
        return Run(self.run, trace, self.parent, self.provenance, self.alterations, True, self.branch_step)


@dataclass(eq=False)
class _Going:
    """A decoding that goes on: its latest trace, and all that its search considered."""

    plan: Plan
    group: int
    trace: Trace | None = None
    search: tuple[Considered, ...] = ()
    added: bool = False
    rounds: tuple[Trace, ...] = ()

    def take(self, trace: Trace, considered: tuple[Considered, ...]) -> None:
        """One more token."""
        last = self.search[-1].id if self.search else -1
        self.trace = trace
        if trace.is_round and trace.frame == len(self.rounds) + 1:
            self.rounds = (*self.rounds, trace)
        # The last step is told twice, by `TraceGrew` and by `TraceDone`.
        self.search += tuple(one for one in considered if one.id > last)


class Decodings(QObject):
    """Answers `Translate` and `ReadTarget`, and starts what others want decoded.

    One group at a time: what went on before is stopped, and stays as it is, marked.

    Signals:
        shown: the run of this plan is about to be added to the session.
    """

    shown = Signal(object)

    def __init__(
        self, session: Session, engine: EngineLike, board: JobBoard, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._engine = engine
        self._board = board
        self._going: dict[int, _Going] = {}
        self._shown: dict[int, list[str]] = {}  # by group
        engine.trace_grew.connect(self._trace_grew)
        engine.trace_done.connect(self._trace_done)
        engine.failed.connect(self._failed)
        engine.cancelled.connect(self._cancelled)
        session.live_run_left.connect(self._run_left)
        session.decoding_changed.connect(self._settings_changed)
        session.serve(
            {
                Translate: self.translate,
                ReadTarget: self.read_target,
                Pause: lambda _: self._hold_up(True),
                Resume: lambda _: self._hold_up(False),
            }
        )

    @property
    def busy(self) -> bool:
        """Whether any goes on."""
        return bool(self._going)

    def translate(self, request: Translate) -> None:
        """Decode the session's text; several times, with seeds from `seed` on, where samples are drawn."""
        settings, model = self._session.decoding, self._session.model
        config = self.config(settings.config if request.config is None else request.config)
        if config is None:
            return
        if model is not None and Ability.ROUNDS in model.can and config.mode != "rounds":
            config = DecodeConfig(mode="rounds", rounds=settings.rounds, candidates=config.candidates)
        writes = model is None or Ability.WRITE in model.can
        if request.config is None and settings.samples > 1 and writes:
            self._sample(config, settings.samples)
        else:
            self.start([self.plan(fresh=True)], [config])

    def read_target(self, request: ReadTarget) -> None:
        """Read a target for the session's text token by token."""
        self.start([self.plan(fresh=True)], [DecodeConfig(mode="forced", target=request.target)])

    def _sample(self, config: DecodeConfig, count: int) -> None:
        seed = secrets.randbelow(2**32) if config.seed is None else config.seed
        batch = secrets.token_hex(4)
        plans = [
            self.plan(
                provenance={"source": RunSource.DECODED, "sample": number, "batch": batch},
                pane=None if number == 0 else _NOWHERE,
                fresh=number == 0,
            )
            for number in range(count)
        ]
        self.start(plans, [config.but(seed=(seed + number) % _SEEDS) for number in range(count)])

    def config(self, decoding: Mapping[str, Any]) -> DecodeConfig | None:
        """Settings as in a trace's header, read; where they make no sense, the user is told."""
        try:
            return DecodeConfig.from_json(dict(decoding))
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
            return None

    def plan(self, **facts: Any) -> Plan:
        """A `Plan` for a new run."""
        return Plan(new_run_id(self._session.document), **facts)

    def start(
        self,
        plans: Sequence[Plan],
        configs: Sequence[DecodeConfig],
        text: str | None = None,
        alterations: tuple[Alteration, ...] = (),
    ) -> None:
        """Decode a text, the session's by default, once for each plan."""
        if not can_compute():
            self._session.set_notice(Notice.of(HeadscopeError("cannot_compute")))
            return
        self._session.set_notice(None)
        self._session.set_playing(False)
        kind = Decode if len(plans) == 1 else DecodeSample
        requests = [
            kind(
                self._engine.new_job(),
                self._session.text if text is None else text,
                config,
                any_script=text is not None,
                run=plan.run,
                parent=plan.parent or "",
                alterations=alterations,
            )
            for plan, config in zip(plans, configs, strict=True)
        ]
        self.begin(requests, plans)

    def begin(self, requests: Sequence[Decode], plans: Sequence[Plan]) -> None:
        """Start a group: one translation, or several that are drawn for one sentence."""
        self._stop(replaced=True)
        group = requests[0].job
        total = len(requests) if len(requests) > 1 else 0
        for request, plan in zip(requests, plans, strict=True):
            self._going[request.job] = _Going(plan, group)
        self._board.begin(JobStatus("decoding", group, total=total, cancellable=True))
        for request, plan in zip(requests, plans, strict=True):
            self._engine.submit(replace(request, pace=0.0 if plan.whole else self._session.decoding.pace))

    def cancel(self) -> None:
        """Stop what goes on; what it has come to stays, marked."""
        self._stop(replaced=False)

    def drop(self, run_id: str) -> None:
        """Stop what makes a run, and forget about it."""
        for job, going in list(self._going.items()):
            if going.plan.run == run_id:
                self._forget(job)

    def _stop(self, *, replaced: bool) -> None:
        for job, going in list(self._going.items()):
            self._engine.cancel(job)
            self._end_early(job, stays=not (replaced and going.plan.whole))

    def _hold_up(self, paused: bool) -> None:
        """Hold up what goes on, or go on with it; at an infinite pace for one token."""
        for job, going in self._going.items():
            self._engine.tell(PauseJob(job, paused))
            self._board.change(going.group, paused=paused)

    def _settings_changed(self) -> None:
        """The pace is that of what goes on, too."""
        for job, going in self._going.items():
            if not going.plan.whole:
                self._engine.tell(PaceJob(job, self._session.decoding.pace))

    def _run_left(self, run_id: str) -> None:
        """A run was taken out while it was made; with the last of a group, all of it was undone."""
        for job, going in list(self._going.items()):
            if going.plan.run == run_id and job in self._going:
                if self._undone(going.group):
                    self._forget_group(going.group)
                else:
                    self._forget(job)

    def _forget_group(self, group: int) -> None:
        for job, going in list(self._going.items()):
            if going.group == group:
                self._forget(job)

    def _forget(self, job: int) -> None:
        self._engine.cancel(job)
        self._leave(job)

    # The engine's answers.

    def _trace_grew(self, message: TraceGrew) -> None:
        going = self._going.get(message.job)
        if going is None:
            return
        if not going.added and self._undone(going.group):
            self._forget_group(going.group)
            return
        going.take(message.trace, message.considered)
        # The first is always shown: from it on a pane follows the newest.
        if not going.plan.whole and not (message.followed and going.added):
            self._put(going, live=True)
        if message.paused:
            self._board.change(going.group, paused=True)

    def _trace_done(self, message: TraceDone) -> None:
        going = self._going.get(message.job)
        if going is None:
            return
        going.take(message.trace, message.considered)
        self._put(going, live=False, held=message.held)
        self._leave(message.job)
        if message.note is not None:
            self._session.set_notice(message.note)

    def _failed(self, message: JobFailed) -> None:
        if message.job in self._going:
            self._session.set_notice(Notice.of(message.error))
            self._end_early(message.job, stays=True)

    def _cancelled(self, message: JobCancelled) -> None:
        going = self._going.get(message.job)
        if going is not None:
            self._end_early(message.job, stays=not going.plan.whole)

    def _end_early(self, job: int, *, stays: bool) -> None:
        """It ended without a result: what is there stays, and grows no more."""
        going = self._going[job]
        begun = going.trace is not None and (going.added or going.trace.steps > 0)
        if stays and begun:
            self._put(going, live=False, cancelled=True)
        self._leave(job)

    def _leave(self, job: int) -> None:
        group = self._going.pop(job).group
        left = sum(going.group == group for going in self._going.values())
        if not left:
            self._shown.pop(group, None)
            self._board.end(group)
        elif self._session.job.job == group:
            self._board.change(group, done=self._session.job.total - left)

    # The session.

    def _undone(self, group: int) -> bool:
        """Whether the samples of a group that were shown are gone, all of them."""
        shown = self._shown.get(group, ())
        return bool(shown) and not any(self._session.document.run(run_id) for run_id in shown)

    def _put(self, going: _Going, *, live: bool, cancelled: bool = False, held: Floats | None = None) -> None:
        assert going.trace is not None
        changes = {"live": live, "cancelled": cancelled, "search": going.search, "held": held}
        changes["rounds"] = going.rounds
        if not going.added:
            going.added = True
            if going.plan.whole and self._session.document.run(going.plan.parent or "") is None:
                return  # what it was to stand beside is gone
            self._shown.setdefault(going.group, []).append(going.plan.run)
            self._add(going.plan, going.plan.made(going.trace).but(**changes))
            return
        before = self._session.document.run(going.plan.run)
        if before is not None:
            self._session.replace_run(before.but(trace=going.trace, **changes))
            self._stay(going.plan, before.trace.steps, going.trace)

    def _add(self, plan: Plan, run: Run) -> None:
        session = self._session
        with session.one_change(change_of(run)):
            self.shown.emit(plan)
            session.add_run(run, pane=plan.pane)
            if plan.fresh:
                make_room(session, run.id)
        if not run.live and plan.step is not None:
            session.select(plan.pane, step=plan.step)
        if plan.token is not None:
            session.set_crosshair(plan.token, plan.token, plan.pane)

    def _stay(self, plan: Plan, before: int, trace: Trace) -> None:
        """Look at the step that was wished for, once there is a newer one; in slow motion, follow that.

        Args:
            before: how many steps were shown before.
        """
        if plan.step is None or self._session.decoding.pace > 0:
            return
        if not before < plan.step + 2 <= trace.steps:
            return
        for index, pane in enumerate(self._session.document.panes):
            if pane.run_id == plan.run and pane.selection.step == trace.steps - 1:
                self._session.select(index, step=plan.step)


def make_room(session: Session, newest: str) -> None:
    """Take examples out that nothing branched from and that nobody marked; a newer run is there now."""
    document = session.document
    wanted = {newest, document.pinned, *(run.parent for run in document.runs)}
    wanted |= {mark.run_id for mark in document.bookmarks}
    wanted |= {run.id for run in document.runs if run.gold is not None}
    for run in document.runs:
        if run.provenance.get("source") == RunSource.RECORDED and run.id not in wanted:
            session.remove_run(run.id)
