"""Frames of the probe: which steps' traces are kept on the disk. No torch."""

from __future__ import annotations

from model.errors import HeadscopeError

FEWEST = 3  # traces that there must be room for
MEGABYTE = 1_000_000


class Frames:
    """Which steps' traces of the probe are kept, so that they never take more than they may.

    It depends on nothing but the step that the run has come to: every `every` steps one, and whenever there
    is room for no more, every second goes and the interval doubles. The last step's is kept besides.

    Args:
        every: steps between two at first.
        frame_bytes: of the largest.
        megabytes: most that all may take (10^6 bytes each).
    """

    def __init__(self, every: int, frame_bytes: int, megabytes: int) -> None:
        """Raise `HeadscopeError` when there is no room for three, the fewest to speak of."""
        self._every = every
        self._frame_bytes = frame_bytes
        self._room = megabytes * MEGABYTE // frame_bytes
        if self._room < FEWEST:
            wanted = f"at least {-(-FEWEST * frame_bytes // MEGABYTE)} for traces of this probe"
            raise HeadscopeError("config_value", field="probe_megabytes", value=megabytes, wanted=wanted)

    def interval(self, step: int) -> int:
        """Steps between two kept traces once the run has come to `step`."""
        return _interval(step, self._every, self._room)

    def keeps(self, step: int, now: int) -> bool:
        """Whether the trace of `step` is kept once the run has come to step `now`."""
        return step <= now and step % self.interval(now) == 0

    def most_bytes(self, steps: int | None) -> int:
        """The most that a run of so many steps will keep at a time; None when nobody knows how many."""
        count = self._room if steps is None else min(self._room, steps // self._every + 2)
        return count * self._frame_bytes


def frames_kept(steps: int, every: int, frame_bytes: int, megabytes: int) -> int:
    """How many traces a run of so many steps has kept in the end; see `Frames`."""
    interval = _interval(steps, every, max(FEWEST, megabytes * MEGABYTE // frame_bytes))
    return steps // interval + 1 + (steps % interval > 0)


def _interval(step: int, every: int, room: int) -> int:
    """`every`, doubled until the traces up to `step`, the first and the last included, have room."""
    interval = every
    while step // interval + 2 > room:
        interval *= 2
    return interval
