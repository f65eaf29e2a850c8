"""Requests: what a view asks of the services, by `Session.ask`; each is answered by one of them. No Qt.

A new one is a class here and a row in what the service that answers it gives to `Session.serve`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from model.alterations.alteration import Alteration


@dataclass(frozen=True)
class ViewRequest:
    """Anything that can be asked for."""


# Of files.


@dataclass(frozen=True)
class OpenPath(ViewRequest):
    """Open a model, a trace, a session or a time-lapse."""

    path: str


# Of the sentence that is typed.


@dataclass(frozen=True)
class Translate(ViewRequest):
    """Decode `Session.text` as `Session.decoding` says: once, or as many samples as are to be drawn.

    Attributes:
        config: decode once, and with these settings (as in a trace's header) instead.
    """

    config: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ReadTarget(ViewRequest):
    """Read a target for `Session.text` token by token."""

    target: str


@dataclass(frozen=True)
class ReadText(ViewRequest):
    """Let the model that read the run's text read this one, and look at that token of it."""

    run: str
    text: str
    token: int


# Of a run.


@dataclass(frozen=True)
class Branch(ViewRequest):
    """Take this token at a step of a run (from 0) and go on."""

    run: str
    step: int
    token: int


@dataclass(frozen=True)
class Continue(ViewRequest):
    """Go on with a text instead of what stands in a run from a step on.

    An empty text with the number of steps there are: go on where the run was stopped.
    """

    run: str
    step: int
    text: str


@dataclass(frozen=True)
class Alter(ViewRequest):
    """Translate anew with these changes beside that untouched run; none takes the altered run away."""

    run: str
    changes: tuple[Alteration, ...]


@dataclass(frozen=True)
class KeepAltered(ViewRequest):
    """Keep an altered run as it is; the next change makes another."""

    run: str


@dataclass(frozen=True)
class MeasureImportance(ViewRequest):
    """Measure what each head is worth to a run."""

    run: str


@dataclass(frozen=True)
class ShowHypothesis(ViewRequest):
    """Show the trace of a hypothesis of a beam search as a run."""

    run: str
    hypothesis: int


# Of what goes on.


@dataclass(frozen=True)
class StopLoading(ViewRequest):
    """Leave the model that is being loaded; the one before stays."""


@dataclass(frozen=True)
class Pause(ViewRequest):
    """Hold the decoding up. At an infinite pace that happens by itself after every token."""


@dataclass(frozen=True)
class Resume(ViewRequest):
    """Let the decoding go on; at an infinite pace for one token."""


@dataclass(frozen=True)
class Cancel(ViewRequest):
    """Stop what goes on; what it has come to stays."""
