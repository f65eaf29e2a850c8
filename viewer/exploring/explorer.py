"""What the user asks of the engine, answered: translations, branches, samples, what-ifs and measurements."""

from __future__ import annotations

import secrets
from typing import Any

from PySide6.QtCore import QObject

from model.alterations import Alteration
from model.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.trace import Trace
from viewer.exploring.asking import Asking
from viewer.exploring.decodings import Decodings, Plan
from viewer.exploring.engine_like import EngineLike
from viewer.exploring.job_board import JobBoard
from viewer.exploring.looking_further import LookingFurther
from viewer.exploring.run_ids import new_run_id
from viewer.exploring.what_if import WhatIf
from viewer.state.document import Document, Run
from viewer.state.input_text import given_steps, input_text
from viewer.state.messages import Decode, DecodeSample
from viewer.state.notice import Notice
from viewer.state.session import Session

_SEEDS = 2**63
_NOWHERE = -1  # a pane that there is never


class Explorer(QObject):
    """Answers every signal of `Session.wishes`; what cannot be done becomes a notice.

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
        self._what_if = WhatIf(session, engine, self.decodings, self)
        self._further = LookingFurther(session, engine, board, self)
        self._asking = Asking(session, engine, self)
        wishes = session.wishes
        wishes.branch_asked.connect(self.branch)
        wishes.continuation_asked.connect(self.go_on_with)
        wishes.reading_asked.connect(self.read)
        wishes.forced_asked.connect(self.force)
        wishes.samples_asked.connect(self.sample)
        wishes.alter_asked.connect(self.alter)
        wishes.keep_asked.connect(self._what_if.keep)
        wishes.importance_asked.connect(self.measure)
        wishes.hypothesis_asked.connect(self.look_at)
        wishes.order_pieces_asked.connect(self._further.split)
        wishes.orders_asked.connect(self._further.try_orders)
        wishes.pause_asked.connect(self.decodings.pause)
        wishes.resume_asked.connect(self.decodings.resume)
        wishes.cancel_asked.connect(self.cancel)

    # Translations of what is typed.

    def translate(self, decoding: dict[str, Any]) -> None:
        """Decode the session's text with these settings, as in a trace's header."""
        config = self._config(decoding)
        if config is not None:
            self._begin([self._plan(fresh=True)], [config])

    def read(self, run_id: str, text: str, token: int) -> None:
        """Let the model that read a run's text read another, which becomes the session's; look at a token."""
        run = self._session.document.run(run_id)
        if run is None or not self._possible(run.trace):
            return
        config = self._config(dict(run.trace.decoding))
        if config is not None:
            self._session.set_text(text)
            self._begin([self._plan(fresh=True, token=token)], [config])

    def force(self, target: str) -> None:
        """Read a target for the session's text token by token."""
        self._begin([self._plan(fresh=True)], [DecodeConfig(mode="forced", target=target)])

    def sample(self, decoding: dict[str, Any], count: int) -> None:
        """Draw several translations of the session's text, with the seeds from `seed` on."""
        config = self._config(decoding)
        if config is None or count < 1:
            return
        seed = secrets.randbelow(2**32) if config.seed is None else config.seed
        batch = secrets.token_hex(4)
        plans = [
            self._plan(
                provenance={"source": "decoded", "sample": number, "batch": batch},
                pane=None if number == 0 else _NOWHERE,
                fresh=number == 0,
            )
            for number in range(count)
        ]
        self._begin(plans, [config.but(seed=(seed + number) % _SEEDS) for number in range(count)])

    # From a run on.

    def branch(self, run_id: str, step: int, token: int) -> None:
        """Take a token at a step and go on; show what is there already of it.

        The token that stands there leads nowhere else, unless the run was stopped or no greedy decoding.
        """
        run = self._session.document.run(run_id)
        if run is None or not 0 <= step < run.trace.steps:
            return
        tokens = (*map(int, run.trace.tgt_out_ids[:step]), token)
        if step < given_steps(run.trace):
            return  # what a prompt says is no choice of the model's
        there = branch_there(self._session.document, run, step, tokens)
        if there is None:
            self._branch(run, step, tokens)
            return
        if there.id != self._shown():
            self._session.show_run(there.id)
        self._session.set_step(step)

    def go_on_with(self, run_id: str, step: int, text: str) -> None:
        """Go on with a text instead of what stands from a step on; with none where a run was stopped."""
        run = self._session.document.run(run_id)
        if (
            run is None
            or not given_steps(run.trace) <= step <= run.trace.steps
            or (step == run.trace.steps and run.trace.finished)
        ):
            return
        self._branch(run, step, tuple(map(int, run.trace.tgt_out_ids[:step])), text)

    def alter(self, run_id: str, changes: tuple[Alteration, ...]) -> None:
        """Translate anew with changes beside an untouched run; see `WhatIf.alter`."""
        run = self._session.document.run(run_id)
        if run is None or run.live or (changes and not self._possible(run.trace)):
            return
        self._said(None)
        try:
            self._what_if.alter(run, changes)
        except HeadscopeError as error:
            self._said(error)

    def measure(self, run_id: str) -> None:
        """Measure what each head is worth to a run."""
        run = self._session.document.run(run_id)
        if run is None or run.live or not self._possible(run.trace):
            return
        try:
            self._further.measure(run)
        except HeadscopeError as error:
            self._said(error)

    def look_at(self, run_id: str, hypothesis: int) -> None:
        """Show a hypothesis of a run's beam search as a run."""
        run = self._session.document.run(run_id)
        if run is None or self._further.show(run, hypothesis) or not self._possible(run.trace):
            return
        try:
            self._further.look_at(run, hypothesis)
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
            plan = self._plan(
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
        self._begin([plan], [config], text=input_text(run.trace), alterations=changes)

    def _begin(
        self,
        plans: list[Plan],
        configs: list[DecodeConfig],
        text: str | None = None,
        alterations: tuple[Alteration, ...] = (),
    ) -> None:
        self._said(None)
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
        self.decodings.begin(requests, plans)

    def _plan(self, **facts: Any) -> Plan:
        return Plan(new_run_id(self._session.document), **facts)

    def _config(self, decoding: dict[str, Any]) -> DecodeConfig | None:
        try:
            return DecodeConfig.from_json(decoding)
        except HeadscopeError as error:
            self._said(error)
            return None

    def _possible(self, trace: Trace) -> bool:
        """Whether the open model is the one that made a trace; else the user is told."""
        model = self._session.model
        if model is None:
            loading = self._session.job.state == "loading"
            self._said(HeadscopeError("run_model_loading" if loading else "no_model"))
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
        alike = other.alterations == run.alterations and other.provenance.get("source") != "hypothesis"
        stopped = other.cancelled and other.trace.steps == len(tokens)
        if alike and not stopped and _begins(other, tokens) and document.root(other) == home:
            return other
    return None


def _begins(run: Run, tokens: tuple[int, ...]) -> bool:
    return tuple(map(int, run.trace.tgt_out_ids[: len(tokens)])) == tokens
