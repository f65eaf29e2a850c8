"""Patterns on their way into a session: counted while they are written, told apart where they are damaged."""

from __future__ import annotations

import math
from collections.abc import Callable

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Floats, Patterns, Trace

_WEIGHT_BYTES = 4  # float32


class Unreadable(Exception):
    """A trace cannot be read, as `error` says; no fault of the place that it is written to."""

    def __init__(self, error: HeadscopeError) -> None:
        super().__init__(str(error))
        self.error = error


class Counted:
    """Patterns that say how many bytes of them were read; see `model.trace.trace.Patterns`."""

    def __init__(self, patterns: Patterns, read: Callable[[int], None]) -> None:
        self._patterns = patterns
        self._read = read
        self.shape, self.pattern = patterns.shape, patterns.pattern

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        """See `model.trace.trace.Patterns`."""
        try:
            weights = self._patterns.layer(kind, layer)
        except HeadscopeError as error:
            raise Unreadable(error) from None
        self._read(weights.nbytes)
        return weights


def pattern_bytes(trace: Trace) -> int:
    """Bytes of all patterns of a trace."""
    shapes = filter(None, map(trace.patterns.shape, trace.kinds))
    return sum(_WEIGHT_BYTES * math.prod(shape) for shape in shapes)
