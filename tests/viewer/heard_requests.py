"""What views ask of the services, heard by a test."""

from __future__ import annotations

from typing import Any

from viewer.document.messages.request_bus import RequestBus
from viewer.document.messages.requests import ViewRequest


def heard(bus: RequestBus, *kinds: type[ViewRequest]) -> list[Any]:
    """All requests of these kinds, or of any, that are made from now on of a session or a training."""
    found: list[Any] = []

    def note(request: ViewRequest) -> None:
        if not kinds or isinstance(request, kinds):
            found.append(request)

    bus.requested.connect(note)
    return found
