"""Subject of the figure: the model that is open and the sentence in view, where they belong together."""

from __future__ import annotations

from dataclasses import dataclass

from model.errors import HeadscopeError
from model.folder.bundle_config import read_config
from model.folder.families import Family
from model.trace.trace import Trace
from viewer.document.messages.messages import ModelInfo
from viewer.document.session import Session
from viewer.document.text.model_text import family_of
from viewer.figures.architecture.anatomy import Anatomy, anatomy_of, anatomy_of_trace
from viewer.resources import bundled_model


@dataclass(frozen=True, eq=False)
class Drawn:
    """A model, and what it read.

    Attributes:
        trace: None where nothing was read yet, or another model read it.
        model: name and hash.
    """

    anatomy: Anatomy
    trace: Trace | None
    info: ModelInfo | None
    model: tuple[str, str]


def drawn_in(session: Session) -> Drawn | None:
    """Of a session; None where neither a model nor a trace is there."""
    info, trace = session.model, session.trace()
    trace = trace if trace is not None and trace.kinds else None
    if info is not None and info.architecture.get("n_heads"):
        own = trace if trace is not None and trace.may_be_of(info.name, info.sha256) else None
        return Drawn(anatomy_of(info.architecture, family_of(info)), own, info, (info.name, info.sha256))
    if trace is None:
        return None
    found = _bundled(trace) if info is None else None
    return Drawn(found or anatomy_of_trace(trace), trace, None, (trace.model_name, trace.model_sha256))


def _bundled(trace: Trace) -> Anatomy | None:
    """Of a recorded example, while its model is still loading."""
    folder = bundled_model(trace.model_name) if trace.model_name else None
    if folder is None:
        return None
    try:
        found = anatomy_of(read_config(folder).architecture.to_json(), Family.ENCODER_DECODER)
    except HeadscopeError:
        return None
    seen = anatomy_of_trace(trace)
    same = (found.encoder_layers, found.decoder_layers, found.heads) == (
        seen.encoder_layers,
        seen.decoder_layers,
        seen.heads,
    )
    return found if same else None
