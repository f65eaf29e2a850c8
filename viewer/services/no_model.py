"""without_model: why a model cannot be asked while none is open."""

from __future__ import annotations

from model.abilities import can_compute
from model.errors import HeadscopeError
from viewer.document.session import Session


def without_model(session: Session) -> HeadscopeError:
    """It is on its way, nobody opened one, or this copy of Headscope runs none."""
    if not can_compute():
        return HeadscopeError("cannot_compute")
    return HeadscopeError("run_model_loading" if session.job.state == "loading" else "no_model")
