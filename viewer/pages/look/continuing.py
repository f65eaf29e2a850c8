"""Continuing a run: whether the model in use can, and what pause and step mean while one is decoded."""

from __future__ import annotations

from viewer.document.document import Run
from viewer.document.messages.requests import Pause, Resume
from viewer.document.run_source import RunSource
from viewer.document.session import Session
from viewer.document.text.input_text import given_steps


def can_continue(session: Session, run: Run | None) -> bool:
    """Whether the model in use is the one that made a run, and can choose another of its words."""
    model = session.model
    if run is None or model is None or run.trace.is_round:
        return False
    return run.trace.may_be_of(model.name, model.sha256)


def goes_elsewhere(run: Run, step: int, token: int) -> bool:
    """Whether taking a token at a step may lead anywhere else.

    A greedy run that was not stopped goes on with its own token already; one that was drawn, searched or
    forced went its own way after it. After the end token nothing comes; in a prompt nothing is chosen.
    """
    trace = run.trace
    if step < given_steps(trace):
        return False
    if not 0 <= step < trace.steps or int(trace.tgt_out_ids[step]) != token:
        return True
    ended = trace.finished and step == trace.steps - 1
    greedy = not run.cancelled and trace.decoding.get("mode", "greedy") == "greedy"
    return not (run.live or ended or greedy)


def was_stopped(run: Run) -> bool:
    """Whether a run ended before its end: by a person, or as a hypothesis that its search did not finish."""
    return run.cancelled or (run.provenance.get("source") == RunSource.HYPOTHESIS and not run.trace.finished)


def toggle_pause(session: Session) -> None:
    """Hold the decoding up, or let it go on."""
    if session.job.state == "decoding":
        session.ask(Resume() if session.job.paused else Pause())


def waits_for_step(session: Session) -> bool:
    """Whether the active pane is at the newest token of a decoding that is held up."""
    run = session.run()
    return run is not None and run.live and session.job.paused and session.at_end()


def step_forth(session: Session) -> None:
    """The next step; at the newest one of a decoding that is held up, the next token."""
    if waits_for_step(session):
        session.ask(Resume())
    else:
        session.step_by(1)
