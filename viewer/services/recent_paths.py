"""`RecentPaths`: what was opened of late, as far as whoever opens files knows of it."""

from __future__ import annotations

from typing import Protocol


class RecentPaths(Protocol):
    """What is remembered between starts; see `viewer.window.settings.Settings`.

    Attributes:
        folder: the one last used in a file dialog.
    """

    folder: str

    def remember_recent(self, path: str, kind: str) -> None:
        """Put a path first among the recents of its kind, one of `viewer.opening.kind_of`."""

    def forget_recent(self, path: str) -> None:
        """Drop a path that can no longer be opened."""
