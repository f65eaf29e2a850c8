"""Run badge: what sets the run in the output row apart, in a few words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from viewer.document.alterations.alteration_text import run_state_text
from viewer.document.document import Document, Run
from viewer.document.run_source import RunSource
from viewer.document.session import Session


def run_badge(session: Session, run: Run) -> str:
    """Another model's, held up, stopped, altered, forced, or of a beam search; empty for a plain run."""
    translate = QCoreApplication.translate
    if run.provenance.get("source") == RunSource.RECORDED and session.model is None:
        return translate("RunBadge", "recorded example")
    parts = []
    model = session.model
    other = model is not None and not run.trace.may_be_of(model.name, model.sha256)
    if other and run.trace.model_name:
        parts.append(translate("RunBadge", "by {model}").format(model=run.trace.model_name))
    if run.live and session.job.paused:
        parts.append(_paused(run.trace.steps))
    elif run.cancelled:
        parts.append(_stopped(run.trace.steps))
    if run.trace.alterations:
        parts.append(run_state_text(run.trace))
    elif run.trace.decoding.get("mode") == "forced":
        parts.append(translate("RunBadge", "forced target"))
    elif run.provenance.get("source") == RunSource.HYPOTHESIS:
        parts.append(_hypothesis(session.document, run))
    return " · ".join(parts)


def _paused(tokens: int) -> str:
    if tokens == 1:
        return QCoreApplication.translate("RunBadge", "paused after 1 token")
    return QCoreApplication.translate("RunBadge", "paused after {number} tokens").format(number=tokens)


def _stopped(tokens: int) -> str:
    if tokens == 1:
        return QCoreApplication.translate("RunBadge", "stopped after 1 token")
    return QCoreApplication.translate("RunBadge", "stopped after {number} tokens").format(number=tokens)


def _hypothesis(document: Document, run: Run) -> str:
    """Whether the search kept a hypothesis; that it is one where the search is no longer known."""
    search = document.run(str(run.provenance.get("search", "")))
    number = run.provenance.get("hypothesis")
    fates = () if search is None else [one.fate for one in search.search if one.id == number]
    if "pruned" in fates or "outranked" in fates:
        return QCoreApplication.translate("RunBadge", "dropped by the beam search")
    return QCoreApplication.translate("RunBadge", "hypothesis of the beam search")
