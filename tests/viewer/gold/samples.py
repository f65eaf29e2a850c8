"""A session that shows the hand-made cross-attention of `tests.model.alignment.samples`."""

from __future__ import annotations

from typing import Any

from model.alignment.links import Gold
from model.trace.trace import AttentionKind, Trace
from tests.model.alignment.samples import LINKS, sample_trace
from viewer.document.document import Run
from viewer.document.selection import Selection
from viewer.document.session import Session

GOLD = Gold(LINKS)
CROSS = AttentionKind.CROSS


def shown(gold: Gold | None = None, trace: Trace | None = None, **selection: Any) -> Session:
    """One run, one pane on the last step of head 1."""
    session = Session()
    trace = trace or sample_trace()
    chosen = Selection(CROSS, 0, 0, trace.steps - 1).but(**selection)
    session.add_run(Run("one", trace, gold=gold, provenance={"source": "file"}), chosen)
    return session


def gold_of(session: Session, run: str = "one") -> Gold | None:
    found = session.document.run(run)
    assert found is not None
    return found.gold
