"""AttentionSite: where in the model an attention module sits."""

from __future__ import annotations

from typing import NamedTuple

from model.trace.trace import AttentionKind


class AttentionSite(NamedTuple):
    """Where in the model an attention module sits; layer counts from 0."""

    kind: AttentionKind
    layer: int
